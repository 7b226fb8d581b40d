# SPDX-License-Identifier: Apache-2.0
"""Drawing with matplotlib, which is imported when something is drawn and whose settings are left alone."""
import math
import re
import textwrap

import numpy as np

from ._bracket import Bracket, _rounded

# Each stands out from white and from near-black; dashes tell curves apart where there is no colour.
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#b066b0", "#8c7a1e")
_DASHES = ("-", (0, (6, 2.5)), (0, (1.5, 1.5)), (0, (7, 2, 1.5, 2)))
_SOFT = "#757c84"
# Labels that begin so are not in legends.
_EDGE, _NOTE, _SUBTITLE = "_doeblin_edge", "_doeblin_note", "_doeblin_subtitle"
_FEW_POINTS = 25
_MOST_STEPS = 3000
# Smaller than that is drawn like 0: a bracket that ends at the smallest double would flatten everything else.
_LEAST = 1e-300
_MOST_DECADES = 15


def _pyplot():
    try:
        import matplotlib.pyplot as pyplot
    except ImportError:
        raise ImportError("plots need matplotlib: pip install doeblin[plot]") from None
    return pyplot


def _drawn(draw, axes, count=1, size=(6.8, 4.4)):
    """What `draw` makes of the given axes, or of those of a new figure, which is closed again if that fails."""
    pyplot = _pyplot()
    if axes is not None:
        return draw(axes)
    figure, axes = pyplot.subplots(count, 1, figsize=size, sharex=count > 1, layout="constrained")
    figure.get_layout_engine().set(w_pad=0.1, h_pad=0.1)
    for one in np.atleast_1d(axes):
        one.spines[["top", "right"]].set_visible(False)
        one.grid(True, axis="y", color=_SOFT, alpha=0.25, linewidth=0.8)
        one.set_axisbelow(True)
    try:
        return draw(axes)
    except BaseException:
        pyplot.close(figure)
        raise


# Words.


def _plain(text):
    """On one line, with what cannot be printed left out and dollars that are dollars."""
    shown = "".join(c if c.isprintable() else " " for c in str(text))
    return " ".join(shown.split()).replace("$", r"\$")


def _points(size):
    from matplotlib.font_manager import FontProperties

    return FontProperties(size=size).get_size_in_points()


