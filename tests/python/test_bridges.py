# SPDX-License-Identifier: Apache-2.0
"""The bridges to dp-accounting and Opacus: the same question to both, and to an independent calculation."""
import collections
import copy
import doctest
import itertools
import math
import pathlib
import pickle
import re
import subprocess
import sys
import types
import warnings
from fractions import Fraction

import dp_accounting as dp
import mpmath
import pytest
from dp_accounting import dp_event
from dp_accounting.pld import privacy_loss_distribution
from mpmath import mp, mpf

import doeblin
import doeblin.bridges.dp_accounting
import doeblin.bridges.opacus
from doeblin.bridges.dp_accounting import DoeblinAccountant, UnsupportedEventError, pipeline_of

ADD, REPLACE, SPECIAL = dp.NeighboringRelation

Gaussian, Laplace, DiscreteLaplace = dp.GaussianDpEvent, dp.LaplaceDpEvent, dp_event.DiscreteLaplaceDpEvent
Response, Zcdp, Mixture = dp.RandomizedResponseDpEvent, dp_event.ZCDpEvent, dp_event.MixtureOfGaussiansDpEvent
Poisson, Without, With = dp.PoissonSampledDpEvent, dp.SampledWithoutReplacementDpEvent, dp.SampledWithReplacementDpEvent
Times, Sum, Tree = dp.SelfComposedDpEvent, dp.ComposedDpEvent, dp.SingleEpochTreeAggregationDpEvent
# The names that the documentation's table uses.
EVENTS = {name: getattr(dp_event, name) for name in dir(dp_event) if name.endswith("DpEvent")}


# Some truths are numbers that are computed while this file is read.
mp.dps = 50


@pytest.fixture(autouse=True)
def fifty_digits():
    with mp.workdps(50):
        yield


# Truths: delta as a function of epsilon, from nothing of doeblin.


def tail(x):
    return mpmath.erfc(mpf(x) / mpmath.sqrt(2)) / 2


def gaussian(mu_squared):
    mu = mpmath.sqrt(mu_squared)
    return lambda eps: tail(eps / mu - mu / 2) - mpmath.exp(eps) * tail(eps / mu + mu / 2)


def laplace(theta):
    return lambda eps: max(mpf(0), -mpmath.expm1((eps - theta) / 2))


def two_laplaces(theta):
    """The second one, averaged over the loss of the first."""
    one = laplace(theta)

    def second(eps):
        return one(eps) if eps >= 0 else 1 - mpmath.exp(eps) + mpmath.exp(eps) * one(-eps)

    def delta(eps):
        # The second one has corners where eps - x is 0 or theta in absolute value.
        corners = sorted({min(max(x, -theta), theta) for x in (-theta, eps - theta, eps, theta)})
        between = mpmath.quad(lambda x: mpmath.exp((x - theta) / 2) / 4 * second(eps - x), corners)
        return second(eps - theta) / 2 + between + mpmath.exp(-theta) / 2 * second(eps + theta)

    return delta


def sampled(delta, rate):
    """q delta(log(1 + (e^eps - 1)/q))."""
    return lambda eps: rate * delta(mpmath.log1p(mpmath.expm1(eps) / rate))


def finite(p, q, count=1):
    """A pair of finite laws in both directions, composed by enumeration of how often each output occurs."""
    atoms = collections.Counter()
    for places in itertools.combinations(range(count + len(p) - 1), len(p) - 1):
        ends = (-1, *places, count + len(p) - 1)
        times = [b - a - 1 for a, b in zip(ends, ends[1:])]
        ways = math.factorial(count)
        for n in times:
            ways //= math.factorial(n)
        atoms[math.prod(x**n for x, n in zip(p, times)), math.prod(x**n for x, n in zip(q, times))] += ways
    number = lambda x: mpf(x.numerator) / x.denominator if isinstance(x, Fraction) else x
    atoms = [(number(a), number(b), ways) for (a, b), ways in atoms.items()]

    def delta(eps):
        g = mpmath.exp(eps)
        return max(sum(ways * max(a - g * b, 0) for a, b, ways in atoms), sum(ways * max(b - g * a, 0) for a, b, ways in atoms))

    return delta


def response(noise, buckets, count=1):
    lie = (Fraction(noise) if isinstance(noise, float) else noise) / buckets
    truth = 1 - (buckets - 1) * lie
    others = [(buckets - 2) * lie] if buckets > 2 else []
    return finite([truth, lie, *others], [lie, truth, *others], count)


def special_response(noise, buckets, count=1):
    truth = 1 - (buckets - 1) * Fraction(noise) / buckets
    return finite([truth, 1 - truth], [Fraction(1, buckets), 1 - Fraction(1, buckets)], count)


def discrete_laplace(parameter, sensitivity, count=1):
    """Outputs beyond both values are told apart by nothing: one atom on each side."""
    r = mpmath.exp(-mpf(parameter))
    outer = lambda t: r**t / (1 + r)
    inner = [r**x * (1 - r) / (1 + r) for x in range(1, sensitivity)]
    p = [outer(0), *inner, outer(sensitivity)]
    return finite(p, p[::-1], count)


