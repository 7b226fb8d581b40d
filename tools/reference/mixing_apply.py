# SPDX-License-Identifier: Apache-2.0
"""A mechanism followed by a kernel: the worst delta(epsilon), and two published bounds on it.

With d = delta(epsilon) of the mechanism and kappa the hockey-stick coefficient of the kernel,

    F(epsilon) = d kappa(log(1 + (e^epsilon - 1) / d)).

For a kernel that is a black box, kappa(t) = gamma + (1 - gamma) (e^e - e^t)_+ / (1 + e^e), this is

    F(epsilon) = gamma d + (1 - gamma) (d (e^e - 1) - (e^epsilon - 1))_+ / (1 + e^e).

The published bounds take d at the epsilon of e^epsilon' = 1 + gamma (e^epsilon - 1):

    Doeblin  gamma (1 - e^(epsilon' - epsilon) (1 - d)),    ultra-mixing  gamma d e^(epsilon' - epsilon),

and the answer is the smaller of that and the mechanism's own delta(epsilon').
"""

from fractions import Fraction

from mpmath import mp

from inputs import generator, log_uniform, settled, step, uniform, unique
from normal import upper_tail
from rounding import to_mpf
from settle import Unsettled
from table import Table


def is_positive(x, size):
    """Whether x, a difference that does not vanish, is positive. It has an error far below size 10^(-dps/3)."""
    if abs(x) < size * mp.mpf(10) ** (-mp.dps // 3):
        raise Unsettled("the sign is open")
    return x > 0


def black_box(epsilon0, delta0, epsilon):
    """delta(epsilon) of an (epsilon0, delta0)-DP black box; a Fraction when it is delta0."""
    epsilon0, delta0, epsilon = Fraction(epsilon0), Fraction(delta0), Fraction(epsilon)
    if epsilon >= epsilon0 or delta0 == 1:
        return delta0
    spread = mp.exp(to_mpf(epsilon)) * mp.expm1(to_mpf(epsilon0 - epsilon)) / (1 + mp.exp(to_mpf(epsilon0)))
    return to_mpf(delta0) + to_mpf(1 - delta0) * spread


def gaussian(mu, epsilon):
    mu, epsilon = mp.mpf(mu), mp.mpf(epsilon)
    tail = upper_tail(epsilon / mu - mu / 2)
    value = tail - mp.exp(epsilon) * upper_tail(epsilon / mu + mu / 2)
    if value < tail * mp.mpf(10) ** (-mp.dps // 2):
        raise Unsettled("too few digits are left")
    return value


def after_kernel(d, e, gamma, epsilon):
    """F(epsilon). d is an mpf that is not rational, or a Fraction."""
    gamma = Fraction(gamma)
    if d == 0 or gamma == 1:
        return d
    exact = isinstance(d, Fraction)
    constant = gamma * d if exact else to_mpf(gamma) * d
    gain, need = to_mpf(d) * mp.expm1(mp.mpf(e)), mp.expm1(mp.mpf(epsilon))
    if e == 0 or (d == 1 and exact and epsilon >= e) or (epsilon > 0 and not is_positive(gain - need, need)):
        return constant if gamma else Fraction(0)
    return to_mpf(constant) + to_mpf(1 - gamma) * (gain - need) / (1 + mp.exp(mp.mpf(e)))


def after_black_box(epsilon0, delta0, e, gamma, epsilon):
    return after_kernel(black_box(epsilon0, delta0, epsilon), e, gamma, epsilon)


def after_gaussian(mu, e, gamma, epsilon):
    return after_kernel(gaussian(mu, epsilon), e, gamma, epsilon)


def _at_stretched(epsilon0, delta0, gamma, epsilon):
    """(d, r, 1 - r) with r = e^(epsilon' - epsilon) at the stretched epsilon, epsilon' given and not 0."""
    gamma, more = Fraction(gamma), mp.expm1(mp.mpf(epsilon))
    stretched = 1 + more / to_mpf(gamma)
    ratio, rest = (1 + more) / stretched, to_mpf(1 / gamma - 1) * more / stretched
    delta0, odds = Fraction(delta0), mp.exp(mp.mpf(epsilon0))
    if delta0 == 1 or epsilon0 <= epsilon or not is_positive(odds - stretched, odds):
        return delta0, ratio, rest
    return to_mpf(delta0) + to_mpf(1 - delta0) * (odds - stretched) / (1 + odds), ratio, rest


def _times(gamma, d):
    return Fraction(gamma) * d if isinstance(d, Fraction) else to_mpf(Fraction(gamma)) * d


def _smaller(a, b):
    if isinstance(a, Fraction) and isinstance(b, Fraction):
        return min(a, b)
    for x in (a, b):
        if isinstance(x, Fraction) and x == 0:
            return x
    return b if is_positive(to_mpf(a) - to_mpf(b), max(to_mpf(a), to_mpf(b))) else a


def published_doeblin(epsilon0, delta0, gamma, epsilon):
    own = black_box(epsilon0, delta0, epsilon)
    if epsilon == 0 or delta0 == 1:
        return _times(gamma, own)
    d, ratio, rest = _at_stretched(epsilon0, delta0, gamma, epsilon)
    return _smaller(_times(gamma, rest + ratio * to_mpf(d)), own)


def published_ultra(epsilon0, delta0, gamma, epsilon):
    own = black_box(epsilon0, delta0, epsilon)
    if epsilon == 0:
        return _times(gamma, own)
    d, ratio, _ = _at_stretched(epsilon0, delta0, gamma, epsilon)
    return _smaller(_times(gamma, ratio * to_mpf(d)) if d else Fraction(0), own)


def edge(delta, e):
    """About the epsilon at which delta (e^e - 1) = e^epsilon - 1, where the second term of F ends; delta falls."""
    low, high = 0.0, e
    with mp.workdps(120):
        while low < (low + high) / 2 < high and high - low > 1e-13 * high:
            middle = (low + high) / 2
            more = to_mpf(delta(middle)) * mp.expm1(mp.mpf(e)) > mp.expm1(mp.mpf(middle))
            low, high = (middle, high) if more else (low, middle)
    return low


FRACTIONS = (0.0, 1e-9, 0.05, 0.4, 0.8, 0.99, 0.999999, 1.0, 1.01, 1.5)
DELTAS = (0.0, 1e-6, 1e-30, 1e-200, 1e-3, 0.0, 1e-6)
GAMMAS = (0.0, 0.0, 0.1, 0.5, 0.999, 1e-10, 1e-40, 1e-150)


def _black_box_rows():
    rng = generator("mixing_black_box_delta")
    rows = [(1.0, 1e-6, 1.0, 0.0, 0.1), (1.0, 1e-6, 0.0, 0.5, 0.1), (1.0, 0.0, 0.5, 0.25, 0.2)]
    for k in range(100):
        e0 = log_uniform(rng, 1e-3, 20) if k % 3 else log_uniform(rng, 1e-1, 5)
        e = log_uniform(rng, 1e-3, 20) if k % 5 else 0.0
        d0, gamma = DELTAS[k % 7], GAMMAS[(k // 7 + k) % 8]
        if e == 0 and gamma == 0:
            gamma = 0.3
        end = edge(lambda t: black_box(e0, d0, t), e) if k % 2 and e else e0
        rows.append((e0, d0, e, gamma, settled(end * FRACTIONS[k % 10])))
    # beyond epsilon0, where d is delta0
    for d0 in (1e-6, 1e-30, 1e-200, 0.5):
        rows += [(0.1, d0, e, gamma, 0.2) for e in (0.0, 2.0) for gamma in (1e-50, 0.5)]
        rows += [(0.0, d0, 3.0, gamma, 0.0) for gamma in (0.0, 0.25)] + [(0.1, d0, 40.0, 0.0, settled(0.1 + d0))]
        rows.append((0.0, d0, 1.0, 0.0, settled(d0)))
    # tiny truths from each of the inputs
    for tiny in (1e-20, 1e-100, 1e-250):
        rows += [(1.0, 0.0, 1.0, tiny, 0.9), (tiny, 0.0, 1.0, 0.0, 0.0), (tiny, 0.0, 1.0, 0.3, settled(tiny / 3))]
        rows += [(1.0, 0.0, tiny, 0.0, 0.0), (1.0, 1e-6, tiny, 0.0, settled(tiny / 8)), (tiny, tiny, tiny, tiny, 0.0)]
        rows += [(1.0, 0.0, tiny, tiny, settled(tiny / 5)), (0.5, tiny, 2.0, 0.5, 1.0), (0.0, tiny, 2.0, 0.0, 0.0)]
    # huge levels
    for e0, e in ((40.0, 40.0), (300.0, 5.0), (5.0, 300.0), (709.0, 709.0), (800.0, 800.0), (800.0, 1.0), (1.0, 800.0)):
        rows += [(e0, 1e-6, e, 0.0, t) for t in (0.0, 0.5, settled(min(e0, e) * 0.9))]
        rows.append((e0, 0.0, e, 0.25, settled(min(e0, e) / 2)))
    rows += [(800.0, 0.0, 800.0, 0.0, 799.0), (800.0, 0.0, 750.0, 0.0, 749.5), (5.0, 1e-30, 1000.0, 0.0, 700.0)]
    # a mechanism without privacy, kernels without mixing, exact zeros, the smallest doubles
    rows += [(1.0, 1.0, 2.0, gamma, t) for gamma in (0.0, 0.3) for t in (0.0, 1.0, step(2.0, -1), 2.0, 3.0)]
    rows += [(1.0, d0, 2.0, 1.0, t) for d0 in (0.0, 1e-6) for t in (0.0, 0.5, 1.0, 2.0)]
    rows += [(1.0, 0.0, 2.0, 0.5, t) for t in (1.0, 2.0)] + [(1.0, 0.0, 0.5, 0.0, 0.4), (0.0, 0.0, 1.0, 0.5, 0.0)]
    rows += [(1.0, 1e-6, 0.0, 0.0, 0.0), (1.0, 5e-324, 1.0, 0.5, 2.0), (5e-324, 0.0, 1.0, 0.5, 0.0)]
    rows += [(1.0, 0.0, 5e-324, 0.0, 0.0), (1.0, 0.0, 1.0, 5e-324, 0.95), (1.0, 0.0, 1.0, 0.0, 5e-324)]
    rows += [(1.0, 0.0, 1.0, step(1.0, -1), 0.1), (1.0, step(1.0, -1), 1.0, 0.0, 0.1), (1e-8, 1e-16, 1e-8, 1e-8, 1e-17)]
    return unique(rows)


def _at_tail(mu, a):
    """The epsilon whose first tail starts at a."""
    return settled(max(0.0, mu * (a + mu / 2)))


def _gaussian_rows():
    rng = generator("mixing_gaussian_delta")
    rows = [(1.0, 1.0, 0.0, 0.1), (1.0, 0.0, 0.5, 0.1), (1.0, 0.5, 0.25, 0.2)]
    for k in range(70):
        mu = log_uniform(rng, 1e-2, 10) if k % 3 else log_uniform(rng, 0.2, 3)
        e, gamma = log_uniform(rng, 1e-2, 20), GAMMAS[(k // 10 + k) % 8]
        end = edge(lambda t: gaussian(mu, t), e)
        rows.append((mu, e, gamma, settled(end * FRACTIONS[k % 10])))
        if gamma == 0 and FRACTIONS[k % 10] > 1:
            rows[-1] = (mu, e, 0.4, rows[-1][3])
    # the first term alone, down to the smallest doubles
    for k in range(36):
        mu = log_uniform(rng, 1e-3, 30)
        gamma, e = (0.5, 1e-3, 0.99, 1e-60)[k % 4], 0.0 if k % 3 == 0 else log_uniform(rng, 1e-2, 10)
        rows.append((mu, e, gamma, _at_tail(mu, uniform(rng, -min(mu / 2, 6), 36))))
    for mu in (0.1, 1.0, 5.0):
        rows += [(mu, 2.0, 0.5, _at_tail(mu, a)) for a in (9.0, 21.0, 33.5, 38.0, 60.0)]
    for tiny in (1e-20, 1e-100, 1e-250):
        rows += [(tiny, 1.0, 0.0, 0.0), (tiny, 1.0, 0.3, settled(tiny / 3)), (tiny, 1.0, 0.0, settled(tiny / 8))]
        rows += [(1.0, tiny, 0.0, 0.0), (1.0, tiny, 0.0, settled(tiny / 8)), (1.0, 1.0, tiny, 2.0)]
        rows += [(0.5, tiny, tiny, settled(tiny / 7)), (tiny, tiny, 0.0, 0.0), (tiny, 2.0, 0.1, 0.0)]
    for mu, e in ((20.0, 20.0), (80.0, 40.0), (1e3, 5.0), (5.0, 300.0), (40.0, 709.0), (40.0, 800.0), (0.1, 800.0)):
        rows += [(mu, e, gamma, t) for gamma in (0.0, 0.25) for t in (0.0, settled(min(e, mu * mu / 2) * 0.8))]
    rows += [(40.0, 800.0, 0.0, t) for t in (780.0, 790.0, 799.0, 799.9)] + [(1e3, 5.0, 0.0, step(5.0, -4))]
    rows += [(1.0, 2.0, 1.0, t) for t in (0.0, 0.5, 3.0)] + [(1.0, 0.5, 0.0, 0.4), (1.0, 0.0, 0.0, 0.0)]
    rows += [(1.0, 1.0, 0.0, 5e-324), (1.0, 1.0, 5e-324, 3.0), (1e-8, 1e-8, 1e-8, 1e-17)]
    rows.append((1.0, 1.0, step(1.0, -1), 0.1))
    return unique(rows)


def _published_rows():
    rng = generator("mixing_published_delta")
    rows = [(1.0, 1e-6, 0.5, 0.1), (1.0, 0.0, 0.5, 0.1), (2.0, 1e-5, 0.1, 0.05)]
    for k in range(90):
        e0, d0 = log_uniform(rng, 1e-2, 10), DELTAS[k % 7]
        gamma = (uniform(rng, 0.01, 0.99), log_uniform(rng, 1e-8, 1), 1 - log_uniform(rng, 1e-8, 1))[k % 3]
        with mp.workdps(50):
            end = float(mp.log1p(mp.mpf(gamma) * mp.expm1(e0)))  # where the stretched epsilon reaches epsilon0
        rows.append((e0, d0, settled(gamma), settled(end * FRACTIONS[k % 10])))
    for d0 in (0.0, 1e-6, 1e-30, 1e-200, 0.5):
        rows += [(1.0, d0, 0.5, t) for t in (0.0, 0.3, 0.7, 0.9, 1.0, 2.0)] + [(0.0, d0, 0.5, t) for t in (0.0, 1e-6)]
    for tiny in (1e-20, 1e-100, 1e-250):
        rows += [(1.0, 0.0, tiny, t) for t in (0.0, settled(tiny / 2))]
        rows += [(1.0, tiny, 0.5, 0.8), (1.0, tiny, 0.5, 3.0)] + [(tiny, 0.0, 0.5, t) for t in (0.0, settled(tiny / 4))]
        rows += [(1.0, 0.5, tiny, 0.2), (tiny, tiny, 0.3, 0.0)]
    for e0, gamma in ((40.0, 0.5), (300.0, 1e-100), (709.0, 0.9), (800.0, 0.5), (800.0, 1e-6)):
        rows += [(e0, d0, gamma, t) for d0 in (0.0, 1e-6) for t in (0.0, 1.0, settled(e0 - 15))]
    rows += [(1.0, 1.0, 0.3, t) for t in (0.0, 0.5, 2.0)] + [(1.0, 1e-6, g, 0.5) for g in (step(1.0, -1), 1 - 1e-9)]
    rows += [(1.0, 0.0, 0.5, 5e-324), (5e-324, 0.0, 0.5, 0.0), (1.0, 5e-324, 0.5, 2.0), (1.0, 0.0, 5e-324, 0.0)]
    return unique(rows)


PUBLISHED = ("epsilon0", "delta0", "gamma", "epsilon")

TABLES = [
    Table(
        "mixing_black_box_delta",
        ("epsilon0", "delta0", "e", "gamma", "epsilon"),
        _black_box_rows,
        after_black_box,
        low=0,
        high=1,
        with_log=True,
    ),
    Table(
        "mixing_gaussian_delta",
        ("mu", "e", "gamma", "epsilon"),
        _gaussian_rows,
        after_gaussian,
        low=0,
        high=1,
        with_log=True,
    ),
    Table(
        "mixing_published_doeblin_delta", PUBLISHED, _published_rows, published_doeblin, low=0, high=1, with_log=True
    ),
    Table("mixing_published_ultra_delta", PUBLISHED, _published_rows, published_ultra, low=0, high=1, with_log=True),
]
