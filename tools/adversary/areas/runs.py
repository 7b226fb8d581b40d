# SPDX-License-Identifier: Apache-2.0
"""Hidden runs of a few steps: every order, every coin and every time to stop, with losses that fit the constants."""
import itertools
import math

import chains
import noises
from confront import confront
from descents import Run, gradients, in_an_interval, linear, merged, normal_pair, several_tasks, some_run, with_checkpoints
from laws import FinitePair, Truth


def differing(run, rng, people, group):
    """Who differs: one person whose guarantee is asked for, or anybody, or several."""
    if people is not None:
        return [[people]]
    private = run.n - run.tail
    return [list(some) for size in range(1, group + 1) for some in itertools.combinations(range(private), size)][:12]


def spread(run):
    """How far one step without noise can spread two points, at most."""
    return max(abs(1 - run.rate * run.convexity), abs(1 - run.rate * run.smoothness))


def collapsed(run, person):
    """Maps that forget all before the only use of the record, and spread as far as they may after it: they have the constants too."""
    uses = [t for t, batch in enumerate(run.in_order(range(run.n))) if person in batch]
    if len(uses) != 1 or run.rates or run.output != "last" or run.tasks > 1 or run.checkpoints:
        return []
    moved = run.rate * run.lipschitz / run.batch * (2 if run.relation == "substitute" else 1)
    mean, deviation = chains.normal_state([moved] + [0.0] * (run.steps - 1 - uses[0]), spread(run), run.rate * run.sigma)
    return [chains.NormalPair([(1.0, mean, deviation)], [(1.0, 0.0, deviation)])]


def descent(case):
    rng = case.rng
    run = some_run(rng)
    if run.noise == "laplace":
        run.relation = rng.choice(["substitute", "zero_out"])
    expression, person, group = run.text(), None, 1
    if run.order == "fixed" and rng.random() < 0.4:
        person = rng.randrange(run.n - run.tail)
        expression += f" | person({person + 1})"
    elif rng.random() < 0.25 and run.n - run.tail > 1:
        group = 2
        expression += " | group(2)"
    bounded = run.diameter < math.inf or run.noise == "laplace"
    if bounded:
        run.tasks = 1
        if run.order == "poisson" and run.n * run.steps > 4 or run.order == "permuted" and run.n > 3:
            return
        expression = expression.replace("tasks=2", "tasks=1")
    if run.tasks > 1 and run.draws == "fresh" and rng.random() < 0.5:
        expression = expression.replace("tasks=2", "tasks=1") + " | compose(2)"
    pairs = []
    for people in differing(run, rng, person, group):
        for curvature in sorted({run.convexity, run.smoothness, rng.uniform(run.convexity, run.smoothness)}):
            first, second = gradients(run, rng, people)
            if rng.random() < 0.5:
                for i in range(run.n):
                    if i not in people:
                        first[i] = second[i] = None
            if bounded:
                pair = in_an_interval(run, rng, first, second, curvature)
            elif run.tasks > 1:
                pair = several_tasks(run, first, second, curvature)
            elif run.checkpoints:
                pair = with_checkpoints(run, first, second, curvature)
            else:
                pair = normal_pair(run, first, second, curvature)
            pairs.append(pair)
            if isinstance(pair, FinitePair):
                pairs.append(FinitePair({i: q for i, (_, q) in enumerate(pair.chances)}, {i: p for i, (p, _) in enumerate(pair.chances)}))
            elif not run.checkpoints:
                pairs.append(chains.NormalPair(pair.second, pair.first))
            if not bounded and len(people) == 1 and run.order == "fixed":
                pairs += collapsed(run, people[0])
    truth = Truth(pairs)
    plain = run.order == "fixed" and run.output == "last" and not run.checkpoints and not run.rates and run.n % run.batch == 0
    known = plain and not bounded and run.tasks == run.epochs == group == 1
    error = 0.01 if bounded else 0.0
    confront(case, expression, lambda epsilon: truth.delta(epsilon) * (1 - error) - error * 1e-4, known and not bounded, 1e-9,
             min(6.0, 2.5 * group * run.lipschitz / run.sigma / run.batch * run.tasks))


