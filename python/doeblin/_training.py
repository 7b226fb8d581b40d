# SPDX-License-Identifier: Apache-2.0
"""Private training of linear models, from arrays and from files."""
import json
import math
import os
import warnings
from collections.abc import Mapping

import numpy as np

from . import _core
from ._arguments import array, given, path
from ._bracket import Bracket
from ._reports import Certificate, Report, _write

# The first of each is the standard one.
_CLASS_LOSSES = tuple(name for name, is_class, _ in _core.losses() if is_class)
_NUMBER_LOSSES = tuple(name for name, is_class, _ in _core.losses() if not is_class)
_CHANCE_LOSSES = tuple(name for name, _, has_chance in _core.losses() if has_chance)


class PrivacyWarning(UserWarning):
    """Something was learnt from the data that the guarantee does not cover."""


class Model:
    """A linear model, and how records become its numbers.

    Its predictions tell nothing about the training records beyond what it does itself.
    """

    __slots__ = ("_text", "_predictor", "classes")

    def __init__(self, text, classes=None, name="model"):
        self._text, self._predictor = text, _core.Predictor(name, text)
        if classes is None and self._predictor.is_class:
            classes = _numbers_or_texts(self._predictor.classes)
        self.classes = classes

    @classmethod
    def read(cls, file):
        """Reads what `write` or the command `train` wrote."""
        name = path("file", file)
        try:
            with open(name, encoding="utf-8") as opened:
                return cls(opened.read(), name=name)
        except (OSError, UnicodeDecodeError) as error:
            raise ValueError(f"model = {name!r}, need a file that can be read ({error})") from None

    def write(self, file):
        """Writes it as JSON, for the command `predict` too."""
        _write(path("file", file), self._text + "\n")
        return self

    @property
    def text(self):
        """The model as JSON."""
        return self._text

    @property
    def parameters(self):
        """One row for two classes or a number, else one for each class; the intercept last, if there is one."""
        return np.array(self._predictor.parameters)

    @property
    def guarantee(self):
        """What is said about its privacy, in one line."""
        return self._predictor.guarantee

    def scores(self, X):
        """<w, x> for every record and every vector of parameters: shape (records, vectors)."""
        features = array("X", X, ndim=2)
        if features.shape[1] != self._predictor.features:
            raise ValueError(f"X has {features.shape[1]} features, need {self._predictor.features}")
        scores = np.empty((len(features), self._predictor.outputs))
        if len(features):
            self._predictor.scores(features, scores)
        return scores

    def predict(self, X):
        """The class or the number of every record."""
        scores = self.scores(X)
        if self.classes is None:
            return scores[:, 0]
        best = (scores[:, 0] > 0).astype(int) if scores.shape[1] == 1 else scores.argmax(axis=1)
        return self.classes[best]

    def predict_proba(self, X):
        """The chance of every class, of two, for a loss whose scores tell it."""
        if self.classes is None or len(self.classes) != 2 or not self._predictor.has_chance:
            raise ValueError(f"predict_proba: only for two classes and the {' or '.join(_CHANCE_LOSSES)} loss")
        second = self.scores(X)[:, 0].copy()
        self._predictor.chances(second)
        return np.column_stack([1 - second, second])

    def __repr__(self):
        return f"<Model: {self.parameters.shape[1]} parameters; {self.guarantee}>"

    def __reduce__(self):
        return type(self), (self._text, self.classes)


def _numbers_or_texts(classes):
    """Classes as they were before they were written down."""
    for kind in (int, float):
        try:
            numbers = [kind(one) for one in classes]
        except ValueError:
            continue
        # "01" and "nan" stay texts.
        if [str(number) for number in numbers] == list(classes) and np.isfinite(numbers).all():
            return np.array(numbers)
    return np.array(classes)


