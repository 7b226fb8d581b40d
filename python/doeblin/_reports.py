# SPDX-License-Identifier: Apache-2.0
"""What the commands answer, with their names: dictionaries whose entries are attributes too."""
import json
import math
import os
import tempfile
from html import escape

import numpy as np

from . import _core
from ._bracket import Bracket, Brackets


def _numbers(value):
    """Brackets for {"lower": x, "upper": y}, infinity for "inf". Ends that are words stay words."""
    if isinstance(value, dict):
        read = {key: _numbers(x) for key, x in value.items()}
        is_bracket = set(read) == {"lower", "upper"} and not isinstance(read["lower"], str)
        return Bracket(read["lower"], read["upper"]) if is_bracket else read
    if isinstance(value, list):
        return [_numbers(x) for x in value]
    return {"inf": math.inf, "-inf": -math.inf}.get(value, value) if isinstance(value, str) else value


def _read(text):
    return _numbers(json.loads(text))


def _umask():
    """Which rights a new file is not given. os.umask() would change that to tell it, for all threads."""
    with open("/proc/self/status", encoding="utf-8", errors="replace") as status:
        for line in status:
            if line.startswith("Umask:"):
                return int(line.split()[1], 8)
    return 0o077


def _write(path, text):
    """Writes a file that either appears whole or not at all."""
    path = os.fsdecode(os.fspath(path))
    folder = os.path.dirname(path) or "."
    handle, part = tempfile.mkstemp(dir=folder, prefix=os.path.basename(path) + ".", suffix=".part")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(part, 0o666 & ~_umask())
        os.replace(part, path)
    except BaseException:
        if os.path.exists(part):
            os.unlink(part)
        raise


class Report(dict):
    """What a command prints with --json, as a dictionary whose entries are attributes; printed, it is what the command
    prints for people. Numbers with two ends are Brackets."""

    def __init__(self, json_text, text):
        super().__init__(_read(json_text))
        self._json, self._text = json_text, text

    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"{type(self).__name__} has no entry {name!r}; it has {', '.join(self)}") from None

    def __dir__(self):
        return sorted({*super().__dir__(), *self})

    def __reduce__(self):
        return type(self), (self._json, self._text)

    def __repr__(self):
        return f"<{type(self).__name__}: {', '.join(self)}>"

    def __str__(self):
        return self._text

    def to_json(self):
        """The text that the command prints with --json."""
        return self._json

    def _repr_html_(self):
        from ._html import report_html

        return report_html(self)


class Explanation(Report):
    """A derivation: `analysis` has an entry for every step."""


class Comparison(Report):
    """Every applicable analysis: `analyses` in order, and the name of the `best` one."""

    def plot(self, ax=None):
        """Draws the analyses as intervals; returns the axes."""
        from ._plot import plot_comparison

        return plot_comparison(self, ax)

    def report(self, output=None):
        """The comparison as one HTML page; written to a file if `output` names one."""
        page = _core.comparison_page("comparison", self._json)
        if output is not None:
            _write(output, page)
        return page


class Calibration(Report):
    """A value that meets a target: `value`, what it achieves (`delta`), and what `misses` it; a float is its value."""

    def __init__(self, json_text, text, value, pipeline=None):
        super().__init__(json_text, text)
        self._value, self._pipeline = value, pipeline

    @property
    def pipeline(self):
        """The pipeline with the value filled in."""
        return self._pipeline

    def __float__(self):
        return self._value

    def __reduce__(self):
        return type(self), (self._json, self._text, self._value, self._pipeline)


class Mixing(Report):
    """Coefficients of a kernel, and what it does to a mechanism."""

    def __init__(self, json_text, text, svg):
        super().__init__(json_text, text)
        self._svg = svg

    def svg(self):
        """Epsilon and delta against the number of steps, as the command draws them with --svg."""
        return self._svg

    def plot(self, ax=None):
        """Draws epsilon and delta against the number of steps; returns both axes.

        Given one axes, draws epsilon there; given two, both.
        """
        from ._plot import plot_mixing

        return plot_mixing(self, ax)

    def __reduce__(self):
        return type(self), (self._json, self._text, self._svg)


