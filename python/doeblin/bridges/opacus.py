# SPDX-License-Identifier: Apache-2.0
"""An accountant with the interface of those of Opacus, which is not needed for it.

>>> from doeblin.bridges.opacus import DoeblinAccountant
>>> accountant = DoeblinAccountant()
>>> for _ in range(1000):
...     accountant.step(noise_multiplier=1.1, sample_rate=256 / 60000)
>>> accountant.history
[(1.1, 0.004266666666666667, 1000)]
>>> 0.598 < accountant.get_epsilon_bracket(delta=1e-5).lower < accountant.get_epsilon(delta=1e-5) < 0.599
True
"""
import math
import numbers
from collections import OrderedDict
from fractions import Fraction

import doeblin

# What accountants of Opacus take to tune their numerics. They do not change the question, so that they can be ignored.
_TUNING = ("alphas", "eps_error", "delta_error")


class DoeblinAccountant:
    """Counts steps of DP-SGD on Poisson-sampled batches; neighbours differ by one added or removed record.

    `history` is a list of (noise_multiplier, sample_rate, num_steps), as Opacus keeps it.

    >>> accountant = DoeblinAccountant()
    >>> accountant.step(noise_multiplier=2.0, sample_rate=0.01)
    >>> accountant.step(noise_multiplier=1.5, sample_rate=0.01)
    >>> len(accountant), accountant.mechanism()
    (2, 'doeblin')
    >>> copy = DoeblinAccountant()
    >>> copy.load_state_dict(accountant.state_dict())
    >>> copy.get_epsilon(delta=1e-6) == accountant.get_epsilon(delta=1e-6)
    True
    """

    def __init__(self):
        self.history = []

    def step(self, *, noise_multiplier, sample_rate):
        """Counts one step: noise of noise_multiplier times the clipping norm, on a batch that everybody is in with
        probability sample_rate."""
        self._steps(_entry(noise_multiplier, sample_rate, 1))

    def _steps(self, entry):
        if self.history and tuple(self.history[-1][:2]) == entry[:2]:
            entry = (*entry[:2], self.history.pop()[2] + entry[2])
        self.history.append(entry)

    def __len__(self):
        """The number of steps."""
        return sum(steps for _, _, steps in self.history)

    @classmethod
    def mechanism(cls):
        """What Opacus calls the kind of an accountant."""
        return "doeblin"

    @property
    def pipeline(self):
        """The history as a pipeline."""
        counts = {}
        for noise, rate, steps in (_entry(*entry) for entry in self.history):
            # Nobody is in the batch, or nothing of it is seen.
            if rate > 0 and noise < math.inf:
                counts[noise, rate] = counts.get((noise, rate), 0) + steps
        terms = [_sampled(noise, rate) | doeblin.compose(steps) for (noise, rate), steps in counts.items()]
        # In pairs: every sum is then built from few others, however often the noise changed.
        while len(terms) > 1:
            terms = [sum(terms[i : i + 2]) for i in range(0, len(terms), 2)]
        return terms[0] if terms else doeblin.black_box(0.0, 0.0)

    def get_epsilon_bracket(self, delta):
        """Epsilon of everything so far, as a Bracket."""
        if isinstance(delta, bool) or not isinstance(delta, numbers.Real):
            raise TypeError(f"delta = {delta!r}, need a number")
        if not 0 < delta <= 1:
            raise ValueError(f"delta = {delta!r}, need 0 < delta <= 1")
        return self.pipeline.epsilon(float(delta))

    def get_epsilon(self, delta, **tuning):
        """The upper end. Options that tune other accountants of Opacus are accepted and not needed."""
        for name in tuning:
            if name not in _TUNING:
                raise TypeError(f"get_epsilon: {name} is not known, need one of {', '.join(_TUNING)}")
        return self.get_epsilon_bracket(delta).upper

    def get_optimizer_hook_fn(self, sample_rate):
        """A function to be called with the optimizer after each of its steps.

        When gradients of k batches are accumulated, somebody can be in several of them. The sum with noise z then tells
        no more than the k batches with noise z/sqrt(k) each, and is counted as those. (Opacus counts one batch with k
        times the rate, which is not a bound.)

        >>> class Optimizer:
        ...     noise_multiplier, accumulated_iterations = 1.0, 4
        >>> accountant = DoeblinAccountant()
        >>> accountant.get_optimizer_hook_fn(sample_rate=0.01)(Optimizer())
        >>> accountant.history
        [(0.5, 0.01, 4)]
        """
        # A mistake should show here, not in the first step.
        _entry(1.0, sample_rate, 1)

        def hook(optimizer):
            noise, rate, batches = _entry(optimizer.noise_multiplier, sample_rate, optimizer.accumulated_iterations)
            self._steps((_split(noise, batches), rate, batches))

        return hook

    def state_dict(self, destination=None):
        """The history, to be saved; in `destination` if given."""
        if destination is None:
            destination = OrderedDict()
        destination["history"] = list(self.history)
        destination["mechanism"] = self.mechanism()
        return destination

    def load_state_dict(self, state_dict):
        """Goes on from what state_dict returned; ValueError if it was another kind of accountant."""
        if not state_dict:
            raise ValueError(f"state_dict = {state_dict!r}, need what state_dict() returned")
        for key in ("history", "mechanism"):
            if key not in state_dict:
                raise ValueError(f"state_dict: {key} is missing")
        if state_dict["mechanism"] != self.mechanism():
            raise ValueError(f"state_dict: mechanism = {state_dict['mechanism']!r}, need {self.mechanism()!r}")
        self.history = [_entry(*entry) for entry in state_dict["history"]]


def _entry(noise_multiplier, sample_rate, steps):
    """One line of a history, checked."""
    for name, value, high in (("noise_multiplier", noise_multiplier, math.inf), ("sample_rate", sample_rate, 1)):
        if isinstance(value, bool) or not isinstance(value, numbers.Real):
            raise TypeError(f"{name} = {value!r}, need a number")
        if not 0 <= value <= high:
            raise ValueError(f"{name} = {value!r}, need 0 <= {name}" + (" <= 1" if high == 1 else ""))
    if isinstance(steps, bool) or not isinstance(steps, numbers.Integral):
        raise TypeError(f"steps = {steps!r}, need an integer")
    if steps < 1:
        raise ValueError(f"steps = {steps!r}, need steps >= 1")
    return float(noise_multiplier), float(sample_rate), int(steps)


def _sampled(noise, rate):
    # Without noise the batch is seen.
    base = doeblin.gaussian(sigma=noise) if noise > 0 else doeblin.black_box(0.0, 1.0)
    return base | doeblin.poisson(rate=rate)


def _split(noise, batches):
    """noise/sqrt(batches), rounded down: less noise is less private."""
    share = noise / math.sqrt(batches)
    while 0 < share < math.inf and Fraction(share) ** 2 * batches > Fraction(noise) ** 2:
        share = math.nextafter(share, 0.0)
    return share
