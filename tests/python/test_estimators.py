# SPDX-License-Identifier: Apache-2.0
"""scikit-learn's own checks of the estimators, and what they promise beyond them."""
import pickle
import warnings

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils.estimator_checks import parametrize_with_checks

import doeblin
from doeblin.estimators import PrivateClassifier, PrivateRegressor


# No exceptions: every check passes. (One of them, check_array_api_input, runs only where SCIPY_ARRAY_API is set, as
# `make test` sets it.) The score need not be good: PrivateClassifier and PrivateRegressor are tagged poor_score, because
# these checks train on a few dozen records, of which a guarantee must not tell much.
@pytest.mark.filterwarnings("ignore::doeblin.PrivacyWarning")
@parametrize_with_checks([PrivateClassifier(), PrivateRegressor(), PrivateClassifier(loss="smoothed_hinge", fit_intercept=False)])
def test_checks_of_scikit_learn(estimator, check):
    check(estimator)


def records(count=600, seed=0):
    X = np.random.default_rng(seed).uniform(0, 2, (count, 2))
    return X, np.where(X[:, 0] > X[:, 1], "more", "less")


def test_the_guarantee_is_that_of_train():
    X, y = records()
    model = PrivateClassifier(epsilon=2, delta=1e-5, classes=("less", "more"), norm=2, batch=20).fit(X, y)
    assert model.epsilon_ <= 2 and model.certificate_.verify().verdict == "VERIFIED"
    assert model.training_.delta == 1e-5 and list(model.classes_) == ["less", "more"]
    assert model.score(X, y) > 0.6
    again = pickle.loads(pickle.dumps(model))
    assert np.array_equal(again.predict(X), model.predict(X))


def test_a_seed_repeats_and_voids():
    X, y = records()
    first, second = (PrivateClassifier(classes=("less", "more"), random_state=3).fit(X, y) for _ in range(2))
    assert np.array_equal(first.coef_, second.coef_)
    assert first.epsilon_.upper == np.inf and first.training_.void and "VOID" in first.model_.guarantee
    fresh = PrivateClassifier(classes=("less", "more")).fit(X, y)
    assert not np.array_equal(first.coef_, fresh.coef_) and not fresh.training_.void


@pytest.mark.parametrize("bounds", [None, (0, 2), [(0, 2), (0, 3)]])
def test_coefficients_are_in_units_of_the_features(bounds):
    X, y = records()
    model = PrivateClassifier(classes=("less", "more"), bounds=bounds, norm=3, epsilon=5).fit(X, y)
    assert np.allclose(X @ model.coef_[0] + model.intercept_[0], model.decision_function(X), atol=1e-12)
    regressor = PrivateRegressor(bounds=bounds, norm=3, epsilon=5, label_bounds=(-3, 7)).fit(X, X[:, 0])
    assert np.allclose(X @ regressor.coef_ + regressor.intercept_, regressor.predict(X), atol=1e-12)


def test_in_pipelines_and_searches():
    X, y = records()
    model = make_pipeline(FunctionTransformer(lambda x: x - 1), PrivateClassifier(classes=("less", "more"), epsilon=4, batch=20))
    assert clone(model).fit(X, y).score(X, y) > 0.5
    search = GridSearchCV(PrivateClassifier(classes=("less", "more")), {"epsilon": [1, 4]}, cv=2).fit(X, y)
    assert search.best_params_["epsilon"] in (1, 4)


def test_classes_that_are_not_declared_are_a_warning():
    X, y = records()
    with pytest.warns(doeblin.PrivacyWarning, match="classes"):
        PrivateClassifier().fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        PrivateClassifier(classes=("less", "more")).fit(X, y)


def test_several_classes():
    X, _ = records(900)
    y = (X[:, 0] > 0.7).astype(int) + (X[:, 0] > 1.4)
    model = PrivateClassifier(classes=(2, 0, 1), epsilon=20, norm=3, radius=20, batch=30, epochs=20).fit(X, y)
    assert model.decision_function(X).shape == (900, 3) and set(model.predict(X)) <= {0, 1, 2}
    assert list(model.classes_) == [2, 0, 1] and model.coef_.shape == (3, 2)


@pytest.mark.parametrize("estimator, name", [
    (PrivateClassifier(loss="huber"), "loss"), (PrivateClassifier(batch="x"), "batch"), (PrivateClassifier(norm=-1), "norm"),
    (PrivateClassifier(epsilon=-1), "epsilon"), (PrivateClassifier(delta=2), "delta"), (PrivateClassifier(bounds=(1, 0)), "bounds"),
    (PrivateClassifier(radius=None), "radius"), (PrivateRegressor(label_bounds=(1, 1)), "label_bounds"),
    (PrivateRegressor(label_bounds=None), "label_bounds"), (PrivateRegressor(label_bounds=(0, np.inf)), "label_bounds"),
    (PrivateRegressor(loss="logistic"), "loss"), (PrivateClassifier(epochs=0.5), "epochs"), (PrivateClassifier(classes=[1]), "classes"),
])
@pytest.mark.filterwarnings("ignore::doeblin.PrivacyWarning")
def test_mistakes_name_the_parameter(estimator, name):
    X, _ = records(50)
    with pytest.raises((TypeError, ValueError), match=name):
        estimator.fit(X, (X[:, 0] > 1).astype(int))