def normal_mixtures(p, q):
    """Weights and means of two mixtures of N(., 1), the ratio of which grows with x."""
    def density(law, x):
        return sum(w * mpmath.exp(m * x - mpf(m) ** 2 / 2) for w, m in law)

    def above(law, x):
        return sum(w * tail(x - m) for w, m in law)

    def crossing(eps, is_beyond):
        low, high = mpf(-60), mpf(60)
        for _ in range(120):
            middle = (low + high) / 2
            low, high = (low, middle) if is_beyond(middle, mpmath.exp(eps)) else (middle, high)
        return low

    def delta(eps):
        g = mpmath.exp(eps)
        x = crossing(eps, lambda x, g: density(p, x) > g * density(q, x))
        y = crossing(eps, lambda x, g: density(q, x) < g * density(p, x))
        return max(above(p, x) - g * above(q, x), (1 - above(q, y)) - g * (1 - above(p, y)))

    return delta


def binomial(m, n, k):
    return mpf(math.comb(m, k)) * (n - 1) ** (m - k) / mpf(n) ** m


def removed_draws(mu, n, m):
    """A record that is drawn k times of m moves the sum by k mu."""
    return normal_mixtures([(binomial(m, n, k), k * mpf(mu)) for k in range(m + 1)], [(mpf(1), mpf(0))])


def swapped_draws(mu, rate):
    return normal_mixtures([(1 - mpf(rate), mpf(0)), (mpf(rate), mpf(mu))], [(1 - mpf(rate), mpf(0)), (mpf(rate), -mpf(mu))])


# (event, relation, delta, truth): events to which there is an answer on paper.
KNOWN = [
    (Gaussian(1.0), ADD, 1e-5, gaussian(mpf(1))),
    (Gaussian(1.0), SPECIAL, 1e-5, gaussian(mpf(1))),
    (Gaussian(1.0), REPLACE, 1e-5, gaussian(mpf(4))),
    (Gaussian(0.3), ADD, 1e-9, gaussian(1 / mpf(0.3) ** 2)),
    (Times(Gaussian(100.0), 10000), ADD, 1e-8, gaussian(mpf(1))),
    (Times(Gaussian(100.0), 10000), REPLACE, 1e-5, gaussian(mpf(4))),
    (Times(Times(Gaussian(20.0), 10), 10), ADD, 1e-6, gaussian(mpf("0.25"))),
    (Sum([Gaussian(2.0), Gaussian(4.0)]), ADD, 1e-5, gaussian(mpf(5) / 16)),
    (Sum([Times(Gaussian(2.0), 3), dp.NoOpDpEvent(), Gaussian(4.0)]), REPLACE, 1e-5, gaussian(mpf(13) / 4)),
    (Laplace(1.0), ADD, 1e-3, laplace(mpf(1))),
    (Laplace(0.125), SPECIAL, 1e-10, laplace(mpf(8))),
    (Laplace(2.0), REPLACE, 1e-2, laplace(mpf(1))),
    (Times(Laplace(2.0), 2), ADD, 1e-2, two_laplaces(mpf("0.5"))),
    (DiscreteLaplace(0.5, 1), ADD, 1e-2, discrete_laplace(0.5, 1)),
    (DiscreteLaplace(0.25, 3), SPECIAL, 1e-4, discrete_laplace(0.25, 3)),
    (DiscreteLaplace(0.25, 2), REPLACE, 1e-3, discrete_laplace(0.25, 4)),
    (Times(DiscreteLaplace(0.5, 2), 2), ADD, 1e-2, discrete_laplace(0.5, 2, 2)),
    (Response(0.5, 2), REPLACE, 1e-5, response(0.5, 2)),
    (Response(0.3, 10), REPLACE, 1e-5, response(0.3, 10)),
    (Response(0.3, 10), SPECIAL, 1e-5, special_response(0.3, 10)),
    (Response(0.9, 2), SPECIAL, 1e-5, special_response(0.9, 2)),
    (Times(Response(0.5, 2), 10), REPLACE, 1e-3, response(0.5, 2, 10)),
    (Times(Response(0.7, 5), 6), REPLACE, 1e-3, response(0.7, 5, 6)),
    (Times(Response(0.7, 5), 6), SPECIAL, 1e-3, special_response(0.7, 5, 6)),
    (Poisson(0.01, Gaussian(1.0)), ADD, 1e-5, sampled(gaussian(mpf(1)), mpf(0.01))),
    (Poisson(0.5, Gaussian(2.0)), SPECIAL, 1e-6, sampled(gaussian(mpf("0.25")), mpf(0.5))),
    (Poisson(0.25, Poisson(0.5, Gaussian(1.0))), ADD, 1e-6, sampled(gaussian(mpf(1)), mpf("0.125"))),
    (Poisson(0.25, Sum([Gaussian(2.0), Gaussian(4.0)])), ADD, 1e-6, sampled(gaussian(mpf(5) / 16), mpf("0.25"))),
    (Poisson(0.25, Gaussian(1.0)), REPLACE, 1e-4, swapped_draws(1, 0.25)),
    (Poisson(1.0, Gaussian(1.0)), REPLACE, 1e-4, gaussian(mpf(4))),
    (Poisson(0.1, Laplace(0.5)), ADD, 1e-3, sampled(laplace(mpf(2)), mpf(0.1))),
    (Poisson(0.25, Times(Laplace(2.0), 2)), ADD, 1e-3, sampled(two_laplaces(mpf("0.5")), mpf(0.25))),
    (Without(100, 10, Gaussian(2.0)), REPLACE, 1e-5, sampled(gaussian(mpf(1)), mpf(1) / 10)),
    (Without(50, 50, Gaussian(2.0)), REPLACE, 1e-5, gaussian(mpf(1))),
    (Without(40, 10, Laplace(2.0)), REPLACE, 1e-3, sampled(laplace(mpf(1)), mpf(1) / 4)),
    (Without(40, 10, Times(Gaussian(4.0), 4)), REPLACE, 1e-3, sampled(gaussian(mpf(1)), mpf(1) / 4)),
    (With(5, 3, Gaussian(4.0)), ADD, 1e-3, removed_draws(0.5, 5, 3)),
    (Mixture(1.0, [0.0, 2.0], [0.75, 0.25]), ADD, 1e-4, sampled(gaussian(mpf(4)), mpf(0.25))),
    (Mixture(2.0, [3.0], [1.0]), SPECIAL, 1e-4, gaussian(mpf(9) / 4)),
    (Tree(2.0, 8), SPECIAL, 1e-5, gaussian(mpf(1))),
    (Tree(2.0, [1, 3, 2]), SPECIAL, 1e-5, gaussian(mpf("0.5"))),
    # Pure differential privacy, of which randomised response is the worst.
    (Zcdp(0.0, 1.5), ADD, 1e-3, response(2 / (1 + mpmath.exp(mpf(1.5))), 2)),
]


