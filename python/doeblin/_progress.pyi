# SPDX-License-Identifier: Apache-2.0
from typing import Optional

def show_progress(shown: Optional[bool] = True) -> None: ...
