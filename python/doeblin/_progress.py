# SPDX-License-Identifier: Apache-2.0
from . import _core


def show_progress(shown=True):
    """Whether long work says on standard error how far it is.

    Lines show time, and counts that the answer states anyway.

    Parameters
    ----------
    shown : bool or None, default True
        Always, never, or (None) where that is a terminal, which is what happens if nobody calls this.

    Raises
    ------
    TypeError
        For anything else.
    """
    if shown is not None and not isinstance(shown, bool):
        raise TypeError(f"show_progress: shown = {shown!r}, need True, False or None")
    _core.show_progress(shown)