def theirs(event, relation, delta):
    """Their answer: by privacy-loss distributions where they can, otherwise by Renyi divergences; None if neither."""
    if isinstance(event, Mixture):
        # It takes minutes.
        return None
    for accountant in (dp.pld.PLDAccountant(relation), dp.rdp.RdpAccountant(neighboring_relation=relation)):
        if accountant.supports(event):
            return accountant.compose(event).get_epsilon(delta)
    return None


# Events of KNOWN whose pessimistic epsilon in dp-accounting is below the truth.
BELOW = {
    (Times(Response(0.5, 2), 10), REPLACE): "randomised response is counted once, however often it is composed",
    (Times(Response(0.7, 5), 6), REPLACE): "as above",
    (Times(Response(0.7, 5), 6), SPECIAL): "as above",
    (Laplace(2.0), REPLACE): "Renyi divergences for the norm of one record, not for the distance of two",
    (Without(100, 10, Gaussian(2.0)), REPLACE): "as above",
    (Without(50, 50, Gaussian(2.0)), REPLACE): "as above",
    (Without(40, 10, Times(Gaussian(4.0), 4)), REPLACE): "as above",
}


def is_in(table, event, relation):
    return any(event == other and relation is where for other, where in table)


@pytest.mark.parametrize("event, relation, delta, truth", KNOWN, ids=lambda value: type(value).__name__)
def test_the_truth_is_in_the_bracket(event, relation, delta, truth):
    pipeline = pipeline_of(event, relation)
    epsilon = pipeline.epsilon(delta)
    assert truth(mpf(epsilon.upper)) <= delta, "below the truth"
    assert truth(mpf(epsilon.lower)) >= delta or epsilon.lower == 0
    for level in (0.05, 0.5):
        assert truth(mpf(level)) in pipeline.delta(level)
    answer = theirs(event, relation, delta)
    if is_in(BELOW, event, relation):
        assert truth(mpf(answer)) > 1.01 * delta, "they are right now"
    elif answer is not None:
        # Pessimistic, but for the last digit.
        assert truth(mpf(answer * (1 + 1e-12))) <= delta
        assert answer * (1 + 1e-12) >= epsilon.lower


def test_many_different_events_were_asked():
    assert len(KNOWN) >= 40
    assert sum(theirs_can(event, relation) for event, relation, _, _ in KNOWN) >= 30


def theirs_can(event, relation):
    return dp.pld.PLDAccountant(relation).supports(event) or dp.rdp.RdpAccountant(neighboring_relation=relation).supports(event)


@pytest.mark.parametrize("relation", [ADD, REPLACE])
def test_sampled_steps_lie_between_two_of_their_grids(relation):
    step, steps = Poisson(0.02, Gaussian(2.0)), 200
    epsilon = pipeline_of(Times(step, steps), relation).epsilon(1e-5)
    ends = []
    for pessimistic in (False, True):
        pld = privacy_loss_distribution.from_gaussian_mechanism(
            2.0, sampling_prob=0.02, pessimistic_estimate=pessimistic, value_discretization_interval=2e-5,
            use_connect_dots=pessimistic, neighboring_relation=relation)
        ends.append(pld.self_compose(steps).get_epsilon_for_delta(1e-5))
    assert ends[0] <= epsilon.upper and epsilon.lower <= ends[1]
    assert epsilon.width < 1e-3


def test_their_far_tail_is_an_accident():
    step = Poisson(0.01, Gaussian(1.0))
    ours, pld = DoeblinAccountant().compose(step, 100), dp.pld.PLDAccountant().compose(step, 100)
    assert pld.get_epsilon(1e-5) >= ours.get_epsilon_bracket(1e-5).lower
    # They do not charge the rounding of the FFT, which decides on which side of the truth they are: mostly below it here.
    assert pld.get_epsilon(1e-14) not in ours.get_epsilon_bracket(1e-14)
    assert pld.get_epsilon(1e-15) == math.inf and ours.get_epsilon(1e-15) < 3.7
    # With one release the truth is on paper.
    one = sampled(gaussian(mpf(1)), mpf(0.01))
    assert one(mpf(pipeline_of(step).epsilon(1e-30).upper)) <= mpf(1e-30) <= one(mpf(pipeline_of(step).epsilon(1e-30).lower))
    event = Times(Gaussian(100.0), 10000)
    assert gaussian(mpf(1))(mpf(pipeline_of(event).epsilon(1e-30).upper)) <= mpf(1e-30)
    assert dp.pld.PLDAccountant().compose(event).get_epsilon(1e-30) == math.inf


