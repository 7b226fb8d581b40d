# SPDX-License-Identifier: Apache-2.0
"""Sum of two independent Laplace variables of scales l1 and l2, shifted by the sensitivity.

With x >= 0 the density and the upper tail are

    f(x) = (l1 e^(-x/l1) - l2 e^(-x/l2)) / (2 (l1^2 - l2^2)),    f(x) = (l + x) e^(-x/l) / (4 l^2) if l1 = l2,
    S(x) = (l1^2 e^(-x/l1) - l2^2 e^(-x/l2)) / (2 (l1^2 - l2^2)),  S(x) = (2 l + x) e^(-x/l) / (4 l) if l1 = l2.

The log-likelihood ratio log f(x - sensitivity) - log f(x) rises from -limit to limit = sensitivity / max(l1, l2)
without reaching them, so delta(epsilon) = S(c - sensitivity) - e^epsilon S(c), where c is the point at which it equals
epsilon.
"""

from fractions import Fraction

from mpmath import mp

from inputs import generator, log_uniform, sensitivity, settled, step, uniform, unique
from roots import bracketed_root
from rounding import round_down
from settle import Unsettled
from table import Table


class Law:
    def __init__(self, scale1, scale2):
        self.wide, self.narrow = mp.mpf(max(scale1, scale2)), mp.mpf(min(scale1, scale2))

    def density(self, x):
        x, l1, l2 = abs(x), self.wide, self.narrow
        if l1 == l2:
            return (l1 + x) * mp.exp(-x / l1) / (4 * l1**2)
        return (l1 * mp.exp(-x / l1) - l2 * mp.exp(-x / l2)) / (2 * (l1**2 - l2**2))

    def upper_tail(self, x):
        if x < 0:
            return 1 - self.upper_tail(-x)
        l1, l2 = self.wide, self.narrow
        if l1 == l2:
            return (2 * l1 + x) * mp.exp(-x / l1) / (4 * l1)
        return (l1**2 * mp.exp(-x / l1) - l2**2 * mp.exp(-x / l2)) / (2 * (l1**2 - l2**2))

    def loss(self, x, sens):
        return mp.log(self.density(x - sens) / self.density(x))

    def crossing(self, sens, epsilon):
        """The point where the loss equals epsilon, 0 <= epsilon < limit."""
        low, high = sens / 2, sens + self.wide
        while self.loss(high, sens) <= epsilon:
            low, high = high, 2 * high
        if epsilon == 0:
            return sens / 2
        return bracketed_root(lambda x: self.loss(x, sens) - epsilon, low, high)


def limit(scale1, scale2, sens):
    return Fraction(sens) / Fraction(max(scale1, scale2))


def delta(scale1, scale2, sens, epsilon):
    if Fraction(epsilon) >= limit(scale1, scale2, sens):
        return Fraction(0)
    law, sens, epsilon = Law(scale1, scale2), mp.mpf(sens), mp.mpf(epsilon)
    c = law.crossing(sens, epsilon)
    return law.upper_tail(c - sens) - mp.exp(epsilon) * law.upper_tail(c)


def epsilon(scale1, scale2, sens, target):
    """The smallest epsilon >= 0 with delta(epsilon) <= target, found as the loss at the crossing point."""
    law, sens, target = Law(scale1, scale2), mp.mpf(sens), mp.mpf(target)

    def excess(c):
        value = law.upper_tail(c - sens) - mp.exp(law.loss(c, sens)) * law.upper_tail(c)
        if value <= 0:
            raise Unsettled("everything cancelled")
        return value - target if target > 0.5 else mp.log(value / target)

    if excess(sens / 2) <= 0:
        return Fraction(0)
    # Small steps: far beyond sens the two tails agree to more digits than the working precision has.
    low, high, width = sens / 2, sens, law.narrow
    while excess(high) > 0:
        low, high, width = high, sens + width, 2 * width
    return law.loss(bracketed_root(excess, low, high), sens)


