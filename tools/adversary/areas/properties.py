# SPDX-License-Identifier: Apache-2.0
"""What must hold whatever the truth is: more noise, less sampling, post-processing and fewer people never hurt; the two questions agree;
certificates verify."""
import json
import math

import pipelines as p
import noises
import sources
from areas import kernels
from areas.composition import maybe_sampled

# An upper end may be wide; it may exceed the upper end of a worse mechanism by what its own width is (docs/limits.md).
WIDTH = 0.02


def some_expression(case):
    rng = case.rng
    relation = rng.choice(["add_remove", "substitute"])
    source = rng.choice([sources.discrete, sources.in_cells, sources.in_cells, sources.randomized_response])(rng, relation)
    what = maybe_sampled(p.of_source(source, relation), rng, 3)
    for _ in range(rng.randint(0, 2)):
        stage = rng.choice([p.group, p.compose])
        what = stage(what, rng)
    return what


def asked(case):
    return sorted({0.0, *(round(case.rng.uniform(0, 4), 3) for _ in range(5))})


def not_worse(case, better, worse, values, why):
    """The lower end of the better one is at most the upper end of the worse one; where both are narrow, so are the upper ends."""
    first, second = case.ask("delta", better, values), case.ask("delta", worse, values)
    if first is None or second is None:
        return
    for epsilon, (lower, upper), (least, most) in zip(values, first.results, second.results):
        case.check(lower <= most * (1 + 1e-9) + 1e-300, f"{why}: delta {better!r} against {worse!r} at epsilon {epsilon!r}",
                   f">= {lower!r}", f"<= {most!r}")
        if most - least <= WIDTH * most:
            case.check(least <= most and upper * (1 - WIDTH) <= most + 1e-12 or upper - lower > WIDTH * upper,
                       f"{why}: delta {better!r} against {worse!r} at epsilon {epsilon!r}", f"<= {upper!r}", f"<= {most!r}")


def identities(case):
    what, k, j = some_expression(case), case.rng.choice([1, 2, 3]), case.rng.choice([1, 2])
    values = asked(case)
    text = p.piped(what, "group(1)").text.removesuffix(" | group(1)")
    for first, second in ((f"{text} | group(1)", text), (f"{text} | group({k}) | group({j})", f"{text} | group({k * j})")):
        one, other = case.ask("delta", first, values), case.ask("delta", second, values)
        if one and other:
            for epsilon, a, b in zip(values, one.results, other.results):
                close = all(abs(x - y) <= 1e-9 * max(x, y) + 1e-300 for x, y in zip(a, b))
                case.check(close, f"delta {first!r} at epsilon {epsilon!r}", a, f"that of {second!r}, {b}")


def both_questions(case):
    """epsilon(delta) and delta(epsilon) are about one curve."""
    what = some_expression(case)
    deltas = sorted(10 ** -case.rng.uniform(0.5, 8) for _ in range(3))
    answer = case.ask("epsilon", what.text, deltas)
    ends = [(delta, lower, upper) for delta, (lower, upper) in zip(deltas, answer.results if answer else []) if upper < 100]
    if not ends:
        return
    values = [end for _, lower, upper in ends for end in (max(0.0, lower * (1 - 1e-9) - 1e-12), upper * (1 + 1e-9) + 1e-12)]
    back = case.ask("delta", what.text, values)
    for index, (delta, lower, upper) in enumerate(ends if back else []):
        before, after = back.results[2 * index], back.results[2 * index + 1]
        case.check(after[0] <= delta * (1 + 1e-6), f"delta {what.text!r} at epsilon {upper!r}", f">= {after[0]!r}", f"<= {delta!r}")
        if lower > 1e-6:
            case.check(before[1] >= delta * (1 - 1e-6), f"delta {what.text!r} at epsilon {lower!r}", f"<= {before[1]!r}", f">= {delta!r}")


