# SPDX-License-Identifier: Apache-2.0
"""Random expressions: a source and what is done with it, as text and as what happens to people."""
import dataclasses
import zlib
from typing import Callable

import people as world
from people import neighbours


@dataclasses.dataclass
class Described:
    """An expression, and a maker of mechanisms that are what it says."""

    text: str
    make: Callable  # (rng, kind) -> mechanism
    relation: str  # of neighbours, before or after sampling
    people: int = 1  # how many at once
    size: int = 0  # records in a dataset; 0 is any number
    known: bool = True
    slack: float = 0.0
    columns: int = 0
    outcomes: int = 4  # about so many
    sampled: bool = False
    composed: bool = False
    larger: bool = False  # the size is the larger of two
    simple: bool = True  # one kind of sampling at most, then groups


def of_source(source, relation, outcomes=4):
    return Described(source.text, source.make, relation, known=source.known, slack=source.slack, columns=source.columns,
                     outcomes=outcomes)


def piped(what, stage, **changes):
    text = f"({what.text})" if "+" in what.text and not what.text.startswith("(") else what.text
    return dataclasses.replace(what, text=f"{text} | {stage}", **changes)


def poisson(what, rng, relation="add_remove"):
    rate = rng.choice([0.05, 0.1, 0.25, 0.5, 0.75, round(rng.uniform(0.01, 0.99), 3)])
    more = "" if relation == "add_remove" else ", relation='substitute'"
    return piped(what, f"poisson(rate={rate!r}{more})", relation=relation, sampled=True, simple=not what.sampled,
                 make=lambda r, kind: world.poisson(what.make(r, kind), rate))


def without_replacement(what, rng):
    m = what.size or rng.randint(1, 3)
    n = rng.randint(m, 4)
    return piped(what, f"without_replacement(n={n}, m={m})", relation="substitute", size=n, sampled=True, simple=not what.sampled,
                 make=lambda r, kind: world.without_replacement(what.make(r, kind), m))


def with_replacement(what, rng, relation="substitute"):
    m = what.size or rng.randint(1, 3)
    n = rng.randint(2, 4)
    more = "" if relation == "substitute" else ", relation='add_remove'"
    return piped(what, f"with_replacement(n={n}, m={m}{more})", relation=relation, size=n, sampled=True, simple=not what.sampled,
                 larger=relation == "add_remove", make=lambda r, kind: world.with_replacement(what.make(r, kind), m))


def group(what, rng, most=4):
    k = rng.choice([1, 2, 2, 3, 4])
    if what.people * k > most:
        k = 1
    return piped(what, f"group({k})", people=what.people * k)


def several(makes, r, kind):
    """Releases one after another; all alike, or each chosen by what was shown before."""
    mechanism = makes[0](r, kind)
    for index, make in enumerate(makes[1:], 1):
        if kind == "extreme":
            again = mechanism if make is makes[0] and index == 1 else make(r, kind)
            mechanism = world.in_turn(mechanism, lambda shown, again=again: again)
        else:
            choices = [make(r, kind) for _ in range(2)]
            mechanism = world.in_turn(mechanism, lambda shown, choices=choices: choices[code(shown) % 2])
    return mechanism


def code(value, salt=0):
    return zlib.crc32(f"{salt} {value}".encode())


def compose(what, rng, most=400):
    k = rng.choice([1, 2, 2, 3, 4])
    while what.outcomes**k > most and k > 1:
        k -= 1
    return piped(what, f"compose({k})", outcomes=what.outcomes**k, composed=what.composed or k > 1, columns=what.columns if k == 1 else 0,
                 make=lambda r, kind: alike(what, k, r, kind))


def alike(what, k, r, kind):
    if kind == "extreme":
        one = what.make(r, kind)
        return several([lambda *_: one] * k, r, kind)
    return several([what.make] * k, r, kind)


def plus(first, second):
    """Two releases about the same people, as many as the larger group has."""
    return dataclasses.replace(
        first, text=f"({first.text}) + ({second.text})", people=max(first.people, second.people), known=first.known and second.known,
        slack=first.slack + second.slack, outcomes=first.outcomes * second.outcomes, composed=True, simple=False, columns=0,
        size=first.size or second.size, larger=first.larger or second.larger, sampled=first.sampled or second.sampled,
        make=lambda r, kind: several([first.make, second.make], r, kind))


def pairs_of_datasets(what, rng, most=16):
    """Neighbours: those in whom one group differs from nobody or from another first, then any."""
    k, n = what.people, what.size
    if what.relation == "add_remove" and not what.larger:
        everything = world.datasets(range(5))
        first = [((0,) * (a + 0) + (2,) * rest, (1,) * b + (2,) * rest)
                 for a in range(k + 1) for b in range(k + 1 - a) for rest in (0, 1) if a + b and max(a, b) + rest <= 4]
    elif what.larger:
        everything = world.datasets(range(1, n + 1))
        first = [((0,) * a + (2,) * (n - a), (1,) * b + (2,) * (n - a)) for a in range(1, k + 1) for b in range(k + 1 - a)
                 if b <= a <= n and n - a + b >= 1]
    else:
        sizes = [n] if n else [k, min(4, k + 1)]
        everything = world.datasets(sizes)
        first = [((0,) * j + (2,) * (size - j), (1,) * j + (2,) * (size - j)) for size in sizes for j in range(1, min(k, size) + 1)]
    allowed = lambda a, b: neighbours(a, b, what.relation, k) and (not what.larger or max(len(a), len(b)) == n)
    every = [(a, b) for a in everything for b in everything if allowed(a, b)]
    first = [pair for pair in first if allowed(*pair)]
    return list(dict.fromkeys(first + [pair[::-1] for pair in first] + rng.sample(every, min(most, len(every)))))
