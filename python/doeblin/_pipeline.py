# SPDX-License-Identifier: Apache-2.0
"""The algebra: a source piped through stages."""
import json
import sys
import threading
import warnings

import numpy as np

from . import _core
from ._arguments import array, given, is_array, numbers
from ._bracket import Bracket, Brackets
from ._reports import Certificate, Comparison, Explanation, People, Profile, _read


class AccuracyWarning(UserWarning):
    """An answer is valid, but wider than promised."""


_WIDER = "valid, but wider than promised"


_last = threading.local()
# Doubles: where fresh pages of memory would take longer than the answers, and up to where they are kept.
_LARGE, _LARGEST = 1 << 17, 1 << 23


def _room(size):
    """Two rows for the ends of so many answers: those of the last large question, once nobody holds its answers."""
    if not _LARGE <= 2 * size <= _LARGEST:
        return np.empty((2, size))
    room = getattr(_last, "room", None)
    # Held here, by the thread and by the call that counts; any answer that is left holds it too.
    if room is None or room.size != 2 * size or sys.getrefcount(room) > 3:
        _last.room = room = np.empty((2, size))
    return room


class Stage:
    """Something that a pipeline can be piped through; stages in a row are a stage.

    >>> from doeblin import gaussian, poisson, compose
    >>> training = poisson(rate=0.01) | compose(1000)
    >>> gaussian(sigma=1.1) | training
    gaussian(sigma=1.1, sensitivity=1) | poisson(rate=0.01, relation='add_remove') | compose(k=1000)
    """

    __slots__ = ("_expression",)

    def __init__(self, expression):
        self._expression = expression

    @property
    def expression(self):
        """As the expression language writes it."""
        return self._expression.text

    def __or__(self, other):
        if not isinstance(other, Stage):
            return NotImplemented
        return Stage(self._expression | other._expression)

    def __repr__(self):
        return self.expression

    def __reduce__(self):
        return _restored, (Stage, *self._expression.state)


