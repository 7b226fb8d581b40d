# SPDX-License-Identifier: Apache-2.0
"""The program's brackets against what was found: no pair of neighbours may be further apart than an upper end says, and some must be
as far apart as a lower end says."""
import math

from laws import FinitePair, Truth
from pipelines import pairs_of_datasets

ROUNDING, FLOOR = 1e-9, 2e-13


def epsilons(rng, largest):
    """Where to ask: 0, and some up to where nothing is left."""
    return [0.0] + sorted(round(rng.uniform(0, max(0.05, largest)), 4) for _ in range(15))


def compare_delta(case, expression, asked, results, truth, known, slack=0.0):
    """`truth(epsilon)` is what some neighbours have; if `known`, the most that any have."""
    for epsilon, (lower, upper) in zip(asked, results):
        value = truth(epsilon)
        question = f"delta {expression!r} at epsilon {epsilon!r}"
        case.check(value - slack <= upper * (1 + ROUNDING) + FLOOR, question, f"<= {upper!r}", f">= {value!r}")
        if known:
            case.check(lower <= value * (1 + ROUNDING) + slack + FLOOR, question, f">= {lower!r}", f"<= {value!r}")


def compare_epsilon(case, expression, asked, results, truth, known, slack=0.0):
    for delta, (lower, upper) in zip(asked, results):
        question = f"epsilon {expression!r} at delta {delta!r}"
        if upper < math.inf:
            value = truth(upper)
            case.check(value - slack <= delta * (1 + ROUNDING) + FLOOR, question, f"<= {upper!r}", f"delta >= {value!r} there")
        if known and lower > 1e-9:
            before = lower - 1e-9 * (1 + lower)
            value = truth(before) if lower < math.inf else truth(math.inf)
            case.check(value * (1 + ROUNDING) + slack + FLOOR >= delta, question, f">= {lower!r}", f"delta <= {value!r} before")


def confront(case, expression, truth, known=False, slack=0.0, largest=2.0, renyi=None, words=None):
    """Ask for delta, for epsilon and perhaps for Renyi divergences, and compare; whether there was an answer."""
    asked = epsilons(case.rng, largest)
    answer = case.ask("delta", expression, asked)
    if answer is None:
        return False
    if words is not None:
        relation, people = words
        said = answer.document["neighbours"]
        case.check(said["people"] == people and said["relation"] in (relation, "neutral"), f"delta {expression!r}",
                   f"about {said['people']} people, {said['relation']}", f"{people} people, {relation}")
    compare_delta(case, expression, asked, answer.results, truth, known, slack)
    uppers = [upper for _, upper in answer.results]
    # What docs/limits.md promises: 1% for compositions.
    rounding = 0.01 if "+" in expression or "compose" in expression or "tasks=2" in expression else ROUNDING
    falls = all(b <= a * (1 + rounding) for a, b in zip(uppers, uppers[1:]))
    case.check(falls, f"delta {expression!r} at {asked}", uppers, "does not rise")
    deltas = sorted({min(0.9, max(1e-9, truth(epsilon) * case.rng.choice([0.3, 1.0, 1.0]))) for epsilon in asked[1:15:3]})
    answer = case.ask("epsilon", expression, deltas)
    if answer is not None:
        compare_epsilon(case, expression, deltas, answer.results, truth, known, slack)
    if renyi is not None and case.rng.random() < 0.3:
        orders = [round(case.rng.uniform(1.1, 8), 2), math.inf]
        answer = case.ask("rdp", expression, orders)
        for alpha, (lower, upper) in zip(orders, answer.results if answer else []):
            value = renyi(alpha)
            case.check(value <= upper * (1 + ROUNDING) + 1e-10, f"rdp {expression!r} at {alpha!r}", f"<= {upper!r}", f">= {value!r}")
    return True


def largest_loss(pairs):
    """An epsilon that most events stay below."""
    losses = [math.log(p / q) for pair in pairs[:40] for p, q in pair.chances if p > 1e-4 and q > 1e-5]
    return min(6.0, max(losses, default=1.0))


def found(what, rng, makes, work=60_000, pair=FinitePair):
    """Pairs of laws that neighbours have under mechanisms that the expression allows, and whether all extreme ones were tried."""
    together, pairs = pairs_of_datasets(what, rng), []
    for index, (kind, count) in enumerate(makes):
        for _ in range(count):
            if work < 0:
                return pairs, index > 0
            mechanism = what.make(rng, kind)
            for first, second in together:
                pairs.append(pair(mechanism(first), mechanism(second)))
                work -= len(pairs[-1].chances)
    return pairs, True


def confront_people(case, what, makes=(("extreme", 8), ("random", 4)), known=False):
    pairs, complete = found(what, case.rng, makes)
    known = known and complete
    # Lower ends are held against the worst of all; for upper ends some of the worst will do.
    truth = Truth(pairs, len(pairs)) if known else Truth(pairs)
    return confront(case, what.text, truth.delta, known, what.slack, largest_loss(truth.pairs),
                    truth.renyi if what.slack == 0 else None, (what.relation, what.people))
