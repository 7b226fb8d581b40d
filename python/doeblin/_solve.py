# SPDX-License-Identifier: Apache-2.0
"""Solving for an argument, kernels, certificates of others."""
from . import _core
from ._arguments import given, numbers, path
from ._pipeline import Pipeline, Stage
from ._reports import Calibration, Certificate, Comparison, Mixing, Report, _write

# Stands for the number that is looked for while the function is called: it can be an argument, nothing else.
_OPEN = _core.Open()


def _call(function, value):
    built = function(value)
    if not isinstance(built, Pipeline):
        raise TypeError(f"calibrate: the function returned {built!r}, need a pipeline")
    return built


def calibrate(
    pipeline, epsilon, delta=None, *, accountant="auto", width=None, guess=None, low=None, high=None, integer=False,
    larger_is_safer=None, radius=None, dimension=None, alpha=None,
):
    """Solves for the number that meets delta(epsilon) <= delta, on the safe side.

    If the number is an argument of a source or a stage, its domain is known; if it is computed with first, `low`, `high`,
    `integer` and `larger_is_safer` say what it is.

    For ornstein_uhlenbeck(theta=?, rho=?, time=1) give `radius`, and `delta` or `alpha` (catalogue D4).

    Parameters
    ----------
    pipeline : callable or str
        A function from the number to a pipeline, or an expression with '?' in its place.
    epsilon : float
        The target.
    delta : float, optional
        The target, 0 allowed; needed unless there is an `alpha`.
    accountant : {'auto', 'pld', 'renyi', 'basic'}, default 'auto'
        As for Pipeline.under.
    width : float, optional
        As for Pipeline.under.
    guess : float, optional
        Where the search begins; 1 if left out.
    low, high : float, optional
        Between which it lies, for a function; 0 and infinity if left out.
    integer : bool, default False
        Whether the number is whole, for a function.
    larger_is_safer : bool, optional
        For a function; True if left out.
    radius : float, optional
        How far from 0 the value of a diffusion is at the most.
    dimension : float, optional
        How many coordinates it has; 1 if left out.
    alpha : float, optional
        The order of a Renyi divergence that is to be epsilon at the most.

    Returns
    -------
    Calibration
        Its float is the number, its `pipeline` has it filled in; for a diffusion, a Report.

    Raises
    ------
    ValueError
        If no number meets the target, or options do not go together.

    Examples
    --------
    >>> from doeblin import calibrate, gaussian, poisson, compose
    >>> found = calibrate(lambda s: gaussian(sigma=s) | compose(10), epsilon=1, delta=1e-5)
    >>> found.parameter, found.delta <= 1e-5
    ('sigma', True)
    >>> round(float(found), 3)
    11.797
    >>> float(calibrate("laplace(scale=20) | compose(?)", epsilon=2, delta=1e-6))
    84.0
    """
    searched = given(low=low, high=high, integer=integer or None, larger_is_safer=larger_is_safer)
    if radius is not None or dimension is not None or alpha is not None:
        analysed = given(width=width, guess=guess, accountant=None if accountant == "auto" else accountant)
        for name in (*searched, *analysed):
            raise ValueError(f"calibrate: {name} is not for ornstein_uhlenbeck(theta=?, rho=?, ...) with a radius")
        return _calibrate_diffusion(pipeline, epsilon, delta, alpha, radius, dimension)
    if delta is None:
        raise TypeError("calibrate: delta is missing")
    if epsilon is None:
        raise TypeError("calibrate: epsilon is missing")
    if isinstance(pipeline, str):
        for name in searched:
            raise ValueError(f"calibrate: {name} is for functions; the domain of an argument '?' is known")
    options = given(epsilon=epsilon, delta=delta, accountant=accountant, width=width, guess=guess)
    if isinstance(pipeline, str):
        found, filled = _core.calibrate_text(pipeline, options)
        return Calibration(*found, Pipeline(filled.as_calibrated(accountant, width)))
    if not callable(pipeline):
        raise TypeError(f"calibrate: pipeline = {pipeline!r}, need a function of the number, or an expression with '?'")
    expression = None
    if not searched:
        try:
            built = pipeline(_OPEN)
            expression = built._expression if isinstance(built, Pipeline) and built._expression.is_open else None
        except (AttributeError, TypeError):
            # It is computed with.
            expression = None
    if expression is not None:
        json_text, text, value = expression.calibrate(options)
    else:
        options.update(given(low=low, high=high, integer=bool(integer)))
        options["larger_is_safer"] = True if larger_is_safer is None else bool(larger_is_safer)
        json_text, text, value = _core.calibrate_function(lambda x: _call(pipeline, x)._expression, options)
    filled = Pipeline(_call(pipeline, value)._expression.as_calibrated(accountant, width))
    if not filled.delta(epsilon) <= delta:
        raise ValueError("calibrate: the function does not return the same pipeline when it is called again")
    return Calibration(json_text, text, value, filled)


