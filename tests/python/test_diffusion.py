# SPDX-License-Identifier: Apache-2.0
"""Diffusions with Python callables (catalogue D3)."""
import math
import pathlib
import re

import pytest

import doeblin


def ornstein_uhlenbeck(theta, rho, sensitivity):
    """kappa(s) = (rho Delta e^{-theta s}/variance(s))^2."""
    return lambda s: (rho * sensitivity * math.exp(-theta * s) / (rho**2 * -math.expm1(-2 * theta * s) / theta)) ** 2


@pytest.mark.parametrize("bend, width", [("decreasing", 1e-3), ("convex", 1e-7), ("log_convex", 1e-7)])
@pytest.mark.parametrize("theta, rho, time", [(0.3, 1.2, 0.5), (1.0, 0.7, 2.0), (4.0, 2.0, 0.1)])
def test_a_python_function_gives_the_level(bend, width, theta, rho, time):
    general = doeblin.diffusion(ornstein_uhlenbeck(theta, rho, 1.5), time, bend=bend, rate=2 * theta, relative_error=1e-13, relative_width=width)
    exact = doeblin.parse(f"ornstein_uhlenbeck({theta!r}, {rho!r}, {time!r}, sensitivity=1.5)")
    for alpha in (1.5, 8.0):
        assert exact.rdp(alpha=alpha).lower <= general.rdp(alpha=alpha).upper <= exact.rdp(alpha=alpha).upper * (1 + 2 * width)
    assert general.epsilon(delta=1e-6).upper >= exact.epsilon(delta=1e-6).lower
    assert general.delta(epsilon=1.0).upper >= exact.delta(epsilon=1.0).lower


def test_evolve_is_the_longer_run():
    brownian = doeblin.diffusion(lambda s: 0.25 / s**2, 1.0, bend="log_convex", power=2.0)
    longer = doeblin.diffusion(lambda s: 0.25 / s**2, 3.0, bend="log_convex", power=2.0)
    assert (brownian | doeblin.evolve(time=2.0)).rdp(alpha=2.0).upper == longer.rdp(alpha=2.0).upper
    assert float(longer.rdp(alpha=2.0)) == longer.rdp(alpha=2.0).upper


def test_mistakes_are_value_errors_and_other_errors_pass_through():
    for arguments in (dict(), dict(rate=-1.0), dict(power=0.5), dict(rate=1.0, bend="round"), dict(rate=1.0, relative_error=2.0)):
        with pytest.raises(ValueError):
            doeblin.diffusion(lambda s: math.exp(-s), 1.0, **arguments)
    for kappa in (lambda s: s, lambda s: -1.0, lambda s: math.nan):
        with pytest.raises(ValueError, match="kappa"):
            doeblin.diffusion(kappa, 1.0, rate=1.0)
    for time in (0.0, -1.0, math.nan, math.inf):
        with pytest.raises(ValueError, match="time"):
            doeblin.diffusion(lambda s: math.exp(-s), time, rate=1.0)
    with pytest.raises(ZeroDivisionError):
        doeblin.diffusion(lambda s: 1 / 0, 1.0, rate=1.0)
    for not_a_function in (None, 3.0):
        with pytest.raises(TypeError, match="kappa"):
            doeblin.diffusion(not_a_function, 1.0, rate=1.0)
    with pytest.raises(TypeError):
        doeblin.diffusion(lambda s: "steep", 1.0, rate=1.0)


def test_the_example_of_the_docs():
    text = (pathlib.Path(__file__).parents[2] / "docs" / "theory" / "diffusion.md").read_text()
    (example,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    found = {}
    exec(example, found)
    truth = 0.25 / math.expm1(1) + 0.25 / math.expm1(4)
    assert truth <= found["level"] <= truth * (1 + 2e-8)