def processing(case):
    """A kernel, or sampling, after anything."""
    what, rng = some_expression(case), case.rng
    text = p.piped(what, "x").text.removesuffix(" | x")
    if rng.random() < 0.6 or what.size:
        stage = rng.choice(kernels.KERNELS)(case, rng.choice([2, 3]) if rng.random() < 0.9 else 4)[0]
    else:
        n = rng.randint(2, 9)
        stage = rng.choice([f"poisson(rate={noises.rounded(rng, 0.05, 1)!r})", f"without_replacement(n={n}, m={rng.randint(1, n)})"])
    not_worse(case, f"{text} | {stage}", text, asked(case), "processing never hurts")


def monotone(case):
    rng = case.rng
    scale, rate, k, times = noises.rounded(rng, 0.4, 3), noises.rounded(rng, 0.02, 0.9), rng.randint(1, 4), rng.randint(1, 12)
    sensitivity, n = rng.choice([1, 1, 2]), rng.randint(3, 40)
    m = rng.randint(1, n - 1)
    k = min(k, n - 1)  # the same people when there is one more
    name = rng.choice(["gaussian", "laplace", "discrete_gaussian", "discrete_laplace"])
    argument = "sigma" if "gaussian" in name else "scale"
    sampling = rng.choice(["", "poisson", "substitute", "without", "with", "removed"])

    def text(scale=scale, rate=rate, k=k, times=times, sensitivity=sensitivity, n=n, m=m):
        stage = {"": "", "poisson": f" | poisson(rate={rate!r})", "substitute": f" | poisson(rate={rate!r}, relation='substitute')",
                 "without": f" | without_replacement(n={n}, m={m})", "with": f" | with_replacement(n={n}, m={min(m, 5)})",
                 "removed": f" | with_replacement(n={n}, m={min(m, 5)}, relation='add_remove')"}[sampling]
        return f"{name}({argument}={scale!r}, sensitivity={sensitivity}){stage} | compose({times}) | group({k})"

    better = rng.choice([dict(scale=scale * 1.2), dict(rate=rate * 0.8), dict(k=max(1, k - 1)), dict(times=max(1, times - 1)),
                         dict(n=n + 1), dict(m=max(1, m - 1)), dict(scale=scale * 1.01)])
    not_worse(case, text(**better), text(), asked(case), "monotone")


def runs(case):
    rng = case.rng
    n, sigma, rate = rng.randint(2, 12), noises.rounded(rng, 0.5, 4), noises.rounded(rng, 0.1, 1)
    epochs, diameter = rng.randint(1, 3), rng.choice([math.inf, math.inf, 0.5, 2.0])
    order, tasks = rng.choice(["fixed", "fixed", "permuted", "poisson"]), rng.choice([1, 1, 2])
    stop = rng.choice(["last", "last", "uniform_stop", "skip"]) if epochs == 1 and order == "fixed" else "last"

    def text(sigma=sigma, epochs=epochs, diameter=diameter, tasks=tasks, smoothness=1.0, convexity=0.0, tail=0):
        return (f"noisy_sgd(n={n}, learning_rate={rate!r}, sigma={sigma!r}, lipschitz=1, smoothness={smoothness!r}, "
                f"strong_convexity={convexity!r}, diameter={diameter}, epochs={epochs}, order={order}, output={stop}, "
                f"tasks={tasks}, public_tail={tail})")

    fewer, tail = dict(epochs=max(1, epochs - 1)) if stop == "last" else {}, dict(tail=1) if order == "fixed" else {}
    better = rng.choice([dict(sigma=sigma * 1.1), fewer, dict(diameter=min(diameter, 0.4)), dict(tasks=1), dict(convexity=0.2), tail])
    not_worse(case, text(**better), text(), asked(case), "monotone")
    person = f"{text()} | person({rng.randint(1, n)})"
    if order == "fixed":
        not_worse(case, person, text(), asked(case), "one person")


