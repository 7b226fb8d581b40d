# SPDX-License-Identifier: Apache-2.0
"""Events of dp-accounting as pipelines, and an accountant with its interface.

An event's noise multiplier is relative to the norm C that bounds what one record adds to a sum. Adding or removing a
record, or replacing it by one that adds zero, moves the sum by C; replacing it by any other record moves it by 2 C.
That is what the documentation of the events says, and what is counted here.

>>> import dp_accounting as dp
>>> from doeblin.bridges.dp_accounting import DoeblinAccountant, pipeline_of
>>> step = dp.PoissonSampledDpEvent(256 / 60000, dp.GaussianDpEvent(1.1))
>>> pipeline_of(dp.SelfComposedDpEvent(step, 14000))
gaussian(sigma=1.1, sensitivity=1) | poisson(rate=0.004266666666666667, relation='add_remove') | compose(k=14000)
>>> accountant = DoeblinAccountant().compose(step, 14000)
>>> 2.3757 < accountant.get_epsilon(1e-5) < 2.3769
True
"""
import math
import numbers

from dp_accounting import privacy_accountant

from .._bracket import Bracket
from ._dp_events import (
    ADD_OR_REMOVE_ONE, NON_PRIVATE, UnsupportedEventError, Where, add, pipeline_of, read, relation_of, repeated, sum_of,
)

__all__ = ["DoeblinAccountant", "UnsupportedEventError", "pipeline_of"]


class DoeblinAccountant(privacy_accountant.PrivacyAccountant):
    """A PrivacyAccountant of dp-accounting; `get_epsilon` and `get_delta` are the upper ends of brackets.

    `width` is how narrow the brackets of compositions should be, as in Pipeline.under.

    >>> import dp_accounting as dp
    >>> accountant = DoeblinAccountant().compose(dp.LaplaceDpEvent(10.0), 1000)
    >>> print(accountant.get_epsilon_bracket(1e-5).lower < 17.4236 < accountant.get_epsilon(1e-5))
    True
    >>> accountant.get_delta(200.0)
    0.0
    """

    def __init__(self, neighboring_relation=ADD_OR_REMOVE_ONE, *, width=None):
        super().__init__(relation_of(neighboring_relation))
        self._width = width
        self._parts = {}

    def _maybe_compose(self, event, count, do_compose):
        try:
            parts = read(event, Where(self.neighboring_relation))
            if not do_compose:
                # What the core itself refuses must not enter the ledger.
                sum_of(parts.items())
        except UnsupportedEventError as error:
            return self.CompositionErrorDetails(invalid_event=error.event, error_message=str(error))
        if do_compose:
            add(self._parts, repeated(parts, count))
        return None

    @property
    def pipeline(self):
        """Everything composed so far."""
        pipeline = sum_of(self._parts.items())
        return pipeline if self._width is None else pipeline.under(width=self._width)

    def get_epsilon_bracket(self, target_delta):
        """Epsilon at delta as a Bracket; at 0 the level of pure differential privacy.

        >>> import dp_accounting as dp
        >>> DoeblinAccountant().compose(dp.LaplaceDpEvent(2.0), 3).get_epsilon_bracket(0)
        Bracket(1.5, 1.5)
        """
        delta = _question("target_delta", target_delta, 1.0)
        if NON_PRIVATE in self._parts:
            # dp-accounting wants it infinite at every delta, even where any epsilon would do.
            return Bracket(math.inf)
        return self.pipeline.epsilon(delta) if delta > 0 else self.pipeline.rdp(math.inf)

    def get_delta_bracket(self, target_epsilon):
        """Delta at epsilon as a Bracket."""
        return self.pipeline.delta(_question("target_epsilon", target_epsilon, math.inf))

    def get_epsilon(self, target_delta):
        return self.get_epsilon_bracket(target_delta).upper

    def get_delta(self, target_epsilon):
        return self.get_delta_bracket(target_epsilon).upper


def _question(parameter, value, high):
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise TypeError(f"{parameter} = {value!r}, need a number")
    if not 0 <= value <= high:
        raise ValueError(f"{parameter} = {value!r}, need 0 <= {parameter}" + (" <= 1" if high == 1 else ""))
    return float(value)
