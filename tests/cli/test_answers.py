# SPDX-License-Identifier: Apache-2.0
"""The program against mpmath, at inputs drawn by hypothesis: one-sided at each end, plus a width limit."""
import math

import mpmath as mp
from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import ask


def log_uniform(low, high):
    return st.floats(math.log10(low), math.log10(high)).map(lambda x: 10.0**x)


def tail(x):
    return mp.erfc(x / mp.sqrt(2)) / 2


def gaussian_delta(sigma, epsilon):
    """Q(a) - e^eps Q(b), at enough digits to survive the cancellation."""
    with mp.workdps(60):
        mu = 1 / mp.mpf(sigma)
        a = mp.mpf(epsilon) / mu - mu / 2
        size = float(min(a * a / 2, mp.mpf(10) ** 4)) if a > 0 else 0.0
    with mp.workdps(int(80 + size / 2 + abs(math.log10(sigma)) * 2)):
        mu = 1 / mp.mpf(sigma)
        a = mp.mpf(epsilon) / mu - mu / 2
        return tail(a) - mp.exp(mp.mpf(epsilon)) * tail(a + mu)


def encloses(bracket, truth):
    return mp.mpf(bracket["lower"]) <= truth <= mp.mpf(bracket["upper"])


def relative_width(bracket):
    return (bracket["upper"] - bracket["lower"]) / bracket["upper"]


@settings(max_examples=60, deadline=None)
@given(sigma=log_uniform(1e-3, 1e9), position=st.floats(-8, 38))
def test_gaussian_delta(sigma, position):
    # epsilon such that a = epsilon/mu - mu/2 is the drawn position: delta runs from 1 to below 1e-300.
    mu = 1 / sigma
    epsilon = max(0.0, mu * (position + mu / 2))
    got = ask("delta", f"gaussian(sigma={sigma!r})", "--epsilon", repr(epsilon))["delta"]
    truth = gaussian_delta(sigma, epsilon)
    assert encloses(got, truth)
    if truth > 1e-300:
        assert relative_width(got) <= 1e-11


@settings(max_examples=40, deadline=None)
@given(sigma=log_uniform(1e-3, 1e9), exponent=st.floats(-300, -0.5))
def test_gaussian_epsilon(sigma, exponent):
    delta = 10.0**exponent
    got = ask("epsilon", f"gaussian(sigma={sigma!r})", "--delta", repr(delta))["epsilon"]
    assert gaussian_delta(sigma, got["upper"]) <= delta
    if got["lower"] > 0:
        assert gaussian_delta(sigma, got["lower"]) >= delta
    if delta < 0.999 * gaussian_delta(sigma, 0.0):
        assert relative_width(got) <= 1e-9


@settings(max_examples=40, deadline=None)
@given(scale=log_uniform(1e-3, 1e9), fraction=st.floats(0, 1.1))
def test_laplace_delta(scale, fraction):
    epsilon = fraction / scale
    got = ask("delta", f"laplace({scale!r})", "--epsilon", repr(epsilon))["delta"]
    with mp.workdps(60):
        truth = max(mp.mpf(0), -mp.expm1((mp.mpf(epsilon) - 1 / mp.mpf(scale)) / 2))
        assert encloses(got, truth)
    if truth > 0:
        assert relative_width(got) <= 1e-9


@settings(max_examples=30, deadline=None)
@given(first=log_uniform(1e-3, 1e9), ratio=log_uniform(1e-3, 1e3), fraction=st.floats(0, 0.999))
def test_twice_laplace_is_below_laplace_and_narrow(first, ratio, fraction):
    second = first * ratio
    epsilon = fraction / max(first, second)
    got = ask("delta", f"twice_laplace({first!r}, {second!r})", "--epsilon", repr(epsilon))["delta"]
    once = ask("delta", f"laplace({max(first, second)!r})", "--epsilon", repr(epsilon))["delta"]
    assert got["lower"] <= once["upper"]
    if got["lower"] > 1e-300:
        assert relative_width(got) <= 1e-9
