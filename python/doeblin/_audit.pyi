# SPDX-License-Identifier: Apache-2.0
from typing import Any, Callable, Optional, Union

from ._arguments import _Number, _Path
from ._pipeline import Pipeline
from ._reports import Certificate, Report

class Audit(Report):
    verdict: str
    def __bool__(self) -> bool: ...
    @property
    def epsilon_lower(self) -> float: ...
    @property
    def epsilon_claimed(self) -> float: ...
    @property
    def mu_lower(self) -> Optional[float]: ...

def audit(
    mechanism: Union[Pipeline, str, Certificate, Callable[..., Any], None],
    a: Any = None,
    b: Any = None,
    *,
    epsilon: Optional[_Number] = None,
    delta: Optional[_Number] = None,
    certificate: Union[Certificate, _Path, None] = None,
    gaussian: bool = False,
    runs: Optional[_Number] = None,
    confidence: _Number = 0.999,
    noise_factor: _Number = 1.0,
    insecure_seed: Optional[_Number] = None,
    block: _Number = 1,
    labels: bool = False,
) -> Audit: ...
def audit_command(
    command: str,
    inputs: Union[list[str], list[_Path], tuple[_Path, _Path]],
    *,
    epsilon: Optional[_Number] = None,
    delta: Optional[_Number] = None,
    certificate: Union[Certificate, _Path, None] = None,
    gaussian: bool = False,
    runs: Optional[_Number] = None,
    confidence: _Number = 0.999,
    runs_per_call: _Number = 1,
    timeout: _Number = 60.0,
    labels: bool = False,
    insecure_seed: Optional[_Number] = None,
) -> Audit: ...
