# SPDX-License-Identifier: Apache-2.0
"""The plots of docs/theory/iteration.md, from what the program answers.

Usage: python tools/site/plot_iteration.py PROGRAM FOLDER
"""
import csv
import html
import json
import math
import os
import subprocess
import tempfile

from drawings import arguments, write_all
from plot_subsampling import WIDTH, profile

LEFT, RIGHT, BOTTOM = 76, 24, 56
# name: colour, dashes, width
STYLES = {
    "feldman": ("#444444", "2 4", 1.8),
    "balle": ("#9a7b1c", "8 4", 1.8),
    "asoodeh": ("#c8511b", "", 1.8),
    "shift": ("#2a8a57", "", 1.8),
    "best": ("#1b6ca8", "", 4.5),
    "contraction": ("#10222e", "4 3", 1.4),
}
LABELS = {
    "feldman": "feldman [FMTT18] (I1)",
    "balle": "balle [BBGG19] (I1)",
    "asoodeh": "asoodeh [ADC20] (I5)",
    "shift": "shift (I2 to I4)",
    "best": "best (I7)",
    "contraction": "contraction (I6)",
}
# Figures 2 and 3 of [ADC20]: constants, people with the largest epsilon to show, range of epsilon at delta = 1e-5
FIGURES = {
    "2": ("n=40, learning_rate=0.5, sigma=2, lipschitz=1, smoothness=0.5, diameter=1",
          {1: 2, 20: 2, 39: 4}, (1e-4, 10)),
    "3": ("n=40, learning_rate=0.7, sigma=1, lipschitz=1, smoothness=0.5, strong_convexity=0.4, diameter=1",
          {20: 4, 30: 4, 39: 8}, (1e-4, 100)),
}
SMALLEST_DELTA = 1e-12
EPOCHS_RUN = "n=1000, batch=10, learning_rate=0.5, sigma=0.4, lipschitz=1, smoothness=1"
EPOCHS_LINES = {
    "every state public": (", analysis='public'", "#444444", "2 4"),
    "hidden, no projection": ("", "#c8511b", ""),
    "hidden, diameter 4": (", diameter=4", "#2a8a57", ""),
    "hidden, diameter 1": (", diameter=1", "#1b6ca8", ""),
}
MINORANT = (20, (1, 4, 17))  # steps, and those that use the record


def ask(binary, *arguments):
    done = subprocess.run([binary, *arguments], capture_output=True, text=True)
    if done.returncode not in (0, 3):
        raise SystemExit(f"{' '.join(arguments)}: {done.stderr.strip()}")
    return done.stdout


def epsilon(binary, expression, delta):
    return float(json.loads(ask(binary, "epsilon", expression, "--delta", delta, "--json"))["epsilon"]["upper"])


def epsilons_of_people(binary, expression, delta):
    """[(person, upper end)]"""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "people.csv")
        ask(binary, "people", expression, "--delta", delta, "--csv", path)
        with open(path, encoding="ascii") as file:
            return [(int(row["person"]), float(row["epsilon_upper"])) for row in csv.DictReader(file)]


class Panel:
    """A box with axes; y is logarithmic, and what lies below it leaves through the bottom."""

    def __init__(self, box, x_range, y_range, log_x=False):
        self.left, self.top, self.right, self.bottom = box
        self.log_x = log_x
        self.x_low, self.x_high = (math.log10(v) for v in x_range) if log_x else x_range
        self.y_low, self.y_high = (round(math.log10(v)) for v in y_range)

    def x(self, value):
        place = math.log10(value) if self.log_x else value
        return self.left + (place - self.x_low) / (self.x_high - self.x_low) * (self.right - self.left)

    def y(self, value):
        share = (math.log10(value) - self.y_low) / (self.y_high - self.y_low)
        return self.bottom - share * (self.bottom - self.top)

    def grid(self, x_ticks, x_label, y_label, title="", numbers=True):
        text = []
        step = max(1, math.ceil((self.y_high - self.y_low) / 6))
        for k in range(self.y_high, self.y_low - 1, -step):
            y = self.y(10.0**k)
            text.append(f'<line x1="{self.left}" y1="{y:.1f}" x2="{self.right}" y2="{y:.1f}" stroke="#dddddd"/>')
            if numbers:
                shown = f"{10.0**k:g}" if -3 < k < 4 else f"1e{k}"
                text.append(f'<text x="{self.left - 8}" y="{y + 4:.1f}" text-anchor="end">{shown}</text>')
        for value in x_ticks:
            x = self.x(value)
            text.append(f'<line x1="{x:.1f}" y1="{self.top}" x2="{x:.1f}" y2="{self.bottom}" stroke="#dddddd"/>'
                        f'<text x="{x:.1f}" y="{self.bottom + 18}" text-anchor="middle">{value:g}</text>')
        middle = (self.left + self.right) / 2
        text.append(f'<text x="{middle}" y="{self.bottom + 40}" text-anchor="middle">{html.escape(x_label)}</text>')
        if numbers:
            text.append(f'<text transform="translate(18 {(self.top + self.bottom) / 2}) rotate(-90)" '
                        f'text-anchor="middle">{html.escape(y_label)}</text>')
        if title:
            text.append(f'<text x="{middle}" y="{self.top - 8}" text-anchor="middle">{html.escape(title)}</text>')
        return text

    def line(self, points, colour, dashes, width):
        """points: [(x, y)]; where y falls below the panel the line stops at the edge, under a triangle."""
        floor, runs, exits, previous = 10.0**self.y_low, [[]], [], None
        for x, y in points:
            place = self.x(x)
            if previous is not None and (previous[1] < floor) != (y < floor):
                # Zero is infinitely far down: the line drops within the step.
                low, high = sorted((previous, (x, y)), key=lambda point: point[1])
                share = 0.0
                if low[1] > 0:
                    share = (math.log(floor) - math.log(low[1])) / (math.log(high[1]) - math.log(low[1]))
                edge = self.x(low[0]) + share * (self.x(high[0]) - self.x(low[0]))
                runs[-1].append((edge, self.bottom))
                exits.append(edge)
                if y < floor:
                    runs.append([])
            if y >= floor:
                runs[-1].append((place, self.y(min(y, 10.0**self.y_high))))
            previous = (x, y)
        text = []
        for run in filter(None, runs):
            path = " ".join(f"{px:.1f},{py:.1f}" for px, py in run)
            text.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="{width}" '
                        f'stroke-dasharray="{dashes}" stroke-linejoin="round"/>')
        for edge in exits:
            text.append(f'<path d="M{edge - 5:.1f} {self.bottom - 1}h10l-5 8z" fill="{colour}"/>')
        return text