class Training(Report):
    """A finished run: the `model`, its `certificate`, and what the command `train` reports."""

    def __init__(self, json_text, text, certificate, model):
        super().__init__(json_text, text)
        self._certificate, self._model = certificate, model

    @property
    def epsilon(self):
        """What is guaranteed: nothing, if the noise came from a seed."""
        return Bracket(0.0, math.inf) if self["void"] else self["epsilon"]

    @property
    def model(self):
        return self._model

    @property
    def certificate(self):
        return self._certificate

    def __reduce__(self):
        return type(self), (self._json, self._text, self._certificate, self._model)

    def __repr__(self):
        return f"<Training: {self['claim']}>"


def _pair(parameter, value):
    """(low, high) of a pair of numbers."""
    numbers = array(parameter, value, ndim=1)
    if numbers.shape != (2,):
        raise ValueError(f"{parameter} = {value!r}, need (low, high)")
    return float(numbers[0]), float(numbers[1])


def _bounds(value, columns=None):
    """(column, (low, high)) for one pair for all columns, a pair for each, or a dictionary by column."""
    if value is None:
        return []
    if isinstance(value, Mapping):
        return [(str(column), _pair("bounds", pair)) for column, pair in value.items()]
    pairs = array("bounds", value)
    if pairs.shape == (2,):
        return [("*", _pair("bounds", pairs))]
    if columns is not None and pairs.shape == (columns, 2):
        return [(str(i), _pair("bounds", pair)) for i, pair in enumerate(pairs, start=1)]
    raise ValueError(f"bounds has the shape {pairs.shape}, need (low, high), or such a pair for each column")


def _finished(outcome, classes=None):
    json_text, text, certificate, model = outcome
    if classes is not None:
        content = json.loads(model)
        content["encoding"]["label"]["classes"] = [str(one) for one in classes]
        model = json.dumps(content, indent=2, ensure_ascii=False)
    return Training(json_text, text, Certificate(certificate), Model(model, classes))


def _check_names(names):
    """Refuses, before anything is trained, classes that a model cannot be written with."""
    for name in names:
        if not name or name != name.strip() or "|" in name or not name.isprintable():
            raise ValueError(f"classes: {name!r}, need a text that can be printed, without '|' and blanks around it")
    values = {}
    for name in names:
        try:
            value = float(name)
        except ValueError:
            value = name
        if value in values:
            raise ValueError(f"classes: {name!r} and {values[value]!r} are the same when they are written down")
        values[value] = name


def _class_numbers(y, classes):
    """The classes in order, and each label's place among them."""
    if isinstance(y, np.ma.MaskedArray) and np.ma.is_masked(y):
        raise ValueError("y: masked entries, which would be used as if they were not")
    labels = np.asarray(y)
    if labels.dtype == object and len({type(one) for one in labels.ravel()}) > 1:
        raise TypeError("y: labels of different types, need one type")
    if labels.ndim != 1:
        raise ValueError(f"y has {labels.ndim} dimensions, need 1")
    if classes is None:
        classes = np.unique(labels)
        warnings.warn("classes were taken from y, which the guarantee does not cover; declare them: classes=[...]",
                      PrivacyWarning, stacklevel=4)
    classes = np.asarray(classes)
    if classes.ndim != 1 or len(np.unique(classes)) != len(classes):
        raise ValueError("classes: a list without repetitions is needed")
    if len(classes) < 2:
        raise ValueError(f"classes: {len(classes)} class, need at least two classes")
    _check_names([str(one) for one in classes])
    order = np.argsort(classes)
    place = np.clip(np.searchsorted(classes, labels, sorter=order), 0, len(classes) - 1)
    numbers = order[place]
    if len(labels) and not np.array_equal(classes[numbers], labels):
        raise ValueError("y: a label that is none of the classes")
    return classes, numbers.astype(np.float64)