class Profile:
    """Delta over a range of epsilons: the array `epsilon` and the Brackets `delta`."""

    __slots__ = ("pipeline", "epsilon", "delta")

    def __init__(self, pipeline, epsilon, delta):
        self.pipeline, self.epsilon, self.delta = pipeline, epsilon, delta

    def plot(self, ax=None, label=None, **options):
        """Draws delta against epsilon on a logarithmic scale; returns the axes."""
        from ._plot import plot_profile

        return plot_profile(self, ax, label, **options)

    def __len__(self):
        return len(self.epsilon)

    def __repr__(self):
        return f"<Profile of {self.pipeline!r} at {len(self)} epsilons>"

    def __str__(self):
        rows = [f"{'epsilon':>12}  {'delta >=':>14}  {'delta <=':>14}"]
        for epsilon, delta in zip(self.epsilon, self.delta):
            lower, upper = str(delta)[1:-1].split(", ")
            rows.append(f"{epsilon:>12.6g}  {lower:>14}  {upper:>14}")
        return "\n".join(rows)

    def _repr_html_(self):
        from ._html import profile_html

        return profile_html(self)


class People(Brackets):
    """Everybody's guarantee: an array of Brackets, element 0 being record 1, and the `report` of the command."""

    __slots__ = ("report", "_svg")

    def __init__(self, json_text, text, svg, first, last, lower, upper):
        counts = np.asarray(last, dtype=np.int64) - np.asarray(first, dtype=np.int64) + 1
        super().__init__(np.repeat(lower, counts), np.repeat(upper, counts))
        self.report, self._svg = Report(json_text, text), svg

    def quantiles(self, shares):
        """For each share the smallest number that is an upper bound for this share of the records."""
        from ._arguments import array

        asked = array("shares", shares)
        if ((asked < 0) | (asked > 1)).any():
            raise ValueError(f"shares = {shares!r}, need numbers from 0 to 1")
        ordered = np.sort(self.upper)
        return ordered[np.clip(np.ceil(asked * len(ordered)).astype(int) - 1, 0, len(ordered) - 1)]

    def svg(self):
        """The curve as the command draws it with --svg."""
        return self._svg

    def plot(self, ax=None, label=None):
        """Draws the guarantee against the record's number; returns the axes."""
        from ._plot import plot_people

        return plot_people(self, ax, label)

    def __repr__(self):
        return f"<People: {len(self)} records, {self.min()} to {self.max()}>"

    def _repr_html_(self):
        from ._html import report_html

        return report_html(self.report)


class Certificate:
    """A claim with everything it rests on, sealed. It says nothing about the data."""

    __slots__ = ("_text", "_name")

    def __init__(self, text, name="certificate"):
        self._text, self._name = text, name

    @classmethod
    def read(cls, path):
        """Reads a certificate from a file; only what was written as one is accepted."""
        from ._arguments import path as as_path

        name = as_path("path", path)
        try:
            with open(name, encoding="utf-8", errors="surrogateescape") as file:
                text = file.read((64 << 20) + 1)
        except OSError as error:
            raise ValueError(f"{name}: cannot be read ({error.strerror})") from None
        if len(text) > 64 << 20:
            raise ValueError(f"{name}: need at most 64 MiB")
        _core.sentence(name, text)
        return cls(text, name)

    def write(self, path):
        """Writes it to a file, which appears whole or not at all."""
        _write(path, self._text)
        self._name = os.fsdecode(os.fspath(path))
        return self

    @property
    def text(self):
        """The certificate as JSON, with its seal."""
        return self._text

    @property
    def content(self):
        """The certificate as a dictionary."""
        return json.loads(self._text)

    @property
    def sentence(self):
        """What it claims, in words."""
        return _core.sentence(self._name, self._text)

    def verify(self, verbose=False):
        """Computes it again by an independent route, in ball arithmetic; see doeblin.verify."""
        return Verification(*_core.verify(self._name, self._text, bool(verbose)))

    def report(self, output=None, comparison=True):
        """The certificate as one HTML page with plots; written to a file if `output` names one."""
        page = _core.certificate_page(self._name, self._text, not comparison)
        if output is not None:
            _write(output, page)
        return page

    def __eq__(self, other):
        return self._text == other._text if isinstance(other, Certificate) else NotImplemented

    def __hash__(self):
        return hash(self._text)

    def __repr__(self):
        return f"<Certificate: {self.sentence}>"

    def __str__(self):
        return self._text

    def _repr_html_(self):
        return f"<p><b>Certificate</b></p><p>{escape(self.sentence)}</p>"

    def __reduce__(self):
        return type(self), (self._text, self._name)


class Verification(Report):
    """The `verdict` (VERIFIED, REFUTED or NOT CHECKED) and every check; true if it was verified."""

    def __bool__(self):
        return self["verdict"] == "VERIFIED"