class Pipeline:
    """A source piped through stages, with its guarantee. Pipelines about the same people compose with `+`.

    >>> from doeblin import gaussian, laplace, compose
    >>> pipeline = (gaussian(sigma=4) | compose(30)) + laplace(scale=10)
    >>> pipeline.epsilon(delta=1e-6) <= 8.0
    True
    >>> pipeline.relation
    'neutral'
    """

    __slots__ = ("_expression",)

    def __init__(self, expression):
        self._expression = expression

    # The algebra.

    def __or__(self, stage):
        if not isinstance(stage, Stage):
            return NotImplemented
        return Pipeline(self._expression | stage._expression)

    def __add__(self, other):
        if not isinstance(other, Pipeline):
            return NotImplemented
        return Pipeline(self._expression + other._expression)

    def __radd__(self, other):
        # sum([...]) begins with 0.
        return self if type(other) is int and other == 0 else NotImplemented

    def under(self, *, accountant="auto", width=None):
        """The same pipeline, analysed in another way.

        Parameters
        ----------
        accountant : {'auto', 'pld', 'renyi', 'basic'}, default 'auto'
            How releases compose; pld is by privacy-loss distributions.
        width : float, optional
            How narrow compositions should be: nats in epsilon, and ten times that as a fraction of delta.

        Returns
        -------
        Pipeline

        Examples
        --------
        >>> from doeblin import laplace, compose
        >>> releases = laplace(scale=10) | compose(100)
        >>> releases.under(accountant="renyi").epsilon(delta=1e-5) > releases.epsilon(delta=1e-5)
        True
        """
        return Pipeline(self._expression.under(accountant, width))

    # What it guarantees.

    def epsilon(self, delta):
        """The smallest epsilon at delta.

        Parameters
        ----------
        delta : float or array-like
            Above 0, at most 1.

        Returns
        -------
        Bracket or Brackets
            Brackets for an array.

        Warns
        -----
        AccuracyWarning
            Where an answer is valid, but wider than promised.

        Examples
        --------
        >>> from doeblin import gaussian
        >>> print(gaussian(sigma=2).epsilon(delta=1e-6))
        [2.25408, 2.25409]
        >>> gaussian(sigma=2).epsilon(delta=[1e-5, 1e-6]).shape
        (2,)
        """
        if is_array(delta):
            return self._many("delta", delta, self._expression.epsilons)
        lower, upper, is_narrow = self._expression.epsilon(delta)
        if not is_narrow:
            warnings.warn(_WIDER, AccuracyWarning, stacklevel=2)
        return Bracket(lower, upper)

    def delta(self, epsilon):
        """Delta at epsilon.

        Parameters
        ----------
        epsilon : float or array-like
            At least 0.

        Returns
        -------
        Bracket or Brackets
            Brackets for an array.

        Warns
        -----
        AccuracyWarning
            Where an answer is valid, but wider than promised.

        Examples
        --------
        >>> from doeblin import gaussian
        >>> print(gaussian(sigma=1).delta(epsilon=50))
        [0, 4.94066e-324]
        """
        if is_array(epsilon):
            return self._many("epsilon", epsilon, self._expression.deltas)
        lower, upper, is_narrow = self._expression.delta(epsilon)
        if not is_narrow:
            warnings.warn(_WIDER, AccuracyWarning, stacklevel=2)
        return Bracket(lower, upper)

    def rdp(self, alpha):
        """The Renyi divergence of order alpha.

        Parameters
        ----------
        alpha : float or array-like
            Above 1; at infinity the divergence is the level of pure differential privacy.

        Returns
        -------
        Bracket or Brackets
            Brackets for an array.

        Warns
        -----
        AccuracyWarning
            Where an answer is valid, but wider than promised.

        Examples
        --------
        >>> from doeblin import laplace
        >>> float(laplace(scale=2).rdp(alpha=float("inf")))
        0.5
        """
        if is_array(alpha):
            return self._many("alpha", alpha, self._expression.rdps)
        lower, upper, is_narrow = self._expression.rdp(alpha)
        if not is_narrow:
            warnings.warn(_WIDER, AccuracyWarning, stacklevel=2)
        return Bracket(lower, upper)

    def _many(self, parameter, arguments, fill):
        # The core refuses NaN, which it looks for anyway.
        asked = array(parameter, arguments, nan=True)
        lower, upper = _room(asked.size).reshape((2, *asked.shape))
        if not fill(asked, lower, upper):
            warnings.warn(_WIDER, AccuracyWarning, stacklevel=3)
        return Brackets(lower, upper)

    def profile(self, epsilon=None):
        """Delta over a range of epsilons, to be looked at or plotted.

        Parameters
        ----------
        epsilon : array-like, optional
            From 0 to 5 in steps of 0.5 if left out.

        Returns
        -------
        Profile

        Examples
        --------
        >>> from doeblin import laplace
        >>> profile = laplace(scale=1).profile(epsilon=[0, 0.5, 1])
        >>> profile.delta[2]
        Bracket(0.0, 0.0)
        """
        epsilons = np.arange(0, 5.25, 0.5) if epsilon is None else np.atleast_1d(array("epsilon", epsilon))
        return Profile(self, epsilons, self._many("epsilon", epsilons, self._expression.deltas))

    def explain(self, delta=None, epsilon=None, alpha=None):
        """The derivation: stage by stage, theorem, assumptions, numbers before and after.

        Parameters
        ----------
        delta, epsilon, alpha : float or array-like, optional
            Where to show epsilon, delta and the Renyi divergence; delta = 1e-5 if all are left out.

        Returns
        -------
        Explanation

        Examples
        --------
        >>> from doeblin import laplace, group
        >>> derivation = (laplace(scale=2) | group(3)).explain(epsilon=1)
        >>> derivation.analysis[1]["source"]
        'C4'
        >>> print(derivation)  # doctest: +ELLIPSIS
        1. laplace(scale=2, sensitivity=1)   [P2]
        ...
        """
        if delta is None and epsilon is None and alpha is None:
            delta = 1e-5
        asked = given(delta=numbers("delta", delta), epsilon=numbers("epsilon", epsilon), alpha=numbers("alpha", alpha))
        return Explanation(*self._expression.explain(asked))

    def compare(self, delta=None, epsilon=None):
        """Every applicable analysis side by side, the best one marked.

        Parameters
        ----------
        delta, epsilon : float, optional
            One of them: where to compare epsilon, or delta; delta = 1e-5 if both are left out.

        Returns
        -------
        Comparison

        Raises
        ------
        ValueError
            If both are given.

        Examples
        --------
        >>> from doeblin import laplace, compose
        >>> comparison = (laplace(scale=10) | compose(100)).compare(delta=1e-5)
        >>> comparison.best
        'best'
        >>> [row["name"] for row in comparison.analyses][:3]
        ['best', 'pld', 'renyi']
        """
        if delta is not None and epsilon is not None:
            raise ValueError("compare: delta and epsilon, need one of them")
        if delta is None and epsilon is None:
            delta = 1e-5
        asked = {"epsilon": [epsilon]} if delta is None else {"delta": [delta]}
        return Comparison(*self._expression.compare(asked))

    def people(self, delta=None, epsilon=None):
        """The guarantee of every record of an iterative run.

        Parameters
        ----------
        delta, epsilon : float, optional
            One of them: where to show epsilon, or delta; delta = 1e-5 if both are left out.

        Returns
        -------
        People
            An array, record 1 first.

        Raises
        ------
        ValueError
            If both are given, or the pipeline does not end in a run whose records differ.

        Examples
        --------
        >>> from doeblin import noisy_sgd
        >>> run = noisy_sgd(n=40, learning_rate=0.5, sigma=2, lipschitz=1, smoothness=0.5, diameter=1)
        >>> everybody = run.people(delta=1e-5)
        >>> everybody.shape, bool(everybody[0] < everybody[39])
        ((40,), True)
        """
        asked = self._people_question(delta, epsilon)
        return People(*self._expression.people(asked))

    @staticmethod
    def _people_question(delta, epsilon):
        if delta is not None and epsilon is not None:
            raise ValueError("people: delta and epsilon, need one of them")
        if delta is None and epsilon is None:
            delta = 1e-5
        return {"epsilon": [epsilon]} if delta is None else {"delta": [delta]}

    def certificate(self, delta=None, epsilon=None, *, people=False):
        """The claim with everything it rests on, for others to verify; see doeblin.verify.

        Parameters
        ----------
        delta, epsilon : float or array-like, optional
            Where epsilon, and delta, are claimed; at least one of them, but with `people`.
        people : bool, default False
            Whether everybody's guarantee is part of it; then there is one number at the most, delta = 1e-5 if left out.

        Returns
        -------
        Certificate

        Raises
        ------
        ValueError
            If nothing is to be claimed.

        Examples
        --------
        >>> from doeblin import gaussian, compose
        >>> certificate = (gaussian(sigma=2) | compose(10)).certificate(delta=1e-6)
        >>> certificate.verify().verdict
        'VERIFIED'
        """
        if people:
            return Certificate(self._expression.certificate(self._people_question(delta, epsilon), True))
        if delta is None and epsilon is None:
            raise ValueError("certificate: delta and epsilon are missing, need at least one of them")
        asked = given(delta=numbers("delta", delta), epsilon=numbers("epsilon", epsilon))
        return Certificate(self._expression.certificate(asked, False))

    # What it is.

    @property
    def relation(self):
        """Which datasets are neighbours: neutral, add_remove, substitute or zero_out."""
        return self._expression.relation

    @property
    def whose(self):
        """Whose data neighbours differ in: one person's, that of up to k people, or of the person in one place."""
        return self._expression.whose

    @property
    def expression(self):
        """As the expression language writes it, or something like it for what lives in memory."""
        return self._expression.text

    @property
    def steps(self):
        """The derivation without numbers: stage, source, statement and assumptions of every step."""
        return _read(self._expression.steps)["analysis"]

    def plot(self, epsilon=None, ax=None, label=None, **options):
        """Draws the profile; see Profile.plot.

        Parameters
        ----------
        epsilon : array-like, optional
            Up to where delta is 1e-9 if left out.
        ax : matplotlib.axes.Axes, optional
            Of a new figure if left out.
        label : str, optional
            The name of the curve; its expression if left out.
        **options
            For matplotlib's curve.

        Returns
        -------
        matplotlib.axes.Axes
        """
        return self.profile(self._plotted(epsilon)).plot(ax, label, **options)

    def _plotted(self, epsilon):
        if epsilon is not None:
            return epsilon
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", AccuracyWarning)
            end = float(self.epsilon(1e-9))
        return np.linspace(0, 1.05 * end if np.isfinite(end) and end > 0 else 5.0, 121)

    def __repr__(self):
        return self.expression

    def _repr_html_(self):
        from ._html import pipeline_html

        return pipeline_html(self)

    def __reduce__(self):
        return _restored, (Pipeline, *self._expression.state)


