# SPDX-License-Identifier: Apache-2.0
"""The algebra, brackets, arrays, threads and mistakes."""
import copy
import math
import pickle
import threading
import warnings

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import doeblin
from doeblin import *  # noqa: F403


def test_operators_build_what_expressions_say():
    a, b, c = laplace(scale=3), gaussian(sigma=2), randomized_response(p=0.6)
    assert (a + b + c).expression == doeblin.parse("laplace(3) + gaussian(2) + randomized_response(0.6)").expression
    assert sum([a, b, c]).expression == (a + b + c).expression
    tail = poisson(rate=0.1) | compose(10)
    assert (a | tail).expression == (a | poisson(rate=0.1) | compose(10)).expression
    assert (a | tail).epsilon(1e-5) == (a | poisson(rate=0.1) | compose(10)).epsilon(1e-5)
    both = kernel([[0.9, 0.1], [0.2, 0.8]]) | k_ary_response(k=2, p=0.75)
    assert (c | both).delta(0.1) <= c.delta(0.1)
    for broken in (lambda: a | b, lambda: a + tail, lambda: tail | a, lambda: a | 3, lambda: 3 + a, lambda: a + None):
        with pytest.raises(TypeError):
            broken()
    assert ((a | poisson(0.1)) + (a | without_replacement(n=10, m=2))).relation == "substitute"
    with pytest.raises(ValueError, match="relation"):
        (a | poisson(0.1)) + noisy_sgd(n=10, learning_rate=0.5, sigma=2, lipschitz=1, smoothness=1, relation="zero_out")


def test_pickle_and_copy():
    for thing in (laplace(scale=3) | poisson(rate=0.1) | compose(10), poisson(rate=0.25) | compose(3)):
        for again in (pickle.loads(pickle.dumps(thing)), copy.deepcopy(thing)):
            assert again.expression == thing.expression and type(again) is type(thing)
    run = noisy_sgd(n=8, learning_rate=0.5, sigma=[20] + [0.5] * 7, lipschitz=1, smoothness=0.5, diameter=1)
    other = noisy_sgd(n=8, learning_rate=0.5, sigma=2, lipschitz=[1] * 7 + [2], smoothness=0.5)
    for thing in (run, run | compose(2), run + laplace(scale=3), run + other, (laplace(scale=10) | compose(20)).under(accountant="renyi"),
                  (laplace(scale=10) | compose(20)).under(width=0.1)):
        again = pickle.loads(pickle.dumps(thing))
        assert (again.epsilon(1e-5).lower, again.epsilon(1e-5).upper) == (thing.epsilon(1e-5).lower, thing.epsilon(1e-5).upper)
    report = laplace(scale=3).explain()
    assert pickle.loads(pickle.dumps(report)) == report and str(pickle.loads(pickle.dumps(report))) == str(report)
    bracket = Bracket(1.0, 2.0)
    assert repr(pickle.loads(pickle.dumps(bracket))) == repr(bracket)
    certificate = laplace(scale=3).certificate(delta=1e-5)
    assert pickle.loads(pickle.dumps(certificate)) == certificate
    with pytest.raises(ValueError, match="array"):
        pickle.dumps(finite([[0.5, 0.5], [0.4, 0.6]]))


def test_settings_hold_for_what_follows():
    renyi = (laplace(scale=10) | compose(30)).under(accountant="renyi")
    stepwise = laplace(scale=10).under(accountant="renyi") | compose(30)
    assert stepwise.epsilon(1e-5).upper == renyi.epsilon(1e-5).upper
    assert stepwise.certificate(delta=1e-5).verify().verdict != "REFUTED"
    for both in (renyi + laplace(scale=5), laplace(scale=5) + renyi):
        assert both.epsilon(1e-5) == (laplace(scale=5) + (laplace(scale=10) | compose(30))).under(accountant="renyi").epsilon(1e-5)
    with pytest.raises(ValueError, match="different ways"):
        renyi + laplace(scale=5).under(accountant="basic")


def test_a_certificate_is_about_the_files_of_now(tmp_path):
    file = tmp_path / "kernel.csv"
    file.write_text("0.9,0.1\n0.1,0.9\n")
    pipeline = randomized_response(p=0.75) | kernel(file)
    file.write_text("0.6,0.4\n0.4,0.6\n")
    assert pipeline.certificate(epsilon=0.1).verify().verdict != "REFUTED"


