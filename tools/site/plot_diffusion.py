# SPDX-License-Identifier: Apache-2.0
"""The plots of docs/theory/diffusion.md, from what the program answers.

Usage: python tools/site/plot_diffusion.py PROGRAM FOLDER
"""
import json

from drawings import arguments, write_all
from plot_iteration import BOTTOM, LEFT, RIGHT, Panel, ask, epsilon, legend, picture
from plot_subsampling import WIDTH

DELTA = "1e-6"
# colour, dashes, width
GAUSSIAN = ("#444444", "2 4", 1.8)
SHRUNK = ("#e2a37f", "", 6)
ORNSTEIN_UHLENBECK = ("#1b6ca8", "", 2.2)
DIMENSION, RADIUS = 50, 10
# label, the mechanism as a function of time, style
PROCESSES = (
    ("Brownian, N(f, 2 t)", "brownian(time={})", GAUSSIAN),
    ("theta = 0.1, rho = 1", "ornstein_uhlenbeck(theta=0.1, rho=1, time={})", ("#2a8a57", "", 1.8)),
    ("theta = 0.5, rho = 1", "ornstein_uhlenbeck(theta=0.5, rho=1, time={})", ORNSTEIN_UHLENBECK),
)


def errors(binary, target):
    """Worst mean squared errors of the three mechanisms that meet the same target."""
    answer = json.loads(ask(binary, "calibrate", "ornstein_uhlenbeck(theta=?, rho=?, time=1)", "--epsilon", repr(target),
                            "--delta", DELTA, "--radius", str(RADIUS), "--dimension", str(DIMENSION), "--json"))
    return {name: answer[name]["error"] for name in ("gaussian", "shrunk_gaussian", "ornstein_uhlenbeck")}


def error(binary):
    """The error against epsilon."""
    height = 420
    panel = Panel((LEFT, 64, WIDTH - RIGHT, height - BOTTOM), (1e-2, 10), (1, 1e7), log_x=True)
    entries = [("Gaussian", "gaussian", GAUSSIAN), ("Gaussian, shrunk", "shrunk_gaussian", SHRUNK),
               ("Ornstein-Uhlenbeck (D4)", "ornstein_uhlenbeck", ORNSTEIN_UHLENBECK)]
    parts = legend([(label, *style) for label, _, style in entries])
    parts += panel.grid((0.01, 0.1, 1, 10), f"epsilon at delta = {DELTA}", "mean squared error, worst case")
    targets = [10**(k / 16) for k in range(-32, 17)]
    answers = [errors(binary, target) for target in targets]
    for _, name, style in entries:
        parts += panel.line([(target, answer[name]) for target, answer in zip(targets, answers)], *style)
    return picture(f"Error in {DIMENSION} dimensions, values within {RADIUS} of 0, sensitivity 1", height, parts)


def tiers(binary):
    """epsilon against time."""
    height = 420
    panel = Panel((LEFT, 64, WIDTH - RIGHT, height - BOTTOM), (0.1, 100), (1e-4, 100), log_x=True)
    parts = legend([(label, *style) for label, _, style in PROCESSES])
    parts += panel.grid((0.1, 1, 10, 100), "time", f"epsilon at delta = {DELTA}")
    times = [10**(k / 16) for k in range(-16, 33)]
    for _, form, style in PROCESSES:
        parts += panel.line([(time, epsilon(binary, form.format(repr(time)), DELTA)) for time in times], *style)
    return picture("A diffusion from a value of sensitivity 1: epsilon against time", height, parts)


def main():
    binary, folder = arguments(__file__)
    write_all(folder, (("diffusion_error", lambda: error(binary)), ("diffusion_tiers", lambda: tiers(binary))))


if __name__ == "__main__":
    main()
