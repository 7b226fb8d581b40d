# SPDX-License-Identifier: Apache-2.0
"""The plots of docs/theory/mixing.md, from what the program answers.

Usage: python tools/site/plot_mixing.py PROGRAM FOLDER
"""
import json
import pathlib

from drawings import arguments, write_all
from plot_iteration import BOTTOM, LEFT, RIGHT, Panel, ask, epsilon, legend, picture
from plot_subsampling import WIDTH

DATA = pathlib.Path(__file__).parents[2] / "docs" / "data"
MECHANISM = "gaussian(sigma=1)"
DELTA = "1e-5"
# colour, dashes, width
OURS = ("#1b6ca8", "", 3)
ON_POWER = ("#2a8a57", "", 1.8)
BY_STEPS = ("#444444", "2 4", 1.8)
PUBLISHED = ("#c8511b", "", 1.8)
NOTHING = ("#444444", "2 4", 1.8)

# title, the kernel as a function of its steps, and how many to draw
WALKS = (
    ("channel.csv, 4 states", lambda steps: f"kernel('{DATA / 'channel.csv'}', steps={steps})", 24),
    ("lazy walk on graph.txt, 8 nodes", lambda steps: f"lazy_walk('{DATA / 'graph.txt'}', steps={steps})", 24),
)
LOCAL_EPSILON = 1.0  # of the kernel in the pure case
PROJECTED = "projected_gaussian(sigma=0.5, low=0, high=1{})"
PROJECTED_STEPS = 8
RANGE_OF_MEANS = ", mean_low=0, mean_high=1"


def upper(bracket):
    return float(bracket["upper"])


def mix(binary, kernel, *options):
    return json.loads(ask(binary, "mix", kernel, *options, "--json"))


def compared(binary, expression, delta):
    """Upper ends of epsilon by the name of the analysis."""
    answers = json.loads(ask(binary, "compare", expression, "--delta", delta, "--json"))["analyses"]
    return {one["name"]: upper(one["epsilon"]) for one in answers if "epsilon" in one}


def walk(binary, kernel_of, last):
    """{line: [(steps, epsilon)]}"""
    gamma = upper(mix(binary, kernel_of(1), "--steps", "1")["dobrushin"]["gamma"])
    lines = {"ours": [], "power": [], "published": [], "steps": []}
    for steps in range(1, last + 1):
        answers = compared(binary, f"{MECHANISM} | {kernel_of(steps)}", DELTA)
        lines["ours"].append((steps, answers["best"]))
        lines["power"].append((steps, answers["dobrushin"]))
        lines["published"].append((steps, answers["published-ultra"]))
        lines["steps"].append((steps, epsilon(binary, f"{MECHANISM} | dobrushin(gamma={gamma**steps!r})", DELTA)))
    return lines


def walks(binary):
    """epsilon against steps: the coefficient of the power, and the power of the coefficient."""
    height, top, gap = 400, 96, 18
    width = (WIDTH - LEFT - RIGHT - gap) / 2
    styles = {"steps": BY_STEPS, "power": ON_POWER, "published": PUBLISHED, "ours": OURS}
    parts = legend([("gamma^steps, gamma of one step (M1)", *BY_STEPS), ("gamma of the power (M1)", *ON_POWER),
                    ("published, of the power (M4)", *PUBLISHED), ("kappa of the power (M2)", *OURS)], columns=2)
    for k, (title, kernel_of, last) in enumerate(WALKS):
        left = LEFT + k * (width + gap)
        panel = Panel((round(left, 1), top, round(left + width, 1), height - BOTTOM), (1, last), (1e-4, 10))
        ticks = (1, *range(4, last + k, 4))  # the last one of the first panel would touch the second
        parts += panel.grid(ticks, "steps", f"epsilon at delta = {DELTA}", title, numbers=k == 0)
        lines = walk(binary, kernel_of, last)
        for name, style in styles.items():
            parts += panel.line(lines[name], *style)
    return picture(f"{MECHANISM}, then a kernel: epsilon against steps", height, parts)


def pure(binary):
    """epsilon after a kernel that is locally private, against the one before it."""
    gamma = f"1 - {2.718281828459045**-LOCAL_EPSILON!r}"
    height = 400
    panel = Panel((LEFT, 64, WIDTH - RIGHT, height - BOTTOM), (1e-2, 10), (1e-3, 10), log_x=True)
    entries = [("tight (M5)", "ultra-mixing", OURS), ("published (M4)", "published-ultra", PUBLISHED),
               ("no amplification", "none", NOTHING)]
    parts = legend([(label, *style) for label, _, style in entries])
    parts += panel.grid((0.01, 0.1, 1, 10), "epsilon of the mechanism", "epsilon after the kernel")
    before = [10**(k / 16) for k in range(-32, 17)]
    answers = [compared(binary, f"black_box(epsilon={x!r}) | ultra_mixing(gamma={gamma})", "1e-15") for x in before]
    for _, name, style in reversed(entries):
        parts += panel.line([(x, answer[name]) for x, answer in zip(before, answers)], *style)
    return picture("Pure privacy before a kernel that is locally 1-private", height, parts)


def projected(binary):
    """A Gaussian step on an interval, with and without a range of means."""
    height, top, gap = 380, 84, 64
    width = (WIDTH - LEFT - RIGHT - gap) / 2
    runs = [(mix(binary, PROJECTED.format(options), "--mechanism", MECHANISM, "--epsilon", "1", "--delta", DELTA,
                 "--steps", str(PROJECTED_STEPS)), style)
            for options, style in (("", PUBLISHED), (RANGE_OF_MEANS, OURS))]
    gamma = upper(runs[0][0]["dobrushin"]["gamma"])
    before = {name: upper(value) for name, value in runs[0][0]["before"].items()}
    steps = range(PROJECTED_STEPS + 1)
    by_steps = {"delta": [(k, gamma**k * before["delta"]) for k in steps],
                "epsilon": [(k, epsilon(binary, f"{MECHANISM} | dobrushin(gamma={gamma**k!r})", DELTA)) for k in steps]}
    parts = legend([("gamma^steps (M1)", *BY_STEPS), ("maps to anywhere", *PUBLISHED),
                    ("maps into the interval", *OURS)])
    panels = (("delta", "delta at epsilon = 1", (1e-12, 1)), ("epsilon", f"epsilon at delta = {DELTA}", (1e-2, 10)))
    for k, (name, title, y_range) in enumerate(panels):
        left = LEFT + k * (width + gap)
        panel = Panel((round(left, 1), top, round(left + width, 1), height - BOTTOM), (0, PROJECTED_STEPS), y_range)
        parts += panel.grid(range(0, PROJECTED_STEPS + 1, 2), "steps", "", title)
        parts += panel.line(by_steps[name], *BY_STEPS)
        for answer, style in runs:
            parts += panel.line([(0, before[name])] + [(one["steps"], upper(one[name])) for one in answer["steps"]],
                                *style)
    return picture(f"{MECHANISM}, then Gaussian steps on [0, 1], sigma = 0.5", height, parts)


def main():
    binary, folder = arguments(__file__)
    write_all(folder, (("mixing_steps", lambda: walks(binary)), ("mixing_pure", lambda: pure(binary)),
                       ("mixing_projected", lambda: projected(binary))))


if __name__ == "__main__":
    main()
