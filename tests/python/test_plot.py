# SPDX-License-Identifier: Apache-2.0
"""Plots: what is drawn, that it can be read, and that nothing else is touched."""
import itertools
import json
import math
import subprocess
import sys

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_hex, to_rgb

import doeblin
from doeblin import Comparison, People, compose, gaussian, laplace, mix, noisy_sgd, poisson
from doeblin import _plot

SAMPLED = gaussian(sigma=1.1) | poisson(rate=256 / 60000)
RELEASES = laplace(scale=10) | compose(30)
RUN = noisy_sgd(n=1000, learning_rate=0.1, sigma=2, lipschitz=1, smoothness=1, diameter=2)
KERNEL = 0.7 * np.eye(5) + 0.06

pytestmark = pytest.mark.filterwarnings("error")


@pytest.fixture(autouse=True)
def one_figure_at_most():
    before = dict(matplotlib.rcParams)
    yield
    assert len(plt.get_fignums()) <= 1
    plt.close("all")
    assert dict(matplotlib.rcParams) == before


def curves(axes):
    return [line for line in axes.get_lines() if not line.get_label().startswith("_")]


def edges(axes):
    return [line for line in axes.get_lines() if line.get_label() == "_doeblin_edge"]


def words(axes):
    return [text.get_text() for text in axes.texts]


def texts_of(figure):
    """Everything that is written, with its box."""
    figure.canvas.draw()
    found = list(figure.texts)
    for axes in figure.axes:
        found += [*axes.texts, axes.title, axes._left_title, axes._right_title, axes.xaxis.label, axes.yaxis.label]
        found += axes.get_legend().get_texts() if axes.get_legend() else []
        for axis in (axes.xaxis, axes.yaxis):
            low, high = sorted(axis.get_view_interval())
            ticks = [*axis.get_major_ticks(), *axis.get_minor_ticks()]
            found += [tick.label1 for tick in ticks if low <= tick.get_loc() <= high]
            found.append(axis.get_offset_text())
    return [(text.get_text(), text.get_window_extent()) for text in found if text.get_visible() and text.get_text().strip()]


def assert_legible(figure):
    boxes = texts_of(figure)
    for text, box in boxes:
        assert box.x0 >= -0.5 and box.y0 >= -0.5, text
        assert box.x1 <= figure.bbox.x1 + 0.5 and box.y1 <= figure.bbox.y1 + 0.5, text
    for (first, a), (second, b) in itertools.combinations(boxes, 2):
        # Boxes have some air around the letters.
        apart = a.x1 < b.x0 + 1 or b.x1 < a.x0 + 1 or a.y1 < b.y0 + 2 or b.y1 < a.y0 + 2
        assert apart, (first, second)


def comparison(rows, best="best", expression="gaussian(sigma=1)"):
    """Rows are names with (lower, upper), or with the reason why it does not apply."""
    analyses = []
    for name, value in rows:
        row = {"name": name, "description": "words", "delta": 1e-5, "converged": True}
        if isinstance(value, str):
            row = {"name": name, "description": "words", "not_applicable": value}
        else:
            row["epsilon"] = dict(zip(("lower", "upper"), (str(x) if math.isinf(x) else x for x in value)))
        analyses.append(row)
    return Comparison(json.dumps({"best": best, "analyses": analyses, "expression": expression}), "")


def people(values, first=None, last=None, quantity="epsilon"):
    upper = np.asarray(values, dtype=float)
    first = np.arange(1, len(upper) + 1) if first is None else first
    given = "delta" if quantity == "epsilon" else "epsilon"
    text = json.dumps({"answers": [{"quantity": quantity, given: 1e-5}], "expression": "noisy_sgd(...)"})
    return People(text, "", "", first, first if last is None else last, np.zeros_like(upper), upper)


# Profiles.


