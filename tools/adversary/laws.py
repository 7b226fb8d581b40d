# SPDX-License-Identifier: Apache-2.0
"""Laws with finitely many outcomes, as dictionaries from outcome to probability, and how far two of them are apart."""
import math


def mixed(weighted):
    """The law of a draw from a random law: pairs of a probability and a law."""
    law = {}
    for weight, part in weighted:
        for outcome, chance in part.items():
            law[outcome] = law.get(outcome, 0.0) + weight * chance
    return law


def aligned(first, second):
    """The two probabilities of every outcome."""
    return [(first.get(o, 0.0), second.get(o, 0.0)) for o in dict.fromkeys([*first, *second])]


class FinitePair:
    """Two laws that somebody tries to tell apart."""

    def __init__(self, first, second):
        self.chances = aligned(first, second)

    def delta(self, epsilon):
        """The most that any event gains over e^epsilon times its other probability."""
        if epsilon == math.inf:
            return sum([p for p, q in self.chances if q == 0.0])
        g = math.exp(min(epsilon, 709.0))
        return sum([p - g * q for p, q in self.chances if p > g * q])

    def renyi(self, alpha):
        if any(p > 0.0 and q == 0.0 for p, q in self.chances):
            return math.inf
        kept = [(p, q) for p, q in self.chances if p > 0.0]
        if alpha == math.inf:
            return max(math.log(p / q) for p, q in kept)
        powers = [alpha * math.log(p) - (alpha - 1) * math.log(q) for p, q in kept]
        top = max(powers)
        return (top + math.log(math.fsum(math.exp(power - top) for power in powers))) / (alpha - 1)


class Truth:
    """What the pairs that were found show: a guarantee must allow for every one of them. Of many, those that are the worst somewhere are
    kept."""

    def __init__(self, pairs, most=24):
        self.pairs = pairs
        if len(pairs) > most:
            scale = 6.0
            while scale > 1e-6 and self.delta(scale) < 1e-10:
                scale /= 3
            curves, parts = {}, (0.0, 0.02, 0.05, 0.1, 0.2, 0.35, 0.6, 1.0, 1.5, 2.0, 2.5)
            for pair in pairs:
                curves.setdefault(tuple(round(pair.delta(part * scale), 12) for part in parts), pair)
            worst = {curve for j in range(len(parts)) for curve in sorted(curves, key=lambda curve: -curve[j])[: max(1, most // 8)]}
            self.pairs = [pair for curve, pair in curves.items() if curve in worst]

    def delta(self, epsilon):
        return max((pair.delta(epsilon) for pair in self.pairs), default=0.0)

    def renyi(self, alpha):
        return max((pair.renyi(alpha) for pair in self.pairs), default=0.0)
