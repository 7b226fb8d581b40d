# SPDX-License-Identifier: Apache-2.0
"""Sources, and mechanisms that fit their description: a source's text, and a maker of functions from datasets to laws.

A maker is given random numbers and a kind: "extreme" asks for mechanisms in which the worst neighbours can be expected (somebody is in
the sample, and nobody else contributes), "random" for any that the words allow.
"""
import dataclasses
import itertools
import math
import random
from typing import Callable

from laws import FinitePair
from noises import TAILS, chances_between, discrete_law, noise_on_the_line, rounded
from people import LETTERS, datasets, neighbours, remembered


@dataclasses.dataclass
class Source:
    text: str
    make: Callable  # (rng, kind) -> mechanism
    known: bool = True  # both ends enclose one number, which extreme mechanisms reach
    slack: float = 0.0  # probability that was moved to finitely many outcomes
    columns: int = 0  # of a matrix
    rows: int = 0  # of a matrix
    extremes: int = 12  # so many extreme mechanisms there are, at least


def in_rotation(rng, choices):
    """Each of the choices in turn, so that all of them are tried."""
    return itertools.cycle(rng.sample(choices, len(choices)))


def extreme_values(rng, relation, sensitivity):
    """What records of the three letters contribute when the first is as far from the others as it may be."""
    low = -sensitivity if relation == "add_remove" else 0
    middle = sensitivity // 2 if isinstance(sensitivity, int) else sensitivity / 2
    return in_rotation(rng, list(itertools.product([sensitivity], sorted({low, 0}), sorted({0, middle, sensitivity}))))


def random_values(rng, relation, sensitivity, whole):
    """Adding a record, or exchanging it, moves the sum by the sensitivity at most."""
    low = -sensitivity if relation == "add_remove" else 0
    return tuple(rng.randint(low, sensitivity) if whole else rng.uniform(low, sensitivity) for _ in LETTERS)


def summing(rng, relation, sensitivity, whole):
    """A maker of functions from datasets to numbers with this sensitivity."""
    extreme = extreme_values(rng, relation, sensitivity)

    def make(rng, kind):
        values = next(extreme) if kind == "extreme" else random_values(rng, relation, sensitivity, whole)
        start = 0 if kind == "extreme" or whole else rng.uniform(-1, 1)
        return lambda data: start + sum(values[letter] for letter in data)

    return make


def by_who_is_there(first, second, rest):
    return lambda data: first if 0 in data else second if 1 in data else rest


def by_how_many(walk):
    """One row after another, as more people with the first letter come."""
    return lambda data: walk[min(len(walk) - 1, data.count(0))]


def choosing(rng, rows, walks=True):
    """A maker of functions from datasets to rows, any functions; or who is in the data decides, or how many. And how many extreme
    functions there are."""
    choices = [by_who_is_there(*chosen) for chosen in itertools.product(range(rows), repeat=3)]
    if walks and rows > 2:
        choices += [by_how_many(walk) for walk in itertools.product(range(rows), repeat=4)]
    extreme = in_rotation(rng, choices)

    def make(rng, kind):
        if kind == "extreme":
            return next(extreme)
        salt = rng.random()
        return lambda data: random.Random(f"{salt} {data}").randrange(rows)

    return make, len(choices)


def walking(rng, relation, rows):
    """The same where only rows next to each other are neighbours."""
    walks = [walk for walk in itertools.product(range(rows), repeat=4) if all(abs(i - j) <= 1 for i, j in zip(walk, walk[1:]))]
    choices = [by_how_many(walk) for walk in walks]
    if relation == "add_remove":
        choices += [both_ways(*ways) for ways in itertools.product(range(rows), repeat=3) if beside(*ways)]
    extreme = in_rotation(rng, choices)

    def make(rng, kind):
        if kind == "extreme":
            return next(extreme)
        start, values = rng.randrange(rows), random_values(rng, relation, 1, True)
        return lambda data: min(rows - 1, max(0, start + sum(values[letter] for letter in data)))

    return make, len(choices)


def beside(back, here, there):
    return abs(back - here) <= 1 and abs(there - here) <= 1


