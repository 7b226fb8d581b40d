# SPDX-License-Identifier: Apache-2.0
"""Private linear models as scikit-learn estimators; needs scikit-learn (pip install doeblin[sklearn]).

>>> import numpy as np
>>> from sklearn.pipeline import make_pipeline
>>> from sklearn.preprocessing import FunctionTransformer
>>> from doeblin.estimators import PrivateClassifier
>>> rng = np.random.default_rng(1)
>>> X = rng.uniform(0, 10, (3000, 2))
>>> y = np.where(X[:, 0] > X[:, 1], "more", "less")
>>> model = make_pipeline(FunctionTransformer(lambda x: x / 5 - 1),
...                       PrivateClassifier(epsilon=1, delta=1e-6, classes=("less", "more"), batch=100, epochs=5))
>>> bool(model.fit(X, y).score(X, y) > 0.8)
True
>>> model[-1].certificate_.verify().verdict
'VERIFIED'

Whatever comes before the estimator in a Pipeline is outside of the guarantee: a StandardScaler that is fitted to the
private records gives away their mean.
"""
from numbers import Real

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from ._arguments import array
from ._training import _CLASS_LOSSES, _NUMBER_LOSSES, train

__all__ = ["PrivateClassifier", "PrivateRegressor"]


class _PrivateLinearModel(BaseEstimator):
    """What both have in common: a call of doeblin.train, and its results as attributes."""

    def _train(self, X, y, **options):
        if isinstance(self.batch, bool) or not isinstance(self.batch, Real):
            raise TypeError(f"batch = {self.batch!r}, need a number")
        seed = None
        if self.random_state is not None:
            # Whoever knows the seed can take the noise away: doeblin.train marks the result as void.
            seed = int(check_random_state(self.random_state).randint(2**31 - 1))
        self.training_ = train(
            X, y, epsilon=self.epsilon if self.sigma is None else None, delta=self.delta, sigma=self.sigma,
            norm=self.norm, radius=self.radius, bounds=self.bounds, intercept=None if self.fit_intercept else 0.0,
            loss=self.loss, loss_width=self.loss_width, regularisation=self.regularisation,
            learning_rate=self.learning_rate, batch=min(self.batch, len(X)), epochs=self.epochs, order=self.order,
            release=self.release, insecure_seed=seed, **options)
        self.model_ = self.training_.model
        self.certificate_ = self.training_.certificate
        self.epsilon_ = self.training_.epsilon
        parameters = self.model_.parameters
        features = X.shape[1]
        self.coef_ = parameters[:, :features]
        # The constant feature is as large as the norm.
        self.intercept_ = parameters[:, features] * self.norm if self.fit_intercept else np.zeros(len(parameters))
        if self.bounds is not None:
            # Columns were mapped from their bounds to 0..1; here they are in units of X again.
            low, high = np.broadcast_to(np.asarray(self.bounds, dtype=np.float64).reshape(-1, 2), (features, 2)).T
            self.coef_ = self.coef_ / (high - low)
            self.intercept_ = self.intercept_ - self.coef_ @ low
        self.n_iter_ = self.training_.run["steps"]
        return self