def _restored(kind, *state):
    return kind(_core.restored(*state))


class Plan:
    """A pipeline that was kept in a file, with its target."""

    __slots__ = ("name", "pipeline", "epsilon", "delta")

    def __init__(self, name, pipeline, epsilon, delta):
        self.name, self.pipeline, self.epsilon, self.delta = name, pipeline, epsilon, delta

    def __repr__(self):
        return f"Plan(name={self.name!r}, pipeline={self.pipeline!r}, epsilon={self.epsilon!r}, delta={self.delta!r})"


def parse(expression):
    """The pipeline that an expression describes, just as on the command line.

    Parameters
    ----------
    expression : str
        Sources and stages joined by '|' and '+'.

    Returns
    -------
    Pipeline

    Raises
    ------
    ValueError
        With the column where the expression is wrong.

    Examples
    --------
    >>> import doeblin
    >>> doeblin.parse("gaussian(sigma=2) | compose(10)")
    gaussian(sigma=2, sensitivity=1) | compose(k=10)
    """
    if not isinstance(expression, str):
        raise TypeError(f"expression = {expression!r}, need a text")
    return Pipeline(_core.parse(expression))


def load(path):
    """What a certificate is about, to go on from.

    Its numbers are computed again; a certificate that was changed, is void or names files that are not those that were
    certified is refused.

    Parameters
    ----------
    path : str or path-like
        The file.

    Returns
    -------
    Pipeline

    Raises
    ------
    ValueError
        With one line that says what is wrong.
    """
    from ._arguments import path as as_path

    return Pipeline(_core.load(as_path("path", path)))


def plan(path):
    """Reads a plan: a .toml file with an expression or a training run, and possibly a target.

    Parameters
    ----------
    path : str or path-like
        The file.

    Returns
    -------
    Plan
        With `name`, `pipeline`, and `epsilon` and `delta` of the target, or None.

    Raises
    ------
    ValueError
        With the file and the line where it is wrong.
    """
    from ._arguments import path as as_path

    name, expression, epsilon, delta = _core.plan(as_path("path", path))
    return Plan(name, Pipeline(expression), epsilon, delta)


def stages():
    """Every source and stage with its parameters.

    Returns
    -------
    list of dict

    Examples
    --------
    >>> import doeblin
    >>> doeblin.stages()[0]["signature"]
    'gaussian(sigma, sensitivity=1)'
    """
    return json.loads(json.dumps(_core.definitions()))
