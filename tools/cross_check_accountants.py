# SPDX-License-Identifier: Apache-2.0
"""Random questions to us and to dp-accounting: do the answers contradict each other?

    python tools/cross_check_accountants.py BINARY [--count 40] [--seed 1] [--width 1e-3]

For each question our lower end must not exceed dp-accounting's pessimistic epsilon (one of the two would be wrong), our
upper end must not exceed it by more than our width plus 1e-3 (we would be looser), and our upper end must not fall below
a lower bound (we would be unsound): dp-accounting's optimistic epsilon, and for Laplace noise the atom bound, which needs
no grid. A violation is asked again of both on finer grids, to see which side moves. Deltas stay above 1e-8, where
dp-accounting's uncharged FFT rounding does not show, and randomised response is left out, because its composition there
ignores the count. Exit code 1 on a violation.
"""

import argparse
import json
import math
import random
import subprocess
import sys

import dp_accounting
from dp_accounting import pld
from dp_accounting.pld import privacy_loss_distribution

INTERVAL = 1e-4  # dp-accounting's default
LOOSER = 1e-3
ROUNDING = 1e-9  # dp-accounting rounds to nearest
LARGEST_EPSILON = 40


def log_uniform(rng, low, high):
    return float("%.4g" % math.exp(rng.uniform(math.log(low), math.log(high))))


def random_release(rng, kind):
    """(kind, scale, rate, count) with a total epsilon that stays moderate."""
    scale = log_uniform(rng, 0.7, 30)
    rate = log_uniform(rng, 1e-3, 0.3) if kind.startswith("sampled") else 1.0
    # count (rate/scale)^2 / 2 is roughly the divergence; its root times a normal quantile the deviation.
    most = max(1, min(3000, (scale / rate) ** 2 * 10, scale / rate * LARGEST_EPSILON))
    return kind, scale, rate, max(1, round(log_uniform(rng, 1, most)))


def random_question(rng, index):
    kinds = ("gaussian", "laplace", "sampled gaussian", "sampled laplace")
    releases = [random_release(rng, kinds[index % 4])]
    if index % 5 == 4:
        releases.append(random_release(rng, rng.choice(kinds)))
    return releases, log_uniform(rng, 1e-8, 1e-3)


def expression(releases):
    parts = []
    for kind, scale, rate, count in releases:
        stages = ["%s(%r)" % (kind.split()[-1], scale)]
        stages += ["poisson(rate=%r)" % rate] * (rate < 1) + ["compose(%d)" % count] * (count > 1)
        parts.append(" | ".join(stages))
    return parts[0] if len(parts) == 1 else " + ".join("(%s)" % part for part in parts)