def second_scale(scale, relation):
    """A scale at the given relative distance (or ratio) from the first."""
    return step(scale, 1) if relation == "ulp" else settled(scale * relation)


RELATIONS = ["ulp", 1.0, 1 + 1e-12, 1 + 1e-6, 1 + 1e-3, 1.1, 2.0, 10.0, 1e3, 1e6]


def scales(rng, relation):
    """A pair of scales in [1e-3, 1e9], in random order."""
    ratio = 1.0 if relation == "ulp" else relation
    scale = log_uniform(rng, 1e-3, 1e9 / ratio) if rng.random() < 0.5 else log_uniform(rng, 0.05, 50)
    pair = [scale, second_scale(scale, relation)]
    rng.shuffle(pair)
    return pair


def _loss_as_double(pair, sens, c):
    with mp.workdps(120):
        value = Law(*pair).loss(mp.mpf(c), mp.mpf(sens))
        return round_down(value) if value > 0 else 0.0


def _delta_rows():
    rng = generator("twice_laplace_delta")
    rows = []
    for k in range(46 * len(RELATIONS)):
        pair = scales(rng, RELATIONS[k % len(RELATIONS)])
        sens = sensitivity(rng)
        wide, top = max(pair), sens / max(pair)
        shape = k // len(RELATIONS) % 6
        if shape == 0:
            e = uniform(rng, 0, 1) * top
        elif shape == 1:
            e = (1 - log_uniform(rng, 1e-15, 1)) * top
        elif shape == 2:
            e = _loss_as_double(pair, sens, sens * uniform(rng, 0.5, 1.5))
        else:
            e = _loss_as_double(pair, sens, sens + wide * log_uniform(rng, 1e-3, 690))
        rows.append((*pair, sens, e))
    for relation in RELATIONS:
        for scale, sens in ((1.0, 1.0), (0.3, 1.0), (40.0, 3.0)):
            pair = (scale, second_scale(scale, relation))
            top = sens / max(pair)
            rows += [(*pair, sens, e) for e in (0.0, 1e-300, step(top, -2), step(top, -1), top, step(top, 1), 2 * top)]
    for pair in ((1.0, 1.0), (step(1.0, 1), 1.0), (2.0, 2.000002), (1e-3, 1e-3), (1e9, 1e9)):
        for depth in (640, 680, 700, 715, 730, 745, 760, 2000, 1e5):
            rows.append((*pair, 1.0, _loss_as_double(pair, 1.0, 1.0 + max(pair) * depth)))
    rows += [(l, m * l, 1.0, 0.0) for l in (1e-3, 5e-3, 0.05) for m in (1.0, 1.001, 2.0, 10.0)]
    return unique(rows)


def _epsilon_rows():
    rng = generator("twice_laplace_epsilon")
    rows = []
    for k in range(13 * len(RELATIONS)):
        pair = scales(rng, RELATIONS[k % len(RELATIONS)])
        sens = sensitivity(rng)
        most = min(1.0, sens / max(pair))
        rows.append((*pair, sens, max(1e-300, log_uniform(rng, 1e-300 if k % 2 else 1e-12, 1) * most)))
    for pair in ((1.0, 1.0), (1.0, 2.0), (10.0, 1.0), (1.0, step(1.0, 1)), (0.05, 0.05)):
        rows += [(*pair, 1.0, t) for t in (1e-300, 1e-100, 1e-30, 1e-9, 1e-5, 0.01, 0.3, 0.9, 1.0)]
    return unique(rows)


TABLES = [
    Table(
        "twice_laplace_delta",
        ("scale1", "scale2", "sensitivity", "epsilon"),
        _delta_rows,
        delta,
        low=0,
        high=1,
        with_log=True,
    ),
    Table("twice_laplace_epsilon", ("scale1", "scale2", "sensitivity", "delta"), _epsilon_rows, epsilon, low=0),
]