def iteration(case):
    """Maps of which nothing is known but how far they spread, and how far neighbours' maps are apart in some steps."""
    rng = case.rng
    steps, sigma, sensitivity = rng.randint(1, 6), noises.rounded(rng, 0.4, 3), noises.rounded(rng, 0.3, 2)
    spread = rng.choice([1.0, noises.rounded(rng, 0.3, 1.4)])
    affected = sorted(rng.sample(range(1, steps + 1), rng.randint(1, min(3, steps))))
    if rng.random() < 0.3:
        return iteration_in_an_interval(case, steps, sigma, sensitivity, spread, affected)
    pairs = []
    for slope in (spread, -spread, rng.uniform(-spread, spread)):
        sign = 1 if slope >= 0 else -1
        moves = [sign**t * sensitivity if t + 1 in affected else 0.0 for t in range(steps)]
        (mean, deviation), (other, _) = chains.normal_state(moves, slope, sigma), chains.normal_state([0.0] * steps, slope, sigma)
        pairs.append(chains.NormalPair([(1.0, mean, deviation)], [(1.0, other, deviation)]))
    mean, deviation = chains.normal_state([sensitivity] + [0.0] * (steps - affected[-1]), spread, sigma)
    pairs.append(chains.NormalPair([(1.0, mean, deviation)], [(1.0, 0.0, deviation)]))
    truth = Truth(pairs)
    expression = (f"noisy_iteration(steps={steps}, sigma={sigma!r}, sensitivity={sensitivity!r}, lipschitz={spread!r}, "
                  f"affected='{','.join(map(str, affected))}')")
    confront(case, expression, truth.delta, len(affected) == 1, 1e-9, min(6.0, 2.5 * sensitivity / sigma * len(affected)))


def iteration_in_an_interval(case, steps, sigma, sensitivity, spread, affected):
    """The same with a projection, on a grid, right to about a percent."""
    rng = case.rng
    noise, half = rng.choice(["gaussian", "laplace"]), noises.rounded(rng, 0.2, 2)
    space, pairs = chains.Interval(-half, half, 44, noise, sigma), []
    for slope in (spread, -spread):
        shifts = [rng.choice([0.0, rng.uniform(-1, 1)]) for _ in range(steps)]
        laws = []
        for sign in (1, -1):
            law = space.start(0.0)
            for t in range(1, steps + 1):
                moved = shifts[t - 1] + (sign * sensitivity / 2 * (1 if slope > 0 else (-1) ** t) if t in affected else 0.0)
                law = space.moved(law, lambda x: slope * x + moved)
            laws.append(dict(enumerate(law)))
        pairs += [FinitePair(*laws), FinitePair(*laws[::-1])]
    truth = Truth(pairs)
    expression = (f"noisy_iteration(steps={steps}, sigma={sigma!r}, sensitivity={sensitivity!r}, lipschitz={spread!r}, "
                  f"affected='{','.join(map(str, affected))}', diameter={2 * half!r}, noise={noise})")
    confront(case, expression, lambda epsilon: truth.delta(epsilon) * 0.99 - 1e-6, False, 0.0, min(6.0, 2.5 * sensitivity / sigma))


def on_a_subset(case):
    """A run on a random subset, whose records keep the order of the file unless the assumptions say that they do not."""
    rng = case.rng
    smoothness, m = noises.rounded(rng, 0.5, 3), rng.choice([1, 2, 2])
    run = Run(n=m, rate=0.5, sigma=noises.rounded(rng, 0.5, 4), lipschitz=1.0, smoothness=smoothness, convexity=0.0)
    n = rng.randint(m, 4)
    expression = f"{run.text()} | without_replacement(n={n}, m={m})"
    answer = case.ask("delta", expression, [0.0])
    if answer is None:
        return
    said = " ".join(a["text"] for step in answer.document["analysis"] for a in step["assumptions"])
    arranged = itertools.permutations if "order" in said else itertools.combinations
    pairs, known_curvatures = [], [0.0, smoothness, *(min(smoothness, 2 + x) for x in (-0.2, 0.1, 0.2))]
    for curvature in known_curvatures:
        for _ in range(6):
            slopes = [rng.choice([-1.0, 1.0]) for _ in range(n)]
            place = rng.choice([n - 1, rng.randrange(n)])
            laws = []
            for own in (1.0, -1.0):
                slopes[place] = own
                samples = list(arranged(range(n), m))
                laws.append(merged([(1 / len(samples), *linear(run, slopes, [[i] for i in sample], curvature)) for sample in samples]))
            pairs.append(chains.NormalPair(*laws))
            pairs.append(chains.NormalPair(*laws[::-1]))
    confront(case, expression, Truth(pairs).delta, False, 1e-9, min(6.0, 2.5 / run.sigma))


def one(case):
    pick = case.rng.random()
    (iteration if pick < 0.2 else on_a_subset if pick < 0.24 else descent)(case)