def train(X, y, *, norm, radius=None, epsilon=None, delta=None, sigma=None, classes=None, label_bounds=None, bounds=None,
          intercept=None, loss=None, loss_width=None, regularisation=None, domain=None, box=None, learning_rate=None,
          batch=None, epochs=None, order=None, release=None, noise=None, relation=None, public_tail=None,
          test_fraction=None, split_by=None, split_key=None, test_is_public=False, data_is_public=False,
          compare_without_noise=False, output=None, certificate=None, checkpoint=None, key_file=None,
          checkpoint_every=None, memory=None, scratch=None, insecure_seed=None, accountant=None, width=None, force=False):
    """Trains a linear model by noisy projected gradient descent, of which only one state is released.

    What the guarantee rests on must be declared without looking at the data: `norm`, the size of the domain, `classes` or
    `label_bounds`, and `bounds`. Names and defaults are those of the command `train`; files are written only if `output`,
    `certificate` or `checkpoint` names some.

    Parameters
    ----------
    X : array-like
        A row for each record.
    y : array-like
        A class or a number for each.
    norm : float
        Rows of X longer than this are scaled down to it.
    radius : float, optional
        The size of a ball, L1 ball or simplex.
    epsilon : float, optional
        The target for the worst private record, for which the noise is solved.
    delta : float, optional
        Of the target; 1e-6 if left out.
    sigma : float, optional
        The noise on the mean gradient, instead of a target.
    classes : list, optional
        All values of y; taken from y with a PrivacyWarning if left out.
    label_bounds : (float, float), optional
        What numbers in y are clipped to.
    bounds : (float, float), list or dict, optional
        (low, high) that columns are clipped to and mapped from to 0..1: one pair, one for each, or by number from 1.
    intercept : float, optional
        A constant last feature; as large as the norm if left out, 0 for none.
    loss : str, optional
        One for classes or for numbers; `doeblin train --help` names them.
    loss_width : float, optional
        Of its smoothing, or where it becomes linear.
    regularisation : float, optional
        Adds so many times half the squared norm of the parameters to the objective; 0 if left out.
    domain : {'ball', 'l1_ball', 'simplex', 'box'}, optional
        Where the parameters are kept; a ball if left out.
    box : (float, float), optional
        Bounds of every parameter, for a box.
    learning_rate : float, optional
        Chosen from public numbers if left out.
    batch, epochs : int, optional
        Records in one step, and passes over them; 1 if left out.
    order : {'fixed', 'permuted', 'poisson'}, optional
        In which records are used: as they come if left out, permuted at random, or in random batches.
    release : {'last', 'uniform_stop', 'skip'}, optional
        Which state is released: the last one if left out, a random one, or the last of a run that starts at random.
    noise : {'gaussian', 'laplace'}, optional
        Gaussian if left out; laplace is for a single parameter.
    relation : {'substitute', 'zero_out'}, optional
        Which datasets are neighbours; for poisson zero_out.
    public_tail : int, optional
        So many of the last records are public.
    test_fraction : float, optional
        About this share of the records is held out, chosen by a hash of each.
    split_by : {'content', 'position'}, optional
        What is hashed; the content if left out.
    split_key : str, optional
        Another key, another choice.
    test_is_public, data_is_public : bool, default False
        Declare the records that are held out, and all records, public.
    compare_without_noise : bool, default False
        Show what the best model without noise reaches; public data only.
    output : path, optional
        The folder for files.
    certificate : path, optional
        Where the certificate goes too.
    checkpoint, key_file : path, optional
        Where the run is saved, encrypted, to go on from, and the file of its key.
    checkpoint_every : float, optional
        How often, in seconds; 30 if left out.
    memory : float, optional
        Records beyond so many GiB go to a nameless scratch file; 4 if left out.
    scratch : path, optional
        The folder for that file.
    insecure_seed : int, optional
        All noise is drawn from it, for tests: voids the guarantee.
    accountant, width : optional
        As for Pipeline.under.
    force : bool, default False
        Whether the model in the folder is replaced: training twice is two releases, whose privacy losses add up.

    Returns
    -------
    Training
        With the `model` and its `certificate`.

    Raises
    ------
    ValueError, TypeError
        For what is missing, makes no sense or does not go together; then nothing is written.
    KeyboardInterrupt
        On Ctrl-C, whatever the run is doing.

    Examples
    --------
    >>> import numpy as np
    >>> from doeblin import train
    >>> rng = np.random.default_rng(1)
    >>> X = rng.uniform(-1, 1, (2000, 2))
    >>> y = (X[:, 0] > X[:, 1]).astype(int)
    >>> trained = train(X, y, classes=[0, 1], norm=1, radius=5, epsilon=1, delta=1e-6, batch=100, epochs=5)
    >>> trained.epsilon <= 1, bool((trained.model.predict(X) == y).mean() > 0.6)
    (True, True)
    >>> trained.certificate.verify().verdict
    'VERIFIED'
    """
    features = array("X", X, ndim=2)
    if not features.size:
        raise ValueError(f"X has the shape {features.shape}, need at least one record and one feature")
    if not np.isfinite(features).all():
        raise ValueError("X: infinity, need finite numbers")
    is_class = loss is None or loss in _CLASS_LOSSES
    if is_class:
        classes, labels = _class_numbers(y, classes)
    else:
        labels = array("y", y, ndim=1)
        if classes is not None:
            raise ValueError(f"classes: only for the losses {' and '.join(_CLASS_LOSSES)}")
    if len(labels) != len(features):
        raise ValueError(f"y has {len(labels)} labels, need one for each of the {len(features)} rows of X")
    options = given(
        norm=norm, radius=radius, epsilon=epsilon, delta=delta, sigma=sigma, intercept=intercept, loss=loss,
        loss_width=loss_width, regularisation=regularisation, domain=domain, learning_rate=learning_rate, batch=batch,
        epochs=epochs, order=order, release=release, noise=noise, relation=relation, public_tail=public_tail,
        test_fraction=test_fraction, split_by=split_by, split_key=split_key, test_is_public=test_is_public,
        data_is_public=data_is_public, compare_without_noise=compare_without_noise, memory=memory,
        checkpoint_every=checkpoint_every, insecure_seed=insecure_seed, accountant=accountant, width=width,
        force=force, **_paths(output=output, certificate=certificate, checkpoint=checkpoint, key_file=key_file, scratch=scratch),
    )
    options["bounds"] = _bounds(bounds, features.shape[1])
    if label_bounds is not None:
        options["label_bounds"] = _pair("label_bounds", label_bounds)
    if box is not None:
        options["box"] = _pair("box", box)
    if is_class:
        options["classes"] = [str(i) for i in range(len(classes))]
    return _trained(options, features, np.ascontiguousarray(labels), classes if is_class else None)


