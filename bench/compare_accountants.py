# SPDX-License-Identifier: Apache-2.0
"""Composition: our brackets against dp-accounting and prv-accountant, on the same questions, in one run.

Usage: python bench/compare_accountants.py BINARY [--quick] [--markdown FILE]

Every answer comes from a fresh process, best of 3 alternating rounds. Ours is timed as a whole, process start included;
a peer is timed without its start and imports. --quick asks the peers once, and prv-accountant only up to T = 14000.
Exit code 1 when a check at the end fails.
"""
import argparse
import contextlib
import dataclasses
import hashlib
import importlib.metadata
import json
import math
import os
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time

ROUNDS = 3
SECONDS = 60  # limits of one peer process
BYTES = 4 << 30
DISCRETIZATION = 1e-4  # dp-accounting's default
EPSILON_ERROR = 1e-3  # prv-accountant's half width
SIGMA_TOLERANCE = 1e-4  # of dp-accounting's calibration; its default of 1e-6 takes longer
OURS, DPA, DPA_FFT = "doeblin", "dp-accounting", "dp-accounting FFT"
PRV, PRV_LONG = "prv-accountant", "prv-accountant, long double"


@dataclasses.dataclass(frozen=True)
class Release:
    noise: str  # 'gaussian' or 'laplace'
    scale: float  # sigma or the Laplace scale; NaN is the hole to solve for
    rate: float = 1
    count: int = 1

    def expression(self):
        stages = [f"{self.noise}({'?' if math.isnan(self.scale) else repr(self.scale)})"]
        stages += [f"poisson(rate={self.rate!r})"] * (self.rate < 1) + [f"compose({self.count})"] * (self.count > 1)
        return "(" + " | ".join(stages) + ")"


@dataclasses.dataclass(frozen=True)
class Question:
    name: str
    releases: tuple
    delta: float
    peers: tuple = (DPA, PRV)
    options: tuple = ()
    epsilon: float = math.nan  # the target of a calibration
    truth_in_closed_form: bool = False

    def command(self, *options):
        expression = " + ".join(release.expression() for release in self.releases)
        target = [] if math.isnan(self.epsilon) else ["--epsilon", repr(self.epsilon)]
        verb = "calibrate" if target else "epsilon"
        return [verb, expression, *target, "--delta", repr(self.delta), "--json", *options]


@dataclasses.dataclass
class Answer:
    lower: float = math.nan  # NaN: no such end
    upper: float = math.nan
    seconds: float = math.inf
    megabytes: float = 0
    failure: str = ""

    def width(self):
        return math.inf if self.failure else self.upper - self.lower


def dp_sgd(steps):
    return (Release("gaussian", 1.1, 256 / 60000, steps),)


def questions():
    for steps in (1, 1000, 14000, 100_000, 1_000_000):
        yield Question(f"DP-SGD, T = {steps}", dp_sgd(steps), 1e-5, peers=(DPA, PRV) + (PRV_LONG,) * (steps == 14000))
    yield Question("DP-SGD, T = 1e9", dp_sgd(10**9), 1e-5, peers=())
    yield Question("laplace(10) x 1000", (Release("laplace", 10.0, 1, 1000),), 1e-5)
    sampled = tuple(Release("gaussian", 1 + i / 10, 0.01 + i / 1000) for i in range(50))
    yield Question("50 different sampled Gaussians", sampled, 1e-5)
    hole = (Release("gaussian", math.nan, 0.01, 10_000),)
    yield Question("calibrate sigma, rate .01, 10000 steps", hole, 1e-5, epsilon=1.0)
    for delta in (1e-5, 1e-12, 1e-20, 1e-30, 1e-100):
        yield Question(f"gaussian(100) x 10000 by FFT, delta {delta:g}", (Release("gaussian", 100.0, 1, 10_000),), delta,
                       peers=(DPA, DPA_FFT, PRV), options=("--accountant", "pld"), truth_in_closed_form=True)
    for delta in (1e-12, 1e-30):
        yield Question(f"DP-SGD, T = 14000, delta {delta:g}", dp_sgd(14000), delta, peers=(DPA, PRV, PRV_LONG))


# --- inside the process of a peer ------------------------------------------------------------------------------------

def dp_accounting_answer(question):
    import dp_accounting
    from dp_accounting import pld

    def event(release, scale):
        noise = {"gaussian": dp_accounting.GaussianDpEvent, "laplace": dp_accounting.LaplaceDpEvent}[release.noise](scale)
        noise = dp_accounting.PoissonSampledDpEvent(release.rate, noise) if release.rate < 1 else noise
        return dp_accounting.SelfComposedDpEvent(noise, release.count)

    def accountant():
        return pld.PLDAccountant(value_discretization_interval=DISCRETIZATION)

    def epsilon():
        whole = accountant()
        for release in question.releases:
            whole.compose(event(release, release.scale))
        return math.nan, whole.get_epsilon(question.delta)

    def sigma():
        return math.nan, dp_accounting.calibrate_dp_mechanism(
            accountant, lambda scale: event(question.releases[0], scale), question.epsilon, question.delta,
            tol=SIGMA_TOLERANCE)

    return epsilon if math.isnan(question.epsilon) else sigma


