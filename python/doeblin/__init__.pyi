# SPDX-License-Identifier: Apache-2.0
from . import _core as _core, _stages as _stages
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

__version__: str
__all__ = [
    # Sources and stages.
    "gaussian", "laplace", "twice_laplace", "randomized_response", "discrete_gaussian", "discrete_laplace",
    "black_box", "gdp", "zcdp", "tcdp", "rdp", "finite", "brownian", "ornstein_uhlenbeck", "noisy_sgd", "noisy_iteration",
    "poisson", "without_replacement", "with_replacement", "group", "compose", "person", "evolve", "dobrushin",
    "ultra_mixing", "kernel", "k_ary_response", "binary_symmetric", "truncated_geometric", "lazy_walk",
    "projected_gaussian", "projected_laplace",
    # Everything else.
    "AccuracyWarning", "Audit", "Bracket", "Brackets", "Calibration", "Certificate", "Comparison", "Explanation",
    "Mixing", "Model", "People", "Pipeline", "Plan", "PrivacyWarning", "Profile", "Release", "Report", "Stage",
    "Training", "Verification", "audit", "audit_command", "audit_training", "calibrate", "diffusion", "load", "mix", "parse",
    "plan", "predict_file", "release", "release_file", "report", "show_progress", "stages", "train", "train_file",
    "verify",
]
