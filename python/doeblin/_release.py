# SPDX-License-Identifier: Apache-2.0
"""Noisy releases of arrays and files."""
from collections.abc import Mapping

import numpy as np

from . import _core
from ._arguments import array, given, is_array, numbers, path
from ._pipeline import Pipeline
from ._reports import Certificate, Report


class Release:
    """Numbers with noise, and what they guarantee.

    Without tiers, `values` has the shape of what was released. With tiers there is one Release for each time in
    `tiers`; whoever has several of them knows no more than the earliest tells, so `epsilon` is that of the first.
    """

    __slots__ = ("_tables", "_report", "_certificates", "_tier")

    def __init__(self, tables, report, certificates, tier=None):
        # `certificates` is a list of texts, or a function that makes it.
        self._tables, self._report, self._certificates, self._tier = tables, report, certificates, tier

    @property
    def values(self):
        """The noisy numbers."""
        if self._tier is None and len(self._tables) > 1:
            raise AttributeError("a release in tiers has values in each of its tiers")
        return self._tables[self._tier or 0]

    @property
    def tiers(self):
        """One Release for each time of a path, earliest first; a single one is its own tier."""
        if self._tier is not None or len(self._tables) == 1:
            return [self]
        return [Release(self._tables, self._report, self._all_certificates, i) for i in range(len(self._tables))]

    @property
    def time(self):
        """How long the process has run that made the noise; None for noise without a time."""
        return self._entry.get("time")

    @property
    def epsilon(self):
        """Epsilon at `delta`: of this and, in tiers, all later ones together. From 0 to infinity if it is void."""
        return self._entry["epsilon"]

    @property
    def delta(self):
        """Where epsilon is stated."""
        return self._report["delta"]

    @property
    def void(self):
        """Whether the noise came from a seed, so that there is no guarantee at all."""
        return self._report["void"]

    @property
    def report(self):
        """What the command prints: mechanism, grids, guarantees and their derivation."""
        return self._report

    def certificate(self):
        """The claim with everything it rests on, for others to verify; with tiers, a list of one for each."""
        texts = self._all_certificates()
        made = [Certificate(text) for text in texts]
        return made if self._tier is None and len(made) > 1 else made[self._tier or 0]

    @property
    def _entry(self):
        return self._report["releases"][self._tier or 0]

    def _all_certificates(self):
        if callable(self._certificates):
            self._certificates = self._certificates()
        return self._certificates

    def __repr__(self):
        shape = " x ".join(map(str, self._tables[0].shape))
        times = "" if self._tier is not None or len(self._tables) == 1 else f" in {len(self._tables)} tiers"
        if self.void:
            return f"<Release of {shape} numbers{times}: VOID, the noise was drawn from a seed>"
        return f"<Release of {shape} numbers{times}: epsilon in {self.epsilon} at delta = {self.delta:g}>"

    def __str__(self):
        return str(self._report)

    def _repr_html_(self):
        return self._report._repr_html_()

    def __reduce__(self):
        return Release, (self._tables, self._report, self._all_certificates(), self._tier)