def both_ways(back, here, there):
    """People with the first letter lead to one side, those with the second to the other; they make up for each other."""
    return lambda data: (here, there, back)[(data.count(0) > data.count(1)) - (data.count(0) < data.count(1))]


def counting_bits(ahead, behind):
    """Bits about the data, of which a person who comes or goes changes one: whether there are one, two, ... with the first letter, and
    whether there are less than one, two, ... with the second."""
    return lambda data: [data.count(0) > i for i in range(ahead)] + [data.count(1) <= j for j in range(behind)]


def randomized_response(rng, relation, bits=2):
    """Bits, each reported truthfully with probability p, one of which a person changes. Exchanging the first letter for the second
    may change one only."""
    p, (choice, count) = rounded(rng, 0.55, 0.95), choosing(rng, 2)
    several = [counting_bits(bits, 0)] + [counting_bits(bits // 2, bits // 2)] * (relation == "add_remove")
    extreme = in_rotation(rng, several + [None] * count)

    def make(rng, kind):
        if kind == "random" and relation == "substitute" and rng.random() < 0.4:
            values = [rng.randrange(2) for _ in LETTERS]
            return remembered(lambda data: ones([p if values[letter] else 1 - p for letter in data]))
        asked = next(extreme) if kind == "extreme" else rng.choice([None, *several])
        if asked:
            return remembered(lambda data: reported(asked(data), p))
        bit = choice(rng, kind)
        return remembered(lambda data: {bit(data): p, 1 - bit(data): 1 - p})

    return Source(f"randomized_response(p={p!r})", make, extremes=len(several) + count)


def reported(bits, p):
    """The law of the reports of these bits."""
    law = {(): 1.0}
    for bit in bits:
        law = {(*reports, report): chance * (p if report == bit else 1 - p) for reports, chance in law.items() for report in (False, True)}
    return law


def ones(chances):
    """The law of how many people report a one."""
    law = {0: 1.0}
    for chance in chances:
        grown = {}
        for count, weight in law.items():
            grown[count + 1] = grown.get(count + 1, 0.0) + weight * chance
            grown[count] = grown.get(count, 0.0) + weight * (1 - chance)
        law = grown
    return law


def random_row(rng, columns, zeros=0.1):
    entries = [0.0 if rng.random() < zeros else rng.random() ** 2 + 0.02 for _ in range(columns)]
    if sum(entries) == 0.0:
        entries[rng.randrange(columns)] = 1.0
    total = math.fsum(entries)
    return [entry / total for entry in entries]


def finite(rng, relation, case, columns=0):
    rows, columns = rng.choice([2, 2, 2, 3, 3, 4]), columns or rng.choice([2, 3, 4])
    near = random_row(rng, columns, zeros=0.0)
    matrix = [[0.6 * a + 0.4 * b for a, b in zip(near, random_row(rng, columns))] for _ in range(rows)]
    name = case.file("mechanism", matrix)
    laws = [dict(enumerate(row)) for row in matrix]
    text, (choice, count) = f"finite('{name}')", choosing(rng, rows)
    if rows > 2 and rng.random() < 0.4:
        pairs = case.file("adjacency", [[i + 1, i + 2] for i in range(rows - 1)])
        text, (choice, count) = f"finite('{name}', adjacency='{pairs}')", walking(rng, relation, rows)

    def make(rng, kind):
        row = choice(rng, kind)
        return remembered(lambda data: laws[row(data)])

    return Source(text, make, columns=columns, rows=rows, extremes=count)


def discrete(rng, relation):
    name = rng.choice(["discrete_gaussian", "discrete_laplace"])
    scale, sensitivity = rounded(rng, 0.4, 1.6), rng.choice([1, 1, 1, 2])
    # Beyond every value the ratios of Laplace noise stay the same, so that clipping loses nothing.
    end = 4 * sensitivity + (1 if name == "discrete_laplace" else int(9 * scale) + 2)

    values = summing(rng, relation, sensitivity, True)

    def make(rng, kind):
        value = values(rng, kind)
        return remembered(lambda data: discrete_law(name, scale, value(data), end))

    argument = "sigma" if name == "discrete_gaussian" else "scale"
    return Source(f"{name}({argument}={scale!r}, sensitivity={sensitivity})", make, slack=1e-14)


def in_cells(rng, relation, cells=0):
    """Noise on the line of which an interval is shown that the output lies in: what is guaranteed for the output holds for that."""
    text, name, scale, sensitivity = noise_on_the_line(rng)
    cells = cells or rng.choice([3, 6, 12])
    tail, values = TAILS[name], summing(rng, relation, sensitivity, False)

    def make(rng, kind):
        value = values(rng, kind)
        middle, width = rng.uniform(-1, 1) * scale, rng.uniform(0.3, 0.8) * scale * 6 / cells
        ends = [middle + width * (j - cells / 2 + 0.5) for j in range(cells - 1)]

        def law(data):
            return dict(enumerate(chances_between(tail, [(end - value(data)) / scale for end in ends])))

        return remembered(law)

    return Source(text, make, known=False)


def random_table(rng, columns):
    """Some law for each dataset, more or less close to each other."""
    spread, salt = rng.choice([0.1, 0.5, 1.5]), rng.random()
    zeros = rng.choice([0.0, 0.0, 0.15])

    @remembered
    def mechanism(data):
        own = random.Random(f"{salt} {data}")
        weights = [math.exp(own.gauss(0, spread)) * (own.random() >= zeros) for _ in range(columns)]
        total = math.fsum(weights) or 1.0
        return {j: weight / total for j, weight in enumerate(weights)} if any(weights) else {0: 1.0}

    return mechanism


def who_is_there(rng, columns):
    """Two random laws: that of datasets with a record of the first letter, and that of the others."""
    row = random_table(rng, columns)
    return lambda data: row(0 in data)


def described(rng, relation, largest=4):
    """A random mechanism on all small datasets, and what is true of it, in the words of a source that says no more than that."""
    columns = rng.choice([2, 3, 4])
    mechanism = rng.choice([random_table, random_table, who_is_there])(rng, columns)
    everything = datasets(range(largest + 1))
    pairs = [FinitePair(mechanism(a), mechanism(b)) for a in everything for b in everything if neighbours(a, b, relation)]

    def make(rng, kind):
        order = list(LETTERS) if kind == "extreme" else rng.sample(LETTERS, 3)
        return remembered(lambda data: mechanism(tuple(sorted(order[letter] for letter in data))))

    kind = rng.choice(["black_box", "black_box", "rdp", "zcdp"])
    text = None
    if kind == "rdp":
        alpha = rng.choice([1.5, 2.0, 4.0, 10.0])
        level = max(pair.renyi(alpha) for pair in pairs)
        text = f"rdp(alpha={alpha!r}, epsilon={above(level)!r})" if 0 < level < 50 else None
    if kind == "zcdp":
        # Between two orders the divergence does not fall: that of the upper one, over the lower one, is enough.
        orders = [1.15**j for j in range(1, 40)]
        pure = max(pair.renyi(math.inf) for pair in pairs)
        if pure < 20:
            levels = [max(pair.renyi(alpha) for pair in pairs) for alpha in orders]
            rho = max(later / alpha for alpha, later in zip([1.0, *orders], [*levels, pure]))
            text = f"zcdp(rho={above(rho)!r})"
    if text is None:
        top = max(pair.renyi(math.inf) for pair in pairs)
        epsilon = rounded(rng, 0.0, min(top, 4.0) if rng.random() < 0.8 else 0.3, 3)
        delta = max(pair.delta(epsilon) for pair in pairs)
        text = f"black_box(epsilon={epsilon!r}, delta={min(1.0, above(delta))!r})" if delta > 0 else f"black_box(epsilon={epsilon!r})"
        if rng.random() < 0.3 and top < math.inf:
            text = f"black_box(epsilon={above(top)!r})"
    return Source(text, make, known=False)


def above(value):
    """A little more, for the rounding of the sums here."""
    return value * (1 + 1e-11) + 1e-15


def small_source(rng, relation, case, columns=0, bits=2):
    """A source with few outcomes."""
    pick = rng.randrange(10)
    if columns or pick < 3:
        return finite(rng, relation, case, columns)
    if pick < 5:
        return randomized_response(rng, relation, bits)
    if pick < 8:
        return described(rng, relation)
    return in_cells(rng, relation)