def _calibrate_diffusion(expression, epsilon, delta, alpha, radius, dimension):
    if not isinstance(expression, str) or _core.open_diffusion(expression) is None:
        raise ValueError(
            "calibrate: radius, dimension and alpha are for an expression of the form "
            "ornstein_uhlenbeck(theta=?, rho=?, time=1)"
        )
    if epsilon is None:
        raise TypeError("calibrate: epsilon is missing")
    if radius is None:
        raise ValueError("calibrate: radius is missing, need how large the value can be")
    time, sensitivity = _core.open_diffusion(expression)
    return Report(*_core.calibrate_diffusion(given(
        epsilon=epsilon, delta=delta, alpha=alpha, radius=radius, dimension=dimension, time=time,
        sensitivity=sensitivity)))


def mix(kernel, *, mechanism=None, epsilon=1.0, delta=1e-6, at=(0.1, 0.5, 1, 2), steps=16, target_epsilon=None,
        target_delta=None):
    """Coefficients of a Markov kernel, and what it does to (epsilon, delta) once and many times.

    Parameters
    ----------
    kernel : array-like, sparse array, path, str or Stage
        A matrix, a file, or kernels in a row.
    mechanism : Pipeline or str, optional
        What comes before it; a black box with `epsilon` and `delta` if left out.
    epsilon : float, default 1
        Of the mechanism, and where delta is shown.
    delta : float, default 1e-6
        Of the mechanism, and where epsilon is shown.
    at : float or array-like, default (0.1, 0.5, 1, 2)
        Where to show the (gamma, epsilon)-Dobrushin coefficient.
    steps : int, default 16
        How many powers of the kernel are tabulated.
    target_epsilon, target_delta : float, optional
        Find how many steps reach this; `epsilon` and `delta` stand for the one that is left out.

    Returns
    -------
    Mixing

    Raises
    ------
    ValueError
        If the kernel is none.

    Examples
    --------
    >>> import numpy as np
    >>> from doeblin import mix
    >>> walk = mix(np.array([[0.75, 0.25], [0.5, 0.5]]), epsilon=1, delta=1e-6)
    >>> walk.dobrushin["gamma"]
    Bracket(0.25, 0.25)
    >>> len(walk.steps)
    16
    """
    from ._stages import kernel as as_kernel

    if isinstance(kernel, str) and "(" in kernel:
        kernel = Stage(_core.parse_kernel(kernel))
    elif not isinstance(kernel, Stage):
        kernel = as_kernel(kernel)
    if isinstance(mechanism, str):
        mechanism = Pipeline(_core.parse(mechanism))
    if mechanism is not None and not isinstance(mechanism, Pipeline):
        raise TypeError(f"mix: mechanism = {mechanism!r}, need a pipeline")
    options = given(epsilon=epsilon, delta=delta, at=numbers("at", at), steps=steps, target_epsilon=target_epsilon,
                    target_delta=target_delta)
    return Mixing(*_core.mix(kernel._expression, None if mechanism is None else mechanism._expression, options))


def verify(certificate, verbose=False):
    """Computes a certificate (or the file of one) again by an independent route, in ball arithmetic.

    Parameters
    ----------
    certificate : Certificate or path
        What is checked.
    verbose : bool, default False
        Whether its text has every check.

    Returns
    -------
    Verification
        True if it was VERIFIED; REFUTED means that something in it is false, NOT CHECKED that there is no independent route.

    Raises
    ------
    ValueError
        For a text that was never written as a certificate.
    """
    if not isinstance(certificate, Certificate):
        certificate = Certificate.read(certificate)
    return certificate.verify(verbose)


def report(what, output=None, *, comparison=True):
    """A certificate or a comparison as one HTML page with plots.

    Parameters
    ----------
    what : Certificate, Comparison or path
        One of them, or the file of one.
    output : path, optional
        Where the page is written too.
    comparison : bool, default True
        Whether a certificate's page has the table of analyses, which is computed afresh.

    Returns
    -------
    str
        The page.

    Raises
    ------
    ValueError
        For a file that is neither.
    """
    if isinstance(what, Comparison):
        return what.report(output)
    if isinstance(what, Certificate):
        return what.report(output, comparison)
    page = _core.report_page(path("what", what), "" if output is None else path("output", output), not comparison)
    if output is not None:
        _write(output, page)
    return page
