# SPDX-License-Identifier: Apache-2.0
import os
from collections.abc import Sequence
from typing import Any, Optional, Protocol, Union

import numpy as np
from numpy.typing import DTypeLike, NDArray

# What the other stubs take for numbers and files.

class _Array(Protocol):
    """An array with a length, which NumPy's scalars are not."""
    @property
    def shape(self) -> tuple[int, ...]: ...
    def __len__(self) -> int: ...
    def __array__(self) -> Any: ...

_Number = Union[float, np.floating[Any], np.integer[Any]]
# NumPy's own ArrayLike has texts and single numbers among them.
_Numbers = Union[Sequence[Union[_Number, Sequence[_Number], _Array]], _Array]
_Path = Union[str, os.PathLike[str]]

def array(
    parameter: str, value: object, dtype: DTypeLike = ..., ndim: Optional[int] = None, nan: bool = False
) -> NDArray[Any]: ...
def is_array(value: object) -> bool: ...
def path(parameter: str, value: object) -> str: ...
def numbers(parameter: str, value: object) -> list[Any]: ...
def given(**options: Any) -> dict[str, Any]: ...
