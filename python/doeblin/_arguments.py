# SPDX-License-Identifier: Apache-2.0
"""From what people pass to what the core takes, with errors that name the parameter."""
import os

import numpy as np


def array(parameter, value, dtype=np.float64, ndim=None, nan=False):
    """A row-major array of numbers, without NaN unless `nan`; TypeError or ValueError naming the parameter otherwise."""
    if value is None or isinstance(value, (str, bytes)):
        raise TypeError(f"{parameter} = {value!r}, need numbers")
    if isinstance(value, np.ma.MaskedArray) and np.ma.is_masked(value):
        raise ValueError(f"{parameter}: masked entries, which would be used as if they were not")
    try:
        result = np.asarray(value)
    except ValueError as error:
        raise ValueError(f"{parameter}: {error}") from None
    if result.dtype == object and result.size:
        try:
            result = result.astype(np.float64)
        except (TypeError, ValueError):
            raise TypeError(f"{parameter}: an array of objects, need numbers") from None
        except OverflowError:
            raise ValueError(f"{parameter}: a number that no double can hold") from None
    if result.dtype.kind not in "fiu" and result.size:
        raise TypeError(f"{parameter}: an array of {result.dtype}, need numbers")
    result = np.ascontiguousarray(result, dtype=dtype).reshape(result.shape)
    if ndim is not None and result.ndim != ndim:
        raise ValueError(f"{parameter} has {result.ndim} dimensions, need {ndim}")
    if not nan and np.isnan(result).any():
        raise ValueError(f"{parameter}: NaN, need numbers")
    return result


def is_array(value):
    """Whether a query about it is one about many numbers."""
    if isinstance(value, (float, int, str, bytes)) or value is None:
        return False
    return getattr(value, "shape", ()) != () or isinstance(value, (list, tuple, range))


def path(parameter, value):
    """A path as text."""
    try:
        text = os.fsdecode(os.fspath(value))
    except TypeError:
        raise TypeError(f"{parameter} = {value!r}, need a path") from None
    if "\0" in text:
        raise ValueError(f"{parameter} = {value!r}, need a path without zeros")
    return text


def numbers(parameter, value):
    """A list of one or more numbers, for parameters that take either."""
    if value is None:
        return []
    if is_array(value):
        return [float(x) for x in array(parameter, value).ravel()]
    return [value]


def given(**options):
    """Those options that are not None."""
    return {name: value for name, value in options.items() if value is not None}
