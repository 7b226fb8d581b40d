# SPDX-License-Identifier: Apache-2.0
"""Empirical lower bounds on epsilon, against what is claimed."""
from collections.abc import Hashable

import numpy as np

from . import _core
from ._arguments import array, given, path
from ._pipeline import Pipeline
from ._reports import Certificate, Report


class Audit(Report):
    """The `verdict`, CONSISTENT or VIOLATED, with the event it rests on and its counts; true if CONSISTENT.

    CONSISTENT is no proof of privacy: these inputs and this many runs found nothing. VIOLATED is a proof of the
    contrary, up to the confidence.
    """

    def __bool__(self):
        return self["verdict"] == "CONSISTENT"

    @property
    def epsilon_lower(self):
        """What epsilon is at least, for whatever was really run."""
        return self["epsilon"]["lower"]

    @property
    def epsilon_claimed(self):
        """What it was said to be at most."""
        return self["epsilon"]["claimed"]

    @property
    def mu_lower(self):
        """What the level of Gaussian DP is at least, if the mechanism is Gaussian DP; None where that was not asked."""
        return self["gaussian"]["mu"]["lower"] if "gaussian" in self else None


def audit(
    mechanism, a=None, b=None, *, epsilon=None, delta=None, certificate=None, gaussian=False, runs=None,
    confidence=0.999, noise_factor=1.0, insecure_seed=None, block=1, labels=False,
):
    """Runs a mechanism on two neighbouring inputs and counts what gives them away: a lower bound on epsilon.

    A pipeline is run as the command `audit` does it. A function is called from this thread; its calls must be
    independent of each other: the confidence rests on that.

    Parameters
    ----------
    mechanism : Pipeline, str, Certificate or callable
        A pipeline or its text; a certificate, which is its claim too; or a function: mechanism(a) gives one output, a number
        or a row of numbers.
    a, b : object, optional
        The neighbouring inputs of a function.
    epsilon : float, optional
        What is claimed; by a pipeline itself if left out, needed for a function.
    delta : float, optional
        The delta of the claim; 0.01 if left out, or that of the certificate.
    certificate : Certificate or path, optional
        Has the claim, instead of `epsilon`.
    gaussian : bool, default False
        Whether the claim is one of Gaussian DP, which can be tested at any delta.
    runs : int, optional
        In all, half on each input; a million, ten thousand for a function if left out.
    confidence : float, default 0.999
        How rarely a true claim may be called VIOLATED.
    noise_factor : float, default 1
        A pipeline runs with so many times its noise: a broken mechanism, to be caught.
    insecure_seed : int, optional
        A pipeline draws from it, for tests.
    block : int, default 1
        If more than 1, mechanism(a, n) gives n independent outputs at once, so many at the most.
    labels : bool, default False
        Whether outputs of a function are anything that can be hashed, not numbers.

    Returns
    -------
    Audit

    Raises
    ------
    ValueError, TypeError
        For a claim that is missing, and for options that do not go together.

    Examples
    --------
    >>> import numpy as np
    >>> from doeblin import audit, laplace
    >>> bool(audit(laplace(scale=1), delta=0, runs=100000, insecure_seed=1))
    True
    >>> audit("laplace(scale=1)", delta=0, noise_factor=0.8, insecure_seed=1).verdict
    'VIOLATED'
    >>> random = np.random.default_rng(1)
    >>> def noisy_count(people, n):
    ...     return len(people) + random.laplace(scale=1.0, size=n)
    >>> found = audit(noisy_count, ["Ada", "Bob"], ["Ada"], epsilon=1, delta=0, runs=100000, block=1000)
    >>> found.verdict, 0.8 < found.epsilon_lower <= 1
    ('CONSISTENT', True)
    """
    options = _claim(epsilon, delta, certificate if not isinstance(mechanism, Certificate) else mechanism)
    options.update(given(gaussian=gaussian, runs=runs, confidence=confidence))
    if isinstance(mechanism, Certificate) and certificate is not None:
        raise ValueError("certificate: not with a certificate as the mechanism")
    is_function = callable(mechanism) and not isinstance(mechanism, (Pipeline, Certificate))
    if is_function:
        _refuse("a pipeline", noise_factor=None if _is_one(noise_factor) else noise_factor, insecure_seed=insecure_seed)
        return _audit_function(mechanism, a, b, options, block, labels)
    _refuse("a function", a=a, b=b, block=None if _is_one(block) else block, labels=None if labels is False else labels)
    options.update(given(noise_factor=noise_factor, insecure_seed=insecure_seed))
    if isinstance(mechanism, Pipeline):
        return Audit(*_core.audit(mechanism._expression, options))
    if isinstance(mechanism, str):
        options["expression"] = mechanism
    elif mechanism is not None and not isinstance(mechanism, Certificate):
        raise TypeError(f"mechanism = {mechanism!r}, need a pipeline, its text, a function or a certificate")
    elif "certificate" not in options:
        raise TypeError("mechanism: missing, need a pipeline, its text, a function or a certificate")
    return Audit(*_core.audit(None, options))


