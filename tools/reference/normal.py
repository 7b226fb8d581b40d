# SPDX-License-Identifier: Apache-2.0
"""The standard normal law: Mills ratio Q(x) / phi(x) and log Q(x)."""

from mpmath import mp

from inputs import generator, log_uniform, step, uniform, unique
from table import Table


def density(x):
    return mp.exp(-x * x / 2) / mp.sqrt(2 * mp.pi)


def upper_tail(x):
    return mp.erfc(x / mp.sqrt(2)) / 2


def mills(x):
    x = mp.mpf(x)
    return upper_tail(x) / density(x)


def _mills_rows():
    rng = generator("mills")
    rows = [0.0, 5e-324, 1e-310, 1e-300, 1e-100, 1e-20, 1e-16, 1e-10, 1e-8, 1e-5, 1e-3, 1e5, 1e6, 1e7, 1e8]
    rows += [k / 8 for k in range(1, 81)] + [float(k) for k in range(11, 81)] + [100.0, 128.0, 512.0, 4096.0]
    for k in (1, 2, 3, 4, 8, 15, 16, 17, 32, 64, 128, 504, 512, 520):
        rows += [step(k / 8, -1), step(k / 8, 1)]
    rows += [uniform(rng, 0, 10) for _ in range(80)] + [uniform(rng, 10, 70) for _ in range(40)]
    rows += [log_uniform(rng, 1e-20, 1) for _ in range(30)] + [log_uniform(rng, 1, 1e8) for _ in range(60)]
    return unique((x,) for x in rows)


def _tail_rows():
    rng = generator("normal_tail_log")
    rows = [0.0, 5e-324, 1e-300, 1e-20, 1e-10, 1e-3, 63.0, 64.0, 65.0, 100.0, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8]
    rows += [k / 4 for k in range(1, 41)] + [-k / 4 for k in range(1, 41)]
    rows += [-5e-324, -1e-300, -1e-10, -1e-3, -20.0, -30.0, -37.0, -38.0, -38.25, -38.5, -38.625, -39.0, -64.0, -1e2]
    rows += [-1e3, -1e4]
    rows += [uniform(rng, -10, 10) for _ in range(80)] + [uniform(rng, -39.5, -10) for _ in range(40)]
    rows += [log_uniform(rng, 1e-20, 1) for _ in range(20)] + [-log_uniform(rng, 1e-20, 1) for _ in range(20)]
    rows += [log_uniform(rng, 10, 1e8) for _ in range(60)] + [-log_uniform(rng, 10, 1e4) for _ in range(20)]
    return unique((x,) for x in rows)


TABLES = [
    Table("mills", ("x",), _mills_rows, mills, low=0),
    Table("normal_tail_log", ("x",), _tail_rows, lambda x: upper_tail(mp.mpf(x)), low=0, high=1, only_log=True),
]
