# SPDX-License-Identifier: Apache-2.0
"""Events of dp-accounting as pipelines."""
import math
import numbers
import sys
from fractions import Fraction
from typing import NamedTuple

import dp_accounting as dp
from dp_accounting import dp_event, privacy_accountant

import doeblin

NeighboringRelation = privacy_accountant.NeighboringRelation
ADD_OR_REMOVE_ONE = NeighboringRelation.ADD_OR_REMOVE_ONE
REPLACE_ONE = NeighboringRelation.REPLACE_ONE
REPLACE_SPECIAL = NeighboringRelation.REPLACE_SPECIAL

_RELATIONS = {"add_remove": ADD_OR_REMOVE_ONE, "substitute": REPLACE_ONE, "zero_out": REPLACE_SPECIAL}


class UnsupportedEventError(dp.UnsupportedEventError, ValueError):
    """There is no pipeline that means the same as `event`."""

    def __init__(self, event, reason):
        super().__init__(f"{type(event).__name__}: {reason}")
        self.event = event


class _Release(NamedTuple):
    """A source, or a stage around a composition of `parts`; hashable, so that equal releases can be counted."""

    make: object
    arguments: tuple
    parts: tuple = ()


class Where(NamedTuple):
    """What surrounds an event."""

    relation: NeighboringRelation
    is_sampled: bool = False


NON_PRIVATE = _Release(doeblin.black_box, (0.0, 1.0))


# Parameters of events.


def _number(event, name, high=math.inf):
    value = getattr(event, name)
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise TypeError(f"{type(event).__name__}: {name} = {value!r}, need a number")
    try:
        if 0 <= value <= high and float(value) == value:
            return float(value)
    except OverflowError:
        # An integer beyond every double.
        pass
    limit = "" if high == math.inf else f" <= {high:g}"
    raise ValueError(f"{type(event).__name__}: {name} = {value!r}, need 0 <= {name}{limit}, a double")


def _whole(event, name, value, low=0):
    if isinstance(value, bool) or not isinstance(value, numbers.Integral):
        raise TypeError(f"{type(event).__name__}: {name} = {value!r}, need an integer")
    if value < low:
        raise ValueError(f"{type(event).__name__}: {name} = {value!r}, need {name} >= {low}")
    return int(value)


def _rounded(exact, up):
    """The nearest double that is not below (or not above) a fraction >= 0."""
    if exact > Fraction(sys.float_info.max):
        return math.inf if up else sys.float_info.max
    near = float(exact)
    if up and Fraction(near) < exact:
        return math.nextafter(near, math.inf)
    return math.nextafter(near, -math.inf) if not up and Fraction(near) > exact else near


# Events as releases and how often each happens.


def _noisy_sum(source):
    def read_sum(event, where):
        noise = _number(event, "noise_multiplier")
        if noise == math.inf:
            return {}
        if noise == 0:
            return {NON_PRIVATE: 1}
        return {_Release(source, (noise, 2.0 if where.relation is REPLACE_ONE else 1.0)): 1}

    return read_sum


def _discrete_laplace(event, where):
    parameter = _number(event, "noise_parameter")
    sensitivity = _whole(event, "sensitivity", event.sensitivity) * (2 if where.relation is REPLACE_ONE else 1)
    if sensitivity == 0:
        return {}
    # There is no such distribution at 0; dp-accounting takes it for no noise, which is the safe reading.
    # Less noise is less private: round the scale 1/a down.
    scale = _rounded(1 / Fraction(parameter), up=False) if 0 < parameter < math.inf else 0.0
    return {_Release(doeblin.discrete_laplace, (scale, float(sensitivity))) if scale > 0 else NON_PRIVATE: 1}


def _randomized_response(event, where):
    noise, buckets = _number(event, "noise_parameter", high=1), _whole(event, "num_buckets", event.num_buckets, low=1)
    if where.relation is ADD_OR_REMOVE_ONE:
        raise UnsupportedEventError(event, "nobody answers for a missing record; need REPLACE_ONE or REPLACE_SPECIAL")
    if where.is_sampled:
        # A sample can hold a record twice, which answers twice; the matrix of one response does not say so.
        raise UnsupportedEventError(event, "not inside a sampled event")
    if buckets == 1 or noise == 1:
        return {}
    if where.relation is REPLACE_ONE and noise == 0:
        return {NON_PRIVATE: 1}
    # Every rounding goes where the rows are further apart.
    lie = Fraction(noise) / buckets
    truth = _rounded(1 - (buckets - 1) * lie, up=True)
    if where.relation is REPLACE_SPECIAL:
        # The special record answers uniformly. All wrong answers are alike, so that two columns are enough.
        guess = _rounded(Fraction(1, buckets), up=False)
        rows = (truth, _rounded(1 - Fraction(truth), up=False)), (guess, _rounded(1 - Fraction(guess), up=True))
        return {_Release(doeblin.finite, (rows,)): 1}
    if buckets == 2:
        return {_Release(doeblin.randomized_response, (truth,)): 1}
    # Answers that are neither of two records' are equally likely for both. Rows are divided by their sum: below 1 that
    # makes both larger, and the divergence with them; above 1 there is no rest, and truth/sum >= 1 - lie.
    wrong = _rounded(lie, up=False)
    rest = _rounded(max(Fraction(0), 1 - Fraction(truth) - Fraction(wrong)), up=False)
    return {_Release(doeblin.finite, (((truth, wrong, rest), (wrong, truth, rest)),)): 1}