def test_a_profile():
    profile = SAMPLED.profile(np.linspace(0, 2, 41))
    axes = profile.plot()
    line, = curves(axes)
    assert (line.get_xdata() == profile.epsilon).all() and (line.get_ydata() == profile.delta.upper).all()
    band, = axes.collections
    vertices = band.get_paths()[0].vertices
    assert {*profile.delta.lower, *profile.delta.upper} <= {*vertices[:, 1]}
    assert axes.get_yscale() == "log" and axes.get_xlabel() == "epsilon (nats)" and "delta" in axes.get_ylabel()
    assert axes.get_title("left") == "Privacy profile"
    assert "gaussian(sigma=1.1" in words(axes)[0] and "0.00426667" in words(axes)[0]
    assert axes.get_legend() is None
    low, high = axes.get_ylim()
    assert low < profile.delta.upper.min() and profile.delta.upper.max() < high < 10
    assert_legible(axes.figure)


def test_a_pipeline_is_drawn_as_its_profile():
    line, = curves(SAMPLED.plot(epsilon=[0, 1]))
    assert (line.get_ydata() == SAMPLED.delta([0, 1]).upper).all()
    assert curves(gaussian(sigma=1).plot(ax=plt.gca(), color="red"))[1].get_color() == "red"


def test_several_profiles_on_one_axes():
    axes = laplace(scale=1).profile().plot()
    assert len(words(axes)) == 2
    for sigma in (1, 2, 3):
        assert (gaussian(sigma=sigma) | compose(3)).profile().plot(axes) is axes
    gaussian(sigma=4).profile().plot(axes, label="mine", lw=1, ls="-.")
    assert len({line.get_color() for line in curves(axes)}) == 5
    # Without colours too.
    assert len({str(line._unscaled_dash_pattern) for line in curves(axes)[:4]}) == 4
    names = [text.get_text() for text in axes.get_legend().get_texts()]
    assert len(names) == 5 and names[4] == "mine" and "sigma=2" in names[2]
    assert curves(axes)[4].get_linewidth() == 1
    # One expression is no longer a subtitle.
    assert not [text for text in axes.texts if text.get_label() == "_doeblin_subtitle"]
    assert_legible(axes.figure)


def test_a_label_makes_a_legend():
    axes = gaussian(sigma=1).profile().plot(label="costs $5 or $6\n_{")
    assert [text.get_text() for text in axes.get_legend().get_texts()] == [r"costs \$5 or \$6 _{"]
    assert_legible(axes.figure)


def test_where_delta_is_zero():
    profile = laplace(scale=1).profile()
    axes = profile.plot()
    line, = curves(axes)
    # The last value holds up to where 0 is known.
    assert line.get_xdata().tolist()[:4] == [0, 0.5, 1, 1]
    assert line.get_ydata().tolist()[:5] == [*profile.delta.upper[:2], profile.delta.upper[1], 0, 0]
    edge, = edges(axes)
    assert np.isnan(edge.get_ydata()[:2]).all() and (edge.get_ydata()[2:] == 0).all()
    assert "delta = 0" in words(axes)
    assert 0.01 < axes.get_ylim()[0] < profile.delta.upper[1]
    assert_legible(axes.figure)


def test_zero_everywhere():
    axes = laplace(scale=1).profile([2, 3]).plot()
    assert axes.get_yscale() == "log" and 0 < axes.get_ylim()[0] < axes.get_ylim()[1]
    assert edges(axes)[0].get_ydata().tolist() == [0, 0] and "delta = 0" in words(axes)
    assert_legible(axes.figure)


def test_far_tails_and_subnormal_numbers():
    profile = gaussian(sigma=0.5).profile(np.linspace(0, 100, 101))
    assert 0 < profile.delta.upper[-1] < 1e-320
    axes = profile.plot()
    assert 1e-320 < axes.get_ylim()[0] < 1e-299 and axes.get_ylim()[1] <= 11
    assert "delta < 1e-300" in words(axes)
    assert_legible(axes.figure)


def test_points_out_of_order_and_at_infinity():
    axes = gaussian(sigma=1).profile([math.inf, 2, 1, 0]).plot()
    line, = curves(axes)
    assert line.get_xdata().tolist() == [0, 1, 2] and (np.diff(line.get_ydata()) < 0).all()
    assert_legible(axes.figure)


