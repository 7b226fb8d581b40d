# SPDX-License-Identifier: Apache-2.0
from collections.abc import Sequence
from typing import Any, Optional, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray
from typing_extensions import Self

from ._arguments import _Number, _Numbers, _Path
from ._audit import Audit
from ._bracket import Bracket
from ._reports import Certificate, Report

class PrivacyWarning(UserWarning): ...

class Model:
    __slots__ = ("_text", "_predictor", "classes")
    classes: Optional[NDArray[Any]]
    def __init__(self, text: str, classes: Optional[NDArray[Any]] = None, name: str = "model") -> None: ...
    @classmethod
    def read(cls, file: _Path) -> Self: ...
    def write(self, file: _Path) -> Self: ...
    @property
    def text(self) -> str: ...
    @property
    def parameters(self) -> NDArray[np.float64]: ...
    @property
    def guarantee(self) -> str: ...
    def scores(self, X: ArrayLike) -> NDArray[np.float64]: ...
    # Classes may be anything.
    def predict(self, X: ArrayLike) -> NDArray[Any]: ...
    def predict_proba(self, X: ArrayLike) -> NDArray[np.float64]: ...

class Training(Report):
    void: bool
    claim: str
    def __init__(self, json_text: str, text: str, certificate: Certificate, model: Model) -> None: ...
    @property
    def epsilon(self) -> Bracket: ...
    @property
    def model(self) -> Model: ...
    @property
    def certificate(self) -> Certificate: ...

def train(
    X: ArrayLike,
    y: ArrayLike,
    *,
    norm: _Number,
    radius: Optional[_Number] = None,
    epsilon: Optional[_Number] = None,
    delta: Optional[_Number] = None,
    sigma: Optional[_Number] = None,
    classes: Union[Sequence[Any], NDArray[Any], None] = None,
    label_bounds: Optional[_Numbers] = None,
    bounds: Union[_Numbers, dict[Any, Any], None] = None,
    intercept: Optional[_Number] = None,
    loss: Optional[str] = None,
    loss_width: Optional[_Number] = None,
    regularisation: Optional[_Number] = None,
    domain: Optional[str] = None,
    box: Optional[_Numbers] = None,
    learning_rate: Optional[_Number] = None,
    batch: Optional[_Number] = None,
    epochs: Optional[_Number] = None,
    order: Optional[str] = None,
    release: Optional[str] = None,
    noise: Optional[str] = None,
    relation: Optional[str] = None,
    public_tail: Optional[_Number] = None,
    test_fraction: Optional[_Number] = None,
    split_by: Optional[str] = None,
    split_key: Optional[str] = None,
    test_is_public: bool = False,
    data_is_public: bool = False,
    compare_without_noise: bool = False,
    output: Optional[_Path] = None,
    certificate: Optional[_Path] = None,
    checkpoint: Optional[_Path] = None,
    key_file: Optional[_Path] = None,
    checkpoint_every: Optional[_Number] = None,
    memory: Optional[_Number] = None,
    scratch: Optional[_Path] = None,
    insecure_seed: Optional[_Number] = None,
    accountant: Optional[str] = None,
    width: Optional[_Number] = None,
    force: bool = False,
) -> Training: ...

# Every option of the command is named here; at run time they are **options.
def train_file(
    data: _Path,
    *,
    format: Optional[str] = None,
    label: Optional[str] = None,
    classes: Union[Sequence[Any], NDArray[Any], None] = None,
    label_bounds: Optional[_Numbers] = None,
    bounds: Union[_Numbers, dict[Any, Any], None] = None,
    categorical: Optional[dict[str, Any]] = None,
    drop: Union[list[str], tuple[str, ...], None] = None,
    features: Optional[_Number] = None,
    norm: Optional[_Number] = None,
    intercept: Optional[_Number] = None,
    loss: Optional[str] = None,
    loss_width: Optional[_Number] = None,
    regularisation: Optional[_Number] = None,
    domain: Optional[str] = None,
    radius: Optional[_Number] = None,
    box: Optional[_Numbers] = None,
    sigma: Optional[_Number] = None,
    learning_rate: Optional[_Number] = None,
    batch: Optional[_Number] = None,
    epochs: Optional[_Number] = None,
    order: Optional[str] = None,
    release: Optional[str] = None,
    noise: Optional[str] = None,
    relation: Optional[str] = None,
    public_tail: Optional[_Number] = None,
    epsilon: Optional[_Number] = None,
    delta: Optional[_Number] = None,
    accountant: Optional[str] = None,
    width: Optional[_Number] = None,
    memory: Optional[_Number] = None,
    scratch: Optional[_Path] = None,
    test_fraction: Optional[_Number] = None,
    split_by: Optional[str] = None,
    split_key: Optional[str] = None,
    test: Optional[_Path] = None,
    test_is_public: bool = False,
    data_is_public: bool = False,
    compare_without_noise: bool = False,
    output: Optional[_Path] = None,
    certificate: Optional[_Path] = None,
    checkpoint: Optional[_Path] = None,
    key_file: Optional[_Path] = None,
    checkpoint_every: Optional[_Number] = None,
    insecure_seed: Optional[_Number] = None,
    force: bool = False,
) -> Training: ...
def audit_training(
    data: Union[_Path, ArrayLike],
    y: Optional[ArrayLike] = None,
    *,
    canary: Optional[_Number] = None,
    runs: Optional[_Number] = None,
    confidence: Optional[_Number] = None,
    gaussian: bool = False,
    insecure_seed: Optional[_Number] = None,
    format: Optional[str] = None,
    label: Optional[str] = None,
    classes: Union[Sequence[Any], NDArray[Any], None] = None,
    label_bounds: Optional[_Numbers] = None,
    bounds: Union[_Numbers, dict[Any, Any], None] = None,
    categorical: Optional[dict[str, Any]] = None,
    drop: Union[list[str], tuple[str, ...], None] = None,
    features: Optional[_Number] = None,
    norm: Optional[_Number] = None,
    intercept: Optional[_Number] = None,
    loss: Optional[str] = None,
    loss_width: Optional[_Number] = None,
    regularisation: Optional[_Number] = None,
    domain: Optional[str] = None,
    radius: Optional[_Number] = None,
    box: Optional[_Numbers] = None,
    sigma: Optional[_Number] = None,
    learning_rate: Optional[_Number] = None,
    batch: Optional[_Number] = None,
    epochs: Optional[_Number] = None,
    order: Optional[str] = None,
    release: Optional[str] = None,
    noise: Optional[str] = None,
    relation: Optional[str] = None,
    public_tail: Optional[_Number] = None,
    epsilon: Optional[_Number] = None,
    delta: Optional[_Number] = None,
    accountant: Optional[str] = None,
    width: Optional[_Number] = None,
    memory: Optional[_Number] = None,
    scratch: Optional[_Path] = None,
) -> Audit: ...
def predict_file(model: _Path, data: _Path, output: _Path, *, format: Optional[str] = None) -> None: ...