def test_a_bracket_is_its_upper_end_as_a_float():
    x = gaussian(sigma=2).epsilon(1e-6)
    assert isinstance(x, float) and x == x.upper and math.sqrt(x) == math.sqrt(x.upper)
    assert x.lower <= x.upper and x.width >= 0 and x.upper in x and 100.0 not in x
    assert f"{x:.3f}" == f"{x.upper:.3f}" and f"{x}" == str(x)
    assert np.asarray([x, x]).dtype == np.float64 and np.float64(x) == x.upper
    low, high = str(x)[1:-1].split(", ")
    assert float(low) <= x.lower and x.upper <= float(high)
    for lower, upper in ((2.0, 1.0), (math.nan, 1.0), (0.0, math.nan)):
        with pytest.raises(ValueError):
            Bracket(lower, upper)
    infinite = Bracket(1.0, math.inf)
    assert math.isinf(infinite) and str(infinite) == "[1, inf]" and Bracket(math.inf, math.inf).width == 0


@given(st.floats(allow_nan=False), st.integers(1, 12))
def test_printed_ends_are_rounded_outward(x, digits):
    from doeblin._bracket import _rounded

    assert float(_rounded(x, digits, up=True)) >= x >= float(_rounded(x, digits, up=False))


MECHANISMS = [
    gaussian(sigma=1.5), laplace(scale=2) | group(2), discrete_gaussian(sigma=3), gaussian(sigma=1) | poisson(rate=0.2),
    laplace(scale=10) | compose(20), noisy_sgd(n=20, learning_rate=0.5, sigma=2, lipschitz=1, smoothness=0.5, diameter=1),
    noisy_sgd(n=20, learning_rate=0.5, sigma=2, lipschitz=1, smoothness=0.5, order="permuted"),
    black_box(epsilon=1, delta=1e-6) | kernel([[0.9, 0.1], [0.2, 0.8]]),
]


@pytest.mark.parametrize("pipeline", MECHANISMS, ids=repr)
def test_arrays_are_the_same_questions(pipeline):
    for name, values in (("epsilon", np.logspace(-9, -1, 7)), ("delta", np.linspace(0, 3, 7)), ("rdp", np.array([1.5, 2, 8, np.inf]))):
        ask = getattr(pipeline, name)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", AccuracyWarning)
            many = ask(values)
            assert many.shape == values.shape and isinstance(many, Brackets)
            for i, value in enumerate(values):
                one = ask(value)
                assert (many[i].lower, many[i].upper) == (one.lower, one.upper)
            again = ask(values.reshape(-1, 1)[::-1])
            assert np.array_equal(again.upper[::-1, 0], many.upper)
            assert np.array_equal(ask(list(values)).upper, many.upper)
            assert np.array_equal(ask(values.astype(np.float32)[:0]).upper, [])


def test_many_gaussian_deltas_enclose_single_ones():
    rng = np.random.default_rng(7)
    for sigma in (0.1, 1.0, 30.0):
        pipeline = gaussian(sigma=sigma)
        epsilons = rng.uniform(0, 12 / sigma, 5000)
        many = pipeline.delta(epsilons)
        for i in range(0, 5000, 97):
            one = pipeline.delta(epsilons[i])
            assert many[i].lower <= one.upper and one.lower <= many[i].upper
            assert many[i].width <= 1e-13 * many[i].upper + 5e-324


def test_answers_that_are_held_are_not_written_over():
    epsilons = np.linspace(0, 5, 1 << 17)
    held, copies = [], []
    for sigma in (1.0, 2.0, 3.0):
        answer = gaussian(sigma=sigma).delta(epsilons)
        held.append(answer.lower if sigma == 2.0 else answer[5:])
        copies.append(np.array(held[-1]))
        del answer
    for one, copied in zip(held, copies):
        assert np.array_equal(np.asarray(one), copied)
    for shape in ((1 << 17,), (1 << 10, 1 << 7)):
        assert gaussian(sigma=1).delta(epsilons.reshape(shape)).shape == shape


