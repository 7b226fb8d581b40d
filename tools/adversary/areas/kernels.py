# SPDX-License-Identifier: Apache-2.0
"""Noisy channels after anything: the outcome is fed to a state of the kernel in some way, and only what comes out is shown."""

import chains
import pipelines as p
import noises
import sources
from areas.composition import maybe_sampled
from areas.finite import fits
from confront import confront_people
from laws import FinitePair


def random_kernel(rng, states):
    outputs, near = rng.choice([2, 3, states]), rng.choice([0.0, 0.3, 0.7])
    common = sources.random_row(rng, outputs, 0.0)
    return [[near * a + (1 - near) * b for a, b in zip(common, sources.random_row(rng, outputs, 0.2))] for _ in range(states)]


def square(rng, states, near=0.3):
    return [[(1 - near) * x + near / states for x in sources.random_row(rng, states, 0.3)] for _ in range(states)]


def power(matrix, steps):
    result = matrix
    for _ in range(steps - 1):
        result = [[sum(row[k] * matrix[k][j] for k in range(len(matrix))) for j in range(len(matrix[0]))] for row in result]
    return result


def from_file(case, states):
    rng, steps = case.rng, case.rng.choice([1, 1, 2, 3])
    matrix = random_kernel(rng, states) if steps == 1 else square(rng, states, rng.choice([0.0, 0.3]))
    name = case.file("kernel", matrix)
    return f"kernel('{name}', steps={steps})", power(matrix, steps)


def by_coefficient(case, states):
    """A matrix of which no more is said than one coefficient."""
    rng = case.rng
    matrix = random_kernel(rng, states)
    rows = [dict(enumerate(row)) for row in matrix]
    kind = rng.choice(["dobrushin", "doeblin", "ultra_mixing"])
    if kind == "dobrushin":
        epsilon = rng.choice([0.0, 0.0, noises.rounded(rng, 0, 2)])
        gamma = max(FinitePair(a, b).delta(epsilon) for a in rows for b in rows)
        return f"dobrushin(gamma={min(1.0, sources.above(gamma))!r}, epsilon={epsilon!r})", matrix
    columns = list(zip(*matrix))
    if kind == "doeblin":
        gamma = 1 - sum(min(column) for column in columns)
    else:
        gamma = 1 - min(min(column) / max(column) if max(column) > 0 else 1.0 for column in columns)
    return f"{kind}(gamma={min(1.0, sources.above(max(gamma, 0.0)))!r})", matrix


def k_ary(case, states):
    p_, steps = noises.rounded(case.rng, 0.05, 0.98), case.rng.choice([1, 1, 2, 3])
    matrix = [[p_ if i == j else (1 - p_) / (states - 1) for j in range(states)] for i in range(states)]
    return f"k_ary_response(k={states}, p={p_!r}, steps={steps})", power(matrix, steps)


def binary(case, states):
    flip, steps = noises.rounded(case.rng, 0.02, 0.9), case.rng.choice([1, 2])
    return f"binary_symmetric(flip={flip!r}, steps={steps})", power([[1 - flip, flip], [flip, 1 - flip]], steps)


def geometric(case, states):
    """Noise j has a probability proportional to ratio^|j|; what falls outside goes to the nearer end."""
    ratio, steps = noises.rounded(case.rng, 0.1, 0.9), case.rng.choice([1, 2])
    reach = next(j for j in range(1, 2000) if ratio**j < 1e-18)
    total = sum(ratio ** abs(j) for j in range(-reach, reach + 1))
    matrix = [[0.0] * states for _ in range(states)]
    for i in range(states):
        for j in range(-reach, reach + 1):
            matrix[i][min(states - 1, max(0, i + j))] += ratio ** abs(j) / total
    return f"truncated_geometric(states={states}, ratio={ratio!r}, steps={steps})", power(matrix, steps)


def walk(case, states):
    """A walk on a ring with some chords, or on a path."""
    rng, laziness, steps = case.rng, noises.rounded(case.rng, 0.1, 0.9), case.rng.choice([1, 2, 4])
    edges = {(i, i + 1): round(rng.uniform(0.5, 3), 2) for i in range(states - 1)}
    if rng.random() < 0.5:
        edges[(0, states - 1)] = edges.get((0, states - 1), 0) or 1.25
    name = case.file("graph", [[a, b, weight] for (a, b), weight in edges.items()])
    weights = [[0.0] * states for _ in range(states)]
    for (a, b), weight in edges.items():
        weights[a][b] += weight
        weights[b][a] += weight
    matrix = [[laziness * (i == j) + (1 - laziness) * weights[i][j] / sum(weights[i]) for j in range(states)] for i in range(states)]
    return f"lazy_walk('{name}', laziness={laziness!r}, steps={steps})", power(matrix, steps)


