# SPDX-License-Identifier: Apache-2.0
"""M(s) = E[e^(s L)] of the loss of one Poisson-subsampled Gaussian mechanism, along a vertical line.

With w = 1 - q + q e^((2x - 1)/(2 sigma^2)) and phi the density of N(0, sigma^2),

    direction 0:  L = log w under P,   M(s) = integral of phi w^(1 + s),
    direction 1:  L = -log w under Q,  M(s) = integral of phi w^(-s).

The integral is taken along Im x = y (direction 1: -y), where e^(i Im(s) L) decays instead of oscillating. The
trapezoidal rule with step h errs by e^(-2 pi y / h) times the integrals on the lines Im x = 0 and 2y.
"""

import math
from operator import add, mul

from mpmath import mp

from poisson_gaussian_rdp import log_integrand

BLOCK = 32  # values of s for which the powers of the factors are kept


def _product(ar, ai, br, bi, bits):
    """Products of complex integers in units of 2^-bits."""
    real = [a * c - b * d >> bits for a, b, c, d in zip(ar, ai, br, bi)]
    return real, [a * d + b * c >> bits for a, b, c, d in zip(ar, ai, br, bi)]


def _dot(a, b):
    return sum(map(mul, a, b))


class Transform:
    def __init__(self, sigma, rate, direction):
        self.sigma, self.rate, self.direction = sigma, rate, int(direction)
        self.logs, self.nodes = {}, {}

    def power(self, c):
        return -c if self.direction else 1 + c

    def log_at(self, c):
        """log M(c), c > 0 a double, in floating point."""
        if c not in self.logs:
            self.logs[c] = self._log_at(c)
        return self.logs[c]

    def _log_at(self, c):
        sigma, power = self.sigma, self.power(c)
        h = min(sigma / 3, sigma**2 / 4)
        spread = 45.0
        if self.direction and self.rate < 1:
            # phi w^-c is at most phi (1 - q)^-c, to be compared with its value at 0
            spread += min(-power, c * (log_integrand(sigma, self.rate, 1.0, 0.0) - math.log1p(-self.rate)))
        reach = sigma * math.sqrt(2 * spread)
        low, high = (-min(c, reach) - reach, reach) if self.direction else (-reach, 1 + c + reach)
        logs = [log_integrand(sigma, self.rate, power, j * h) for j in range(math.floor(low / h), math.ceil(high / h))]
        top = max(logs)
        return top + math.log(sum(math.exp(x - top) for x in logs) * h / (sigma * math.sqrt(2 * math.pi)))

    def line(self, c, step, slack):
        """Yields M(c + i k step) for k = 0, 1, 2, ..., with an error of about 10^-dps M(c), or e^slack() |M|."""
        size = self.log_at(float(c))
        digits = mp.dps * math.log(10)
        # On the lines at 0 and 2y, |w^power| may exceed M(c) by this much in direction 1; rounded so that nodes recur.
        growth = 0.0
        if self.direction and self.rate < 1:
            growth = 10.0 * math.ceil(max(0.0, -size - float(c) * math.log1p(-self.rate)) / 10)
        lift = min(math.pi / 4 if self.direction else 1.5, 4 / self.sigma)  # y / sigma^2
        y = lift * self.sigma**2
        loss = y**2 / (2 * self.sigma**2)
        quality = digits + growth + 4 * loss
        h = 2 * math.pi * y / quality
        bits = math.ceil((digits + growth + loss) / math.log(2)) + 20
        exponent = math.ceil(size / math.log(2))
        indices, zr, zi, er, ei = self._start(c, step, y, h, digits + growth + loss + 10, size, bits, exponent)
        powers = [([1 << bits] * len(er), [0] * len(er))]
        while len(powers) <= BLOCK:
            powers.append(_product(*powers[-1], er, ei, bits))
        leap = powers.pop()
        powers = [(xr, xi, list(map(add, xr, xi))) for xr, xi in powers]
        stride = 1
        while True:
            zs = list(map(add, zr, zi))
            for xr, xi, xs in powers:
                # (zr + i zi)(xr + i xi), summed over the nodes, with three products
                first, second = _dot(zr, xr), _dot(zi, xi)
                real, imaginary = stride * (first - second), stride * (_dot(zs, xs) - first - second)
                yield mp.mpc(mp.ldexp(real, exponent - 2 * bits), mp.ldexp(imaginary, exponent - 2 * bits))
            zr, zi = _product(zr, zi, *leap, bits)
            # |turn| <= 1: what is negligible stays so. A rule with every other node may do by now.
            allowed = min(0.0, slack()) + math.log(max(1, abs(real) >> bits, abs(imaginary) >> bits)) - 12
            if bits * math.log(2) - allowed + growth + 4 * loss < quality / (2 * stride):
                stride *= 2
            least = math.exp(min(700.0, max(1.0, allowed)))
            keep = [n for n, j in enumerate(indices) if j % stride == 0 and abs(zr[n]) + abs(zi[n]) > least]
            select = lambda lists: [[values[n] for n in keep] for values in lists]
            indices, zr, zi = select((indices, zr, zi))
            leap, powers = select(leap), [select(power) for power in powers]

    def _start(self, c, step, y, h, depth, size, bits, exponent):
        """Five lists: indices j, the terms of the trapezoidal rule at s = c, their factors from one s to the next.

        Real and imaginary parts, as integers: terms in units of 2^(exponent - bits), factors in units of 2^-bits.
        """
        sigma, centre = self.sigma, float(c)
        reach = sigma * math.sqrt(2 * depth)
        low, high = (-reach, reach) if self.direction else (-reach, 1 + centre + reach)
        if self.rate == 1 and self.direction:
            low -= centre
        nodes, unit, one = [], mp.ldexp(1, bits - exponent), mp.ldexp(1, bits)
        bar = size - depth
        power, sign = self.power(c), (-1 if self.direction else 1)
        front = mp.log(h / (mp.mpf(sigma) * mp.sqrt(2 * mp.pi)))
        for j in range(math.floor(low / h), math.ceil(high / h) + 1):
            x = j * h
            bound = self._log_modulus(x, y) * float(power) - (x * x - y * y) / (2 * sigma**2)
            if bound > bar:
                gauss, loss = self._node(j, h, y)
                start = mp.exp(gauss + power * loss + front) * unit
                turn = mp.exp(mp.mpc(0, sign * step) * loss) * one
                nodes.append((j, int(start.real), int(start.imag), int(turn.real), int(turn.imag)))
        return [list(column) for column in zip(*nodes)]

    def _log_modulus(self, x, y):
        """log |w(x + iy)|, roughly."""
        ratio, angle = math.log(self.rate) + (2 * x - 1) / (2 * self.sigma**2), y / self.sigma**2
        if ratio > 300:
            return ratio
        r, rest = math.exp(ratio), 1 - self.rate
        return math.log(math.hypot(rest + r * math.cos(angle), r * math.sin(angle)))

    def _node(self, j, h, y):
        """(-x^2 / (2 sigma^2), log w) at x = j h + iy; kept, because the rows of a table share them."""
        key = (j, h, y, mp.prec)
        if key not in self.nodes:
            s, q = mp.mpf(self.sigma), mp.mpf(self.rate)
            x = mp.mpc(mp.mpf(h) * j, -y if self.direction else y)
            w = 1 - q + q * mp.exp((2 * x - 1) / (2 * s**2))
            self.nodes[key] = -x * x / (2 * s**2), mp.log(w)
        return self.nodes[key]
