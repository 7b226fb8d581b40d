# SPDX-License-Identifier: Apache-2.0
"""M(s) = E[e^(s L)] of the loss of one step of iteration_sampled, along a vertical line.

With phi the standard normal density, v(x) = 1 - p + p e^(j (x - m) - j^2/2) and log w(x) = m x - m^2/2 + log v(x),

    direction 0:  L = log w under P,   M(s) = integral of phi w^(1 + s),
    direction 1:  L = -log w under Q,  M(s) = integral of phi w^(-s).

As in poisson_gaussian_transform, the integral is taken along Im x = y (direction 1: -y), where e^(i Im(s) L) decays, by
the trapezoidal rule. With step h it errs by e^(-2 pi y / h) times the integrals on the lines Im x = 0 and 2y.
"""

import math

from mpmath import mp

GUARD = 40  # bits


class Transform:
    def __init__(self, move, jump, rate, direction):
        self.move, self.jump, self.rate, self.direction = move, jump, rate, int(direction)
        self.logs = {}

    def power(self, c):
        return -c if self.direction else 1 + c

    def log_at(self, c):
        """log M(c), c > 0 a double, in floating point."""
        if c not in self.logs:
            h = min(1 / 3, 1 / (4 * self.jump))
            power = self.power(c)
            low, high = self._range(c, 10.0)
            logs = [self._log_term(power, j * h, 0.0) for j in range(math.floor(low / h), math.ceil(high / h) + 1)]
            top = max(logs)
            self.logs[c] = top + math.log(math.fsum(math.exp(x - top) for x in logs) * h / math.sqrt(2 * math.pi))
        return self.logs[c]

    def _range(self, c, reach):
        """phi w^power increases to the left of this interval, and decreases to its right, once reach is taken off."""
        end = self.power(c) * (self.move + self.jump)
        return min(0.0, end) - reach, max(0.0, end) + reach

    def _log_term(self, power, x, y):
        """log |phi w^power| at x + iy for a real power, up to a constant, in floating point."""
        j, m = self.jump, self.move
        ratio = math.log(self.rate) + j * (x - m) - j * j / 2
        if self.rate == 1 or ratio > 300:
            log_v = ratio
        else:
            r, rest = math.exp(ratio), 1 - self.rate
            log_v = math.log(math.hypot(rest + r * math.cos(j * y), r * math.sin(j * y)))
        return power * (m * x - m * m / 2 + log_v) - (x * x - y * y) / 2

    def line(self, c, step, slack=None):
        """Yields M(c + i k step) for k = 0, 1, 2, ..., with an error of about 10^-dps M(c)."""
        bits, exponent, zr, zi, er, ei = self._start(c, step)
        count = 0
        while True:
            real, imaginary = sum(zr), sum(zi)
            yield mp.mpc(mp.ldexp(real, exponent - bits), mp.ldexp(imaginary, exponent - bits))
            rows = zip(zr, zi, er, ei)
            zr, zi = (
                [a * c - b * d >> bits for a, b, c, d in zip(zr, zi, er, ei)],
                [a * d + b * c >> bits for a, b, c, d in rows],
            )
            count += 1
            if count % 64 == 0:
                # The factors are at most 1 in size: what is negligible stays so.
                keep = [n for n, (a, b) in enumerate(zip(zr, zi)) if abs(a) + abs(b) > 1024]
                zr, zi, er, ei = ([values[n] for n in keep] for values in (zr, zi, er, ei))

    def _start(self, c, step):
        """The terms of the trapezoidal rule at s = c, in units of 2^(exponent - bits), and their factors from one s to
        the next, in units of 2^-bits: real and imaginary parts, integers."""
        centre = float(c)
        size = self.log_at(centre)
        digits = mp.dps * math.log(10)
        m = self.move
        growth = 0.0
        if self.direction and self.rate < 1:
            # |v| >= 1 - p as long as its angle is at most pi / 2, which holds on the lines at 0 and 2y
            most = -centre * math.log1p(-self.rate) + centre * (centre + 1) * m * m / 2
            growth = max(0.0, most - size)
        y = min(4.0, (math.pi / 4 if self.direction else 1.5) / self.jump)
        loss = y * y / 2
        h = 2 * math.pi * y / (digits + growth + 4 * loss + 5)
        bits = math.ceil((digits + growth + loss) / math.log(2)) + GUARD
        exponent = math.ceil(size / math.log(2))
        depth = digits + growth + loss + 15
        low, high = self._range(centre, math.sqrt(2 * depth))
        nodes = []
        with mp.workdps(mp.dps + math.ceil((growth + loss) / math.log(10)) + 20):
            unit, one = mp.ldexp(1, bits - exponent), mp.ldexp(1, bits)
            move, jump, p = mp.mpf(self.move), mp.mpf(self.jump), mp.mpf(self.rate)
            power, front = self.power(mp.mpf(c)), mp.mpf(h) / mp.sqrt(2 * mp.pi)
            turn = mp.mpc(0, -step if self.direction else step)
            for k in range(math.floor(low / h), math.ceil(high / h) + 1):
                if self._log_term(float(power), k * h, y) < size - depth:
                    continue
                x = mp.mpc(mp.mpf(h) * k, -y if self.direction else y)
                v = 1 - p + p * mp.exp(jump * (x - move) - jump * jump / 2)
                loss_here = move * x - move * move / 2 + mp.log(v)
                term = mp.exp(power * loss_here - x * x / 2) * front * unit
                factor = mp.exp(turn * loss_here) * one
                nodes.append((int(term.real), int(term.imag), int(factor.real), int(factor.imag)))
        return bits, exponent, *(list(column) for column in zip(*nodes))