def dp_accounting_fft_answer(question):
    """PLDAccountant gives a composed Gaussian its closed form; here dp-accounting composes it by FFT."""
    from dp_accounting.pld import privacy_loss_distribution

    release, = question.releases

    def epsilon():
        one = privacy_loss_distribution.from_gaussian_mechanism(release.scale, value_discretization_interval=DISCRETIZATION)
        return math.nan, one.self_compose(release.count).get_epsilon_for_delta(question.delta)

    return epsilon


def prv_accountant_answer(question, long_double=False):
    """In double precision, as with the numpy 1 it was written for.

    From numpy 2 on, its long double rate makes the whole composition long double: four times slower, more exact.
    """
    import numpy
    import prv_accountant
    from prv_accountant import dpsgd

    class SampledGaussian(prv_accountant.PoissonSubsampledGaussianMechanism):
        def cdf(self, t):
            value = super().cdf(t)
            return value if long_double else numpy.float64(value)

    dpsgd.PoissonSubsampledGaussianMechanism = SampledGaussian

    def variable(release):
        if release.rate < 1:
            return SampledGaussian(release.rate, release.scale)
        if release.noise == "laplace":
            return prv_accountant.LaplaceMechanism(mu=1 / release.scale)
        return prv_accountant.GaussianMechanism(release.scale)

    def epsilon():
        counts = [release.count for release in question.releases]
        accountant = prv_accountant.PRVAccountant(
            prvs=[variable(release) for release in question.releases], max_self_compositions=counts,
            eps_error=EPSILON_ERROR, delta_error=question.delta / 1000)
        lower, _, upper = accountant.compute_epsilon(question.delta, counts)
        return lower, upper

    def sigma():
        release, = question.releases
        return math.nan, dpsgd.find_noise_multiplier(
            release.rate, release.count, question.epsilon, question.delta, EPSILON_ERROR)

    return epsilon if math.isnan(question.epsilon) else sigma


PREPARE = {
    DPA: dp_accounting_answer,
    DPA_FFT: dp_accounting_fft_answer,
    PRV: prv_accountant_answer,
    PRV_LONG: lambda question: prv_accountant_answer(question, long_double=True),
}


def peer_process(peer, index):
    """Prints the answer of a peer as one line of JSON."""
    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
    try:
        work = PREPARE[peer](list(questions())[index])
        start = time.perf_counter()
        lower, upper = work()
        answer = {"lower": float(lower), "upper": float(upper), "seconds": time.perf_counter() - start}
    except ImportError as error:
        answer = {"failure": f"not installed ({error})"}
    except MemoryError:
        answer = {"failure": f"killed ({BYTES >> 30} GB)"}
    except Exception as error:
        answer = {"failure": f"refuses: {error}"}
    print("\n" + json.dumps(answer))


# --- the runs --------------------------------------------------------------------------------------------------------

def run(command):
    """Exit code, standard output, seconds and peak megabytes of a process; None for the exit code after SECONDS."""
    with tempfile.TemporaryFile() as out:
        start = time.perf_counter()
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.DEVNULL)
        timer = threading.Timer(SECONDS, os.kill, (process.pid, signal.SIGKILL))
        timer.start()
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        timer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        return None if seconds >= SECONDS else process.returncode, out.read().decode(), seconds, usage.ru_maxrss / 1024


def ours(binary, question, *options):
    code, out, seconds, megabytes = run([binary, *question.command(*options)])
    if code is None:
        return Answer(failure=f"killed ({SECONDS} s)", megabytes=megabytes)
    if code not in (0, 3):
        with contextlib.suppress(ValueError):
            out = json.loads(out)["error"]
        return Answer(failure=f"exit code {code}: {out.strip()}", megabytes=megabytes)
    result = json.loads(out)
    ends = [result["misses"], result["value"]] if "misses" in result else [result["epsilon"][e] for e in ("lower", "upper")]
    return Answer(*map(float, ends), seconds, megabytes)


def peer_answer(peer, index):
    code, out, _, megabytes = run([sys.executable, __file__, "--peer", peer, str(index)])
    if code is None:
        return Answer(failure=f"killed ({SECONDS} s)", megabytes=megabytes)
    if code != 0 or not out.strip():
        return Answer(failure=f"crashed (exit code {code})", megabytes=megabytes)
    return Answer(megabytes=megabytes, **json.loads(out.strip().splitlines()[-1]))