def _trained(options, features=None, labels=None, classes=None):
    finished = _finished(_core.train(options, features, labels), classes)
    if "output" in options and classes is not None:
        # With the classes as they are called, not as they are numbered.
        finished.model.write(os.path.join(options["output"], "model.json"))
    return finished


def _paths(**values):
    paths = {name: path(name, value) for name, value in values.items() if value is not None}
    for name, text in paths.items():
        if not text:
            raise ValueError(f"{name} = '', need a path")
    return paths


def _names(parameter, values):
    """Names as a file has them: without blanks around them."""
    if isinstance(values, str):
        raise TypeError(f"{parameter} = {values!r}, need a list")
    names = [str(one).strip() for one in values]
    if not all(names):
        raise ValueError(f"{parameter} = {values!r}, need names, none of them empty")
    return names


def _file_options(data, **options):
    """The options of a run on a file, as the core takes them."""
    options = given(**options)
    for name in ("bounds",):
        if name in options:
            options[name] = _bounds(options[name])
    for name in ("label_bounds", "box"):
        if name in options:
            options[name] = _pair(name, options[name])
    if "classes" in options:
        options["classes"] = _names("classes", options["classes"])
    if isinstance(options.get("drop"), str):
        options["drop"] = [options["drop"]]
    if "categorical" in options:
        if not isinstance(options["categorical"], Mapping):
            raise TypeError(f"categorical = {options['categorical']!r}, need a dictionary of columns and their levels")
        options["categorical"] = [(str(column), _names("categorical", levels))
                                  for column, levels in options["categorical"].items()]
    for name in ("output", "certificate", "checkpoint", "key_file", "scratch", "test"):
        if name in options:
            options[name] = path(name, options[name])
    options["data"] = path("data", data)
    return options