def two_runs(case):
    """What two runs attain together somebody attains: nobody is the last in one and the first in the other."""
    rng = case.rng
    n, sigma = rng.randint(2, 4), noises.rounded(rng, 0.8, 3)
    parts = [f"noisy_sgd(n={n}, learning_rate=0.5, sigma={sigma!r}, lipschitz=1, smoothness=1, output={output}, epochs={epochs})"
             for output, epochs in rng.sample([("last", 1), ("last", 2), ("uniform_stop", 1), ("skip", 1)], 2)]
    values = asked(case)
    together = case.ask("delta", " + ".join(f"({part})" for part in parts), values)
    persons = [case.ask("delta", " + ".join(f"({part} | person({i}))" for part in parts), values) for i in range(1, n + 1)]
    if together is None or None in persons:
        return
    for j, epsilon in enumerate(values):
        most = max(person.results[j][1] for person in persons)
        case.check(together.results[j][0] <= most * (1 + 1e-9) + 1e-12, f"delta of {parts} together at epsilon {epsilon!r}",
                   f">= {together.results[j][0]!r}", f"<= {most!r}, the worst person")


def large_counts(case):
    """Very many releases are no better than fewer."""
    rng = case.rng
    source = rng.choice(["gaussian(sigma={})", "laplace(scale={})", "gaussian(sigma={}) | poisson(rate=0.001)", "black_box(epsilon=1/{})",
                         "gaussian(sigma={}) | poisson(rate=0.01) | group(2)", "randomized_response(p=0.5+1e-4/{})"])
    few, scale = 10 ** rng.choice([1, 2, 3, 4, 5, 14]), 10 ** rng.randint(1, 6)
    text = source.format(scale)
    not_worse(case, f"{text} | compose({few})", f"{text} | compose({few * rng.choice([2, 10])})", asked(case), "more releases")
    case.ask("delta", f"{text} | compose(2**30) | compose(2**{rng.randint(24, 40)})", [1.0])


def refusals(case):
    """Nonsense gets one line and exit code 2, which asking checks; numbers at the edge get an answer or a line."""
    rng = case.rng
    edge = rng.choice(["0", "-1", "1e-300", "1e300", "inf", "nan", "2**53", "0.5", "1", "1/0", "?", "1e-12", "'x'"])
    source = rng.choice(["gaussian(sigma={})", "laplace(scale={})", "discrete_gaussian(sigma={})", "randomized_response(p={})",
                         "black_box(epsilon={})", "zcdp(rho={})", "gdp(mu={})", "rdp(alpha={}, epsilon=1)", "discrete_laplace(scale={})",
                         "gaussian(sigma=1, sensitivity={})", "noisy_iteration(steps={}, sigma=1)"])
    stage = rng.choice(["", " | poisson(rate={})", " | group({})", " | without_replacement(n=4, m={})", " | with_replacement(n={}, m=2)",
                        " | dobrushin(gamma={})", " | ultra_mixing(gamma={})", " | binary_symmetric(flip={})",
                        " | poisson(rate=0.1) | group({})"])
    first, second = (edge, rng.choice(["1", "2", "0.5"])) if rng.random() < 0.5 else (rng.choice(["1", "2", "0.75"]), edge)
    case.ask("delta", source.format(first) + stage.format(second), asked(case))


def certificates(case):
    """What the program certifies it verifies: never REFUTED."""
    what = some_expression(case)
    if what.composed:
        what = p.of_source(sources.discrete(case.rng, "add_remove"), "add_remove")
    if case.rng.random() < 0.3:
        what = p.piped(what, case.rng.choice(kernels.KERNELS[:-2])(case, 3)[0])
    values = [round(case.rng.uniform(0, 2), 3)]
    if case.ask("delta", what.text, values, "--certificate", "claim.json") is None:
        return
    done = case.program.run(["verify", "claim.json", "--json"], case.folder)
    verdict = json.loads(done.stdout).get("verdict") if done.stdout.startswith("{") else done.stderr
    question = f"verify of delta {what.text!r} at epsilon {values[0]!r}"
    case.check(done.returncode in (0, 3), question, f"{verdict} ({done.returncode})", "VERIFIED")


def one(case):
    kinds = [identities, both_questions, processing, processing, monotone, monotone, monotone, runs, refusals, refusals, two_runs,
             large_counts]
    case.rng.choice(kinds if case.rng.random() < 0.96 else [certificates])(case)
