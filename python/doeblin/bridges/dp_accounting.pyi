# SPDX-License-Identifier: Apache-2.0
from abc import ABCMeta
from typing import Optional, Union

from dp_accounting import privacy_accountant  # type: ignore

from .._arguments import _Number
from .._bracket import Bracket
from .._pipeline import Pipeline
from ._dp_events import NeighboringRelation, UnsupportedEventError, pipeline_of

__all__ = ["DoeblinAccountant", "UnsupportedEventError", "pipeline_of"]

class DoeblinAccountant(privacy_accountant.PrivacyAccountant, metaclass=ABCMeta):  # type: ignore
    def __init__(
        self, neighboring_relation: Union[NeighboringRelation, str] = ..., *, width: Optional[_Number] = None
    ) -> None: ...
    @property
    def pipeline(self) -> Pipeline: ...
    def get_epsilon_bracket(self, target_delta: _Number) -> Bracket: ...
    def get_delta_bracket(self, target_epsilon: _Number) -> Bracket: ...
    def get_epsilon(self, target_delta: _Number) -> float: ...
    def get_delta(self, target_epsilon: _Number) -> float: ...
