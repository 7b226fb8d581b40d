# SPDX-License-Identifier: Apache-2.0
"""How our time grows: with the number of releases, with the accuracy, with the number of different mechanisms, with the
number of records of a run, with the number of states of a kernel.

Usage: python bench/plot_growth.py BINARY OUTPUT_DIR

Writes growth_releases.svg, growth_width.svg, growth_mechanisms.svg, growth_people.svg and growth_kernels.svg, and prints
the numbers. Times are of whole processes, best of 3. A hollow marker is a bracket wider than asked (exit code 3), or without an upper end.
"""
import html
import json
import math
import os
import sys
import tempfile

import numpy

from compare_accountants import ROUNDS, run, write_atomically

DELTA = "1e-5"
FOLDER = tempfile.TemporaryDirectory()  # of the kernels
COLOURS = ("#1b6ca8", "#c8511b")
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 720, 460, 80, 24, 76, 64


def sampled_gaussian(steps):
    return f"gaussian(1.1) | poisson(rate=256/60000) | compose({steps})"


def different(count, form):
    return " + ".join(form(i) for i in range(count))


def different_gaussians(count):
    return different(count, lambda i: f"(gaussian({1 + i / 10!r}) | poisson(rate={0.01 + i / 1000!r}))")


def different_laplaces(count):
    return different(count, lambda i: f"laplace({10 + i / 10!r})")


def plots():
    """(file, title, label of x, {series: [(x, expression, options)]})"""
    steps = [10**k for k in range(2, 10)]
    yield "growth_releases", "Time against the number of releases", "releases T", {
        "gaussian(1.1) | poisson(256/60000) | compose(T)": [(t, sampled_gaussian(t), []) for t in steps],
        "laplace(10) | compose(T)": [(t, f"laplace(10) | compose({t})", []) for t in steps]}
    widths = ["1e-1", "3e-2", "1e-2", "3e-3", "1e-3", "3e-4", "1e-4"]
    yield "growth_width", "Time against the accuracy, T = 14000", "1 / width asked", {
        "gaussian(1.1) | poisson(256/60000) | compose(14000)":
            [(1 / float(w), sampled_gaussian(14000), ["--width", w]) for w in widths],
        "laplace(10) | compose(14000)": [(1 / float(w), "laplace(10) | compose(14000)", ["--width", w]) for w in widths]}
    counts = [1, 2, 5, 10, 20, 50, 100, 200]
    yield "growth_mechanisms", "Time against the number of different mechanisms in a sum", "different mechanisms", {
        "gaussian(1 + i/10) | poisson(0.01 + i/1000)": [(n, different_gaussians(n), []) for n in counts],
        "laplace(10 + i/10)": [(n, different_laplaces(n), []) for n in counts]}
    records = [10**k for k in range(3, 8)]
    yield "growth_people", "Everybody's epsilon in one run, against the number of records", "records", {
        "diameter = 0.01 sqrt(n): blocks and shifts": [(n, everybody(n, 0.01 * n**0.5), []) for n in records],
        "no bound on the domain: shifts": [(n, everybody(n, "inf"), []) for n in records]}


    states = [256, 512, 1024, 2048, 4096]
    sparse_states = [3125, 6250, 12500, 25000, 50000, 100000]
    yield "growth_kernels", "delta after a kernel, against the number of its states", "states", {
        "dense, reading the file included": [(n, dense_kernel(n), []) for n in states],
        "sparse, 10 entries a row, one column in all rows": [(n, sparse_kernel(n), []) for n in sparse_states]}


def random_laws(rows, entries):
    weights = numpy.random.default_rng(1).exponential(size=(rows, entries))
    return weights / weights.sum(axis=1, keepdims=True)


def dense_kernel(states):
    path = os.path.join(FOLDER.name, f"dense{states}.npy")
    numpy.save(path, random_laws(states, states))
    return f"black_box(1, 1e-6) | kernel('{path}')"


def sparse_kernel(states):
    path = os.path.join(FOLDER.name, f"sparse{states}.mtx")
    rng = numpy.random.default_rng(2)
    with open(path, "w", encoding="ascii") as file:
        file.write(f"%%MatrixMarket matrix coordinate real general\n{states} {states} {10 * states}\n")
        for row, law in enumerate(random_laws(states, 10)):
            columns = [1, *(int(c) + 2 for c in rng.choice(states - 1, size=9, replace=False, shuffle=False))]
            file.writelines(f"{row + 1} {column} {value!r}\n" for column, value in zip(columns, law.tolist()))
    return f"black_box(1, 1e-6) | kernel('{path}')"


def everybody(records, diameter):
    return (f"noisy_sgd(n={records}, learning_rate=0.01, sigma=1, lipschitz=1, smoothness=1, diameter={diameter})")


def measure(binary, expression, options):
    """(seconds, megabytes, lower, upper, as narrow as asked), or None with a line on standard error."""
    if expression.startswith("noisy_sgd"):
        return measure_people(binary, expression)
    if "kernel" in expression:
        return measure_kernel(binary, expression)
    runs = [run([binary, "epsilon", expression, "--delta", DELTA, "--json", *options]) for _ in range(ROUNDS)]
    code, out, _, _ = runs[0]
    if code not in (0, 3):
        print(f"{expression[:80]}: {'too slow' if code is None else out.strip()}", file=sys.stderr)
        return None
    ends = json.loads(out)["epsilon"]
    lower, upper = float(ends["lower"]), float(ends["upper"])
    return min(r[2] for r in runs), max(r[3] for r in runs), lower, upper, code == 0 and math.isfinite(upper)


