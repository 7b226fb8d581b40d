# SPDX-License-Identifier: Apache-2.0
"""The plots of docs/theory/subsampling.md, from what the program answers.

Usage: python tools/site/plot_subsampling.py PROGRAM FOLDER
"""
import html
import json
import math
import subprocess

from drawings import arguments, write_all

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 720, 440, 76, 24, 120, 56
COLOURS = ("#444444", "#1b6ca8", "#c8511b", "#2a8a57")
DASHES = ("", "", "8 4", "2 4")
SCHEMES = {
    "no sampling": "{base}",
    "Poisson, rate 0.1 (S1, S7)": "{base} | poisson(rate=0.1)",
    "10 of 100 without replacement (S2)": "{base} | without_replacement(n=100, m=10)",
    "10 of 100 with replacement (S3)": "{base} | with_replacement(n=100, m=10)",
}
PLOTS = {
    "sampling_gaussian": ("gaussian(sigma=1)", "0:3:0.05", 1e-8),
    "sampling_laplace": ("laplace(scale=1)", "0:1:0.02", 1e-4),
    "sampling_black_box": ("black_box(epsilon=1, delta=0.001)", "0:1.5:0.03", 1e-5),
}


def profile(binary, expression, epsilons):
    """[(epsilon, lower, upper)]"""
    done = subprocess.run([binary, "delta", expression, "--epsilon", epsilons, "--json"], capture_output=True, text=True)
    if done.returncode not in (0, 3):
        raise SystemExit(f"{expression}: {done.stderr.strip()}")
    return [(row["epsilon"], row["delta"]["lower"], row["delta"]["upper"]) for row in json.loads(done.stdout)["results"]]


def drawing(title, lines, floor):
    """delta (log scale) against epsilon; a thin second line is a lower end that differs visibly."""
    last = max(point[0] for line in lines.values() for point in line)
    decades = range(math.floor(math.log10(floor)), 1)

    def x(epsilon):
        return LEFT + epsilon / last * (WIDTH - LEFT - RIGHT)

    def y(delta):
        share = (math.log10(max(delta, floor)) - decades[0]) / (decades[-1] - decades[0])
        return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)

    text = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
            'font-family="Helvetica, Arial, DejaVu Sans, sans-serif" font-size="13" fill="#222222">',
            f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fcfcfa"/>',
            f'<text x="{LEFT}" y="24" font-size="16" font-weight="bold">{html.escape(title)}</text>']
    for k in decades:
        text.append(f'<line x1="{LEFT}" y1="{y(10.0**k):.1f}" x2="{WIDTH - RIGHT}" y2="{y(10.0**k):.1f}" stroke="#dddddd"/>'
                    f'<text x="{LEFT - 8}" y="{y(10.0**k) + 4:.1f}" text-anchor="end">1e{k}</text>')
    for i in range(7):
        value = last * i / 6
        text.append(f'<line x1="{x(value):.1f}" y1="{TOP}" x2="{x(value):.1f}" y2="{HEIGHT - BOTTOM}" stroke="#dddddd"/>'
                    f'<text x="{x(value):.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{value:.3g}</text>')
    text.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 14}" text-anchor="middle">epsilon</text>')
    text.append(f'<text transform="translate(18 {(TOP + HEIGHT - BOTTOM) / 2}) rotate(-90)" text-anchor="middle">delta</text>')
    for k, (name, line) in enumerate(lines.items()):
        style = f'fill="none" stroke="{COLOURS[k]}" stroke-dasharray="{DASHES[k]}"'
        for column, width in ((2, 2.2), (1, 0.8)):
            points = " ".join(f"{x(point[0]):.1f},{y(point[column]):.1f}" for point in line if point[column] >= floor)
            text.append(f'<polyline points="{points}" {style} stroke-width="{width}"/>')
        text.append(f'<line x1="{LEFT}" y1="{40 + 18 * k}" x2="{LEFT + 30}" y2="{40 + 18 * k}" {style} stroke-width="2.2"/>'
                    f'<text x="{LEFT + 38}" y="{44 + 18 * k}">{html.escape(name)}</text>')
    return "\n".join(text) + "\n</svg>\n"


def plots(binary):
    for name, (base, epsilons, floor) in PLOTS.items():
        lines = {label: profile(binary, form.format(base=base), epsilons) for label, form in SCHEMES.items()}
        yield name, lambda base=base, lines=lines, floor=floor: drawing(base, lines, floor)


def main():
    binary, folder = arguments(__file__)
    write_all(folder, plots(binary))


if __name__ == "__main__":
    main()
