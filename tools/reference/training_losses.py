# SPDX-License-Identifier: Apache-2.0
"""Losses of linear models: derivatives, and the constants that a training run derives from what is declared.

Kinds: 0 logistic, 1 smoothed_hinge, 2 huber, 3 squared. With the prediction m and the label y = 1,

    logistic         log(1 + e^-m)            slope  -1/(1 + e^m)            second derivative at most 1/4
    smoothed hinge   E (1 - m + width Z)_+    slope  -Phi((1 - m)/width)     at most 1/(width sqrt(2 pi))

Differentiate under the expectation: d/dm E(1 - m + width Z)_+ = -Pr[width Z > m - 1]. For a label y = -1 both are
mirrored. Huber and squared depend on the residual r = m - y: slopes min(|r|, width) and |r|, second derivative at most 1.

A record has features of norm at most X and a label of at most Y, and |w| <= R: so |m| <= X R, |r| <= X R + Y. The
largest slopes are those at m = -X R (logistic, hinge; slopes fall in m) and at the largest residual; as a function of w
the loss is (slope X)-Lipschitz and (second derivative X^2)-smooth.
"""

from fractions import Fraction

from mpmath import mp

from inputs import generator, log_uniform, uniform, unique
from table import Table, WideTable

LOGISTIC, HINGE, HUBER, SQUARED = 0.0, 1.0, 2.0, 3.0


def normal_cdf(x):
    return mp.erfc(-x / mp.sqrt(2)) / 2


def falling_slope(kind, width, margin):
    """Minus the derivative at the label 1, for the losses of classification."""
    if margin == (0.0 if kind == LOGISTIC else 1.0):
        return Fraction(1, 2)
    margin, width = mp.mpf(margin), mp.mpf(width)
    if kind == LOGISTIC:
        return 1 / (1 + mp.exp(margin))
    return normal_cdf((1 - margin) / width)


def slope(kind, width, norm, radius, label):
    largest = Fraction(norm) * Fraction(radius)
    if kind == LOGISTIC:
        return 1 / (1 + mp.exp(-mp.mpf(largest.numerator) / largest.denominator))
    if kind == HINGE:
        return normal_cdf((1 + mp.mpf(largest.numerator) / largest.denominator) / mp.mpf(width))
    residual = largest + Fraction(label)
    return min(Fraction(width), residual) if kind == HUBER else residual


def curvature(kind, width, *_):
    if kind == LOGISTIC:
        return Fraction(1, 4)
    if kind == HINGE:
        return 1 / (mp.mpf(width) * mp.sqrt(2 * mp.pi))
    return Fraction(1)


def _product(x, y):
    if isinstance(x, Fraction):
        return x * y
    return x * mp.mpf(y.numerator) / y.denominator


def lipschitz(kind, width, norm, radius, label):
    return _product(slope(kind, width, norm, radius, label), Fraction(norm))


def smoothness(kind, width, norm, radius, label):
    return _product(curvature(kind, width), Fraction(norm) ** 2)


def _slope_rows():
    rng = generator("training_slope")
    rows = [(LOGISTIC, 1.0, m) for m in (0.0, 1.0, -1.0, 30.0, -30.0, 700.0, -700.0, 1e-300, 5e-324)]
    rows += [(HINGE, w, m) for w in (1e-6, 0.5, 1.0, 1e6) for m in (0.0, 1.0, -1.0, 0.9999, 1.5, -20.0)]
    while len(rows) < 160:
        rows.append((LOGISTIC, 1.0, rng.choice([-1, 1]) * log_uniform(rng, 1e-12, 600)))
    while len(rows) < 320:
        width = log_uniform(rng, 1e-6, 1e3)
        rows.append((HINGE, width, 1 - width * uniform(rng, -35, 35)))
    return unique(rows)


def _constant_rows():
    rng = generator("training_constants")
    rows = []
    for kind in (LOGISTIC, HINGE, HUBER, SQUARED):
        rows += [(kind, 1.0, 1.0, 1.0, 1.0), (kind, 0.5, 1.0, 10.0, 1.0), (kind, 2.0, 1e-3, 1e-3, 1e3)]
        for _ in range(40):
            norm, radius, label = (log_uniform(rng, 1e-3, high) for high in (1e3, 1e2, 1e3))
            # A slope that is 1 but for 1e-1000 is not worth a row.
            least = (1 + norm * radius) / 40 if kind == HINGE else 1e-4
            rows.append((kind, log_uniform(rng, least, 1e4), norm, radius, label))
    return unique(rows)


TABLES = [
    Table("training_slope", ("kind", "width", "margin"), _slope_rows, falling_slope, low=0, high=1),
    WideTable(
        "training_constants",
        ("kind", "width", "norm", "radius", "label"),
        _constant_rows,
        (("slope", slope), ("curvature", curvature), ("lipschitz", lipschitz), ("smoothness", smoothness)),
    ),
]