def test_arrays_behave_as_their_upper_ends():
    many = gaussian(sigma=1).delta([0.0, 1.0, 2.0])
    assert np.allclose(np.log(many), np.log(many.upper)) and (many <= 1).all() and (1 - many).tolist() == (1 - many.upper).tolist()
    assert np.asarray(many) is many.upper and np.array(many, dtype=np.float32).dtype == np.float32
    assert isinstance(many[1:], Brackets) and isinstance(many[0], Bracket) and len(many) == 3
    assert [x.upper for x in many] == many.tolist() and many.max() == many.upper[0]
    assert "..." in str(gaussian(sigma=1).delta(np.zeros(20)))


@pytest.mark.parametrize("pipeline", MECHANISMS, ids=repr)
def test_threads_get_the_answers_of_one_thread(pipeline):
    deltas, epsilons = np.logspace(-8, -2, 12), np.linspace(0, 2, 12)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", AccuracyWarning)
        expected = pipeline.epsilon(deltas), pipeline.delta(epsilons)
        fresh = doeblin.parse(pipeline._expression.program) if "array" not in repr(pipeline) else pipeline
        found = []

        def work():
            found.append((fresh.epsilon(deltas), fresh.delta(epsilons)))

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(found) == 4
    for epsilon, delta in found:
        assert np.array_equal(epsilon.upper, expected[0].upper) and np.array_equal(delta.upper, expected[1].upper)


def test_the_lock_is_released():
    """Another thread goes on while a slow question is answered."""
    slow = gaussian(sigma=1.1) | poisson(rate=0.01) | compose(100000)
    ticks, done = [0], threading.Event()

    def tick():
        while not done.is_set():
            ticks[0] += 1
            done.wait(1e-4)

    thread = threading.Thread(target=tick)
    thread.start()
    slow.epsilon(1e-6)
    slow.epsilon(1e-9)
    done.set()
    thread.join()
    assert ticks[0] > 10


def test_calibration_of_any_function():
    found = calibrate(lambda s: gaussian(sigma=2 * s) | compose(10), epsilon=1, delta=1e-5)
    direct = calibrate(lambda s: gaussian(sigma=s) | compose(10), epsilon=1, delta=1e-5)
    assert abs(2 * float(found) - float(direct)) < 1e-6 * float(direct) and found.pipeline.delta(1) <= 1e-5
    # A number that two arguments share.
    both = calibrate(lambda s: gaussian(sigma=s) + laplace(scale=s), epsilon=1, delta=1e-5)
    assert both.pipeline.delta(1) <= 1e-5
    rate = calibrate(lambda r: gaussian(sigma=1) | poisson(rate=r) | compose(10), epsilon=1, delta=1e-5)
    assert 0 < float(rate) < 1 and rate.parameter == "rate"
    steps = calibrate(lambda k: laplace(scale=20) | compose(round(k)), epsilon=2, delta=1e-6, low=1, high=1e4, integer=True,
                      larger_is_safer=False)
    assert float(steps) == 84.0
    in_memory = calibrate(lambda s: gaussian(sigma=s) | kernel([[0.9, 0.1], [0.2, 0.8]]), epsilon=1, delta=1e-5)
    assert in_memory.pipeline.delta(1) <= 1e-5
    with pytest.raises(ValueError, match="both open"):
        calibrate(lambda s: black_box(epsilon=s, delta=s), epsilon=0.001, delta=0.01)
    calls = []
    with pytest.raises(ValueError, match="again"):
        calibrate(lambda s: calls.append(0) or gaussian(sigma=s if len(calls) < 2 else 0.1), epsilon=1, delta=1e-5)
    assert float(calibrate(lambda s: doeblin.parse(f"gaussian(sigma={s})"), epsilon=1, delta=1e-5)) > 3
    with pytest.raises(ValueError, match="no value"):
        calibrate(lambda s: gaussian(sigma=s) + black_box(epsilon=5), epsilon=1, delta=1e-9)
    with pytest.raises(ZeroDivisionError):
        calibrate(lambda s: 1 / 0, epsilon=1, delta=1e-5)
    for function in (lambda s: 3, lambda s: None, 7, None, "gaussian(sigma=1)", "gaussian(sigma=?) +"):
        with pytest.raises((TypeError, ValueError)):
            calibrate(function, epsilon=1, delta=1e-5)