def best(answers):
    """The fastest answer with the most memory; all rounds give the same numbers."""
    fastest = min(answers, key=lambda answer: answer.seconds)
    return dataclasses.replace(fastest, megabytes=max(answer.megabytes for answer in answers))


def reference(binary, question, measured):
    """The narrowest bracket we have: closed form where there is one, else also a tenth of the width, untimed."""
    if not math.isnan(question.epsilon):
        return measured
    options = () if question.truth_in_closed_form else ("--width", "1e-4")
    second = ours(binary, question, *options)
    if second.failure or question.truth_in_closed_form:
        return measured if second.failure else second
    return Answer(max(measured.lower, second.lower), min(measured.upper, second.upper))


def measure(binary, quick):
    """(question, {accountant: answer}, reference) for every question."""
    for index, question in enumerate(questions()):
        print(f"{question.name} ...", file=sys.stderr, flush=True)
        slow = {PRV_LONG} | ({PRV} if index > 2 else set()) if quick else set()
        rounds = {name: [] for name in (OURS, *question.peers) if name not in slow}
        for turn in range(ROUNDS):
            for name, answers in rounds.items():
                if name == OURS:
                    answers.append(ours(binary, question, *question.options))
                elif turn == 0 or not (quick or answers[0].failure):
                    answers.append(peer_answer(name, index))
        answers = {name: best(tried) for name, tried in rounds.items()}
        yield question, answers, reference(binary, question, answers[OURS])


# --- the table -------------------------------------------------------------------------------------------------------

def number(value, form=".6g"):
    return "" if math.isnan(value) else format(value, form)


def remark(answer, known):
    if answer.failure:
        return answer.failure
    if answer.upper < known.lower:
        return f"UNSOUND: the truth is at least {known.lower:.6g}"
    if answer.lower > known.upper:
        return f"WRONG: the truth is at most {known.upper:.6g}"
    if math.isinf(answer.upper):
        return "no upper end"
    return ""


HEADER = ("question", "accountant", ">=", "<=", "width", "seconds", "MB", "time / ours", "")


def rows(results):
    for question, answers, known in results:
        for name, answer in answers.items():
            width = answer.width() if not math.isnan(answer.lower) else answer.upper - known.lower
            form = "+.2g" if math.isnan(answer.lower) else ".2g"
            ratio = answer.seconds / answers[OURS].seconds if math.isfinite(answer.seconds) and name != OURS else math.nan
            seconds = answer.seconds if math.isfinite(answer.seconds) else math.nan
            yield (question.name if name == OURS else "", name, number(answer.lower), number(answer.upper),
                   number(math.nan if answer.failure else width, form), number(seconds, ".3g"),
                   f"{answer.megabytes:.0f}", number(ratio, ".3g"), remark(answer, known))


def plain(table):
    widths = [max(map(len, column)) for column in zip(*table)]
    left = (0, 1, len(widths) - 1)

    def line(row):
        return "  ".join(c.ljust(w) if i in left else c.rjust(w) for i, (c, w) in enumerate(zip(row, widths))).rstrip()

    return "\n".join(map(line, table))


def markdown(table):
    lines = ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in table]
    return "\n".join([lines[0], "|---|---|" + "---:|" * 6 + "---|", *lines[1:]])


def fingerprint(binary):
    with open(binary, "rb") as file:
        return "sha256 " + hashlib.file_digest(file, "sha256").hexdigest()[:12]


def legend(binary, quick):
    start = min(run([binary, "--version"])[2] for _ in range(ROUNDS))
    floor = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    versions = []
    for name in (DPA, PRV, "numpy"):
        try:
            versions.append(f"{name} {importlib.metadata.version(name)}")
        except importlib.metadata.PackageNotFoundError:
            versions.append(f"{name} not installed")
    rounds = f"Best of {ROUNDS} rounds, the peers once" if quick else f"Best of {ROUNDS} alternating rounds"
    return [
        f"Peers: {', '.join(versions)}. {rounds}, each in a fresh process.",
        f"Ours: {fingerprint(binary)}, the default width. Its seconds include process start ({start * 1e3:.1f} ms for "
        "--version); those of a peer exclude start and imports.",
        f"MB is the peak of the process (nothing below {floor:.0f} MB can be seen); peers are limited to {SECONDS} s and "
        f"{BYTES >> 30} GB.",
        f"dp-accounting: PLDAccountant, interval {DISCRETIZATION:g}, calibration to {SIGMA_TOLERANCE:g}; FFT: the same grid, "
        "self_compose instead of its closed form for Gaussians.",
        f"prv-accountant: eps_error {EPSILON_ERROR:g}, delta_error delta/1000, kept in double precision as under numpy 1;",
        "long double: as it runs under numpy 2, slower and more exact. A remark on the one does not hold for the other.",
        "A width with + is one-sided: how far above the narrowest lower end known. Calibrations give sigma, not epsilon.",
    ]