def picture(title, height, parts):
    head = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
            'font-family="Helvetica, Arial, DejaVu Sans, sans-serif" font-size="13" fill="#222222">',
            f'<rect width="{WIDTH}" height="{height}" fill="#fcfcfa"/>',
            f'<text x="{LEFT}" y="24" font-size="16" font-weight="bold">{html.escape(title)}</text>']
    return "\n".join(head + parts) + "\n</svg>\n"


def legend(entries, top=44, columns=3):
    """entries: [(label, colour, dashes, width)]"""
    text = []
    for k, (label, colour, dashes, width) in enumerate(entries):
        x = LEFT + (k % columns) * (WIDTH - LEFT - RIGHT) // columns
        y = top + 18 * (k // columns)
        text.append(f'<line x1="{x}" y1="{y - 4}" x2="{x + 30}" y2="{y - 4}" stroke="{colour}" stroke-width="{width}" '
                    f'stroke-dasharray="{dashes}"/><text x="{x + 38}" y="{y}">{html.escape(label)}</text>')
    return text


def analysis_legend():
    return legend([(LABELS[name], *style) for name, style in STYLES.items()])


def figure(binary, number):
    """delta against epsilon for three people, as the paper draws it."""
    constants, people, _ = FIGURES[number]
    height, top, gap = 380, 104, 18
    width = (WIDTH - LEFT - RIGHT - 2 * gap) / 3
    parts = analysis_legend()
    for k, (person, last) in enumerate(people.items()):
        left = LEFT + k * (width + gap)
        panel = Panel((round(left, 1), top, round(left + width, 1), height - BOTTOM), (0, last), (SMALLEST_DELTA, 1))
        ticks = [last * i / 4 for i in range(5 if k == 2 else 4)]  # the last one would touch the next panel
        parts += panel.grid(ticks, "epsilon", "delta", f"person {person}", numbers=k == 0)
        unseen = []
        for name, style in STYLES.items():
            run = f"noisy_sgd({constants}, analysis='{name}') | person({person})"
            points = [(float(e), float(upper)) for e, _, upper in profile(binary, run, f"0:{last}:{last / 50:g}")]
            parts += panel.line(points, *style)
            if max(y for _, y in points) < SMALLEST_DELTA:
                unseen.append(name)
        for line, text in enumerate([*unseen, f"less than {SMALLEST_DELTA:g}"] if unseen else []):
            parts.append(f'<text x="{panel.right - 6}" y="{top + 20 + 16 * line}" text-anchor="end" font-size="12">'
                         f'{text}</text>')
    return picture(f"Figure {number} of [ADC20], with more curves", height, parts)


def figure_people(binary, number):
    """epsilon at delta = 1e-5 against the person."""
    constants, _, y_range = FIGURES[number]
    height = 440
    panel = Panel((LEFT, 92, WIDTH - RIGHT, height - BOTTOM), (1, 40), y_range)
    parts = analysis_legend() + panel.grid((1, *range(5, 41, 5)), "person", "epsilon at delta = 1e-5")
    for name, style in STYLES.items():
        points = epsilons_of_people(binary, f"noisy_sgd({constants}, analysis='{name}')", "1e-5")
        parts += panel.line(points, *style)
    return picture(f"Everybody in the setting of figure {number}", height, parts)


def epochs(binary):
    counts = sorted({round(10**(k / 8)) for k in range(33)})
    height = 460
    panel = Panel((LEFT, 96, WIDTH - RIGHT, height - BOTTOM), (1, counts[-1]), (1e-2, 1e4), log_x=True)
    entries = [(name, colour, dashes, 2.2) for name, (_, colour, dashes) in EPOCHS_LINES.items()]
    parts = legend(entries, columns=2) + panel.grid([10**k for k in range(5)], "epochs", "epsilon at delta = 1e-5")
    parts.append(f'<text x="{LEFT}" y="80" font-size="12">thick: record 500 of 1000, in the middle of an epoch; '
                 'thin: record 1000, the last one used</text>')
    for options, colour, dashes in EPOCHS_LINES.values():
        for person, width in ((500, 2.4), (1000, 1)):
            runs = {count: f"noisy_sgd({EPOCHS_RUN}, epochs={count}{options}) | person({person})" for count in counts}
            points = [(count, epsilon(binary, run, "1e-5")) for count, run in runs.items()]
            parts += panel.line(points, colour, dashes, width)
    return picture("Epochs: seen, hidden, and hidden in a bounded domain", height, parts)


def minorant_of(corners):
    """The greatest convex minorant of points with increasing x."""
    chain = []
    for x, y in corners:
        while len(chain) > 1 and ((chain[-1][1] - chain[-2][1]) * (x - chain[-1][0])
                                  >= (y - chain[-1][1]) * (chain[-1][0] - chain[-2][0])):
            chain.pop()
        chain.append((x, y))
    return chain


def minorant(binary):
    """The staircase of what has been moved and its minorant, what has been paid; both axes linear."""
    steps, uses = MINORANT
    corners = [(use - 1, k) for k, use in enumerate(uses)] + [(steps, len(uses))]
    chain = minorant_of(corners)
    pieces = list(zip(chain, chain[1:]))
    cost = sum((b[1] - a[1])**2 / (b[0] - a[0]) for a, b in pieces)
    run = f"noisy_iteration(steps={steps}, sigma=1, affected='{','.join(map(str, uses))}')"
    ends = json.loads(ask(binary, "rdp", run, "--alpha", "2", "--json"))["rdp"]
    # The divergence of order 2 of a mu-GDP release is mu^2.
    if not ends["lower"] - 1e-9 <= cost <= ends["upper"] + 1e-9:
        raise SystemExit(f"{run}: the drawing has cost {cost}, the program says {ends}")
    height, top = 360, 76
    bottom = height - BOTTOM

    def place(point):
        return (f"{LEFT + point[0] / steps * (WIDTH - LEFT - RIGHT):.1f},"
                f"{bottom - point[1] / (len(uses) + 0.25) * (bottom - top):.1f}")

    stairs = [(0, 0)]
    for k, use in enumerate(uses):
        stairs += [(use - 1, k), (use - 1, k + 1)]
    stairs.append((steps, len(uses)))
    parts = legend([("S: moved so far", "#444444", "", 1.8), ("paid: the minorant of S", "#1b6ca8", "", 3),
                    ("each use for itself", "#c8511b", "4 3", 1.4)])
    for value in range(0, steps + 1, 2):
        x, y = place((value, 0)).split(",")
        parts.append(f'<line x1="{x}" y1="{top}" x2="{x}" y2="{y}" stroke="#eeeeee"/>'
                     f'<text x="{x}" y="{bottom + 18}" text-anchor="middle">{value}</text>')
    for value in range(len(uses) + 1):
        x, y = place((0, value)).split(",")
        parts.append(f'<text x="{LEFT - 8}" y="{float(y) + 4:.1f}" text-anchor="end">{value}</text>')
    parts.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{height - 16}" text-anchor="middle">tau: steps</text>')
    parts.append(f'<text transform="translate(18 {(top + bottom) / 2}) rotate(-90)" text-anchor="middle">'
                 'distance</text>')
    parts.append(f'<polyline points="{" ".join(map(place, stairs))}" fill="none" stroke="#444444" stroke-width="1.8"/>')
    parts.append(f'<polyline points="{" ".join(map(place, corners))}" fill="none" stroke="#c8511b" stroke-width="1.4" '
                 'stroke-dasharray="4 3"/>')
    parts.append(f'<polyline points="{" ".join(map(place, chain))}" fill="none" stroke="#1b6ca8" stroke-width="3"/>')
    for a, b in pieces:
        x, y = place(((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)).split(",")
        slope = (b[1] - a[1]) / (b[0] - a[0])
        parts.append(f'<text x="{min(float(x) + 90, WIDTH - RIGHT):.1f}" y="{float(y) + 58:.1f}" text-anchor="end" '
                     f'fill="#1b6ca8">slope {slope:g}, cost {slope**2 * (b[0] - a[0]):g}</text>')
    return picture(f"Uses at steps {', '.join(map(str, uses))} of {steps}: mu^2 = {cost:g}", height, parts)


def plots(binary):
    yield "iteration_minorant", lambda: minorant(binary)
    for number in FIGURES:
        yield f"iteration_figure{number}", lambda number=number: figure(binary, number)
        yield f"iteration_people{number}", lambda number=number: figure_people(binary, number)
    yield "iteration_epochs", lambda: epochs(binary)


def main():
    binary, folder = arguments(__file__)
    write_all(folder, plots(binary))


if __name__ == "__main__":
    main()