WRONG = [None, "two", b"2", [1.0], (), {}, object(), 1j, True, math.nan, -1.0, 0.0, -math.inf, np.array([1.0, 2.0]),
         np.datetime64("2020-01-01"), 10**400]


@pytest.mark.parametrize("function, parameter", [
    (lambda x: gaussian(sigma=x), "sigma"), (lambda x: laplace(scale=x), "scale"), (lambda x: laplace(1, sensitivity=x), "sensitivity"),
    (lambda x: gaussian(1) | compose(x), "k"), (lambda x: gaussian(1) | poisson(x), "rate"), (lambda x: gdp(x), "mu"),
    (lambda x: gaussian(1).epsilon(delta=x), "delta"), (lambda x: gaussian(1).rdp(alpha=x), "alpha"),
    (lambda x: brownian(x), "time"), (lambda x: kernel([[1.0]], steps=x), "steps"),
])
@pytest.mark.parametrize("wrong", WRONG, ids=lambda wrong: repr(wrong).split(" at 0x")[0][:40])
def test_wrong_numbers_name_the_parameter(function, parameter, wrong):
    if isinstance(wrong, (list, tuple, np.ndarray)) and parameter in ("delta", "alpha"):
        return  # an array is a question about many numbers
    if type(wrong) is float and wrong == 0.0 and parameter in ("mu", "rate", "sensitivity"):
        return  # perfectly private
    with pytest.raises((TypeError, ValueError), match=parameter):
        function(wrong)


def test_wrong_arrays_name_the_parameter():
    pipeline = gaussian(sigma=1)
    for wrong in ([math.nan], [-1.0], ["a"], [None], [[1.0], [1.0, 2.0]], np.array([1j]), np.array([True]), [object()]):
        for ask, name in ((pipeline.epsilon, "delta"), (pipeline.delta, "epsilon"), (pipeline.rdp, "alpha")):
            with pytest.raises((TypeError, ValueError), match=name):
                ask(wrong)
    for wrong in ([[0.5, 0.6]], [[1.0, -0.0], [2.0, -1.0]], [1.0], np.zeros((0, 3)), [[math.nan]], "missing.csv", 3, None, [["a"]]):
        with pytest.raises((TypeError, ValueError), match="kernel|file|missing"):
            kernel(wrong)
        with pytest.raises((TypeError, ValueError), match="finite|file|missing|row|matrix|entr"):
            finite(wrong)
    for wrong in ([[0.5, 1.0]], [[-1, 0]], [[0]], [], [[0, 1, -1.0]], [[0, 1e12]]):
        with pytest.raises((TypeError, ValueError), match="lazy_walk|edge|weight|node"):
            lazy_walk(wrong)
    for wrong in ([], [math.nan] * 5, [[0.5]], ["x"], [0.5, -0.5]):
        with pytest.raises((TypeError, ValueError), match="learning_rate"):
            noisy_sgd(n=5, learning_rate=wrong, sigma=2, lipschitz=1, smoothness=0.5)


ANYTHING = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8), st.binary(max_size=4), st.complex_numbers(),
    st.lists(st.floats(), max_size=4), st.lists(st.lists(st.floats(0, 1), max_size=3), max_size=3),
    st.sampled_from([object(), {}, (), float, gaussian(1), compose(2), np.float32(0.5), np.int64(3), np.zeros((2, 2)), np.array(0.5)]),
)
# What may be slow for large numbers is asked with small ones only.
STAGES = [name for name in doeblin._stages.__all__ if name not in ("noisy_sgd", "noisy_iteration")]


@settings(max_examples=600, deadline=None)
@given(st.sampled_from(STAGES), st.lists(ANYTHING, max_size=4))
def test_no_arguments_crash_a_stage(name, arguments):
    try:
        made = getattr(doeblin, name)(*arguments)
    except (TypeError, ValueError) as error:
        assert "\n" not in str(error) or isinstance(error, TypeError)
        return
    assert isinstance(made, (Pipeline, Stage))


