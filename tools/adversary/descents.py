# SPDX-License-Identifier: Apache-2.0
"""Noisy gradient descent as the documentation describes it, for losses on the line that fit its constants: every order, every coin, every
time to stop."""
import dataclasses
import itertools
import math

import chains
from laws import FinitePair, mixed
from noises import rounded


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
        words = dict(n=self.n, learning_rate=list(self.rates) or self.rate, sigma=self.sigma, lipschitz=self.lipschitz,
                     smoothness=self.smoothness, strong_convexity=self.convexity, diameter=self.diameter, batch=self.batch,
                     epochs=self.epochs, order=self.order, output=self.output, noise=self.noise, relation=self.relation,
                     public_tail=self.tail, tasks=self.tasks, draws=self.draws)
        if self.checkpoints:
            words["checkpoints"] = f"'{','.join(map(str, self.checkpoints))}'"
        return f"noisy_sgd({', '.join(f'{name}={value}' for name, value in words.items())})"

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
    smoothness = rounded(rng, 0.2, 2)
    run = Run(n=rng.randint(1, 4), rate=rounded(rng, 0.05, 2 / smoothness * 0.99), sigma=rounded(rng, 0.5, 4),
              lipschitz=rng.choice([1.0, 1.0, 0.5]), smoothness=smoothness,
              convexity=rng.choice([0.0, 0.0, round(smoothness * rng.random(), 3)]))
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
        run.diameter = rounded(rng, 0.3, 3)
    if run.order == "fixed" and run.output == "last" and not run.checkpoints and run.diameter == math.inf and rng.random() < 0.25:
        run.rates = tuple(rounded(rng, 0.05, 2 / smoothness * 0.99) for _ in range(run.steps))
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
            pairs = [{(i, j): a * b for i, a in enumerate(row) for j, b in enumerate(row)} for row in rows]
            law = mixed((weight, pair) for (weight, _), pair in zip(draws, pairs))
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
