# SPDX-License-Identifier: Apache-2.0
from typing import Any, Callable, Optional, Protocol, Union, overload

from numpy.typing import ArrayLike

from ._arguments import _Number, _Numbers, _Path
from ._pipeline import Pipeline, Stage
from ._reports import Calibration, Certificate, Comparison, Mixing, Report, Verification

class _Sparse(Protocol):
    """A sparse matrix of SciPy."""
    def tocoo(self) -> Any: ...

@overload
def calibrate(
    pipeline: Union[Callable[[Any], Pipeline], str],
    epsilon: _Number,
    delta: _Number,
    *,
    accountant: str = "auto",
    width: Optional[_Number] = None,
    guess: Optional[_Number] = None,
    low: Optional[_Number] = None,
    high: Optional[_Number] = None,
    integer: bool = False,
    larger_is_safer: Optional[bool] = None,
    radius: None = None,
    dimension: None = None,
    alpha: None = None,
) -> Calibration: ...
# ornstein_uhlenbeck(theta=?, rho=?, time=1)
@overload
def calibrate(
    pipeline: str,
    epsilon: _Number,
    delta: Optional[_Number] = None,
    *,
    radius: _Number,
    dimension: Optional[_Number] = None,
    alpha: Optional[_Number] = None,
) -> Report: ...
def mix(
    kernel: Union[Stage, _Path, ArrayLike, _Sparse],
    *,
    mechanism: Union[Pipeline, str, None] = None,
    epsilon: _Number = 1.0,
    delta: _Number = 1e-6,
    at: Union[_Number, _Numbers, None] = (0.1, 0.5, 1, 2),
    steps: _Number = 16,
    target_epsilon: Optional[_Number] = None,
    target_delta: Optional[_Number] = None,
) -> Mixing: ...
def verify(certificate: Union[Certificate, _Path], verbose: bool = False) -> Verification: ...
def report(
    what: Union[Certificate, Comparison, _Path], output: Optional[_Path] = None, *, comparison: bool = True
) -> str: ...