def test_their_accountants_contradict_each_other_about_replacement():
    for event in (Gaussian(1.0), Times(Gaussian(3.0), 5)):
        pld = dp.pld.PLDAccountant(REPLACE).compose(event).get_epsilon(1e-5)
        renyi = dp.rdp.RdpAccountant(neighboring_relation=REPLACE).compose(event).get_epsilon(1e-5)
        # The Renyi one takes the norm of one record for the distance of two; ours agrees with the other.
        assert renyi < pipeline_of(event, REPLACE).epsilon(1e-5).lower <= pld


def test_a_response_is_counted_as_often_as_it_is_given():
    event = Times(Response(0.5, 2), 1000)
    assert theirs(event, REPLACE, 1e-5) < 1.1
    losses = [(mpf(math.comb(1000, k)), (1000 - 2 * k) * mpmath.log(3), k) for k in range(501)]
    truth = lambda eps: sum(ways * 3 ** mpf(1000 - k) / mpf(4) ** 1000 * -mpmath.expm1(eps - loss) for ways, loss, k in losses if loss > eps)
    epsilon = pipeline_of(event, REPLACE).epsilon(1e-5)
    assert truth(mpf(epsilon.upper)) <= 1e-5 <= truth(mpf(epsilon.lower))
    assert 673 < epsilon.lower


def test_zcdp_is_at_most_what_they_say_and_at_least_gaussian():
    event = Times(Zcdp(0.02), 5)
    epsilon = pipeline_of(event).epsilon(1e-6)
    assert epsilon.upper <= theirs(event, ADD, 1e-6)
    assert gaussian(mpf("0.2"))(mpf(epsilon.upper)) <= 1e-6
    assert gaussian(mpf("0.2"))(mpf(epsilon.lower)) >= 1e-6 * (1 - 1e-9)


def test_replacing_draws_is_at_least_as_bad_as_a_pair_of_datasets():
    # Everybody else adds -C, the record C or -C.
    epsilon = pipeline_of(With(5, 3, Gaussian(4.0)), REPLACE).epsilon(1e-3)
    assert removed_draws(0.5, 5, 3)(mpf(epsilon.upper)) <= 1e-3
    # Everybody else adds 0.
    both = normal_mixtures([(binomial(3, 5, k), k * mpf("0.25")) for k in range(4)], [(binomial(3, 5, k), -k * mpf("0.25")) for k in range(4)])
    assert both(mpf(epsilon.upper)) <= 1e-3


def test_a_subset_is_at_least_as_bad_as_each_pair_of_datasets():
    """Without replacement the worst neighbours are at distance 2 C, not C: by enumeration."""
    n, m, sigma = 4, 2, 1.5
    epsilon = pipeline_of(Without(n, m, Gaussian(sigma)), REPLACE).epsilon(1e-3)
    worst = 0
    for others in itertools.combinations_with_replacement((-1, 0, 1), n - 1):
        for first, second in ((1, -1), (1, 0)):
            laws = [[(mpf(1) / math.comb(n, m), sum(chosen) / mpf(sigma)) for chosen in itertools.combinations((record, *others), m)] for record in (first, second)]
            worst = max(worst, normal_mixtures(*laws)(mpf(epsilon.upper)))
    assert worst <= 1e-3
    assert worst > 0.5e-3, "nothing was tried"


def test_self_composition_is_one_stage():
    step = Poisson(0.01, Gaussian(1.1))
    expected = doeblin.gaussian(1.1) | doeblin.poisson(0.01) | doeblin.compose(1000)
    for event in (Times(step, 1000), Times(Times(step, 10), 100), Sum([Times(step, 400), step, dp.NoOpDpEvent(), Times(step, 599)])):
        assert pipeline_of(event).expression == expected.expression
    assert pipeline_of(Sum([step, Laplace(3.0), step])).expression == ((doeblin.gaussian(1.1) | doeblin.poisson(0.01) | doeblin.compose(2)) + doeblin.laplace(3.0)).expression


def test_nothing_and_everything():
    for nothing in (dp.NoOpDpEvent(), Sum([]), Times(Gaussian(1.0), 0), Poisson(0.0, Gaussian(1.0)), Gaussian(math.inf), Sum([dp.NoOpDpEvent()]), Zcdp(0.0)):
        assert float(pipeline_of(nothing).epsilon(1e-9)) == 0
    for nothing in (Response(0.0, 1), Response(1.0, 7), Without(10, 0, Gaussian(1.0))):
        assert float(pipeline_of(nothing, REPLACE).delta(0.0)) == 0
    for everything in (dp.NonPrivateDpEvent(), Gaussian(0.0), Laplace(0), DiscreteLaplace(0.0, 1), Zcdp(math.inf), Sum([Gaussian(1.0), Laplace(0.0)])):
        assert pipeline_of(everything).epsilon(0.5).lower == math.inf
        assert float(pipeline_of(everything).delta(1e6)) == 1
    assert pipeline_of(Response(0.0, 4), REPLACE).epsilon(0.5).lower == math.inf
    # A batch without noise is seen by whoever is in it.
    for relation in (ADD, REPLACE):
        assert 0.25 in pipeline_of(Poisson(0.25, Gaussian(0.0)), relation).delta(3.0)
    assert 0.75 in pipeline_of(Response(0.0, 4), SPECIAL).delta(3.0)


