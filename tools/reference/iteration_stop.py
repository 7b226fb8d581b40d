# SPDX-License-Identifier: Apache-2.0
"""Random stopping (I8): the run ends after a uniform number of steps, 1 to `steps`; the domain is unbounded.

    delta(epsilon) = sum over r = 0 to steps - index of theta(epsilon, mu_r), divided by steps,

mu_r = shift / (noise sqrt(sum of c^-2j over j = 0 to r)), the level r steps after the one at `index` that is affected.
"""

from mpmath import mp

from inputs import generator, log_uniform, settled, uniform, unique
from iteration_theta import levels, theta
from table import Table


def delta(lipschitz, noise, shift, steps, index, epsilon):
    e, steps, total = mp.mpf(epsilon), int(steps), mp.mpf(0)
    negligible = mp.mpf(10) ** (-mp.dps - 10) / steps
    for level in levels(lipschitz, mp.mpf(shift) / mp.mpf(noise), steps - int(index) + 1, 0):
        term = theta(e, level)
        total += term
        if term < negligible * total:  # the levels fall, so the terms do
            break
    return total / steps


LIPSCHITZ = (0.3, 0.8, 0.99, 1.0, 1.001, 1.1)


def _rows():
    rng = generator("iteration_stop_delta")
    rows = []
    for k in range(60):
        c, steps = LIPSCHITZ[k % 6], (1, 2, 3, 10, 40, 200, 1000, 3000)[k % 8 if k % 3 else k % 6]
        noise, shift = log_uniform(rng, 0.05, 50), rng.choice((1.0, 1.0, 0.5, 3.0, 0.01))
        ratio = shift / noise
        # the first term is about the tail beyond a
        epsilon = settled(max(0.0, ratio * (uniform(rng, -min(9, ratio / 2), 36) + ratio / 2)))
        index = (1, steps, rng.randint(1, steps), rng.randint(1, steps))[k % 4]
        rows.append((c, noise, shift, steps, index, epsilon))
    for c in LIPSCHITZ:
        rows += [(c, 1.0, 1.0, 100, 1, 0.0), (c, 2.0, 1.0, 100, 37, 1.0)]
    rows += [(c, 1.0, 1.0, 3000, index, e) for c, index, e in ((1.0, 1, 0.0), (1.0, 1, 1e-6), (1.0, 1500, 0.1))]
    rows += [(c, 4.0, 1.0, 3000, 1, e) for c, e in ((0.99, 1e-3), (1.001, 0.1), (1.1, 0.0), (1.001, 5.0))]
    rows += [(1.0, 1.0, 1.0, 1, 1, e) for e in (0.0, 1.0)] + [(1.0, 1.0, 1.0, 2, i, 1.0) for i in (1, 2)]
    return unique(rows)


TABLES = [
    Table(
        "iteration_stop_delta",
        ("lipschitz", "noise", "shift", "steps", "index", "epsilon"),
        _rows,
        delta,
        low=0,
        high=1,
        start=60,
        digits=40,
    ),
]
