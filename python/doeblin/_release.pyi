# SPDX-License-Identifier: Apache-2.0
from collections.abc import Mapping, Sequence
from typing import Any, Callable, Optional, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._arguments import _Array, _Number, _Numbers, _Path
from ._bracket import Bracket
from ._pipeline import Pipeline
from ._reports import Report

_Texts = Union[str, list[str], tuple[str, ...], NDArray[np.str_]]
# For all columns, for each of them, or by name; None for a column about which nothing is said.
_Bounds = Union[_Numbers, Sequence[Optional[_Numbers]], Mapping[str, Optional[_Numbers]]]
_Sensitivity = Union[_Number, _Array, Sequence[Optional[_Number]], Mapping[str, Optional[_Number]]]

class Release:
    __slots__ = ("_tables", "_report", "_certificates", "_tier")
    def __init__(
        self,
        tables: list[NDArray[np.float64]],
        report: Report,
        certificates: Union[list[str], Callable[[], list[str]]],
        tier: Optional[int] = None,
    ) -> None: ...
    @property
    def values(self) -> NDArray[np.float64]: ...
    @property
    def tiers(self) -> list[Release]: ...
    @property
    def time(self) -> Optional[float]: ...
    @property
    def epsilon(self) -> Bracket: ...
    @property
    def delta(self) -> float: ...
    @property
    def void(self) -> bool: ...
    @property
    def report(self) -> Report: ...
    # A Certificate; for several tiers a list of them, which only their number tells.
    def certificate(self) -> Any: ...

def release(
    values: ArrayLike,
    mechanism: Union[Pipeline, str],
    *,
    bounds: Optional[_Bounds] = None,
    sensitivity: Optional[_Sensitivity] = None,
    tiers: Union[_Number, _Numbers, None] = None,
    rows_per_person: Optional[_Number] = None,
    epsilon: Optional[_Number] = None,
    delta: Optional[_Number] = None,
    strict: bool = False,
    insecure_seed: Optional[_Number] = None,
    names: Optional[_Texts] = None,
) -> Release: ...
def release_file(
    input: _Path,
    output: _Path,
    mechanism: Union[Pipeline, str],
    *,
    bounds: Union[_Numbers, Mapping[str, _Numbers], _Texts, None] = None,
    sensitivity: Union[_Number, Mapping[str, _Number], _Texts, None] = None,
    public: Optional[_Texts] = None,
    drop: Optional[_Texts] = None,
    tiers: Union[_Number, _Numbers, None] = None,
    rows_per_person: Optional[_Number] = None,
    epsilon: Optional[_Number] = None,
    delta: Optional[_Number] = None,
    strict: bool = False,
    insecure_seed: Optional[_Number] = None,
    certificate: Optional[_Path] = None,
    force: bool = False,
) -> Report: ...