UNSUPPORTED = [
    (dp.UnsupportedDpEvent(), ADD),
    (dp_event.RepeatAndSelectDpEvent(Gaussian(1.0), 3.0, 1.0), ADD),
    (dp.TruncatedSubsampledGaussianDpEvent(100, 0.1, 20, 1.0), ADD),
    (Mixture(1.0, [0.0, 1.0, 2.0], [0.5, 0.25, 0.25]), ADD),
    (Mixture(1.0, [0.0, 1.0], [0.5, 0.5]), REPLACE),
    (Zcdp(0.1, 0.1), ADD),
    (Response(0.5, 2), ADD),
    (Tree(1.0, 4), ADD),
    (Tree(1.0, 4), REPLACE),
    (Without(10, 2, Gaussian(1.0)), ADD),
    (Without(10, 2, Gaussian(1.0)), SPECIAL),
    (With(10, 2, Gaussian(1.0)), SPECIAL),
    (With(1, 2, Gaussian(1.0)), ADD),
    (Without(10, 2, Response(0.5, 2)), REPLACE),
    (With(10, 2, Response(0.5, 2)), REPLACE),
    (Without(10, 4, Without(4, 2, Gaussian(1.0))), REPLACE),
    (Without(10, 4, Poisson(0.5, Gaussian(1.0))), REPLACE),
    (Poisson(0.5, Without(10, 4, Gaussian(1.0))), REPLACE),
    (Poisson(0.5, With(10, 4, Gaussian(1.0))), ADD),
    (Poisson(0.5, Response(0.5, 2)), SPECIAL),
    (Poisson(0.5, Zcdp(0.1)), SPECIAL),
    (Poisson(0.5, Tree(1.0, 4)), SPECIAL),
    (Poisson(0.5, Laplace(1.0)), REPLACE),
    (Poisson(0.5, Times(Gaussian(1.0), 2)), REPLACE),
    (Poisson(0.5, Poisson(0.5, Gaussian(1.0))), REPLACE),
]


@pytest.mark.parametrize("event, relation", UNSUPPORTED, ids=lambda value: type(value).__name__)
def test_what_has_no_pipeline_is_refused(event, relation):
    with pytest.raises(UnsupportedEventError, match="DpEvent: "):
        pipeline_of(event, relation)
    with pytest.raises(ValueError):
        pipeline_of(event, relation)
    for wrapped in (event, Times(event, 3), Sum([dp.NoOpDpEvent(), event])):
        accountant = DoeblinAccountant(relation)
        assert not accountant.supports(wrapped)
        with pytest.raises(dp.UnsupportedEventError, match="caused by subevent"):
            accountant.compose(wrapped)
        assert accountant.ledger == dp.NoOpDpEvent() and accountant.get_epsilon(1e-6) == 0


def test_a_derived_event_may_mean_something_else():
    class Louder(Gaussian):
        pass

    assert not DoeblinAccountant().supports(Louder(1.0))


@pytest.mark.parametrize("make, name", [
    (lambda x: Gaussian(x), "noise_multiplier"),
    (lambda x: Laplace(x), "noise_multiplier"),
    (lambda x: Tree(x, 3), "noise_multiplier"),
    (lambda x: DiscreteLaplace(x, 1), "noise_parameter"),
    (lambda x: DiscreteLaplace(1.0, x), "sensitivity"),
    (lambda x: Response(x, 2), "noise_parameter"),
    (lambda x: Response(0.5, x), "num_buckets"),
    (lambda x: Zcdp(x), "rho"),
    (lambda x: Zcdp(0.1, x), "xi"),
    (lambda x: Mixture(x, [0.0, 1.0], [0.5, 0.5]), "standard_deviation"),
    (lambda x: Mixture(1.0, [0.0, x], [0.5, 0.5]), "sensitivities"),
    (lambda x: Mixture(1.0, [0.0, 1.0], [0.5, x]), "sampling_probs"),
    (lambda x: Tree(1.0, [3, x]), "step_counts"),
    (lambda x: Times(Gaussian(1.0), x), "count"),
    (lambda x: Poisson(x, Gaussian(1.0)), "sampling_probability"),
    (lambda x: Without(x, 1, Gaussian(1.0)), "source_dataset_size"),
    (lambda x: Without(10, x, Gaussian(1.0)), "sample_size"),
    (lambda x: With(10, x, Gaussian(1.0)), "sample_size"),
])
def test_wrong_parameters_are_named(make, name):
    for wrong in (math.nan, -1, -0.5, None, "1", True, [1.0], 1 + 2j):
        with pytest.raises((TypeError, ValueError), match=name):
            pipeline_of(make(wrong), SPECIAL)
        accountant = DoeblinAccountant(SPECIAL)
        with pytest.raises((TypeError, ValueError), match=name):
            accountant.compose(make(wrong))
        assert accountant.ledger == dp.NoOpDpEvent()