def measure_people(binary, expression):
    """Everybody's epsilon: the same numbers for the median record."""
    runs = [run([binary, "people", expression, "--delta", DELTA, "--json"]) for _ in range(ROUNDS)]
    code, out, _, _ = runs[0]
    if code != 0:
        print(f"{expression[:80]}: {'too slow' if code is None else out.strip()}", file=sys.stderr)
        return None
    upper = next(q["epsilon"] for q in json.loads(out)["answers"][0]["quantiles"] if q["share"] == 0.5)
    return min(r[2] for r in runs), max(r[3] for r in runs), 0.0, upper, True


def measure_kernel(binary, expression):
    """delta at epsilon = 1: one search over all pairs of states."""
    runs = [run([binary, "delta", expression, "--epsilon", "1", "--json"]) for _ in range(ROUNDS)]
    code, out, _, _ = runs[0]
    if code != 0:
        print(f"{expression[:80]}: {'too slow' if code is None else out.strip()}", file=sys.stderr)
        return None
    ends = json.loads(out)["delta"]
    return min(r[2] for r in runs), max(r[3] for r in runs), ends["lower"], ends["upper"], True


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


def tick(value, seconds):
    if seconds:
        return f"{value * 1e3:g} ms" if value < 1 else f"{value:g} s"
    exponent = round(math.log10(value))
    return f"{value:g}" if exponent < 4 else f'10<tspan dy="-5" font-size="10">{exponent}</tspan>'


def marker(shape, x, y, colour, filled):
    style = f'fill="{colour if filled else "#ffffff"}" stroke="{colour}" stroke-width="2"'
    if shape == 0:
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" {style}/>'
    return f'<rect x="{x - 4.5:.1f}" y="{y - 4.5:.1f}" width="9" height="9" {style}/>'


def svg(title, label, series):
    """series: {name: [(x, seconds, as narrow as asked)]}"""
    series = {name: line for name, line in series.items() if line}
    points = [p for line in series.values() for p in line] or [(1, 1, True)]
    x_axis = LogAxis([p[0] for p in points], LEFT, WIDTH - RIGHT)
    y_axis = LogAxis([p[1] for p in points], HEIGHT - BOTTOM, TOP)
    text = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
            'font-family="Helvetica, Arial, DejaVu Sans, sans-serif" font-size="13" fill="#222222">',
            f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fcfcfa"/>',
            f'<text x="{LEFT}" y="24" font-size="16" font-weight="bold">{html.escape(title)}</text>']
    for value in x_axis.decades():
        x = x_axis(value)
        text.append(f'<line x1="{x:.1f}" y1="{TOP}" x2="{x:.1f}" y2="{HEIGHT - BOTTOM}" stroke="#dddddd"/>'
                    f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 20}" text-anchor="middle">{tick(value, False)}</text>')
    for value in y_axis.decades():
        y = y_axis(value)
        text.append(f'<line x1="{LEFT}" y1="{y:.1f}" x2="{WIDTH - RIGHT}" y2="{y:.1f}" stroke="#dddddd"/>'
                    f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{tick(value, True)}</text>')
    text.append(f'<path d="M{LEFT} {TOP}V{HEIGHT - BOTTOM}H{WIDTH - RIGHT}" fill="none" stroke="#444444"/>')
    text.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 18}" text-anchor="middle">{html.escape(label)}</text>')
    text.append(f'<text transform="translate(20 {(TOP + HEIGHT - BOTTOM) / 2}) rotate(-90)" text-anchor="middle">'
                'time of the process</text>')
    for shape, (name, line) in enumerate(series.items()):
        colour, y = COLOURS[shape], 44 + 18 * shape
        text.append(marker(shape, LEFT + 6, y - 4, colour, True))
        text.append(f'<text x="{LEFT + 18}" y="{y}">{html.escape(name)}</text>')
        path = " ".join(f"{x_axis(x):.1f},{y_axis(seconds):.1f}" for x, seconds, _ in line)
        text.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        text += [marker(shape, x_axis(x), y_axis(seconds), colour, narrow) for x, seconds, narrow in line]
    text.append(f'<text x="{WIDTH - RIGHT}" y="{HEIGHT - 18}" text-anchor="end" font-size="11">'
                'hollow: wider than asked</text>')
    return "\n".join(text) + "\n</svg>\n"


def main():
    if len(sys.argv) != 3:
        raise SystemExit("Usage: python bench/plot_growth.py BINARY OUTPUT_DIR")
    binary, folder = os.path.abspath(sys.argv[1]), sys.argv[2]
    os.makedirs(folder, exist_ok=True)
    for file, title, label, series in plots():
        print(f"{title} (delta {DELTA}, process start included)\n")
        drawn = {}
        for name, questions in series.items():
            print(f"  {name}\n  {label:>22} {'seconds':>9} {'MB':>5} {'epsilon >=':>12} {'epsilon <=':>12} {'width':>9}")
            drawn[name] = []
            for x, expression, options in questions:
                print(f"{file}: {name}, {x:g} ...", file=sys.stderr, flush=True)
                answer = measure(binary, expression, options)
                if answer is None:
                    continue
                seconds, megabytes, lower, upper, narrow = answer
                drawn[name].append((x, seconds, narrow))
                print(f"  {x:22g} {seconds:9.3g} {megabytes:5.0f} {lower:12.6g} {upper:12.6g} {upper - lower:9.2g}"
                      f"{'' if narrow else '  wider than asked'}", flush=True)
            print()
        write_atomically(os.path.join(folder, file + ".svg"), svg(title, label, drawn))


if __name__ == "__main__":
    main()