def projected(case, states):
    """States are put somewhere in the interval, moved by a Lipschitz map, and noise is added; the end or the cell is shown."""
    rng = case.rng
    noise = rng.choice(["gaussian", "laplace"])
    sigma, low = noises.rounded(rng, 0.2, 2), noises.rounded(rng, -1, 1)
    high, slope = low + noises.rounded(rng, 0.2, 2), noises.rounded(rng, 0.2, 1.3)
    places = [low, high] + [rng.uniform(low, high) for _ in range(states - 2)]
    rng.shuffle(places)
    text = f"projected_{noise}(sigma={sigma!r}, low={low!r}, high={high!r}, lipschitz={slope!r}"
    moved = rng.choice([slope, -slope, slope * 0.5])
    shift = rng.uniform(-2, 2)
    means = [moved * (x - low) + shift for x in places]
    if rng.random() < 0.5:
        bottom, top = sorted((moved * 0 + shift, moved * (high - low) + shift))
        text += f", mean_low={bottom - 1e-9!r}, mean_high={top + 1e-9!r}"
    ends = sorted([low + 1e-13, high - 1e-13] + [rng.uniform(low, high) for _ in range(4)])
    tail = noises.TAILS[noise]
    return text + ")", [noises.chances_between(tail, [(end - mean) / sigma for end in ends]) for mean in means]


def several_projected(case, states, cells=36):
    """Several such steps, each with a map of its own, on an interval that is cut into small cells; so this is right to about a percent."""
    rng = case.rng
    noise, steps = rng.choice(["gaussian", "laplace"]), rng.choice([2, 3])
    sigma, half, slope = noises.rounded(rng, 0.3, 2), noises.rounded(rng, 0.2, 1.2), noises.rounded(rng, 0.3, 1.2)
    space = chains.Interval(-half, half, cells, noise, sigma)
    into = slope <= 1 and rng.random() < 0.5
    maps = [(rng.choice([slope, -slope]), 0.0 if into else rng.uniform(-1, 1)) for _ in range(steps)]
    text = f"projected_{noise}(sigma={sigma!r}, low={-half!r}, high={half!r}, lipschitz={slope!r}, steps={steps}"
    text += f", mean_low={-half!r}, mean_high={half!r})" if into else ")"
    matrix = []
    for place in [-half, half] + [rng.uniform(-half, half) for _ in range(states - 2)]:
        law = space.start(place)
        for factor, shift in maps:
            law = space.moved(law, lambda x: factor * x + shift)
        matrix.append(law)
    return text, matrix


def with_kernel(what, text, matrix, is_matrix):
    """Fed in some way: by its number if both are matrices and the mechanism has as many outputs as there are states, else in any."""
    laws = [dict(enumerate(row)) for row in matrix]
    states = len(laws)
    given = is_matrix and what.columns == states

    def make(r, kind):
        salt = r.random()
        feed = (lambda outcome: outcome) if given else (lambda outcome: p.code(outcome, salt) % states)
        return p.world.processed(what.make(r, kind), lambda outcome: laws[feed(outcome)])

    return p.piped(what, text, make=make, outcomes=len(matrix[0]), simple=False, columns=len(matrix[0]) if is_matrix else 0)


KERNELS = [from_file, from_file, by_coefficient, by_coefficient, k_ary, binary, geometric, walk, projected, several_projected]
MATRICES = {from_file, k_ary, binary, geometric, walk}


def one(case):
    rng = case.rng
    relation, size = rng.choice(["add_remove", "substitute"]), rng.choice([2, 3])
    maker = rng.choice(KERNELS)
    states = 2 if maker is binary else rng.choice([2, 3, 4]) if maker is not walk else rng.choice([3, 4])
    text, matrix = maker(case, states)
    matched = maker is from_file and rng.random() < 0.5
    source = sources.small_source(rng, relation, case, states if matched else 0)
    what = p.of_source(source, relation)
    if not matched:
        for stage in rng.sample([p.group, p.compose, maybe_sampled], rng.randint(0, 2)):
            what = stage(what, rng, size) if stage is maybe_sampled else stage(what, rng, 100 if stage is p.compose else 3)
    what = with_kernel(what, text, matrix, maker in MATRICES)
    if maker is several_projected:
        what.slack = 0.01
    elif rng.random() < 0.25:
        again = rng.choice(KERNELS[:-1])
        if again is not binary or len(matrix[0]) == 2:
            text, matrix = again(case, len(matrix[0]) if again is not walk else max(3, len(matrix[0])))
            what = with_kernel(what, text, matrix, again in MATRICES and maker in MATRICES)
    if rng.random() < 0.35 and maker is not several_projected:
        stage = rng.choice([p.group, p.compose, maybe_sampled])
        what = stage(what, rng, size) if stage is maybe_sampled else stage(what, rng, 2 if stage is p.group else 100)
    if fits(what):
        exact = matched and what.text.count("|") == 1
        confront_people(case, what, (("extreme", source.extremes if exact else 8), ("random", 6)), known=exact)
