# SPDX-License-Identifier: Apache-2.0
"""Noise on a vector. Ours and OpenDP's are exact, from secure random numbers, on whole numbers; NumPy's is neither: its
doubles leak (docs/theory/diffusion.md) and its generator can be predicted. It is the speed to compare with, not a rival.
"""
import time

from contest import OURS, Contest
from programs import google_benchmark

VALUES = 100_000
DRAWS = 20_000_000


def our_release():
    import numpy

    import doeblin

    values = numpy.zeros(VALUES)
    return lambda: (doeblin.release(values, "gaussian(sigma=1)", sensitivity=1000.0, rows_per_person=1), None)[1]


def opendp_release():
    import opendp.prelude as dp

    dp.enable_features("contrib")
    domain = dp.vector_domain(dp.atom_domain(T="i64"), size=VALUES)
    measurement = dp.m.make_gaussian(domain, dp.l2_distance(T=float), scale=1000.0)
    values = [0] * VALUES
    return lambda: (measurement(values), None)[1]


def our_draws(threads):
    def work():
        found = google_benchmark("noise_bench", f"BM_DiscreteGaussian/1048576/real_time/threads:{threads}$")[0]
        return {"seconds": DRAWS / found["items_per_second"]}

    return lambda: work


def numpy_draws():
    import numpy

    generator, out = numpy.random.default_rng(1), numpy.ones(DRAWS)

    def work():
        start = time.perf_counter()
        generator.standard_normal(out=out)
        return {"seconds": time.perf_counter() - start}

    return work


CONTESTS = [
    Contest(f"exact Gaussian noise on {VALUES:,} numbers", {OURS: our_release, "OpenDP": opendp_release}, limited=False),
    Contest(f"{DRAWS:,} normal draws", {
        OURS: our_draws(2), f"{OURS}, one core": our_draws(1), "NumPy, inexact, insecure": numpy_draws}, limited=False),
]
