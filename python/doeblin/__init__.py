# SPDX-License-Identifier: Apache-2.0
"""Differential-privacy guarantees that count what is not released.

A guarantee is built by piping a source through stages, and comes as a rigorous bracket:

>>> from doeblin import *
>>> training = gaussian(sigma=1.1) | poisson(rate=256/60000) | compose(14000)
>>> epsilon = training.epsilon(delta=1e-5)
>>> bool(2.375 < epsilon.lower <= 2.37584 <= epsilon.upper < 2.377)
True
>>> found = calibrate(lambda s: gaussian(sigma=s) | compose(100), epsilon=1, delta=1e-6)
>>> found.pipeline.delta(epsilon=1) <= 1e-6
True
"""
from . import _core, _stages
from ._audit import Audit, audit, audit_command
from ._bracket import Bracket, Brackets
from ._build import diffusion
from ._pipeline import AccuracyWarning, Pipeline, Plan, Stage, load, parse, plan, stages
from ._progress import show_progress
from ._release import Release, release, release_file
from ._reports import (
    Calibration, Certificate, Comparison, Explanation, Mixing, People, Profile, Report, Verification,
)
from ._solve import calibrate, mix, report, verify
from ._stages import *
from ._training import Model, PrivacyWarning, Training, audit_training, predict_file, train, train_file

__version__ = _core.version
__all__ = [
    # The stage doeblin(gamma) would hide the package from those who import everything: it is doeblin.doeblin.
    *(name for name in _stages.__all__ if name != "doeblin"),
    "AccuracyWarning", "Audit", "Bracket", "Brackets", "Calibration", "Certificate", "Comparison", "Explanation", "Mixing",
    "Model", "People", "Pipeline", "Plan", "PrivacyWarning", "Profile", "Release", "Report", "Stage", "Training", "Verification",
    "audit", "audit_command", "audit_training", "calibrate", "diffusion", "load", "mix", "parse", "plan", "predict_file", "release",
    "release_file", "report", "show_progress", "stages", "train", "train_file", "verify",
]
