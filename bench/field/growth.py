# SPDX-License-Identifier: Apache-2.0
"""How time grows beyond what the table shows: with different mechanisms, with records of a run, with states of a kernel."""
import dataclasses
import math

import kernels
from accounting import Question, Release, contest
from contest import OURS, Contest

DELTA = 1e-5


def different_mechanisms(count):
    releases = tuple(Release("gaussian", 1 + i / 10, 0.01 + i / 1000) for i in range(count))
    return contest(f"{count} mechanisms", Question(releases, DELTA), ("dp-accounting PLD", "prv-accountant", "Opacus RDP"), ())


def everybody(records):
    def ours(diameter):
        def prepare():
            import doeblin

            run = doeblin.noisy_sgd(n=records, learning_rate=0.01, sigma=1, lipschitz=1, smoothness=1, diameter=diameter)
            return lambda: (run.people(delta=DELTA), None)[1]

        return prepare

    return Contest(f"{records} records", {f"{OURS}, diameter 0.01 sqrt(n)": ours(0.01 * records**0.5),
                                          f"{OURS}, no diameter": ours(math.inf)}, limited=False)


def dense_states(states):
    return Contest(f"{states} states", {
        OURS: lambda: kernels.ours(states), "SciPy, pdist cityblock": lambda: kernels.scipy_distances(states)}, limited=False)


@dataclasses.dataclass(frozen=True)
class Curve:
    file: str
    title: str
    label: str
    points: tuple  # (x, contest)


CURVES = (
    Curve("growth_mechanisms", "Different mechanisms in a sum: gaussian(1 + i/10) | poisson(0.01 + i/1000)", "mechanisms",
          tuple((n, different_mechanisms(n)) for n in (1, 3, 10, 30, 100, 300))),
    Curve("growth_people", "Everybody's epsilon in a hidden run", "records",
          tuple((n, everybody(n)) for n in (10**3, 10**4, 10**5, 10**6))),
    Curve("growth_kernels", "Dobrushin coefficient of a dense kernel", "states",
          tuple((n, dense_states(n)) for n in (256, 512, 1024, 2048, 4096))),
)
CONTESTS = [contest for curve in CURVES for _, contest in curve.points]