# --- the checks ------------------------------------------------------------------------------------------------------

def speed_check(answers, peer, times):
    theirs, label = answers[peer], f"at least {times} times faster than {peer} at T = 14000"
    if theirs.failure == f"killed ({SECONDS} s)":
        ratio = SECONDS / answers[OURS].seconds
        return (ratio >= times) or None, f"{label}: more than {ratio:.0f} (it was killed)"
    if theirs.failure:
        return None, f"{label}: {theirs.failure}"
    ratio = theirs.seconds / answers[OURS].seconds
    return ratio >= times, f"{label}: {ratio:.1f}"


def checks(results):
    """(passed, text); None for a check that could not be made."""
    by_name = {question.name: answers for question, answers, _ in results}
    mine = {name: answers[OURS] for name, answers in by_name.items()}
    yield speed_check(by_name["DP-SGD, T = 14000"], DPA, 10)
    yield speed_check(by_name["DP-SGD, T = 14000"], PRV, 300)
    widest = max((answer.width(), name) for name, answer in mine.items()
                 if name.startswith("DP-SGD, T = ") and "delta" not in name and "1e9" not in name)
    yield widest[0] <= 2e-3, f"width <= 2e-3 up to T = 1e6: {widest[0]:.2g} ({widest[1]})"
    slowest, largest = max((a.seconds, n) for n, a in mine.items()), max((a.megabytes, n) for n, a in mine.items())
    yield slowest[0] < 1 and largest[0] < 300, (
        f"each under 1 s and 300 MB: {slowest[0]:.3g} s ({slowest[1]}), {largest[0]:.0f} MB ({largest[1]})")
    seconds = mine["DP-SGD, T = 14000"].seconds
    yield seconds < 0.03, f"T = 14000 under 30 ms: {seconds * 1e3:.1f} ms"
    far = mine["DP-SGD, T = 1e9"]
    yield far.seconds < 10 and far.width() <= 0.01 * far.lower, (
        f"T = 1e9 under 10 s, relative width <= 1%: {far.seconds:.3g} s, {far.width() / far.lower:.2%}")
    seconds = mine["calibrate sigma, rate .01, 10000 steps"].seconds
    yield seconds < 0.5, f"calibrate under 0.5 s: {seconds:.3g} s"
    endless = [name for name, answer in mine.items() if not math.isfinite(answer.upper)]
    yield not endless, "every upper end is finite" + (": not " + "; ".join(endless) if endless else "")
    wrong = [q.name for q, answers, known in results
             if not (answers[OURS].failure or answers[OURS].lower <= known.upper and known.lower <= answers[OURS].upper)]
    yield not wrong, ("our brackets agree with the closed form, and with those of a tenth of the width"
                      + (": not " + "; ".join(wrong) if wrong else ""))


def write_atomically(path, text):
    folder = os.path.dirname(os.path.abspath(path))
    with tempfile.NamedTemporaryFile("w", dir=folder, delete=False) as file:
        file.write(text)
    os.chmod(file.name, 0o644)
    os.replace(file.name, path)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("binary", nargs="?", help="build/doeblin")
    parser.add_argument("--quick", action="store_true", help="the peers once, prv-accountant only up to T = 14000")
    parser.add_argument("--markdown", metavar="FILE", help="write the table as Markdown, too")
    parser.add_argument("--peer", nargs=2, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.peer:
        return peer_process(arguments.peer[0], int(arguments.peer[1]))
    if not arguments.binary:
        parser.error("BINARY is missing")

    binary = os.path.abspath(arguments.binary)
    before = fingerprint(binary)
    results = list(measure(binary, arguments.quick))
    table = [HEADER, *rows(results)]
    notes = legend(binary, arguments.quick)
    if fingerprint(binary) != before:
        notes.insert(0, f"WARNING: the program was rebuilt during the run ({before} at the start): the rows mix two builds.")
    verdicts = list(checks(results))
    list_of_checks = [f"{ {True: 'PASS', False: 'FAIL', None: 'SKIP'}[passed] }  {text}" for passed, text in verdicts]
    print(plain(table), *notes, "", *list_of_checks, sep="\n")
    if arguments.markdown:
        write_atomically(arguments.markdown, "\n".join(
            [markdown(table), "", *[f"- {note}" for note in notes], "", *[f"- {line}" for line in list_of_checks], ""]))
    return 1 if any(passed is False for passed, _ in verdicts) else 0


if __name__ == "__main__":
    sys.exit(main())
