# SPDX-License-Identifier: Apache-2.0
from . import _core


def show_progress(shown=True):
    """Whether long work says on standard error how far it is: always, never (`False`), or where that is a terminal (`None`).

    The last is what happens if nobody calls this. Lines show time, and counts that the answer states anyway.
    """
    if shown is not None and not isinstance(shown, bool):
        raise TypeError(f"show_progress: shown = {shown!r}, need True, False or None")
    _core.show_progress(shown)