def our_bracket(binary, what, releases, given, at, width):
    command = [binary, what, expression(releases), "--" + given, repr(at), "--width", repr(width), "--json"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in (0, 3):
        raise SystemExit("%s: exit code %d: %s" % (" ".join(command), done.returncode, done.stderr.strip()))
    ends = json.loads(done.stdout)[what]
    return float(ends["lower"]), float(ends["upper"])


def our_epsilon(binary, releases, delta, width):
    return our_bracket(binary, "epsilon", releases, "delta", delta, width)


def their_epsilon(releases, delta, interval):
    accountant = pld.PLDAccountant(value_discretization_interval=interval)
    for kind, scale, rate, count in releases:
        event = {"gaussian": dp_accounting.GaussianDpEvent, "laplace": dp_accounting.LaplaceDpEvent}[kind.split()[-1]](scale)
        event = dp_accounting.PoissonSampledDpEvent(rate, event) if rate < 1 else event
        accountant.compose(event, count)
    return accountant.get_epsilon(delta)


def optimistic_epsilon(releases, delta, interval):
    """A lower bound, from dp-accounting's lattices rounded down."""
    options = dict(pessimistic_estimate=False, value_discretization_interval=interval, use_connect_dots=False)
    whole = privacy_loss_distribution.identity(value_discretization_interval=interval, pessimistic_estimate=False)
    for kind, scale, rate, count in releases:
        make = getattr(privacy_loss_distribution, "from_%s_mechanism" % kind.split()[-1])
        whole = whole.compose(make(scale, sampling_prob=rate, **options).self_compose(count))
    return whole.get_epsilon_for_delta(delta)


def atom_bound(releases, delta):
    """delta(epsilon) >= mass (1 - e^(epsilon - top)), solved for epsilon: with probability mass every loss is the largest.

    The largest loss of a sampled Laplace is log(1 - q + q e^(1/scale)), where the noise of P is on the far side.
    """
    top, log_mass = 0.0, 0.0
    for kind, scale, rate, count in releases:
        if not kind.endswith("laplace"):
            return 0.0
        top += count * math.log1p(rate * math.expm1(1 / scale))
        log_mass += count * math.log(rate / 2 + (1 - rate) * math.exp(-1 / scale) / 2)
    share = math.exp(math.log(delta) - log_mass) if math.log(delta) < log_mass else 1.0
    return max(0.0, top + math.log1p(-share)) if share < 1 else 0.0


def verdict(lower, upper, theirs, width, proven):
    if not upper >= proven - ROUNDING:
        return "UNSOUND: our upper end is %.3g below a lower bound, %.9g" % (proven - upper, proven)
    if not lower <= theirs + ROUNDING:
        return "CONTRADICTION: our lower end is %.3g above their upper bound" % (lower - theirs)
    if not upper <= theirs + width + LOOSER:
        return "LOOSER: our upper end is %.3g above theirs" % (upper - theirs)
    return ""


def explain_violation(binary, releases, delta, width, upper):
    if math.isfinite(upper):
        back = our_bracket(binary, "delta", releases, "epsilon", upper, width)
        print("     our own delta at our upper end: %.6g .. %.6g, asked for %.6g%s" % (
            *back, delta, ": our two commands contradict each other" if back[0] > delta else ""))
    lower, upper = our_epsilon(binary, releases, delta, width / 5)
    theirs = their_epsilon(releases, delta, INTERVAL / 5)
    optimistic, atom = optimistic_epsilon(releases, delta, INTERVAL / 5), atom_bound(releases, delta)
    problem = verdict(lower, upper, theirs, width / 5, max(optimistic, atom))
    print("     on grids five times finer: ours %.9g .. %.9g, theirs %.9g .. %.9g, atom bound %.9g: %s" % (
        lower, upper, optimistic, theirs, atom, problem or "no violation any more"))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("binary", help="build/doeblin")
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--width", type=float, default=1e-3)
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    violations, inside, wide, gaps = 0, 0, 0, []
    for index in range(arguments.count):
        releases, delta = random_question(rng, index)
        lower, upper = our_epsilon(arguments.binary, releases, delta, arguments.width)
        theirs = their_epsilon(releases, delta, INTERVAL)
        proven = max(optimistic_epsilon(releases, delta, INTERVAL), atom_bound(releases, delta))
        problem = verdict(lower, upper, theirs, arguments.width, proven)
        print("%3d  ours %.7f .. %.7f  theirs %.7f .. %.7f (%+.1e from our upper end)  delta %.3g  %s  %s%s" % (
            index, lower, upper, proven, theirs, theirs - upper, delta, expression(releases),
            "wider than asked; " if upper - lower > arguments.width else "", problem or "ok"), flush=True)
        if problem:
            violations += 1
            explain_violation(arguments.binary, releases, delta, arguments.width, upper)
        wide += upper - lower > arguments.width
        inside += lower <= theirs <= upper
        gaps.append((theirs - upper, index))
    print("\n%d questions, %d violations, %d brackets wider than asked; %d of their pessimistic epsilons lie inside ours" % (
        arguments.count, violations, wide, inside))
    if gaps:
        print("theirs minus our upper end: from %+.2e (question %d) to %+.2e (question %d)" % (*min(gaps), *max(gaps)))
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())