def train_file(data, **options):
    """Trains on the records of a file (.csv, .libsvm or .npy): the command `train`.

    Parameters
    ----------
    data : path
        The file; '-' reads CSV from standard input.
    **options
        Those of train(), where `bounds` is a dictionary of columns or patterns, and: `format` (csv, libsvm or npy), `label`
        (a column), `categorical` (a dictionary of columns and their levels), `drop` (columns), `features` (how many a LIBSVM
        file has) and `test` (a file to measure on).

    Returns
    -------
    Training

    Raises
    ------
    ValueError, TypeError
        As for train(), and for a file that is wrong.
    """
    _known("train_file", options, _RUN_OPTIONS | _TRAIN_OPTIONS)
    return _trained(_file_options(data, **options))


def audit_training(data, y=None, *, canary=None, runs=None, confidence=None, gaussian=False, insecure_seed=None,
                   **options):
    """Trains many times, with a canary among the records or without it: lower bounds on epsilon.

    As the command `audit --train`: what it prints is about the data too.

    Parameters
    ----------
    data : path or array-like
        A file, or an array of features.
    y : array-like, optional
        The labels of an array.
    canary : int, optional
        Which record becomes the canary; the last private one if left out.
    runs : int, optional
        In all, half of them with it; ten thousand if left out.
    confidence : float, optional
        How rarely a true claim may be called VIOLATED; 0.999 if left out.
    gaussian : bool, default False
        Whether the claim is one of Gaussian DP.
    insecure_seed : int, optional
        What is drawn from, for tests.
    **options
        Those of train_file(), or train(), that say what is run on which records.

    Returns
    -------
    Audit

    Raises
    ------
    ValueError, TypeError
        As for train_file().
    KeyboardInterrupt
        On Ctrl-C, whatever it is doing.
    """
    from ._audit import Audit

    audited = given(canary=canary, runs=runs, confidence=confidence, gaussian=bool(gaussian),
                    insecure_seed=insecure_seed)
    _known("audit_training", options, _RUN_OPTIONS)
    if y is None:
        outcome = _core.audit_training(_file_options(data, **options), None, None, audited)
    else:
        for name in ("label", "drop", "format", "features", "categorical"):
            if name in options:
                raise TypeError(f"audit_training: {name} is for files")
        features = array("X", data, ndim=2)
        is_class = options.get("loss") is None or options["loss"] in _CLASS_LOSSES
        if is_class:
            classes, labels = _class_numbers(y, options.get("classes"))
            options["classes"] = range(len(classes))
        else:
            labels = array("y", y, ndim=1)
        if len(labels) != len(features):
            raise ValueError(f"y has {len(labels)} labels, need one for each of the {len(features)} rows of X")
        bounds = _bounds(options.pop("bounds", None), features.shape[1])
        prepared = _file_options("X", **options)
        prepared["bounds"] = bounds
        outcome = _core.audit_training(prepared, features, np.ascontiguousarray(labels), audited)
    return Audit(*outcome)


def predict_file(model, data, output, *, format=None):
    """Writes the predictions of a model for the records of a file, as the command `predict` does.

    Parameters
    ----------
    model : path
        What Model.write or the command `train` wrote.
    data : path
        The records.
    output : path
        Where predictions go.
    format : {'csv', 'libsvm', 'npy'}, optional
        If the name of the file of records does not tell.

    Raises
    ------
    ValueError
        For a file that is wrong.
    """
    _core.predict_file(path("model", model), path("data", data), "" if format is None else format,
                       path("output", output))


_RUN_OPTIONS = frozenset(
    "format label classes label_bounds bounds categorical drop features norm intercept loss loss_width regularisation "
    "domain radius box sigma learning_rate batch epochs order release noise relation public_tail epsilon delta "
    "accountant width memory scratch".split())
_TRAIN_OPTIONS = frozenset(
    "test_fraction split_by split_key test test_is_public data_is_public compare_without_noise output certificate "
    "checkpoint key_file checkpoint_every insecure_seed force".split())


def _known(function, options, names):
    for name in options:
        if name not in names:
            raise TypeError(f"{function}() has no parameter {name!r}; it has {', '.join(sorted(names))}")
