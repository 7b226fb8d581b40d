# SPDX-License-Identifier: Apache-2.0
"""Growth on two logarithmic axes, as SVG: a line for each program, named at its end of the legend."""
import dataclasses
import html
import math

OURS = "doeblin"
NARROW = f"{OURS}, width "
COLOURS = ("#1b6ca8", "#c8511b", "#2a8a57", "#9a7b1c", "#7a4fa3", "#444444", "#b03060")
WIDTH, HEIGHT, LEFT, RIGHT, BOTTOM = 720, 460, 84, 24, 64


@dataclasses.dataclass(frozen=True)
class Chart:
    file: str
    title: str
    label: str
    quantity: str  # 'seconds' or 'megabytes'
    lines: dict  # {name: [(x, y)]}


def growth_with_releases(found, quantity, file, title):
    lines = {}
    for contest in found["contests"]:
        for name, answer in contest["answers"].items():
            if contest["releases"] and not name.startswith(NARROW) and not answer["failure"]:
                lines.setdefault(name, []).append((contest["releases"], answer[quantity]))
    return Chart(file, title, "releases", quantity, lines)


def growth_with_accuracy(found):
    lines = {}
    for contest in found["contests"]:
        if contest["name"] not in ("DP-SGD, T = 14,000", "laplace(10) x 1000"):
            continue
        points = [(contest["truth"], answer) for name, answer in contest["answers"].items() if name.startswith(OURS)]
        reached = {answer["upper"] - answer["lower"]: answer["seconds"] for _, answer in points if not answer["failure"]}
        lines[contest["name"]] = [(1 / width, seconds) for width, seconds in sorted(reached.items(), reverse=True) if width > 0]
    return Chart("growth_width", "Our time against the accuracy that is reached", "1 / width of epsilon", "seconds", lines)


def all_charts(found):
    """Those for which there are numbers."""
    made = [growth_with_releases(found, "seconds", "growth_releases", "DP-SGD: time against the number of releases"),
            growth_with_releases(found, "megabytes", "growth_memory", "DP-SGD: memory against the number of releases"),
            growth_with_accuracy(found)]
    made += [Chart(curve["file"], curve["title"], curve["label"], "seconds",
                   {name: [(x, seconds) for x, seconds, _ in line] for name, line in curve["lines"].items()})
             for curve in found["curves"]]
    return [chart for chart in made if any(len(line) > 1 for line in chart.lines.values())]


class LogAxis:
    """Whole decades around the values, mapped to [start, stop]."""

    def __init__(self, values, start, stop):
        self.low = math.floor(math.log10(min(values)) + 1e-9)
        self.high = max(self.low + 1, math.ceil(math.log10(max(values)) - 1e-9))
        self.start, self.stop = start, stop

    def __call__(self, value):
        return self.start + (math.log10(value) - self.low) / (self.high - self.low) * (self.stop - self.start)

    def decades(self):
        return [10.0**k for k in range(self.low, self.high + 1)]


def y_tick(value, quantity):
    if quantity == "megabytes":
        return f"{value:g} MB" if value < 1000 else f"{value / 1000:g} GB"
    for unit, name in ((1.0, "s"), (1e-3, "ms"), (1e-6, "us")):
        if value >= unit * 0.999:
            return f"{value / unit:g} {name}"
    return f"{value * 1e9:g} ns"


def x_tick(value):
    exponent = round(math.log10(value))
    return f"{value:g}" if exponent < 4 else f'10<tspan dy="-5" font-size="10">{exponent}</tspan>'


def marker(k, x, y):
    style = f'fill="{COLOURS[k]}"'
    if k % 2 == 0:
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.5" {style}/>'
    return f'<rect x="{x - 4:.1f}" y="{y - 4:.1f}" width="8" height="8" {style}/>'


def frame(chart, top, x_axis, y_axis):
    yield (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
           'font-family="Helvetica, Arial, DejaVu Sans, sans-serif" font-size="13" fill="#222222">')
    yield f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fcfcfa"/>'
    yield f'<text x="{LEFT}" y="24" font-size="15" font-weight="bold">{html.escape(chart.title)}</text>'
    for value in x_axis.decades():
        x = x_axis(value)
        yield (f'<line x1="{x:.1f}" y1="{top}" x2="{x:.1f}" y2="{HEIGHT - BOTTOM}" stroke="#dddddd"/>'
               f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 20}" text-anchor="middle">{x_tick(value)}</text>')
    for value in y_axis.decades():
        y = y_axis(value)
        yield (f'<line x1="{LEFT}" y1="{y:.1f}" x2="{WIDTH - RIGHT}" y2="{y:.1f}" stroke="#dddddd"/>'
               f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{y_tick(value, chart.quantity)}</text>')
    yield f'<path d="M{LEFT} {top}V{HEIGHT - BOTTOM}H{WIDTH - RIGHT}" fill="none" stroke="#444444"/>'
    yield f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 18}" text-anchor="middle">{html.escape(chart.label)}</text>'


def svg(chart):
    lines = {name: line for name, line in chart.lines.items() if line}
    points = [point for line in lines.values() for point in line]
    top = 44 + 18 * math.ceil(len(lines) / 2)
    x_axis = LogAxis([x for x, _ in points], LEFT, WIDTH - RIGHT)
    y_axis = LogAxis([y for _, y in points], HEIGHT - BOTTOM, top)
    text = list(frame(chart, top, x_axis, y_axis))
    for k, (name, line) in enumerate(lines.items()):
        x, y = LEFT + 300 * (k % 2), 44 + 18 * (k // 2)
        text.append(marker(k, x + 6, y - 4) + f'<text x="{x + 18}" y="{y}">{html.escape(name)}</text>')
        path = " ".join(f"{x_axis(x):.1f},{y_axis(y):.1f}" for x, y in line)
        text.append(f'<polyline points="{path}" fill="none" stroke="{COLOURS[k]}" stroke-width="{3 if k == 0 else 1.8}"/>')
        text += [marker(k, x_axis(x), y_axis(y)) for x, y in line]
    return "\n".join(text) + "\n</svg>\n"
