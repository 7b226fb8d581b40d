# SPDX-License-Identifier: Apache-2.0
"""What many releases cost: our brackets against dp-accounting, prv-accountant, Opacus' accountants and autodp.

Ours are asked at several widths, so that each peer can be compared with an answer of ours that is at least as narrow.
"""
import dataclasses
import math

import accountants
from contest import OURS, Contest

WIDTHS = (1.0, 0.1, 0.01, 1e-4, 3e-5)
EVERYBODY = ("dp-accounting PLD", "prv-accountant", "Opacus PRV", "dp-accounting RDP", "Opacus RDP", "autodp RDP")
TWO_SIDED_FFT = ("dp-accounting FFT", "prv-accountant")


@dataclasses.dataclass(frozen=True)
class Release:
    noise: str  # 'gaussian' or 'laplace'
    scale: float  # sigma or the Laplace scale; NaN is the hole to solve for
    rate: float = 1
    count: int = 1

    def expression(self):
        stages = [f"{self.noise}({'?' if math.isnan(self.scale) else repr(self.scale)})"]
        stages += [f"poisson(rate={self.rate!r})"] * (self.rate < 1) + [f"compose({self.count})"] * (self.count > 1)
        return "(" + " | ".join(stages) + ")"


@dataclasses.dataclass(frozen=True)
class Question:
    releases: tuple
    delta: float
    epsilon: float = math.nan  # the target of a calibration

    def expression(self):
        return " + ".join(release.expression() for release in self.releases)


def ours(question, **settings):
    import doeblin

    text = question.expression()

    def epsilon():
        found = doeblin.parse(text).under(**settings).epsilon(delta=question.delta)
        return found.lower, found.upper

    def sigma():
        found = doeblin.calibrate(text, epsilon=question.epsilon, delta=question.delta, **settings)
        return found.misses, float(found)

    return epsilon if math.isnan(question.epsilon) else sigma


def contest(name, question, peers, widths=WIDTHS, truth=None, releases=0, **settings):
    contestants = {OURS: lambda: ours(question, **settings)}
    for width in widths:
        contestants[f"{OURS}, width {width:g}"] = lambda width=width: ours(question, width=width, **settings)
    for peer in peers:
        contestants[peer] = lambda peer=peer: accountants.PEERS[peer](question)
    return Contest(name, contestants, truth, releases=releases)


def gaussian_truth(sigma, count, delta):
    """A composed Gaussian has a closed form."""
    def truth():
        import doeblin

        found = (doeblin.gaussian(sigma=sigma) | doeblin.compose(count)).epsilon(delta=delta)
        return found.lower, found.upper

    return truth


def dp_sgd(steps):
    return (Release("gaussian", 1.1, 256 / 60000, steps),)


STEPS = (1, 1000, 14_000, 100_000, 1_000_000, 10**9)


def all_contests():
    for steps in STEPS:
        # A width that no grid of ours reaches at this length takes its time to say so.
        widths = tuple(width for width in WIDTHS if steps < 10**5 or width > (5e-5 if steps < 10**6 else 2e-4))
        widths += (5e-4,) * (steps == 10**5)
        yield contest(f"DP-SGD, T = {steps:,}", Question(dp_sgd(steps), 1e-5), EVERYBODY, widths, releases=steps)
    for delta in (1e-12, 1e-30):
        yield contest(f"DP-SGD, T = 14,000, delta {delta:g}", Question(dp_sgd(14_000), delta), EVERYBODY)
    laplace = Question((Release("laplace", 10.0, 1, 1000),), 1e-5)
    yield contest("laplace(10) x 1000", laplace, ("dp-accounting PLD", "prv-accountant", "dp-accounting RDP", "autodp RDP"))
    sampled = tuple(Release("gaussian", 1 + i / 10, 0.01 + i / 1000) for i in range(50))
    yield contest("50 different sampled Gaussians", Question(sampled, 1e-5), EVERYBODY, (*WIDTHS, 3e-6))
    hole = Question((Release("gaussian", math.nan, 0.01, 10_000),), 1e-5, epsilon=1.0)
    yield contest("sigma for epsilon 1: rate .01, 10,000 steps", hole, ("dp-accounting PLD", "prv-accountant", "Opacus PRV",
                                                                       "Opacus RDP", "dp-accounting RDP"), (1e-2, 1e-4))
    for delta in (1e-5, 1e-12, 1e-30, 1e-100):
        yield contest(f"gaussian(100) x 10,000 by FFT, delta {delta:g}", Question((Release("gaussian", 100.0, 1, 10_000),), delta),
                      TWO_SIDED_FFT, truth=gaussian_truth(100.0, 10_000, delta), accountant="pld")


CONTESTS = list(all_contests())