def release(
    values, mechanism, *, bounds=None, sensitivity=None, tiers=None, rows_per_person=None, epsilon=None, delta=None,
    strict=False, insecure_seed=None, names=None,
):
    """A noisy release of an array: one column, or a row for each record and a column for each question.

    Noise is drawn exactly on a grid, with the system's random numbers.

    Parameters
    ----------
    values : array-like
        The numbers, of one or two dimensions.
    mechanism : str or Pipeline
        gaussian(sigma), laplace(scale), brownian(time) or ornstein_uhlenbeck(theta, rho, time), in units of a column's
        sensitivity; a '?' in a text is solved for.
    bounds : (float, float), list or dict, optional
        (low, high) for all columns, a pair for each, or by name; values outside are clipped.
    sensitivity : float, list or dict, optional
        By how much one person moves a whole column (Euclidean; for laplace the sum); the width of its bounds if left out.
    tiers : array-like, optional
        Times at which brownian and ornstein_uhlenbeck, written without a time, are released from one path.
    rows_per_person : int, optional
        In how many rows one person's data is, at most; 1 if left out, for a sensitivity any number.
    epsilon : float, optional
        The target of a '?'.
    delta : float, optional
        Of the target, and where epsilon is shown; 1e-6 if left out, 0 for laplace.
    strict : bool, default False
        Whether values outside the bounds are refused, not clipped.
    insecure_seed : int, optional
        Draws the noise that the command `release` draws from it, for tests: voids the guarantee.
    names : list of str, optional
        Of the columns.

    Returns
    -------
    Release

    Raises
    ------
    ValueError, TypeError
        For a column with neither bounds nor sensitivity, and for a target that cannot be met.

    Examples
    --------
    >>> import numpy as np
    >>> from doeblin import release
    >>> ages = np.array([36, 41, 20, 67])
    >>> noisy = release(ages, "gaussian(sigma=2)", bounds=(0, 120))
    >>> noisy.values.shape, noisy.delta, noisy.epsilon <= 2.2541
    ((4,), 1e-06, True)
    >>> counts = release(np.array([[12, 3], [7, 9]]), "laplace(scale=?)", epsilon=1, sensitivity=1, rows_per_person=1)
    >>> counts.epsilon <= 1 and counts.delta == 0
    True
    >>> counts.certificate().verify().verdict
    'VERIFIED'
    >>> tiers = release(ages, "brownian", tiers=[1, 4], bounds=(0, 120)).tiers
    >>> [tier.time for tier in tiers], bool(tiers[1].epsilon < tiers[0].epsilon)
    ([1.0, 4.0], True)
    """
    table, shape = _table(values)
    columns = _columns(_names(names, shape), bounds, sensitivity)
    tables, promise = _core.release_table(table, columns, _mechanism(mechanism), _options(
        tiers, rows_per_person, epsilon, delta, strict, insecure_seed))
    return Release([one.reshape(shape) for one in tables], Report(promise.json, promise.text), promise.certificates)


def release_file(
    input, output, mechanism, *, bounds=None, sensitivity=None, public=None, drop=None, tiers=None,
    rows_per_person=None, epsilon=None, delta=None, strict=False, insecure_seed=None, certificate=None, force=False,
):
    """A noisy release of a CSV file with a header, written to another one: the command `release`.

    Every column must be declared: by `bounds`, `sensitivity`, `public` or `drop`. How many values were clipped is not told.

    Parameters
    ----------
    input, output : path
        The files; with `tiers`, noisy.csv becomes noisy.tier1.csv and so on.
    mechanism : str or Pipeline
        gaussian(sigma), laplace(scale), brownian(time) or ornstein_uhlenbeck(theta, rho, time), in units of a column's
        sensitivity; a '?' in a text is solved for.
    bounds : dict or (float, float), optional
        (low, high) by column, where '*' is every other one, as a pair alone is; values outside are clipped.
    sensitivity : dict or float, optional
        Likewise, by how much one person moves a whole column; the width of its bounds if left out.
    public, drop : str or list of str, optional
        Columns that are copied as they are, and that are left out.
    tiers : array-like, optional
        Times at which brownian and ornstein_uhlenbeck, written without a time, are released from one path.
    rows_per_person : int, optional
        In how many rows one person's data is, at most; 1 if left out, for a sensitivity any number.
    epsilon : float, optional
        The target of a '?'.
    delta : float, optional
        Of the target, and where epsilon is shown; 1e-6 if left out, 0 for laplace.
    strict : bool, default False
        Whether values outside the bounds are refused, not clipped.
    insecure_seed : int, optional
        Draws the noise that the command `release` draws from it, for tests: voids the guarantee.
    certificate : path, optional
        Where the claim is written with everything it rests on.
    force : bool, default False
        Whether files that are there are replaced: a second release about the same people adds to what the first one tells.

    Returns
    -------
    Report

    Raises
    ------
    ValueError, TypeError
        For a column that is not declared, a file that cannot be read, or one that is there.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from doeblin import release_file
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "survey.csv").write_text("name,age\\nAda,36\\nBob,41\\n")
    >>> report = release_file(folder / "survey.csv", folder / "noisy.csv", "gaussian(sigma=2)",
    ...                       bounds={"age": (0, 120)}, drop="name")
    >>> report.rows, report.releases[0]["epsilon"] <= 2.2541
    (2, True)
    """
    options = _options(tiers, rows_per_person, epsilon, delta, strict, insecure_seed)
    options.update(force=force, input=path("input", input), output=path("output", output), public=_texts("public", public),
                   drop=_texts("drop", drop), columns=_file_columns(bounds, sensitivity))
    if certificate is not None:
        options["certificate"] = path("certificate", certificate)
    return Report(*_core.release_file(_mechanism(mechanism), options))