def _zcdp(event, where):
    rho, xi = _number(event, "rho"), _number(event, "xi")
    if where.is_sampled and where.relation is REPLACE_SPECIAL:
        # Poisson sampling compares with the sample without the record, which a special record need not be equal to.
        raise UnsupportedEventError(event, "not inside a sampled event under REPLACE_SPECIAL")
    if math.inf in (rho, xi):
        return {NON_PRIVATE: 1}
    if rho > 0 and xi > 0:
        raise UnsupportedEventError(event, "rho > 0 and xi > 0; need one of them to be 0")
    if xi > 0:
        # Renyi divergences of at most xi at every order are pure differential privacy.
        return {_Release(doeblin.black_box, (xi, 0.0)): 1}
    return {_Release(doeblin.zcdp, (rho,)): 1} if rho > 0 else {}


def _two_gaussians(event, where):
    deviation = _number(event, "standard_deviation")
    name = "MixtureOfGaussiansDpEvent: "
    shifts, weights = [], []
    for parameter, found in (("sensitivities", shifts), ("sampling_probs", weights)):
        for value in getattr(event, parameter):
            if isinstance(value, bool) or not isinstance(value, numbers.Real):
                raise TypeError(f"{name}{parameter} has {value!r}, need numbers")
            if not 0 <= value < math.inf:
                raise ValueError(f"{name}{parameter} has {value!r}, need finite numbers >= 0")
            found.append(float(value))
    if len(shifts) != len(weights) or not abs(math.fsum(weights) - 1) <= 1e-9:
        raise ValueError(f"{name}sampling_probs = {event.sampling_probs!r}, need one for each sensitivity, with sum 1")
    if where.relation is REPLACE_ONE or where.is_sampled:
        raise UnsupportedEventError(event, "need ADD_OR_REMOVE_ONE or REPLACE_SPECIAL, and no sampling around it")
    moved = {shift for shift, weight in zip(shifts, weights) if shift > 0 and weight > 0}
    if len(moved) > 1:
        raise UnsupportedEventError(event, f"{len(moved)} different sensitivities above 0, need at most one")
    if not moved or deviation == math.inf:
        return {}
    source = _Release(doeblin.gaussian, (deviation, moved.pop())) if deviation > 0 else NON_PRIVATE
    # The weights need not add up to 1 exactly; a larger rate is less private.
    unmoved = sum(Fraction(weight) for shift, weight in zip(shifts, weights) if shift == 0)
    rate = min(1.0, _rounded(max(1 - unmoved, sum(map(Fraction, weights)) - unmoved), up=True))
    return {source: 1} if rate == 1 else {_Release(doeblin.poisson, (rate, "add_remove"), ((source, 1),)): 1}


def _tree(event, where):
    noise = _number(event, "noise_multiplier")
    counts = event.step_counts if isinstance(event.step_counts, (list, tuple)) else [event.step_counts]
    steps = max((_whole(event, "step_counts", count) for count in counts), default=0)
    if where.relation is not REPLACE_SPECIAL or where.is_sampled:
        raise UnsupportedEventError(event, "need REPLACE_SPECIAL, and no sampling around it")
    # A record is in one leaf, and in one node on each level above that is complete: as many levels as steps has bits.
    return repeated(_noisy_sum(doeblin.gaussian)(event, where), steps.bit_length()) if noise < math.inf else {}


def _self_composed(event, where):
    return repeated(read(event.event, where), _whole(event, "count", event.count))


def _composed(event, where):
    if not isinstance(event.events, (list, tuple)):
        raise TypeError(f"ComposedDpEvent: events = {event.events!r}, need a list of events")
    total = {}
    for part in event.events:
        add(total, read(part, where))
    return total


def _poisson(event, where):
    rate = _number(event, "sampling_probability", high=1)
    if rate == 1:
        return read(event.event, where)
    inside = Where(ADD_OR_REMOVE_ONE if where.relation is REPLACE_ONE else where.relation, is_sampled=True)
    parts = read(event.event, inside)
    if rate == 0 or not parts:
        return {}
    if where.relation is not REPLACE_ONE:
        return {_Release(doeblin.poisson, (rate, "add_remove"), tuple(parts.items())): 1}
    # Two records that are sampled or not is a question about three laws, which is solved for one Gaussian sum only:
    # a composition may be adaptive, and turn from one direction to another.
    if NON_PRIVATE in parts:
        return {_Release(doeblin.black_box, (0.0, rate)): 1}
    (source, count), *others = parts.items()
    if others or count != 1 or source.make is not doeblin.gaussian:
        raise UnsupportedEventError(event, "under REPLACE_ONE, need one GaussianDpEvent inside")
    return {_Release(doeblin.poisson, (rate, "substitute"), ((source, 1),)): 1}


