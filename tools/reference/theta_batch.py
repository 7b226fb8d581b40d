# SPDX-License-Identifier: Apache-2.0
"""theta at one level r and many epsilons, where the cells of src/numerics/theta_cells.cpp are hardest: at their edges
and centres, where the first tail starts at 0, at -8.5 and near 38, and where a pair of points leaves the reach of one
expansion of the Mills ratio."""

import math

from gaussian import delta, epsilon_at
from inputs import generator, log_uniform, step, uniform, unique
from table import Table

LEVELS = (1e-8, 1e-6, 1e-3, 0.01, 0.1, 0.19, 0.2, 0.21, 0.4, 1.0, 2.0, 5.0, 10.0, 16.5, 17.5, 20.0, 30.0, 45.0, 60.0, 64.0)


def cell_width(r):
    """Of the cells when the epsilons reach the end of the doubles; 8 bits."""
    mantissa, exponent = math.frexp(2 * min(1 / 32, 0.62 / 39.9, 1 / r) * r)
    return math.ldexp(math.floor(mantissa * 256), exponent - 8)


def _rows():
    rng = generator("theta_batch")
    rows = []
    for r in LEVELS:
        start = -min(r / 2, 9.0)
        width = cell_width(r)
        for a in [uniform(rng, start, 38.4) for _ in range(8)] + [uniform(rng, 37.3, 38.6), 38.45, 38.55]:
            rows.append((r, epsilon_at(r, a)))
        for a in (uniform(rng, start, 1.0), uniform(rng, 1.0, 10.0), uniform(rng, 10.0, 36.0), 36.5):
            edge = (math.floor(epsilon_at(r, a) / width) + 0.5) * width
            rows += [(r, edge), (r, step(edge, -1)), (r, edge - width / 2)]
        rows += [(r, epsilon_at(r, a)) for a in (-8.55, -8.45, -8.1, -1e-3, 0.0, 1e-3, 16 * r / 3 - 1 - r / 2) if a >= -r / 2]
        rows += [(r, 0.0), (r, log_uniform(rng, 1e-20, 1e-3) * r), (r, 5e-324), (r, 50 * r + r * r)]
    return unique(rows)


TABLES = [Table("theta_batch", ("r", "epsilon"), _rows, lambda r, epsilon: delta(1.0, r, epsilon), low=0, high=1)]