@settings(max_examples=300, deadline=None)
@given(st.dictionaries(st.sampled_from(["n", "learning_rate", "sigma", "lipschitz", "smoothness", "diameter", "batch", "epochs", "order", "output", "noise", "checkpoints", "public_tail", "tasks"]), st.one_of(ANYTHING, st.sampled_from([1, 2, 0.5, 3])), max_size=14))
def test_no_arguments_crash_a_run(changes):
    arguments = dict(n=4, learning_rate=0.5, sigma=2, lipschitz=1, smoothness=0.5) | {
        name: value for name, value in changes.items() if not (isinstance(value, (int, float)) and abs(value) > 1e4)}
    try:
        noisy_sgd(**arguments)
    except (TypeError, ValueError):
        pass


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(["epsilon", "delta", "rdp", "profile", "explain", "compare", "certificate", "under"]), ANYTHING, st.sampled_from([gaussian(1), laplace(1) | group(2), black_box(1, 1e-6)]))
def test_no_argument_crashes_a_question(name, argument, pipeline):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", AccuracyWarning)
        try:
            if name == "under":
                pipeline.under(accountant=argument, width=argument)
            else:
                getattr(pipeline, name)(argument)
        except (TypeError, ValueError):
            pass


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=60) | st.sampled_from(["gaussian(", "gaussian(1) | ", "laplace('x')", "a\udc80b", "gaussian(sigma=1)\x00"]))
def test_no_text_crashes_the_parser(text):
    try:
        doeblin.parse(text)
    except ValueError as error:
        assert "\n" not in str(error)


@given(st.floats(0.3, 30), st.floats(0, 10), st.floats(0, 10))
@pytest.mark.filterwarnings("ignore::doeblin.AccuracyWarning")
def test_delta_falls_with_epsilon_and_epsilon_meets_it(sigma, first, second):
    pipeline = gaussian(sigma=sigma)
    low, high = sorted((first, second))
    assert pipeline.delta(high).lower <= pipeline.delta(low).upper
    delta = float(pipeline.delta(low))
    if 0 < delta < 1:
        assert pipeline.epsilon(delta).lower <= low + 1e-9


@given(st.floats(0.5, 20), st.floats(0.01, 1), st.integers(1, 5))
@settings(max_examples=25, deadline=None)
def test_amplification_never_hurts(scale, rate, k):
    mechanism = laplace(scale=scale)
    assert (mechanism | poisson(rate=rate)).delta(0.2).lower <= mechanism.delta(0.2).upper
    assert (mechanism | poisson(rate=rate) | compose(k)).delta(0.2).lower <= (mechanism | compose(k)).delta(0.2).upper
    assert (mechanism | doeblin.doeblin(gamma=rate)).delta(0.2) <= mechanism.delta(0.2)


def test_wide_answers_warn():
    wide = laplace(scale=10) | compose(100)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        wide.epsilon(1e-5)
    assert issubclass(AccuracyWarning, UserWarning)


def test_messages_speak_python():
    with pytest.raises(ValueError) as mistake:
        mix([[1.0]], steps=0)
    assert "--" not in str(mistake.value) and "steps" in str(mistake.value)
    with pytest.raises(ValueError, match="^(?!.*--).*test_fraction"):
        train(np.zeros((4, 1)), [0, 1, 0, 1], classes=[0, 1], norm=1, radius=1, epsilon=1, test_fraction=2)


def test_certificates_are_operands(tmp_path):
    (gaussian(sigma=3) | compose(2)).certificate(delta=1e-6).write(tmp_path / "a.json")
    loaded = doeblin.load(tmp_path / "a.json")
    assert loaded.expression == (gaussian(sigma=3) | compose(2)).expression
    assert (loaded | compose(12)).epsilon(1e-6) == (gaussian(sigma=3) | compose(2) | compose(12)).epsilon(1e-6)
    assert doeblin.parse(f"'{tmp_path}/a.json' + laplace(scale=2)").expression == (loaded + laplace(scale=2)).expression
    (tmp_path / "b.json").write_text((tmp_path / "a.json").read_text().replace('"sha256": "', '"sha256": "0', 1))
    with pytest.raises(ValueError, match="b.json: /seal"):
        doeblin.load(tmp_path / "b.json")
    with pytest.raises(TypeError):
        doeblin.load(3)


def test_what_is_only_known_is_a_warning_too():
    with pytest.warns(AccuracyWarning):
        zcdp(rho=0.125).epsilon(1e-6)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        zcdp(rho=0.125).under(width=0.2).epsilon(1e-6)
        black_box(epsilon=1, delta=1e-7).epsilon(1e-6)