def test_one_point_can_be_seen():
    line, = curves(gaussian(sigma=1).profile(1.0).plot())
    assert line.get_marker() == "o" and len(line.get_xdata()) == 1


def test_what_the_user_has_set_stays():
    figure, axes = plt.subplots()
    axes.set(title="Mine", xlabel="x", ylabel="y", ylim=(1e-3, 2))
    axes.plot([0, 1], [0.5, 0.25], label="other", color="black")
    gaussian(sigma=1).profile().plot(axes)
    assert (axes.get_title(), axes.get_title("left"), axes.get_xlabel(), axes.get_ylabel()) == ("Mine", "", "x", "y")
    assert axes.get_ylim() == (1e-3, 2)
    assert curves(axes)[1].get_linestyle() != "-" and len(axes.get_legend().get_texts()) == 2


def test_ordinary_axes_have_room():
    figure, axes = plt.subplots()
    assert SAMPLED.profile().plot(axes) is axes and plt.get_fignums() == [figure.number]
    assert_legible(figure)


def test_a_failure_leaves_no_figure():
    with pytest.raises(ValueError):
        gaussian(sigma=1).profile().plot(color="no such colour")
    assert plt.get_fignums() == []


# Comparisons.


def test_a_comparison():
    asked = RELEASES.compare(delta=1e-5)
    axes = asked.plot()
    assert [label.get_text() for label in axes.get_yticklabels()] == [row["name"] for row in asked.analyses]
    bars = [line for line in edges(axes) if len(line.get_xdata()) == 2]
    ends = [line for line in edges(axes) if len(line.get_xdata()) == 1]
    assert [line.get_xdata()[1] for line in bars] == [row["epsilon"].upper for row in asked.analyses]
    assert [line.get_xdata()[0] for line in bars] == [row["epsilon"].lower for row in asked.analyses]
    assert [line.get_marker() for line in ends] == ["D"] + ["o"] * (len(ends) - 1)
    assert ends[0].get_color() != ends[1].get_color()
    bold = [label.get_text() for label in axes.get_yticklabels() if label.get_fontweight() == "bold"]
    assert bold == [asked.best]
    assert axes.get_xlabel().startswith("epsilon at delta = 1e-05")
    assert axes.get_ylim()[0] > axes.get_ylim()[1]
    assert_legible(axes.figure)


@pytest.mark.parametrize("uppers, scale", [((1, 90), "linear"), ((1, 101), "log"), ((0, 5), "linear"), ((0, 0), "linear"),
                                           ((1e-200, 1e200), "log"), ((math.inf, math.inf), "linear")])
def test_the_scale_of_a_comparison(uppers, scale):
    axes = comparison([("best", (0, uppers[0])), ("other", (0, uppers[1]))]).plot()
    assert axes.get_xscale() == scale
    low, high = axes.get_xlim()
    assert all(low <= x <= high for line in edges(axes) for x in line.get_xdata())
    assert_legible(axes.figure)


def test_infinite_bounds_are_marked():
    axes = comparison([("best", (0.5, 2)), ("none", (0.5, math.inf)), ("all", (math.inf, math.inf))]).plot()
    assert [line.get_marker() for line in edges(axes) if len(line.get_xdata()) == 1] == ["D", ">", ">"]
    assert words(axes).count("infinite") == 2
    assert edges(axes)[2].get_xdata().tolist() == [0.5, axes.get_xlim()[1]]


def test_numbers_are_rounded_up():
    assert "<= 1.001" in words(comparison([("best", (0, 1.00000001))]).plot())


def test_what_does_not_apply_is_grey_with_the_reason():
    axes = (noisy_sgd(n=10, learning_rate=0.1, sigma=2, lipschitz=1, smoothness=1)).compare(epsilon=1).plot()
    assert "does not apply: diameter = inf, need a finite diameter" in words(axes)
    grey = [label.get_text() for label in axes.get_yticklabels() if label.get_color() == _plot._SOFT]
    assert grey == ["contraction", "asoodeh"]
    assert axes.get_xlabel().startswith("delta at epsilon = 1")
    assert_legible(axes.figure)