def _options(tiers, rows_per_person, epsilon, delta, strict, insecure_seed):
    return given(tiers=None if tiers is None else _float_list("tiers", tiers), rows_per_person=rows_per_person,
                 epsilon=epsilon, delta=delta, strict=strict, insecure_seed=insecure_seed)


def _mechanism(mechanism):
    if isinstance(mechanism, Pipeline):
        return mechanism._expression
    if not isinstance(mechanism, str):
        raise TypeError(f"mechanism = {mechanism!r}, need a text such as 'gaussian(sigma=2)', or a source")
    return mechanism


def _numbers_of(parameter, value):
    """An array of doubles; those of integers may be beyond all of them."""
    try:
        return array(parameter, value, nan=True)
    except OverflowError:
        raise ValueError(f"{parameter}: an integer that no double can hold") from None


def _float_list(parameter, value):
    return [float(x) for x in _numbers_of(parameter, value).ravel()] if is_array(value) else numbers(parameter, value)


def _table(values):
    """The values as a matrix, and their shape."""
    if np.ma.is_masked(values):
        raise ValueError("values: masked entries, need numbers everywhere")
    numbers_in = _numbers_of("values", values)
    if numbers_in.ndim not in (1, 2):
        raise ValueError(f"values has {numbers_in.ndim} dimensions, need 1 or 2")
    if numbers_in.ndim == 2 and numbers_in.shape[1] == 0:
        raise ValueError("values: no columns, need at least one")
    rows, columns = (*numbers_in.shape, 1)[:2]
    return numbers_in.reshape(rows, columns), numbers_in.shape


def _names(names, shape):
    count = shape[1] if len(shape) == 2 else 1
    if names is None:
        return ["value"] if len(shape) == 1 else [f"value{i + 1}" for i in range(count)]
    names = _texts("names", names)
    if len(names) != count:
        raise ValueError(f"names: {len(names)}, need one for each of {count} columns")
    if len(set(names)) != count or "" in names:
        raise ValueError("names: empty or repeated, need a name of its own for each column")
    for name in names:
        if name.encode("utf-8", "replace").decode() != name:
            raise ValueError(f"names: {name!r}, need texts in UTF-8")
    return names


def _columns(names, bounds, sensitivity):
    """What the core takes: place, and name, bounds, sensitivity. As in the command, noise is drawn for columns with bounds
    first."""
    pairs = _each("bounds", bounds, names, _is_pair, _pair)
    moves = _each("sensitivity", sensitivity, names, lambda value: not is_array(value), lambda value: value)
    order = sorted(range(len(names)), key=lambda i: pairs[i] is None)
    return [(i, (names[i], pairs[i], moves[i])) for i in order]


def _each(parameter, value, names, is_for_all, one):
    """For each column what is said about it, or None."""
    if value is None:
        return [None] * len(names)
    if isinstance(value, Mapping):
        for name in set(value) - set(names):
            raise ValueError(f"{parameter}: {name!r}, need one of the columns {', '.join(map(repr, names[:8]))}")
        return [None if value.get(name) is None else one(value[name]) for name in names]
    if is_for_all(value):
        return [one(value)] * len(names)
    if not is_array(value):
        raise TypeError(f"{parameter} = {value!r}, need one for all columns, a list or a dictionary")
    if len(value) != len(names):
        raise ValueError(f"{parameter}: {len(value)}, need one for each of {len(names)} columns")
    return [None if x is None else one(x) for x in value]


def _is_pair(value):
    return is_array(value) and len(value) == 2 and not any(x is None or is_array(x) for x in value)


def _pair(value):
    if not _is_pair(value):
        raise TypeError(f"bounds = {value!r}, need (low, high)")
    return tuple(value)


def _texts(parameter, value):
    if value is None:
        return []
    if isinstance(value, str):
        return [value]
    if not isinstance(value, (list, tuple, np.ndarray)) or not all(isinstance(x, str) for x in value):
        raise TypeError(f"{parameter} = {value!r}, need a list of texts")
    return [str(x) for x in value]


def _by_column(parameter, value):
    """What is said about columns, by their names; '*' is every other column."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        value = {"*": value}
    for name in value:
        if not isinstance(name, str):
            raise TypeError(f"{parameter}: {name!r}, need the name of a column")
    return value


def _file_columns(bounds, sensitivity):
    """What the core takes: name, bounds, sensitivity, those with bounds first."""
    pairs = {name: _pair(pair) for name, pair in _by_column("bounds", bounds).items()}
    moves = _by_column("sensitivity", sensitivity)
    return [(name, pairs.get(name), moves.get(name)) for name in {**pairs, **moves}]
