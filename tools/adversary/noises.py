# SPDX-License-Identifier: Apache-2.0
"""Noise on the integers and on the line: its tails, chances of intervals, and sources that add it to a number."""
import functools
import itertools
import math


def rounded(rng, low, high, digits=2):
    return round(rng.uniform(low, high), digits)


def discrete_tail(name, scale):
    """The probability that noise is at least k, for whole k."""
    if name == "discrete_laplace":
        r = math.exp(-1 / scale)
        upper = lambda k: r**k / (1 + r)
    else:
        weights = [math.exp(-z * z / (2 * scale * scale)) for z in range(int(40 * scale) + 2)]
        total = math.fsum(weights) * 2 - 1
        sums = list(itertools.accumulate(reversed(weights)))[::-1]
        upper = lambda k: sums[k] / total if k < len(sums) else 0.0
    return lambda k: upper(k) if k > 0 else 1 - upper(1 - k)


@functools.cache
def discrete_law(name, scale, value, end):
    """The value with noise, clipped to -end, ..., end: what is guaranteed for the output holds for that."""
    tail = discrete_tail(name, scale)
    power = (lambda z: z * z / (2 * scale * scale)) if name == "discrete_gaussian" else (lambda z: abs(z) / scale)
    most = tail(0) - tail(1)
    law = {z: most * math.exp(-power(z - value)) for z in range(1 - end, end)}
    law[end], law[-end] = tail(end - value), tail(end + value)
    return law


def normal_tail(x):
    return 0.5 * math.erfc(x / math.sqrt(2))


def laplace_tail(x):
    return 0.5 * math.exp(-x) if x > 0 else 1 - 0.5 * math.exp(x)


def chances_between(tail, ends):
    """The chances of all intervals between the ends, for symmetric noise; from the nearer side, so that small ones keep their digits."""
    upper, lower = [1.0, *map(tail, ends), 0.0], [0.0, *(tail(-end) for end in ends), 1.0]
    return [max(0.0, a - b if a < 0.5 else d - c) for a, b, c, d in zip(upper, upper[1:], lower, lower[1:])]


def chance_between(tail, a, b):
    """The chance of one interval, which may reach to infinity."""
    if a > 0:
        return tail(a) - tail(b)
    if b < 0:
        return tail(-b) - tail(-a)
    return 1 - tail(-a) - tail(b)


TAILS = {"gaussian": normal_tail, "laplace": laplace_tail}


def noise_on_the_line(rng):
    """The text of a source that adds noise to a number, the kind and scale of the noise, and the sensitivity."""
    scale, sensitivity = rounded(rng, 0.5, 3), rng.choice([1, 1, rounded(rng, 0.3, 2)])
    pick = rng.random()
    if pick < 0.45:
        return f"gaussian(sigma={scale!r}, sensitivity={sensitivity!r})", "gaussian", scale, sensitivity
    if pick < 0.8:
        return f"laplace(scale={scale!r}, sensitivity={sensitivity!r})", "laplace", scale, sensitivity
    if pick < 0.87:
        return f"gdp(mu={scale!r})", "gaussian", 1 / scale, 1
    if pick < 0.93:
        return f"brownian(time={scale!r}, sensitivity={sensitivity!r})", "gaussian", math.sqrt(2 * scale), sensitivity
    # dX = -theta X dt + sqrt(2) rho dW: the value shrinks by e^{-theta t}, and so does noise that came early.
    theta, rho = rounded(rng, 0.1, 1), rounded(rng, 0.5, 2)
    deviation = rho * math.sqrt(math.expm1(2 * theta * scale) / theta)
    text = f"ornstein_uhlenbeck(theta={theta!r}, rho={rho!r}, time={scale!r}, sensitivity={sensitivity!r})"
    return text, "gaussian", deviation, sensitivity
