# SPDX-License-Identifier: Apache-2.0
"""Several releases, also chosen one after another by what was shown, of sampled mechanisms, or sampled together."""
import pipelines as p
import sources
from areas.finite import all_are_tried, fits
from confront import confront_people


def maybe_sampled(what, rng, size=0):
    """Sampled or not; without replacement there are `size` people."""
    if rng.random() < 0.5 or what.size:
        return what
    if what.relation == "add_remove":
        return p.poisson(what, rng)
    if size and rng.random() < 0.7:
        m = rng.randint(1, size)
        return p.piped(what, f"without_replacement(n={size}, m={m})", relation="substitute", size=size, sampled=True, simple=False,
                       make=lambda r, kind: p.world.without_replacement(what.make(r, kind), m))
    return what


def part(case, relation, size):
    rng = case.rng
    if relation == "substitute" and rng.random() < 0.25:
        what = p.poisson(p.of_source(sources.small_source(rng, "add_remove", case), "add_remove"), rng, "substitute")
    else:
        what = maybe_sampled(p.of_source(sources.small_source(rng, relation, case), relation), rng, size)
    if rng.random() < 0.5:
        what = p.compose(what, rng, 81)
    if rng.random() < 0.2:
        what = p.group(what, rng, 2)
    return what


def counted(case):
    """The same people in releases that are all alike, of what can be counted out to the end: both ends are compared."""
    rng = case.rng
    relation = rng.choice(["add_remove", "substitute"])
    exchanged = relation == "add_remove" and rng.random() < 0.4
    source = sources.randomized_response(rng, relation, 2 if exchanged else 3) if rng.random() < 0.6 else sources.finite(rng, relation, case, 2)
    what = p.of_source(source, relation)
    if exchanged:
        what = p.poisson(what, rng, "substitute")
    elif rng.random() < 0.8:
        if relation == "add_remove":
            what = p.poisson(what, rng)
        else:
            what = rng.choice([p.without_replacement, p.with_replacement])(what, rng)
    grouped_first = rng.random() < 0.3
    if grouped_first and not exchanged:
        what = p.group(what, rng, 3)
    what = p.piped(what, "compose(2)", outcomes=16, composed=True, columns=0, make=alike(what))
    if not grouped_first and not exchanged:
        what = p.group(what, rng, 3)
    if fits(what):
        confront_people(case, what, (("extreme", source.extremes), ("random", 2)), all_are_tried(source, what))


def alike(what):
    return lambda r, kind: p.alike(what, 2, r, kind)


def one(case):
    if case.rng.random() < 0.3:
        return counted(case)
    rng = case.rng
    relation, size = rng.choice(["add_remove", "substitute"]), rng.choice([2, 3])
    what = part(case, relation, size)
    if rng.random() < 0.5:
        other = part(case, relation, size)
        if what.outcomes * other.outcomes <= 256:
            what = p.plus(what, other)
    for _ in range(rng.randint(0, 2)):
        stage = rng.choice([p.group, p.compose, maybe_sampled])
        what = stage(what, rng, size) if stage is maybe_sampled else stage(what, rng)
    if fits(what):
        confront_people(case, what, (("extreme", 4), ("random", 3)), known=False)
    return None
