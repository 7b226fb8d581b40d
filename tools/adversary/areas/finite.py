# SPDX-License-Identifier: Apache-2.0
"""Mechanisms with few outcomes, sampled and grouped in any order: all people, coins and batches are counted out."""
import pipelines as p
import sources
from confront import confront_people


def sampled(case, what, base):
    """Up to four stages that fit together."""
    rng = case.rng
    for _ in range(rng.randint(1, 4)):
        pick = rng.random()
        if pick < 0.35:
            what = p.group(what, rng)
        elif what.relation == "add_remove" and not what.larger:
            last = not what.sampled and rng.random() < 0.25
            what = p.poisson(what, rng, "substitute" if last else "add_remove")
        elif what.relation == "substitute" and what.people <= 2:
            if rng.random() < 0.6:
                what = p.without_replacement(what, rng)
            else:
                what = p.with_replacement(what, rng, "add_remove" if rng.random() < 0.3 else "substitute")
            if what.larger:
                return p.group(what, rng, 2) if rng.random() < 0.5 else what
    return what


def fits(what):
    """Whether there are that many people."""
    return not what.size or what.people < what.size if what.larger else not what.size or what.people <= what.size


def all_are_tried(source, what):
    """Whether the worst mechanisms are among the extreme ones: rows after rows and bits for more people than that are not."""
    exchanged = "relation='substitute'" in what.text
    if source.rows > 2:
        return what.people == 1 if exchanged else what.people <= 3
    return not exchanged or source.rows or what.people <= 2


def one(case):
    rng = case.rng
    relation = rng.choice(["add_remove", "substitute"])
    source = sources.discrete(rng, relation) if rng.random() < 0.25 else sources.small_source(rng, relation, case, bits=4)
    what = sampled(case, p.of_source(source, relation), relation)
    while not fits(what):
        what = sampled(case, p.of_source(source, relation), relation)
    few = source.slack > 0
    known = what.known and all_are_tried(source, what)
    confront_people(case, what, (("extreme", 6 if few else source.extremes if known else 12), ("random", 2 if few else 4)), known)