def test_other_mistakes_are_named():
    for event, words in (
        (Poisson(1.5, Gaussian(1.0)), "sampling_probability"),
        (Response(1.5, 2), "noise_parameter"),
        (Gaussian(10**400), "noise_multiplier"),
        (Gaussian(Fraction(1, 3)), "noise_multiplier"),
        (Without(10, 11, Gaussian(1.0)), "sample_size"),
        (Mixture(1.0, [0.0, 1.0], [0.5, 0.6]), "sampling_probs"),
        (Times(Gaussian(1.0), 2**60), "k = "),
    ):
        with pytest.raises(ValueError, match=words):
            pipeline_of(event, REPLACE)
    for event in (None, "GaussianDpEvent", Gaussian, Sum([None]), Sum(Gaussian(1.0)), Poisson(0.5, None)):
        with pytest.raises(TypeError, match="event"):
            pipeline_of(event)
    for relation in ("neutral", 1, math.nan, []):
        with pytest.raises(ValueError, match="relation"):
            pipeline_of(Gaussian(1.0), relation)
        with pytest.raises(ValueError, match="relation"):
            DoeblinAccountant(relation)
    accountant = DoeblinAccountant().compose(Gaussian(1.0))
    for wrong in (math.nan, -1e-9, None, "0.1", True):
        with pytest.raises((TypeError, ValueError), match="target_delta"):
            accountant.get_epsilon(wrong)
        with pytest.raises((TypeError, ValueError), match="target_epsilon"):
            accountant.get_delta(wrong)
    with pytest.raises(ValueError, match="target_delta"):
        accountant.get_epsilon(1.5)
    for wrong in (0, -1, 2.0, None, math.nan):
        with pytest.raises((TypeError, ValueError), match="count"):
            accountant.compose(Gaussian(1.0), wrong)
    assert accountant.ledger == Gaussian(1.0)
    assert accountant.get_epsilon(1e-5) == pipeline_of(Gaussian(1.0)).epsilon(1e-5).upper


def test_the_names_of_relations():
    for name, relation in (("add_remove", ADD), ("substitute", REPLACE), ("zero_out", SPECIAL)):
        assert pipeline_of(Gaussian(1.0), name).expression == pipeline_of(Gaussian(1.0), relation).expression
    assert pipeline_of(Gaussian(1.0)).expression == pipeline_of(Gaussian(1.0), ADD).expression
    assert pipeline_of(Poisson(0.1, Gaussian(1.0)), REPLACE).relation == "substitute"
    assert pipeline_of(Without(10, 2, Gaussian(1.0)), REPLACE).relation == "substitute"
    assert pipeline_of(With(10, 2, Gaussian(1.0)), ADD).relation == "add_remove"


def test_roundings_are_on_the_safe_side():
    for parameter in (0.1, 0.3, 3.0, 1 / 3, 5e-324, 1e300):
        scale = doeblin.bridges._dp_events._discrete_laplace(DiscreteLaplace(parameter, 1), doeblin.bridges._dp_events.Where(ADD))
        (release,) = scale
        assert Fraction(release.arguments[0]) * Fraction(parameter) <= 1
    for noise in (1e-300, 1e-20, 1.4e-16, 3e-16, 0.1, 0.3, 1 - 2**-53):
        for buckets in (2, 3, 10, 10**6):
            for relation, truth in ((REPLACE, response), (SPECIAL, special_response)):
                with mp.workdps(400):
                    upper = pipeline_of(Response(noise, buckets), relation).epsilon(1e-17).upper
                    assert upper == math.inf or truth(noise, buckets)(mpf(upper)) <= mpf(1e-17)


# The accountant behind their interface.


def test_the_contract_of_an_accountant():
    for relation in dp.NeighboringRelation:
        accountant = DoeblinAccountant(relation)
        assert isinstance(accountant, dp.PrivacyAccountant) and accountant.neighboring_relation is relation
        assert accountant.compose(dp.NoOpDpEvent()) is accountant
        for delta in (1e-12, 0, 1):
            assert accountant.get_epsilon(delta) == 0
        for epsilon in (1e-12, 0, math.inf):
            assert accountant.get_delta(epsilon) == 0
        for event in (dp.NonPrivateDpEvent(), Times(dp.NonPrivateDpEvent(), 10), Sum([Gaussian(1.0), dp.NonPrivateDpEvent()])):
            accountant = DoeblinAccountant(relation).compose(event)
            for delta in (0.99, 0, 1):
                assert accountant.get_epsilon(delta) == math.inf
            for epsilon in (100, 0, math.inf):
                assert accountant.get_delta(epsilon) == 1
    with pytest.raises(TypeError):
        DoeblinAccountant().compose("GaussianDpEvent")


def test_steps_are_counted_not_listed():
    step = Poisson(0.01, Gaussian(1.1))
    accountant = DoeblinAccountant()
    for _ in range(2000):
        accountant.compose(step)
    accountant.compose(Gaussian(30.0)).compose(step, 1000)
    assert accountant.ledger == Sum([Times(step, 2000), Gaussian(30.0), Times(step, 1000)])
    expected = (doeblin.gaussian(1.1) | doeblin.poisson(0.01) | doeblin.compose(3000)) + doeblin.gaussian(30.0)
    assert accountant.pipeline.expression == expected.expression
    bracket = accountant.get_epsilon_bracket(1e-6)
    assert type(accountant.get_epsilon(1e-6)) is float and accountant.get_epsilon(1e-6) == bracket.upper
    assert type(accountant.get_delta(3.0)) is float and accountant.get_delta(3.0) == accountant.get_delta_bracket(3.0).upper
    assert pipeline_of(accountant.ledger).epsilon(1e-6).lower <= bracket.upper
    for again in (copy.deepcopy(accountant), pickle.loads(pickle.dumps(accountant))):
        again.compose(Gaussian(1.0))
        assert again.get_epsilon(1e-6) > bracket.upper
    assert accountant.get_epsilon(1e-6) == bracket.upper


