# SPDX-License-Identifier: Apache-2.0
from collections.abc import Iterable
from typing import Any, NamedTuple, Union

import dp_accounting as dp  # type: ignore
from dp_accounting.privacy_accountant import NeighboringRelation as NeighboringRelation  # type: ignore

from .._pipeline import Pipeline

ADD_OR_REMOVE_ONE: NeighboringRelation
REPLACE_ONE: NeighboringRelation
REPLACE_SPECIAL: NeighboringRelation

class UnsupportedEventError(dp.UnsupportedEventError, ValueError):  # type: ignore
    event: Any
    def __init__(self, event: Any, reason: str) -> None: ...

class _Release(NamedTuple):
    make: object
    arguments: tuple[Any, ...]
    parts: tuple[Any, ...] = ()

class Where(NamedTuple):
    relation: NeighboringRelation
    is_sampled: bool = False

NON_PRIVATE: _Release

def repeated(parts: dict[_Release, int], count: int) -> dict[_Release, int]: ...
def add(total: dict[_Release, int], parts: dict[_Release, int]) -> None: ...
def read(event: dp.DpEvent, where: Where) -> dict[_Release, int]: ...
def sum_of(parts: Iterable[tuple[_Release, int]]) -> Pipeline: ...
def relation_of(relation: Union[NeighboringRelation, str]) -> NeighboringRelation: ...
def pipeline_of(event: dp.DpEvent, relation: Union[NeighboringRelation, str, None] = None) -> Pipeline: ...
