# SPDX-License-Identifier: Apache-2.0
"""Differential-privacy guarantees that count what is not released.

>>> import doeblin
>>> brownian = doeblin.diffusion(lambda s: 0.25 / s**2, time=2.0, bend="log_convex", power=2.0)
>>> brownian.rdp(alpha=4.0).upper < 0.50001
True
"""
from ._core import Bracket, Pipeline, diffusion, parse

__all__ = ["Bracket", "Pipeline", "diffusion", "parse"]