def test_many_different_events_are_fast():
    event = Sum([Gaussian(50 + i / 16) for i in range(500)])
    mu_squared = sum(1 / mpf(50 + i / 16) ** 2 for i in range(500))
    epsilon = pipeline_of(event).epsilon(1e-6)
    assert gaussian(mu_squared)(mpf(epsilon.upper)) <= 1e-6 <= gaussian(mu_squared)(mpf(epsilon.lower))


def test_delta_zero_is_pure():
    assert DoeblinAccountant().compose(Laplace(4.0), 10).get_epsilon_bracket(0.0) == 2.5
    assert DoeblinAccountant().compose(Gaussian(4.0)).get_epsilon(0) == math.inf
    with warnings.catch_warnings():
        # The lower end is not known well.
        warnings.simplefilter("ignore", doeblin.AccuracyWarning)
        sampled = DoeblinAccountant().compose(Poisson(0.5, Laplace(4.0)), 10).get_epsilon(0)
    truth = 10 * mpmath.log1p(mpmath.expm1(mpf("0.25")) / 2)
    assert truth <= sampled <= truth * (1 + 1e-9)


def test_their_calibration():
    noise = dp.calibrate_dp_mechanism(DoeblinAccountant, lambda z: Times(Gaussian(z), 25), 1.0, 1e-6)
    assert gaussian(25 / mpf(noise) ** 2)(mpf(1)) <= 1e-6 < gaussian(25 / mpf(noise - 1e-5) ** 2)(mpf(1))
    noise = dp.calibrate_dp_mechanism(
        DoeblinAccountant, lambda z: Times(Poisson(0.01, Gaussian(z)), 100), 1.0, 1e-5, dp.ExplicitBracketInterval(0.5, 2.0), tol=1e-2)
    found = doeblin.calibrate(lambda s: doeblin.gaussian(s) | doeblin.poisson(0.01) | doeblin.compose(100), 1.0, 1e-5)
    assert -1e-3 < noise - float(found) < 2.1e-2
    count = dp.calibrate_dp_mechanism(
        DoeblinAccountant, lambda k: Times(Gaussian(20.0), k), 2.0, 1e-6, dp.ExplicitBracketInterval(1, 1000), discrete=True)
    assert gaussian(count / mpf(400))(mpf(2)) <= 1e-6 < gaussian((count + 1) / mpf(400))(mpf(2))


# Opacus.


def steps(accountant, *entries):
    for noise, rate, count in entries:
        for _ in range(count):
            accountant.step(noise_multiplier=noise, sample_rate=rate)
    return accountant


def test_opacus_history_is_the_pipeline():
    accountant = steps(doeblin.bridges.opacus.DoeblinAccountant(), (1.1, 0.01, 300), (2.0, 0.01, 5), (1.1, 0.01, 200))
    assert accountant.history == [(1.1, 0.01, 300), (2.0, 0.01, 5), (1.1, 0.01, 200)] and len(accountant) == 505
    expected = (doeblin.gaussian(1.1) | doeblin.poisson(0.01) | doeblin.compose(500)) + (doeblin.gaussian(2.0) | doeblin.poisson(0.01) | doeblin.compose(5))
    assert accountant.pipeline.expression == expected.expression
    bracket = accountant.get_epsilon_bracket(1e-5)
    assert accountant.get_epsilon(1e-5, alphas=[2, 3]) == accountant.get_epsilon(delta=1e-5, eps_error=0.01) == bracket.upper
    theirs_epsilon = dp.pld.PLDAccountant().compose(Poisson(0.01, Gaussian(1.1)), 500).compose(Poisson(0.01, Gaussian(2.0)), 5).get_epsilon(1e-5)
    assert bracket.lower <= theirs_epsilon
    assert bracket.upper <= theirs_epsilon + 1e-3
    empty = doeblin.bridges.opacus.DoeblinAccountant()
    assert len(empty) == 0 and empty.get_epsilon(1e-5) == 0
    assert steps(empty, (0.0, 0.1, 1)).get_epsilon(1e-5) == math.inf
    assert steps(doeblin.bridges.opacus.DoeblinAccountant(), (1.0, 0.0, 3)).get_epsilon(1e-5) == 0
    # One step of everybody is the Gaussian mechanism.
    full = steps(doeblin.bridges.opacus.DoeblinAccountant(), (1.0, 1.0, 4)).get_epsilon_bracket(1e-6)
    assert gaussian(mpf(4))(mpf(full.upper)) <= 1e-6 <= gaussian(mpf(4))(mpf(full.lower))


