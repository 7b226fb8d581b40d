# SPDX-License-Identifier: Apache-2.0
from collections.abc import Sequence
from typing import Any, Optional, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin  # type: ignore
from typing_extensions import Self

from ._arguments import _Number, _Numbers
from ._bracket import Bracket
from ._reports import Certificate
from ._training import Model, Training

__all__ = ["PrivateClassifier", "PrivateRegressor"]

class _PrivateLinearModel(BaseEstimator):  # type: ignore
    epsilon: _Number
    delta: _Number
    sigma: Optional[_Number]
    norm: _Number
    radius: _Number
    bounds: Union[_Numbers, dict[Any, Any], None]
    loss: str
    loss_width: Optional[_Number]
    regularisation: _Number
    learning_rate: Optional[_Number]
    batch: int
    epochs: _Number
    order: str
    release: str
    fit_intercept: bool
    random_state: Union[int, np.random.RandomState, None]
    n_features_in_: int
    n_iter_: int
    training_: Training
    model_: Model
    certificate_: Certificate
    epsilon_: Bracket
    coef_: NDArray[np.float64]

class PrivateClassifier(ClassifierMixin, _PrivateLinearModel):  # type: ignore
    classes: Union[Sequence[Any], NDArray[Any], None]
    classes_: NDArray[Any]
    intercept_: NDArray[np.float64]
    def __init__(
        self,
        epsilon: _Number = 1.0,
        delta: _Number = 1e-6,
        *,
        sigma: Optional[_Number] = None,
        norm: _Number = 1.0,
        radius: _Number = 10.0,
        bounds: Union[_Numbers, dict[Any, Any], None] = None,
        classes: Union[Sequence[Any], NDArray[Any], None] = None,
        loss: str = ...,
        loss_width: Optional[_Number] = None,
        regularisation: _Number = 0.0,
        learning_rate: Optional[_Number] = None,
        batch: int = 32,
        epochs: _Number = 10,
        order: str = "fixed",
        release: str = "last",
        fit_intercept: bool = True,
        random_state: Union[int, np.random.RandomState, None] = None,
    ) -> None: ...
    def __sklearn_tags__(self) -> Any: ...
    # Made by scikit-learn, for its routing of metadata.
    def set_score_request(self, *, sample_weight: Union[bool, str, None] = ...) -> Self: ...
    def fit(self, X: ArrayLike, y: ArrayLike) -> Self: ...
    def decision_function(self, X: ArrayLike) -> NDArray[np.float64]: ...
    def predict(self, X: ArrayLike) -> NDArray[Any]: ...

class PrivateRegressor(RegressorMixin, _PrivateLinearModel):  # type: ignore
    label_bounds: _Numbers
    intercept_: float
    def __init__(
        self,
        epsilon: _Number = 1.0,
        delta: _Number = 1e-6,
        *,
        sigma: Optional[_Number] = None,
        norm: _Number = 1.0,
        radius: _Number = 10.0,
        bounds: Union[_Numbers, dict[Any, Any], None] = None,
        label_bounds: _Numbers = (-1.0, 1.0),
        loss: str = ...,
        loss_width: Optional[_Number] = None,
        regularisation: _Number = 0.0,
        learning_rate: Optional[_Number] = None,
        batch: int = 32,
        epochs: _Number = 10,
        order: str = "fixed",
        release: str = "last",
        fit_intercept: bool = True,
        random_state: Union[int, np.random.RandomState, None] = None,
    ) -> None: ...
    def __sklearn_tags__(self) -> Any: ...
    # Made by scikit-learn, for its routing of metadata.
    def set_score_request(self, *, sample_weight: Union[bool, str, None] = ...) -> Self: ...
    def fit(self, X: ArrayLike, y: ArrayLike) -> Self: ...
    def predict(self, X: ArrayLike) -> NDArray[np.float64]: ...