class PrivateClassifier(ClassifierMixin, _PrivateLinearModel):
    """Logistic regression, or a smoothed support vector machine, with differential privacy for every record.

    epsilon, delta: the guarantee for the worst record; or `sigma`, the noise itself
    norm: rows of X longer than this are scaled down to it
    radius: how far from 0 the parameters may go
    bounds: (low, high) that columns are clipped to, or a pair for each, before they are mapped to 0..1
    classes: declared, else they are taken from y with a PrivacyWarning
    loss: one for classes (`doeblin train --help` names them), with a `loss_width` if it has one
    regularisation, learning_rate, batch, epochs, order, release: as for doeblin.train
    random_state: a seed draws the noise so that anybody can draw it again, which voids the guarantee: for tests only

    After fit: classes_, coef_, intercept_, epsilon_ (a Bracket), certificate_, training_, model_. The score of a record
    is coef_ x + intercept_ unless it is outside of the bounds or longer than the norm, and changed for that.
    """

    def __init__(self, epsilon=1.0, delta=1e-6, *, sigma=None, norm=1.0, radius=10.0, bounds=None, classes=None,
                 loss=_CLASS_LOSSES[0], loss_width=None, regularisation=0.0, learning_rate=None, batch=32, epochs=10,
                 order="fixed", release="last", fit_intercept=True, random_state=None):
        self.epsilon = epsilon
        self.delta = delta
        self.sigma = sigma
        self.norm = norm
        self.radius = radius
        self.bounds = bounds
        self.classes = classes
        self.loss = loss
        self.loss_width = loss_width
        self.regularisation = regularisation
        self.learning_rate = learning_rate
        self.batch = batch
        self.epochs = epochs
        self.order = order
        self.release = release
        self.fit_intercept = fit_intercept
        self.random_state = random_state

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        # A strong guarantee on few records costs accuracy.
        tags.classifier_tags.poor_score = True
        return tags

    def fit(self, X, y):
        """Trains on the records; returns itself."""
        X, y = validate_data(self, X, y, dtype=np.float64, order="C")
        check_classification_targets(y)
        if self.loss not in _CLASS_LOSSES:
            raise ValueError(f"loss = {self.loss!r}, need {' or '.join(map(repr, _CLASS_LOSSES))}")
        self._train(X, y, classes=self.classes)
        self.classes_ = self.model_.classes
        return self

    def decision_function(self, X):
        """The score of the second of two classes, or of every class."""
        check_is_fitted(self)
        scores = self.model_.scores(validate_data(self, X, dtype=np.float64, order="C", reset=False))
        return scores[:, 0] if scores.shape[1] == 1 else scores

    def predict(self, X):
        """The class of every record."""
        scores = self.decision_function(X)
        return self.classes_[(scores > 0).astype(int) if scores.ndim == 1 else scores.argmax(axis=1)]


class PrivateRegressor(RegressorMixin, _PrivateLinearModel):
    """Linear regression with differential privacy for every record.

    label_bounds: labels are clipped to this; they are mapped to -1..1 for the descent, so `radius` is in those units
    loss: one for numbers, with a `loss_width` if it has one

    The other parameters are those of PrivateClassifier. After fit: coef_, intercept_, epsilon_, certificate_,
    training_, model_.
    """

    def __init__(self, epsilon=1.0, delta=1e-6, *, sigma=None, norm=1.0, radius=10.0, bounds=None,
                 label_bounds=(-1.0, 1.0), loss=_NUMBER_LOSSES[0], loss_width=None, regularisation=0.0,
                 learning_rate=None, batch=32, epochs=10, order="fixed", release="last", fit_intercept=True,
                 random_state=None):
        self.epsilon = epsilon
        self.delta = delta
        self.sigma = sigma
        self.norm = norm
        self.radius = radius
        self.bounds = bounds
        self.label_bounds = label_bounds
        self.loss = loss
        self.loss_width = loss_width
        self.regularisation = regularisation
        self.learning_rate = learning_rate
        self.batch = batch
        self.epochs = epochs
        self.order = order
        self.release = release
        self.fit_intercept = fit_intercept
        self.random_state = random_state

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        # A strong guarantee on few records costs accuracy.
        tags.regressor_tags.poor_score = True
        return tags

    def fit(self, X, y):
        """Trains on the records; returns itself."""
        X, y = validate_data(self, X, y, dtype=np.float64, order="C", y_numeric=True)
        if self.loss not in _NUMBER_LOSSES:
            raise ValueError(f"loss = {self.loss!r}, need {' or '.join(map(repr, _NUMBER_LOSSES))}")
        bounds = array("label_bounds", self.label_bounds, ndim=1)
        if bounds.shape != (2,) or not np.isfinite(bounds).all() or not bounds[0] < bounds[1]:
            raise ValueError(f"label_bounds = {self.label_bounds!r}, need two finite numbers, low < high")
        low, high = bounds.tolist()
        self._middle, self._half = (low + high) / 2, (high - low) / 2
        self._train(X, (np.asarray(y, dtype=np.float64) - self._middle) / self._half, label_bounds=(-1.0, 1.0))
        self.coef_ = self.coef_[0] * self._half
        self.intercept_ = float(self.intercept_[0] * self._half + self._middle)
        return self

    def predict(self, X):
        """The number of every record."""
        check_is_fitted(self)
        scores = self.model_.scores(validate_data(self, X, dtype=np.float64, order="C", reset=False))
        return scores[:, 0] * self._half + self._middle