def test_opacus_hook_and_state():
    accountant = doeblin.bridges.opacus.DoeblinAccountant()
    hook = accountant.get_optimizer_hook_fn(sample_rate=0.02)
    optimizer = types.SimpleNamespace(noise_multiplier=1.5, accumulated_iterations=1)
    for _ in range(3):
        hook(optimizer)
    assert accountant.history == [(1.5, 0.02, 3)]
    optimizer.accumulated_iterations = 2
    hook(optimizer)
    noise, rate, count = accountant.history[-1]
    assert (rate, count) == (0.02, 2) and Fraction(noise) ** 2 * 2 <= Fraction(1.5) ** 2 and noise > 1.06
    state = accountant.state_dict()
    assert state["mechanism"] == "doeblin" and accountant.state_dict({"a": 1})["a"] == 1
    other = doeblin.bridges.opacus.DoeblinAccountant()
    other.load_state_dict(pickle.loads(pickle.dumps(state)))
    assert other.history == accountant.history
    hook(optimizer)
    assert len(accountant) == 7 and len(other) == 5 and state["history"] == other.history
    for wrong in (None, {}, {"history": []}, {"mechanism": "doeblin"}, {"history": [], "mechanism": "rdp"}, {"history": [(-1.0, 0.1, 2)], "mechanism": "doeblin"}):
        with pytest.raises(ValueError):
            other.load_state_dict(wrong)
    assert len(other) == 5


def test_accumulated_batches_are_not_counted_too_low():
    """Twice in the sum of two batches moves it by two norms; a rate of 2 q would know of one only."""
    accountant = doeblin.bridges.opacus.DoeblinAccountant()
    accountant.get_optimizer_hook_fn(0.1)(types.SimpleNamespace(noise_multiplier=1.0, accumulated_iterations=2))
    q = mpf(0.1)
    truth = normal_mixtures([((1 - q) ** 2, mpf(0)), (2 * q * (1 - q), mpf(1)), (q**2, mpf(2))], [(mpf(1), mpf(0))])
    assert truth(mpf(accountant.get_epsilon(1e-5))) <= 1e-5
    naive = (doeblin.gaussian(1.0) | doeblin.poisson(0.2)).epsilon(1e-5)
    assert truth(mpf(naive.upper)) > 1e-5


def test_opacus_mistakes_are_named():
    accountant = doeblin.bridges.opacus.DoeblinAccountant()
    for wrong in (math.nan, -1.0, None, "1", True):
        with pytest.raises((TypeError, ValueError), match="noise_multiplier"):
            accountant.step(noise_multiplier=wrong, sample_rate=0.1)
        with pytest.raises((TypeError, ValueError), match="sample_rate"):
            accountant.step(noise_multiplier=1.0, sample_rate=wrong)
        with pytest.raises((TypeError, ValueError), match="sample_rate"):
            accountant.get_optimizer_hook_fn(wrong)
        with pytest.raises((TypeError, ValueError), match="delta"):
            accountant.get_epsilon(wrong)
    for delta in (0, 1.5):
        with pytest.raises(ValueError, match="delta"):
            accountant.get_epsilon(delta)
    with pytest.raises(ValueError, match="sample_rate"):
        accountant.step(noise_multiplier=1.0, sample_rate=1.5)
    with pytest.raises(TypeError):
        accountant.step(1.0, 0.1)
    with pytest.raises(TypeError, match="poisson"):
        accountant.get_epsilon(1e-5, poisson=False)
    with pytest.raises((TypeError, ValueError), match="steps"):
        accountant.get_optimizer_hook_fn(0.1)(types.SimpleNamespace(noise_multiplier=1.0, accumulated_iterations=0))
    assert accountant.history == []


# Imports, examples and documentation.


def test_nothing_is_imported_before_it_is_asked_for():
    code = "import sys, doeblin; assert not [m for m in sys.modules if m.startswith(('dp_accounting', 'doeblin.bridges'))]; import doeblin.bridges; import doeblin.bridges.opacus; assert not [m for m in sys.modules if m.startswith(('dp_accounting', 'opacus', 'torch'))]"
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("module", [doeblin.bridges.dp_accounting, doeblin.bridges._dp_events, doeblin.bridges.opacus])
def test_examples_of_the_modules(module):
    result = doctest.testmod(module)
    assert result.failed == 0 and result.attempted > 0


PAGE = (pathlib.Path(__file__).parents[2] / "docs" / "guides" / "bridges.md").read_text()


def test_examples_of_the_page():
    namespace = {}
    examples = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert len(examples) >= 3
    for example in examples:
        exec(example, namespace)


ROWS = re.findall(r"^\| `(.*?)` \| (\w+) \| (\S+) \| (\S+) \| (\S+) to (\S+) \| (.*?) \|$", PAGE, re.MULTILINE)


@pytest.mark.parametrize("event, relation, delta, their_epsilon, lower, upper, reason", ROWS)
def test_the_table_of_the_page(event, relation, delta, their_epsilon, lower, upper, reason):
    event, relation = eval(event, dict(EVENTS)), dp.NeighboringRelation[relation]
    ours = pipeline_of(event, relation).epsilon(float(delta))
    assert float(lower) <= ours.lower + 2e-3 and ours.upper - 2e-3 <= float(upper)
    answer = theirs(event, relation, float(delta))
    assert their_epsilon == "refused" if answer is None else float(their_epsilon) == pytest.approx(answer, rel=1e-4)
    is_inside = answer is not None and ours.lower <= answer * (1 + 1e-9) and answer <= ours.upper + 1e-3
    assert is_inside == (reason == "")


def test_the_table_has_rows():
    assert len(ROWS) >= 12 and sum(reason != "" for *_, reason in ROWS) >= 5