@pytest.mark.parametrize("letter", ["W", "i", "long words ", "$"])
def test_a_long_comparison_can_be_read(letter):
    rows = [(f"{i}-" + letter * 60, f"{letter * 200}") for i in range(4)]
    rows += [(f"{i}-" + letter * (4 * i), (0.0, 10.0 ** (3 * i - 20))) for i in range(4, 12)]
    axes = comparison(rows, best=rows[7][0], expression="gaussian(sigma=" + letter * 300 + ")").plot()
    assert_legible(axes.figure)
    ticks = [label.get_text() for label in axes.get_yticklabels()]
    assert len(ticks) == 12 and ticks[0].endswith("...")
    reasons = [(text, box) for text, box in texts_of(axes.figure) if text.startswith("does not apply")]
    assert len(reasons) == 4
    assert all(text.endswith("...") and box.x1 <= axes.get_window_extent().x1 for text, box in reasons)


def test_an_empty_comparison():
    assert_legible(comparison([]).plot().figure)


# People.


def test_everybody():
    everybody = RUN.people(delta=1e-5)
    axes = everybody.plot()
    line, = curves(axes)
    x, y = line.get_data()
    shown = dict(zip(x, y))
    assert all(shown[i] == everybody.upper[i - 1] for i in (1, 500, 900, 1000))
    assert axes.get_yscale() == "log" and "epsilon = 0" in words(axes)
    worst = edges(axes)[-1]
    assert (worst.get_xdata(), worst.get_ydata(), worst.get_marker()) == ([1000], [everybody.upper[-1]], "^")
    assert "worst: record 1,000, epsilon <= 4.378" in words(axes)
    assert axes.get_ylabel() == "epsilon at delta = 1e-05" and "record" in axes.get_xlabel()
    assert_legible(axes.figure)