def _fixed_size(event, where):
    n = _whole(event, "source_dataset_size", event.source_dataset_size, low=1)
    m = _whole(event, "sample_size", event.sample_size)
    if where.is_sampled:
        raise UnsupportedEventError(event, "not inside a sampled event, whose number of records is its own")
    # Even where the relation is another: the sample without a record has some other record in its place.
    parts = read(event.event, Where(REPLACE_ONE, is_sampled=True))
    if any(release.parts for release in parts):
        raise UnsupportedEventError(event, "no other sampling inside")
    return n, m, tuple(parts.items())


def _without_replacement(event, where):
    n, m, parts = _fixed_size(event, where)
    if where.relation is not REPLACE_ONE:
        raise UnsupportedEventError(event, "need REPLACE_ONE: without a record there are other subsets of that size")
    if m > n:
        raise ValueError(f"{type(event).__name__}: sample_size = {m}, need sample_size <= source_dataset_size ({n})")
    return {_Release(doeblin.without_replacement, (n, m), parts): 1} if m and parts else {}


def _with_replacement(event, where):
    n, m, parts = _fixed_size(event, where)
    if where.relation is REPLACE_SPECIAL:
        raise UnsupportedEventError(event, "need REPLACE_ONE or ADD_OR_REMOVE_ONE")
    if not m or not parts:
        return {}
    removes = where.relation is ADD_OR_REMOVE_ONE
    if removes and n == 1:
        raise UnsupportedEventError(event, "source_dataset_size = 1, and nothing to draw from without the record")
    # Among neighbours with n records and one less or more, a draw finds the record most often where n is the larger.
    relation = "add_remove" if removes else "substitute"
    return {_Release(doeblin.with_replacement, (n, m, relation), parts): 1}


_READERS = {
    "NoOpDpEvent": lambda event, where: {},
    "NonPrivateDpEvent": lambda event, where: {NON_PRIVATE: 1},
    "GaussianDpEvent": _noisy_sum(doeblin.gaussian),
    # Noise in every coordinate: among values with this sum of absolute values, one coordinate is the least private.
    "LaplaceDpEvent": _noisy_sum(doeblin.laplace),
    "DiscreteLaplaceDpEvent": _discrete_laplace,
    "RandomizedResponseDpEvent": _randomized_response,
    "ZCDpEvent": _zcdp,
    "MixtureOfGaussiansDpEvent": _two_gaussians,
    "SingleEpochTreeAggregationDpEvent": _tree,
    "SelfComposedDpEvent": _self_composed,
    "ComposedDpEvent": _composed,
    "PoissonSampledDpEvent": _poisson,
    "SampledWithoutReplacementDpEvent": _without_replacement,
    "SampledWithReplacementDpEvent": _with_replacement,
}


def repeated(parts, count):
    return {release: times * count for release, times in parts.items()} if count else {}


def add(total, parts):
    for release, times in parts.items():
        total[release] = total.get(release, 0) + times


def read(event, where):
    if not isinstance(event, dp.DpEvent):
        raise TypeError(f"event = {event!r}, need a DpEvent")
    name = type(event).__name__
    # A class derived from an event may mean something else.
    if name not in _READERS or type(event) is not getattr(dp_event, name, None):
        raise UnsupportedEventError(event, "no pipeline means the same")
    return _READERS[name](event, where)


# Releases as a pipeline.


def _built(release, times):
    built = release.make(*release.arguments)
    pipeline = sum_of(release.parts) | built if release.parts else built
    return pipeline if times == 1 else pipeline | doeblin.compose(times)


def sum_of(parts):
    terms = [_built(release, times) for release, times in parts]
    # In pairs: every sum is then built from few others, however many there are.
    while len(terms) > 1:
        terms = [sum(terms[i : i + 2]) for i in range(0, len(terms), 2)]
    return terms[0] if terms else doeblin.black_box(0.0, 0.0)


def relation_of(relation):
    if isinstance(relation, NeighboringRelation):
        return relation
    if isinstance(relation, str) and relation in _RELATIONS:
        return _RELATIONS[relation]
    raise ValueError(f"relation = {relation!r}, need a NeighboringRelation, or one of {sorted(_RELATIONS)}")


def pipeline_of(event, relation=None):
    """The pipeline that means the same as an event.

    `relation` is a dp_accounting.NeighboringRelation, or its name here: add_remove (the default, as in dp-accounting),
    substitute or zero_out. Raises UnsupportedEventError, which is a ValueError too, if there is none.

    >>> import dp_accounting as dp
    >>> response = dp.RandomizedResponseDpEvent(0.5, 2)
    >>> pipeline_of(dp.SelfComposedDpEvent(response, 1000), "substitute").epsilon(delta=1e-5) > 673
    True
    >>> pipeline_of(dp.GaussianDpEvent(3.0), dp.NeighboringRelation.REPLACE_ONE)
    gaussian(sigma=3, sensitivity=2)
    """
    where = Where(ADD_OR_REMOVE_ONE if relation is None else relation_of(relation))
    return sum_of(read(event, where).items())