def audit_command(
    command, inputs, *, epsilon=None, delta=None, certificate=None, gaussian=False, runs=None, confidence=0.999,
    runs_per_call=1, timeout=60.0, labels=False, insecure_seed=None,
):
    """Audits a program that prints what a mechanism releases; see audit().

    Programs run several at a time.

    Parameters
    ----------
    command : str
        For the shell; {input} in it becomes the path of one of the inputs, and {seed}, if it is there, a number that differs
        from call to call. It prints numbers on a line.
    inputs : (path, path)
        Two neighbouring ones.
    epsilon : float, optional
        What is claimed; needed unless there is a certificate.
    delta : float, optional
        The delta of the claim; 0.01 if left out, or that of the certificate.
    certificate : Certificate or path, optional
        Has the claim, instead of `epsilon`.
    gaussian : bool, default False
        Whether the claim is one of Gaussian DP, which can be tested at any delta.
    runs : int, optional
        In all, half on each input; ten thousand if left out.
    confidence : float, default 0.999
        How rarely a true claim may be called VIOLATED.
    runs_per_call : int, default 1
        How many independent outputs a call prints, a line each.
    timeout : float, default 60
        After so many seconds a call is given up.
    labels : bool, default False
        Whether it prints words, not numbers.
    insecure_seed : int, optional
        What {seed} is made from, for tests.

    Returns
    -------
    Audit

    Raises
    ------
    ValueError, TypeError
        For a claim or a program that is missing, and for a program that fails.

    Examples
    --------
    >>> from doeblin import audit_command
    >>> coin = "printf '%d' $(( {seed} / 16 % 2 )) # {input}"
    >>> audit_command(coin, ["/dev/null", "/dev/zero"], epsilon=1, delta=0, runs=40, insecure_seed=1).verdict
    'CONSISTENT'
    """
    if not isinstance(command, str):
        raise TypeError(f"command = {command!r}, need a text")
    if not command:
        raise ValueError("command: empty, need a program")
    if not isinstance(inputs, (list, tuple)) or len(inputs) != 2:
        raise TypeError(f"inputs = {inputs!r}, need two paths")
    options = _claim(epsilon, delta, certificate)
    options.update(given(
        command=command, inputs=[path("inputs", one) for one in inputs], gaussian=gaussian, runs=runs,
        confidence=confidence, runs_per_call=runs_per_call, timeout=timeout, labels=labels,
        insecure_seed=insecure_seed))
    return Audit(*_core.audit(None, options))


def _claim(epsilon, delta, certificate):
    options = given(epsilon=epsilon, delta=delta)
    if certificate is None:
        return options
    if epsilon is not None:
        raise ValueError("epsilon: not with certificate, which has claims of its own")
    if not isinstance(certificate, Certificate):
        certificate = Certificate.read(path("certificate", certificate))
    options.update(certificate="certificate", certificate_text=certificate.text)
    return options


def _is_one(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool) and value == 1


def _refuse(kind, **options):
    for name in given(**options):
        raise ValueError(f"{name}: only with {kind}")


def _audit_function(function, a, b, options, block, labels):
    if a is None and b is None:
        raise TypeError("a, b: missing, need two neighbouring inputs of the function")
    if not isinstance(labels, (bool, np.bool_)):
        raise TypeError(f"labels = {labels!r}, need True or False")
    known = {}
    # The core refuses a block that is no count.
    one_by_one = _is_one(block)

    def draw(side, count):
        given_input = (a, b)[side]
        if one_by_one:
            drawn = [function(given_input) for _ in range(count)]
        else:
            drawn = function(given_input, count)
        return _labelled(drawn, count, known) if labels else _rows(drawn, count)

    def label(number):
        return ascii(list(known)[int(number)])[:60]

    name = getattr(function, "__qualname__", None) or type(function).__name__
    options.update(name=str(name), block=block, labels=bool(labels))
    return Audit(*_core.audit_function(draw, label, options))


def _rows(drawn, count):
    """The outputs as an array with a row for each."""
    parameter = "mechanism: output"
    try:
        drawn = np.asarray(drawn)
    except ValueError:
        raise ValueError(f"{parameter}: outputs of different shapes, need the same number of numbers in each") from None
    if drawn.dtype == bool:
        drawn = drawn.astype(np.float64)
    try:
        rows = array(parameter, drawn, nan=True)
    except OverflowError:
        raise ValueError(f"{parameter}: an integer that no double can hold") from None
    except TypeError as error:
        raise TypeError(f"{error} (anything else: labels=True)") from None
    if rows.ndim not in (1, 2) or len(rows) != count:
        raise ValueError(f"{parameter}: the shape {rows.shape}, need {count} numbers, or as many rows of them")
    rows = rows.reshape(count, -1)
    if rows.shape[1] == 0:
        raise ValueError(f"{parameter}: no numbers, need at least one")
    return rows


def _labelled(drawn, count, known):
    """Labels as numbers, in the order in which they first come."""
    parameter = "mechanism: output"
    if isinstance(drawn, np.ndarray):
        drawn = drawn.tolist()
    if not isinstance(drawn, (list, tuple)) or len(drawn) != count:
        raise ValueError(f"{parameter}: {type(drawn).__name__}, need a list of {count} labels")
    for one in drawn:
        if not isinstance(one, Hashable):
            raise TypeError(f"{parameter}: {one!r:.60}, need labels that can be hashed")
    return np.array([[known.setdefault(one, len(known))] for one in drawn], dtype=np.float64)