def test_runs_of_equal_values_are_few_points():
    count = 5_000_000
    first = np.array([1, 2, count // 2, count])
    axes = people([0.5, 1, 2, 1.5], first, np.append(first[1:] - 1, count)).plot()
    line, = curves(axes)
    assert line.get_xdata().tolist() == [1, 1, 2, count // 2 - 1, count // 2, count - 1, count, count]
    assert line.get_ydata().tolist() == [0.5, 0.5, 1, 1, 2, 2, 1.5, 1.5]
    assert axes.get_yscale() == "linear" and axes.get_ylim()[0] == 0
    assert f"worst: record {count // 2:,}, epsilon <= 2" in words(axes)
    assert_legible(axes.figure)


def test_many_different_values_are_drawn_as_their_largest():
    values = np.random.default_rng(1).uniform(1, 2, 200_003)
    line, = curves(people(values).plot())
    x, y = line.get_data()
    assert len(x) == 2 * _plot._MOST_STEPS and x[0] == 1 and x[-1] == len(values)
    for first, last, shown in zip(x[::2].astype(int), x[1::2].astype(int), y[::2]):
        assert shown == values[first - 1 : last].max()


def test_infinite_and_equal_guarantees():
    axes = people([1, math.inf, math.inf, 1]).plot()
    assert "epsilon is infinite" in words(axes) and axes.get_ylim() == (0, 1.08)
    plt.close(axes.figure)
    assert people([math.inf] * 3).plot().get_ylim() == (0, 1)
    plt.close("all")
    assert people([0.0] * 3).plot().get_ylim() == (0, 1)
    plt.close("all")
    assert_legible(people([0.25], quantity="delta").plot().figure)
    plt.close("all")
    with pytest.raises(ValueError):
        people([]).plot()


def test_two_runs_on_one_axes():
    axes = people([1, 2, 3]).plot(label="one")
    people([3, 2, 1]).plot(axes, label="two")
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["one", "two"]
    assert len({line.get_color() for line in curves(axes)}) == 2
    # Fifteen decades are shown, however many there are.
    people([1e-250, 1e-5, 1]).plot(axes)
    assert axes.get_yscale() == "log" and 1e-16 < axes.get_ylim()[0] < 1e-5
    people([1, 1e-200, 1]).plot(axes)
    assert 1e-16 < axes.get_ylim()[0] < 1e-5


# Kernels.


def test_mixing():
    mixing = mix(KERNEL, mechanism=gaussian(sigma=1), steps=6)
    above, below = panels = mixing.plot()
    assert isinstance(panels, np.ndarray) and above.figure is below.figure
    for axes, quantity in ((above, "epsilon"), (below, "delta")):
        line, = curves(axes)
        assert line.get_xdata()[0] == 0 and line.get_ydata()[0] == mixing.before[quantity].upper
        drawn = dict(zip(*line.get_data()))
        assert all(drawn[row["steps"]] == row[quantity].upper for row in mixing.steps)
    assert (above.get_ylabel(), below.get_ylabel()) == ("epsilon at delta = 1e-06", "delta at epsilon = 1")
    assert "steps" in below.get_xlabel() and "kernel" in words(above)[0]
    assert_legible(above.figure)


def test_mixing_on_given_axes():
    mixing = mix(KERNEL, steps=40)
    figure, (left, right) = plt.subplots(1, 2, figsize=(12, 4), layout="constrained")
    assert mixing.plot(left) is left and not right.lines
    left.clear()
    assert [*mixing.plot((left, right))] == [left, right]
    assert len(curves(left)) == len(curves(right)) == 1
    assert_legible(figure)


def test_a_kernel_that_cannot_be_repeated():
    assert_legible(mix(np.array([[0.5, 0.25, 0.25], [0.25, 0.25, 0.5]])).plot()[0].figure)


# Everything.


def luminance(colour):
    r, g, b = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(colour))
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


@pytest.mark.parametrize("background", ["#ffffff", "#13161b", "#000000"])
def test_contrast(background):
    for colour, least in [(colour, 3) for colour in _plot._COLOURS] + [(_plot._SOFT, 4)]:
        a, b = sorted((luminance(colour), luminance(background)))
        assert (b + 0.05) / (a + 0.05) >= least, colour


def test_dark_backgrounds():
    with plt.style.context("dark_background"):
        axes = RUN.people().plot()
        note, = [text for text in axes.texts if text.get_text().startswith("worst")]
        assert to_hex(note.get_color()) == to_hex(axes._left_title.get_color()) == "#ffffff"
        assert_legible(axes.figure)


def test_subfigures():
    figure = plt.figure(figsize=(14, 5), layout="constrained")
    for part, draw in zip(figure.subfigures(1, 2), (SAMPLED.profile().plot, RELEASES.compare(delta=1e-5).plot)):
        draw(part.subplots())
    assert_legible(figure)


@pytest.mark.parametrize("kind", ["png", "svg", "pdf"])
def test_plots_can_be_written(kind, tmp_path):
    RELEASES.compare(delta=1e-5).plot().figure.savefig(tmp_path / f"plot.{kind}")
    assert (tmp_path / f"plot.{kind}").stat().st_size > 5000


def run_python(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)


def test_importing_the_package_imports_no_matplotlib():
    code = "import sys, doeblin; print([m for m in sys.modules if m.split('.')[0] in ('matplotlib', 'mpl_toolkits')])"
    assert run_python(code).stdout == "[]\n"


def test_what_is_missing_is_said_in_one_line():
    code = ("import sys; sys.modules['matplotlib'] = None\nimport doeblin\n"
            "try: doeblin.gaussian(sigma=1).profile().plot()\nexcept ImportError as error: print(error)")
    assert run_python(code).stdout == "plots need matplotlib: pip install doeblin[plot]\n"


def test_a_plot_without_a_display():
    code = "import doeblin; print(type(doeblin.gaussian(sigma=1).plot()).__name__)"
    done = run_python(code)
    assert (done.stdout, done.stderr) == ("Axes\n", "")
