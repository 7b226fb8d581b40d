# SPDX-License-Identifier: Apache-2.0
"""Hidden runs of a few steps: every order, every coin and every time to stop, with losses that fit the constants."""
import dataclasses
import itertools
import math

import chains
import sources
from confront import confront
from laws import FinitePair, Truth, mixed


@dataclasses.dataclass
class Run:
    """Noisy projected gradient descent, w <- project(w - rate (mean gradient of the batch + noise))."""

    n: int
    rate: float
    sigma: float
    lipschitz: float
    smoothness: float
    convexity: float
    diameter: float = math.inf
    batch: int = 1
    epochs: int = 1
    order: str = "fixed"
    output: str = "last"
    noise: str = "gaussian"
    relation: str = "substitute"
    tail: int = 0
    tasks: int = 1
    draws: str = "fresh"
    checkpoints: tuple = ()
    rates: tuple = ()  # one for each step, in place of the rate

    def text(self):
        words = [f"n={self.n}", f"learning_rate={list(self.rates) or self.rate!r}", f"sigma={self.sigma!r}", f"lipschitz={self.lipschitz!r}",
                 f"smoothness={self.smoothness!r}", f"strong_convexity={self.convexity!r}", f"diameter={self.diameter!r}",
                 f"batch={self.batch}", f"epochs={self.epochs}", f"order={self.order}", f"output={self.output}", f"noise={self.noise}",
                 f"relation={self.relation}", f"public_tail={self.tail}", f"tasks={self.tasks}", f"draws={self.draws}"]
        if self.checkpoints:
            words.append(f"checkpoints='{','.join(map(str, self.checkpoints))}'")
        return f"noisy_sgd({', '.join(words)})"

    @property
    def steps(self):
        return -(-self.n * self.epochs // self.batch)

    def in_order(self, order):
        """Batches follow one another through the records, and start again."""
        return [[order[(t * self.batch + j) % self.n] for j in range(self.batch)] for t in range(self.steps)]

    def all_draws(self):
        """(probability, batches) for everything that is random but the noise; the state after the last batch is released."""
        if self.order == "poisson":
            chance, people = self.batch / self.n, range(self.n)
            for coins in itertools.product((0, 1), repeat=self.n * self.steps):
                weight = math.prod(chance if coin else 1 - chance for coin in coins)
                yield weight, [[i for i in people if coins[t * self.n + i]] for t in range(self.steps)]
            return
        orders = list(itertools.permutations(range(self.n))) if self.order == "permuted" else [range(self.n)]
        for order in orders:
            whole = self.in_order(order)
            if self.output == "uniform_stop":
                ends = [whole[:t] for t in range(1, self.steps + 1)]
            elif self.output == "skip":
                ends = [whole[s:] for s in range(self.steps // 2 + 1)]
            else:
                ends = [whole]
            for batches in ends:
                yield 1 / len(orders) / len(ends), batches


def some_run(rng):
    smoothness = sources.rounded(rng, 0.2, 2)
    run = Run(n=rng.randint(1, 4), rate=sources.rounded(rng, 0.05, 2 / smoothness * 0.99), sigma=sources.rounded(rng, 0.5, 4), lipschitz=rng.choice([1.0, 1.0, 0.5]),
              smoothness=smoothness, convexity=rng.choice([0.0, 0.0, round(smoothness * rng.random(), 3)]))
    run.batch = rng.choice([b for b in (1, 1, 2, 3) if b <= run.n])
    run.epochs = rng.choice([1, 1, 2])
    run.relation = rng.choice(["substitute", "substitute", "zero_out"])
    kind = rng.random()
    if kind < 0.2:
        run.order = "permuted"
    elif kind < 0.35:
        run.order, run.n, run.epochs = "poisson", min(run.n, 2), rng.choice([1, 2, 3])
        run.batch = 1
        run.relation = rng.choice(["add_remove", "add_remove", "zero_out"])
    elif kind < 0.6:
        run.epochs = 1
        run.batch = rng.choice([b for b in (1, 2) if run.n % b == 0])
        run.output = rng.choice(["uniform_stop", "skip"])
    elif kind < 0.75 and run.steps > 1:
        run.checkpoints = (rng.randint(1, run.steps - 1),)
    if run.order == "fixed" and rng.random() < 0.2:
        run.tail = rng.randint(0, run.n - 1)
    if not run.checkpoints and rng.random() < 0.25:
        run.tasks, run.draws = 2, rng.choice(["fresh", "shared"])
    if not run.checkpoints and rng.random() < 0.25:
        run.diameter = sources.rounded(rng, 0.3, 3)
    if run.order == "fixed" and run.output == "last" and not run.checkpoints and run.diameter == math.inf and rng.random() < 0.25:
        run.rates = tuple(sources.rounded(rng, 0.05, 2 / smoothness * 0.99) for _ in range(run.steps))
    if run.diameter < math.inf and rng.random() < 0.3 and run.order != "poisson" and run.n % run.batch == 0:
        run.noise = "laplace"
    return run


def gradients(run, rng, people):
    """Slopes of every record's loss for two neighbours, who differ in these people; a slope of None contributes nothing."""
    top = run.lipschitz
    first = [rng.choice([top, -top, 0.0, rng.uniform(-top, top)]) for _ in range(run.n)]
    second = list(first)
    for i in people:
        first[i] = rng.choice([top, top, -top])
        second[i] = -first[i] if run.relation == "substitute" else None
    return first, second


def linear(run, slopes, batches, curvature):
    """Mean and deviation of the state when the regulariser has this curvature and every loss is linear."""
    if run.rates:
        mean, variance = 0.0, 0.0
        for rate, batch in zip(run.rates, batches):
            mean = (1 - rate * curvature) * mean - rate * sum(slopes[i] or 0.0 for i in batch) / run.batch
            variance = (1 - rate * curvature) ** 2 * variance + (rate * run.sigma) ** 2
        return mean, math.sqrt(variance)
    shifts = [-run.rate * sum(slopes[i] or 0.0 for i in batch) / run.batch for batch in batches]
    return chains.normal_state(shifts, 1 - run.rate * curvature, run.rate * run.sigma)


def normal_pair(run, first, second, curvature):
    laws = [[(weight, *linear(run, slopes, batches, curvature)) for weight, batches in run.all_draws()] for slopes in (first, second)]
    return chains.NormalPair(*(merged(law) for law in laws))


def merged(law):
    together = {}
    for weight, mean, deviation in law:
        key = (round(mean, 13), round(deviation, 13))
        together[key] = together.get(key, 0.0) + weight
    return [(weight, *key) for key, weight in together.items()]


def several_tasks(run, first, second, curvature, cells=16):
    """Two runs, of which is shown which cell their states are in; draws are common, or each has its own."""
    draws = list(run.all_draws())
    states = [[linear(run, slopes, batches, curvature) for _, batches in draws] for slopes in (first, second)]
    every = [state for side in states for state in side]
    low, high = min(m - 2.5 * s for m, s in every), max(m + 2.5 * s for m, s in every)
    ends = [low + (high - low) * j / (cells - 2) for j in range(cells - 1)]
    laws = []
    for side in states:
        rows = [chains.cells_of(mean, deviation, ends) for mean, deviation in side]
        if run.draws == "shared":
            law = mixed((weight, {(i, j): a * b for i, a in enumerate(row) for j, b in enumerate(row)}) for (weight, _), row in zip(draws, rows))
        else:
            one = mixed((weight, dict(enumerate(row))) for (weight, _), row in zip(draws, rows))
            law = {(i, j): a * b for i, a in one.items() for j, b in one.items()}
        laws.append(law)
    return FinitePair(*laws)


def with_checkpoints(run, first, second, curvature):
    """Given a state that is shown, the next part of the run starts from it: what the parts tell are independent normal numbers."""
    (_, batches), = run.all_draws()
    stops, squares = [0, *run.checkpoints, run.steps], 0.0
    for start, end in zip(stops, stops[1:]):
        (mean, deviation), (other, _) = (linear(run, slopes, batches[start:end], curvature) for slopes in (first, second))
        squares += ((mean - other) / deviation) ** 2
    level = math.sqrt(squares)
    return chains.NormalPair([(1.0, level, 1.0)], [(1.0, 0.0, 1.0)])


def in_an_interval(run, rng, first, second, curvature, cells=44):
    """Losses whose slope goes from one side to the other within the interval, or linear ones."""
    half = run.diameter / 2
    space = chains.Interval(-half, half, cells, run.noise, run.rate * run.sigma)
    bend = max(0.0, run.smoothness - curvature) * rng.choice([0.0, 1.0])
    centre = rng.uniform(-half, half)
    top = run.lipschitz

    def step(slopes, batch):
        def move(w):
            total = 0.0
            for slope in (slopes[i] for i in batch if slopes[i] is not None):
                bent = bend * (w - centre) if abs(slope) < top else 0.0
                total += min(top, max(-top, slope + bent))
            return w - run.rate * (curvature * w + total / run.batch)

        return move

    laws = []
    for slopes in (first, second):
        parts = []
        for weight, batches in run.all_draws():
            law = space.start(0.0)
            for batch in batches:
                law = space.moved(law, step(slopes, batch))
            parts.append((weight, dict(enumerate(law))))
        laws.append(mixed(parts))
    return FinitePair(*laws)


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
            if run.relation == "add_remove" or rng.random() < 0.5:
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
    known = not bounded and run.order == "fixed" and run.output == "last" and run.tasks == run.epochs == group == 1 and not run.checkpoints and not run.rates and run.n % run.batch == 0
    error = 0.01 if bounded else 0.0
    confront(case, expression, lambda epsilon: truth.delta(epsilon) * (1 - error) - error * 1e-4, known and not bounded, 1e-9,
             min(6.0, 2.5 * group * run.lipschitz / run.sigma / run.batch * run.tasks))


def iteration(case):
    """Maps of which nothing is known but how far they spread, and how far neighbours' maps are apart in some steps."""
    rng = case.rng
    steps, sigma, sensitivity = rng.randint(1, 6), sources.rounded(rng, 0.4, 3), sources.rounded(rng, 0.3, 2)
    spread = rng.choice([1.0, sources.rounded(rng, 0.3, 1.4)])
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
    noise, half = rng.choice(["gaussian", "laplace"]), sources.rounded(rng, 0.2, 2)
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
    smoothness, m = sources.rounded(rng, 0.5, 3), rng.choice([1, 2, 2])
    run = Run(n=m, rate=0.5, sigma=sources.rounded(rng, 0.5, 4), lipschitz=1.0, smoothness=smoothness, convexity=0.0)
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