def _width(text, size):
    """How wide it is when drawn, in points."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    return text_to_path.get_text_width_height_descent(text.replace(r"\$", "$"), FontProperties(size=size), False)[0]


def _shortened(text, size, room):
    """The beginning of the text that is at most `room` points wide."""
    # No letter is narrower than a point.
    text = _plain(str(text)[: int(room) + 2])
    if _width(text, size) <= room:
        return text
    fits, too_long = 0, len(text)
    while too_long - fits > 1:
        middle = (fits + too_long) // 2
        is_fit = _width(text[:middle].rstrip("\\ ") + "...", size) <= room
        fits, too_long = (middle, too_long) if is_fit else (fits, middle)
    return text[:fits].rstrip("\\ ,|") + "..."


def _expression(text):
    """An expression for people: numbers with six digits."""
    return re.sub(r"\d+\.\d{7,}(e[-+]?\d+)?", lambda number: f"{float(number.group()):.6g}", text)


def _axes_width(axes):
    return axes.get_window_extent().width * 72 / axes.figure.dpi


def _note(axes, text, label, **where):
    note = axes.annotate(text, **{"fontsize": "small", "color": _SOFT, **where})
    note.set_label(label)
    return note


def _found(axes, label):
    return [text for text in axes.texts if text.get_label() == label]


def _title(axes, title, subtitle):
    """Both above the axes, unless there is a title already."""
    if axes.get_title() or axes.get_title("left"):
        return
    room = _axes_width(axes)
    # Where nobody makes room, one line fits.
    most_lines = 1 if axes.figure.canvas.figure.get_layout_engine() is None else 2
    lines = textwrap.wrap(_expression(subtitle), max(20, int(room / (0.56 * _points("small")))), max_lines=most_lines,
                          placeholder=" ...")
    lines = [_shortened(line, "small", room) for line in lines]
    axes.set_title(title, loc="left", fontweight="bold", pad=10 + 1.35 * _points("small") * len(lines))
    if lines:
        _note(axes, "\n".join(lines), _SUBTITLE, xy=(0, 1), xycoords="axes fraction", xytext=(0, 6),
              textcoords="offset points", va="bottom")


def _name(axis_setter, current, text):
    """Names an axis that has no name."""
    if not current:
        axis_setter(_plain(text))


# Curves.


def _curves(axes):
    return [line for line in axes.get_lines() if not str(line.get_label()).startswith("_")]


def _held(x, lower, upper, least):
    """The points with a step down to where a logarithmic axis has no place: up to there the last value holds."""
    steps = np.flatnonzero((upper[:-1] >= least) & (upper[1:] < least) & np.isfinite(upper[:-1])) + 1
    before = steps - 1
    return np.insert(x, steps, x[steps]), np.insert(lower, steps, lower[before]), np.insert(upper, steps, upper[before])


def _least(values, is_logarithmic):
    """The least value that the axis has a place for: 0 on a linear one, which is for values within two decades."""
    values = values[np.isfinite(values) & (values >= _LEAST)]
    most = values.max() if values.size else 1.0
    if not is_logarithmic and (not values.size or most <= 100 * values.min()):
        return 0.0
    return max(_LEAST, 10.0**-_MOST_DECADES * most)


def _fit(axes, values, least):
    """Limits that leave some room around the values."""
    values = values[np.isfinite(values) & (values >= least)]
    if least > 0:
        low, high = (math.log10(values.min()), math.log10(values.max())) if values.size else (-12.0, 0.0)
        if high - low < 2:
            low, high = math.floor(low), math.ceil(high)
        pad = max(0.1, 0.04 * (high - low))
        limits = 10.0 ** max(-323.0, low - pad), 10.0 ** min(308.0, high + min(pad, 1.0))
    else:
        most = values.max() if values.size else 0.0
        limits = 0.0, 1.08 * most if most > 0 else 1.0
    axes.set_ylim(*limits, auto=None)


def _edge(axes, x, is_there, colour, y, text):
    """A thick line along the bottom (y = 0) or the top (y = 1), for values that have no place on the axis."""
    from matplotlib.lines import Line2D

    if not is_there.any():
        return
    first = int(np.flatnonzero(is_there)[0])
    along = axes.get_xaxis_transform()
    # As an artist, not a line: limits are those of the values.
    axes.add_artist(Line2D(x, np.where(is_there, float(y), np.nan), color=colour, linewidth=4, solid_capstyle="butt",
                           marker="^" if y else "v", markevery=[first], markersize=7, transform=along, clip_on=False,
                           label=_EDGE, zorder=3))
    label = f"{_NOTE}{y}"
    if not _found(axes, label):
        is_late = x[first] > 0.4 * x[0] + 0.6 * x[-1]
        _note(axes, text, label, xy=(x[first], y), xycoords=along, textcoords="offset points",
              xytext=(-8 if is_late else 8, -7 if y else 7), ha="right" if is_late else "left",
              va="top" if y else "bottom")


def _curve(axes, x, lower, upper, label, quantity, is_tail=False, **options):
    """A line of upper ends, above a band down to the lower ones. Tails are followed all the way. Returns the line."""
    from matplotlib import cbook, lines

    others = _curves(axes)
    style = {"linewidth": 2.2, "label": label, "color": _COLOURS[len(others) % len(_COLOURS)],
             "linestyle": _DASHES[len(others) % len(_DASHES)]}
    if len(x) <= _FEW_POINTS:
        style.update(marker="o", markersize=4.5)
    style.update(cbook.normalize_kwargs(options, lines.Line2D))
    values = np.concatenate([upper, *(line.get_ydata(orig=False) for line in others
                                      if line.get_transform() == axes.transData)])
    least = _LEAST if is_tail else _least(values, axes.get_yscale() == "log")
    # The limits are set below, unless somebody else has set them.
    is_free = axes.get_autoscaley_on()
    axes.set_autoscaley_on(False)
    if least > 0:
        axes.set_yscale("log", nonpositive="clip")
    drawn_x, drawn_lower, drawn_upper = _held(x, lower, upper, least)
    line, = axes.plot(drawn_x, drawn_upper, **style)
    colour = line.get_color()
    axes.fill_between(drawn_x, drawn_lower, drawn_upper, where=np.isfinite(drawn_upper), color=colour, alpha=0.25,
                      linewidth=0, zorder=line.get_zorder() - 0.5)
    is_low = upper < least
    is_zero = (upper[is_low] == 0).all()
    _edge(axes, x, is_low, colour, 0, f"{quantity} = 0" if is_zero else f"{quantity} < {_rounded(least, 1, up=True)}")
    _edge(axes, x, np.isinf(upper), colour, 1, f"{quantity} is infinite")
    if is_free:
        _fit(axes, values, least)
        axes.set_autoscaley_on(True)
    return line


def _legend(axes, is_labelled):
    """For several curves, or for one with a label of its own. What the subtitle says is true of one only."""
    if len(_curves(axes)) > 1:
        for text in _found(axes, _SUBTITLE):
            text.remove()
            axes.set_title(axes.get_title("left"), loc="left", fontweight="bold", pad=8)
    elif not is_labelled:
        return
    axes.legend(fontsize="small", handlelength=3)


def _series_name(label, expression, axes):
    return _plain(label) if label is not None else _shortened(_expression(expression), "small", 0.6 * _axes_width(axes))


def _whole(axis):
    from matplotlib.ticker import MaxNLocator, StrMethodFormatter

    axis.set_major_locator(MaxNLocator(nbins=6, integer=True))
    axis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))


def _question(answer):
    """("epsilon", "epsilon at delta = 1e-05") for what was asked of people or analyses."""
    for quantity, given in (("epsilon", "delta"), ("delta", "epsilon")):
        if isinstance(answer.get(given), (int, float)) and not isinstance(answer[given], Bracket):
            return quantity, f"{quantity} at {given} = {answer[given]:g}"
    return "guarantee", "guarantee"


def plot_profile(profile, ax=None, label=None, **options):
    """Delta against epsilon on a logarithmic scale; the options are those of the line."""

    def draw(axes):
        order = np.argsort(profile.epsilon, axis=None, kind="stable")
        x = np.ravel(profile.epsilon)[order]
        lower, upper = np.ravel(profile.delta.lower)[order], np.ravel(profile.delta.upper)[order]
        shown = np.isfinite(x)
        expression = profile.pipeline.expression
        _curve(axes, x[shown], lower[shown], upper[shown], _series_name(label, expression, axes), "delta",
               is_tail=True, **options)
        _title(axes, "Privacy profile", expression)
        _name(axes.set_xlabel, axes.get_xlabel(), "epsilon (nats)")
        _name(axes.set_ylabel, axes.get_ylabel(), "delta (a probability)")
        _legend(axes, label is not None)
        return axes

    return _drawn(draw, ax)


def _stretches(lower, upper):
    """First and last number of every run of equal values, and its ends; if there are too many, of stretches of equal
    length with the widest ends in them."""
    changes = np.flatnonzero((upper[1:] != upper[:-1]) | (lower[1:] != lower[:-1])) + 1
    starts = np.concatenate([[0], changes])
    if len(starts) > _MOST_STEPS:
        starts = np.unique(np.linspace(0, len(upper), _MOST_STEPS, endpoint=False).astype(np.int64))
    last = np.append(starts[1:], len(upper))
    return starts + 1, last, np.minimum.reduceat(lower, starts), np.maximum.reduceat(upper, starts)


def plot_people(people, ax=None, label=None):
    """The guarantee against the number of the record, with the worst one marked."""

    def draw(axes):
        from matplotlib.lines import Line2D

        report = people.report
        quantity, question = _question((report.get("answers") or [{}])[0])
        if len(people) == 0:
            raise ValueError("people: there are no records to draw")
        first, last, lower, upper = _stretches(people.lower, people.upper)
        x = np.column_stack([first, last]).ravel().astype(float)
        expression = report.get("expression", "")
        name = _series_name(label, expression or "people", axes)
        line = _curve(axes, x, np.repeat(lower, 2), np.repeat(upper, 2), name, quantity)
        _whole(axes.xaxis)
        worst = int(np.argmax(people.upper))
        value = float(people.upper[worst])
        if math.isfinite(value):
            axes.add_artist(Line2D([worst + 1], [value], marker="^", markersize=9, color=line.get_color(), label=_EDGE,
                                   markeredgecolor=axes.get_facecolor(), clip_on=False, zorder=4))
            is_late = worst > 0.5 * len(people)
            _note(axes, f"worst: record {worst + 1:,}, {quantity} <= {_rounded(value, 4, up=True)}", _NOTE,
                  xy=(worst + 1, value), textcoords="offset points", xytext=(-10 if is_late else 10, 0), va="center",
                  ha="right" if is_late else "left", color=axes.yaxis.label.get_color())
        _title(axes, "Everybody's guarantee", expression)
        _name(axes.set_xlabel, axes.get_xlabel(), "record, in the order of use")
        _name(axes.set_ylabel, axes.get_ylabel(), question)
        _legend(axes, label is not None)
        return axes

    return _drawn(draw, ax)


def plot_mixing(mixing, ax=None):
    """Epsilon and delta against the number of steps: two panels, or epsilon alone if one axes is given."""
    before = mixing.get("before", {})
    rows = [{"steps": 0, **before}] * bool(before) + list(mixing.get("steps", []))
    if not rows:
        raise ValueError("mixing: there are no steps to draw")

    def draw(axes):
        panels = np.ravel(np.asarray(axes, dtype=object))
        for panel, (quantity, given) in zip(panels, (("epsilon", "delta"), ("delta", "epsilon"))):
            steps = np.array([row["steps"] for row in rows], dtype=float)
            lower = np.array([row[quantity].lower for row in rows])
            upper = np.array([row[quantity].upper for row in rows])
            _curve(panel, steps, lower, upper, _series_name(None, mixing.get("kernel", "kernel"), panel), quantity)
            _whole(panel.xaxis)
            _name(panel.set_ylabel, panel.get_ylabel(), f"{quantity} at {given} = {mixing[given]:g}")
            _legend(panel, False)
        _title(panels[0], "What the kernel does, step by step",
               f"{mixing.get('mechanism', '')} | {mixing.get('kernel', '')}")
        _name(panels[-1].set_xlabel, panels[-1].get_xlabel(), "steps of the kernel (0: the mechanism alone)")
        return axes if panels[0] is axes else panels

    return _drawn(draw, ax, count=2, size=(6.8, 6.2))


# Analyses side by side.


def _limits(brackets):
    """Whether the axis is logarithmic, and its ends."""
    uppers = np.array([bracket.upper for bracket in brackets if math.isfinite(bracket.upper)])
    places = uppers[uppers >= _LEAST]
    if not places.size:
        return False, 0.0, 1.0
    least, most = places.min(), places.max()
    if most <= 100 * least:
        return False, 0.0, 1.06 * most
    # A lower end that is far below the others begins at the left edge.
    least = min([least, *(bracket.lower for bracket in brackets if least / 1000 <= bracket.lower < least)])
    pad = 10 ** min(1.0, max(0.3, 0.04 * (math.log10(most) - math.log10(least))))
    return True, least / pad, min(1.7e308, most * pad)


def _interval(axes, y, bracket, is_best, left, right):
    """A bar that ends in a marker: a diamond for the best, an arrow for what is infinite."""
    colour = _COLOURS[0] if is_best else _SOFT
    lower, upper = (min(max(end, left), right) for end in (bracket.lower, bracket.upper))
    marker = ">" if math.isinf(bracket.upper) else "D" if is_best else "o"
    axes.plot([lower, upper], [y, y], color=colour, linewidth=7, alpha=0.45, solid_capstyle="butt", label=_EDGE)
    axes.plot([upper], [y], color=colour, marker=marker, markersize=8 if is_best else 6.5, clip_on=False, label=_EDGE,
              zorder=3)


def plot_comparison(comparison, ax=None):
    """Every analysis as an interval from its lower to its upper end, the best one marked."""
    rows = list(comparison.get("analyses", []))
    applicable = [row for row in rows if "not_applicable" not in row]
    quantity, question = _question(applicable[0]) if applicable else ("guarantee", "guarantee")

    def draw(axes):
        is_logarithmic, left, right = _limits([row[quantity] for row in applicable])
        if is_logarithmic:
            axes.set_xscale("log")
        axes.set_xlim(left, right)
        axes.set_ylim(len(rows) - 0.4, -0.6)
        axes.set_yticks(range(len(rows)), [_shortened(row["name"], "medium", 150) for row in rows])
        axes.tick_params(axis="y", length=0)
        axes.grid(False, axis="y")
        axes.grid(True, axis="x", color=_SOFT, alpha=0.25, linewidth=0.8)
        for y, row in enumerate(rows):
            is_best = row["name"] == comparison.get("best")
            name = axes.get_yticklabels()[y]
            if "not_applicable" in row:
                name.set_color(_SOFT)
                continue
            _interval(axes, y, row[quantity], is_best, left, right)
            name.set_fontweight("bold" if is_best else "normal")
            upper = row[quantity].upper
            axes.annotate("infinite" if math.isinf(upper) else f"<= {_rounded(upper, 4, up=True)}", xy=(1, y),
                          xycoords=axes.get_yaxis_transform(), xytext=(10, 0), textcoords="offset points", va="center",
                          fontsize="small", fontweight="bold" if is_best else "normal")
        _name(axes.set_xlabel, axes.get_xlabel(), f"{question}, from lower to upper end")
        # The room that is left is known when everything else has its place.
        axes.figure.canvas.figure.draw_without_rendering()
        for y, row in enumerate(rows):
            if "not_applicable" in row:
                reason = re.sub(r"^\w+: ", "", str(row["not_applicable"]))
                words = _shortened(f"does not apply: {reason}", "small", 0.92 * _axes_width(axes))
                axes.text(0.01, y, words, transform=axes.get_yaxis_transform(), va="center", fontsize="small", color=_SOFT,
                          clip_on=True)
        _title(axes, "Analyses side by side", comparison.get("expression", ""))
        return axes

    return _drawn(draw, ax, size=(7.6, 1.9 + 0.32 * max(len(rows), 2)))
