# SPDX-License-Identifier: Apache-2.0
"""RESULTS.md and its plots, from the numbers in results.json. The standard library only: the documentation uses it too."""
import math
import os
import pathlib
import tempfile

import charts
from explanations import EXPLANATIONS

OURS = "doeblin"
NARROW = f"{OURS}, width "
SAME = 1e-6  # answers that differ by no more than this share are as narrow as each other
HEADER = ("question", "who", ">=", "<=", "width or error", "time", "MB", "time / ours", "")
INTRODUCTION = """\
# Results

Every answer comes from a fresh process with the same inputs, best of 3 rounds in alternating order; whoever takes longer
than 6 s is asked once, and is stopped after a minute or at 4 GB. Imports and inputs are not timed, for us as for the others;
MB is the peak of the process, Python included. Absolute times are noisy: the ratios, from one run, are what counts.

*Width or error*: a bracket has a width; an answer with one end has an error, written with a +, which is its distance to the
narrowest bracket of ours (for composed Gaussians to the closed form). *time / ours* compares with the quickest answer of ours
that is at least as narrow (to a millionth of the answer), which is named where it is not the default one (a width of 0.001 in
epsilon).
"""


def seconds_text(seconds):
    if not math.isfinite(seconds):
        return ""
    for unit, name in ((1.0, "s"), (1e-3, "ms"), (1e-6, "us")):
        if seconds >= unit:
            return f"{seconds / unit:.3g} {name}"
    return f"{seconds * 1e9:.3g} ns"


def number(value, form=".6g"):
    return "" if math.isnan(value) else format(value, form)


def width_of(answer, truth):
    return answer["upper"] - (truth[0] if math.isnan(answer["lower"]) else answer["lower"])


def is_ours(name):
    return name.startswith(OURS)


def flaw(contest, answer):
    """Why an answer cannot be compared; empty if it can."""
    lower, upper = contest["truth"]
    if answer["failure"]:
        return answer["failure"]
    if answer["upper"] < lower:
        return f"UNSOUND: the truth is at least {lower:.6g}"
    if answer["lower"] > upper:
        return f"WRONG: the truth is at most {upper:.6g}"
    if math.isinf(answer["upper"]):
        return answer["remark"] or "no upper end"
    return ""


def rival(contest, name):
    """The quickest answer of ours that is at least as narrow as this one: its name, or None."""
    answer, truth = contest["answers"][name], contest["truth"]
    ours = [one for one in contest["answers"] if is_ours(one) and not contest["answers"][one]["failure"]]
    if flaw(contest, answer) or math.isnan(answer["upper"]):
        return ours[0] if ours else None

    def error(one):
        # One end is compared with one end.
        other = contest["answers"][one]
        return other["upper"] - truth[0] if math.isnan(answer["lower"]) else width_of(other, truth)

    narrow = [one for one in ours if error(one) <= width_of(answer, truth) + SAME * abs(answer["upper"])]
    return min(narrow, key=lambda one: contest["answers"][one]["seconds"], default=None)


def standing(contest, name):
    """(ratio of times, our answer it refers to); NaN and None where nothing of ours is as narrow."""
    other = rival(contest, name)
    if other is None:
        return math.nan, None
    return contest["answers"][name]["seconds"] / contest["answers"][other]["seconds"], other


def behind(found):
    """[(question, peer, ratio)] where a sound answer of a peer is quicker than ours, or narrower than all of ours."""
    for contest in found["contests"]:
        for name, answer in contest["answers"].items():
            if is_ours(name) or flaw(contest, answer):
                continue
            ratio, _ = standing(contest, name)
            if not ratio >= 1.0:
                yield contest["name"], name, ratio


def contradictions(found, ours):
    """Answers of ours that exclude each other, or the truth."""
    for contest in found["contests"]:
        for name, answer in contest["answers"].items():
            if name.startswith(ours) and (answer["failure"] or flaw(contest, answer)):
                yield f"{contest['name']}, {name}: {flaw(contest, answer)}"


def rows(contest):
    shown = {standing(contest, name)[1] for name in contest["answers"] if not is_ours(name)}
    first = True
    for name, answer in contest["answers"].items():
        if name.startswith(NARROW) and name not in shown:
            continue
        ratio, other = standing(contest, name)
        note = flaw(contest, answer) or answer["remark"]
        width = math.nan if answer["failure"] or math.isinf(answer["upper"]) else width_of(answer, contest["truth"])
        text = "" if is_ours(name) or not math.isfinite(ratio) else f"{ratio:.3g}"
        if text and other != OURS and other.startswith(NARROW):
            text += f" ({other[len(OURS) + 2:]})"
        has_ends = not contest["unit"] == "relative"
        yield (contest["name"] if first else "", name, number(answer["lower"]) if has_ends else "",
               number(answer["upper"]) if has_ends else "", number(width, "+.2g" if math.isnan(answer["lower"]) else ".2g"),
               seconds_text(answer["seconds"]), f"{answer['megabytes']:.0f}", text, note)
        first = False


def table(header, body, left):
    lines = ["| " + " | ".join(str(cell).replace("|", "\\|") for cell in row) + " |" for row in (header, *body)]
    return "\n".join([lines[0], "|" + "|".join("---" if i in left else "---:" for i in range(len(header))) + "|", *lines[1:]])


def behind_text(found):
    rest = list(behind(found))
    if not rest:
        return "Nowhere: every sound answer of a peer takes longer than one of ours that is at least as narrow."
    lines = []
    for question, peer, ratio in rest:
        why = next((text for (part, who), text in EXPLANATIONS.items() if part in question and who in peer), "not explained yet")
        what = f"{ratio:.2g} times our time" if math.isfinite(ratio) else "narrower than ours"
        lines.append(f"- {question}, {peer} ({what}): {why}")
    return "\n".join(lines)


def inside_rows(found):
    for one in found["inside"]:
        rate = one.get("items_per_second")
        yield (one["program"], one["name"], seconds_text(one["seconds"]), number(one.get("width", math.nan), ".2g"),
               f"{rate / 1e6:.3g} million/s" if rate else "")


def markdown(found):
    parts = [INTRODUCTION]
    parts.append("Machine: " + "; ".join(found["machine"]) + ".  \nPeers: " + ", ".join(found["versions"])
                 + f".  \nThe run took {found['minutes']:.0f} minutes.\n")
    for group in dict.fromkeys(contest["group"] for contest in found["contests"]):
        contests = [contest for contest in found["contests"] if contest["group"] == group]
        parts += [f"## {group}\n", table(HEADER, [row for contest in contests for row in rows(contest)], (0, 1, 8)) + "\n"]
    parts += ["## Where we are behind\n", behind_text(found) + "\n"]
    if found["curves"]:
        parts.append("## Growth\n")
        parts += [f"![{chart.title}](plots/{chart.file}.svg)\n" for chart in charts.all_charts(found)]
    if found["inside"]:
        parts += ["## Ours alone\n", "Google Benchmark, one call of the library each.\n",
                  table(("program", "benchmark", "time", "width", ""), inside_rows(found), (0, 1)) + "\n"]
    return "\n".join(parts)


def write_atomically(path, text):
    path = pathlib.Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", dir=path.parent, delete=False, encoding="utf-8") as file:
        file.write(text)
    os.chmod(file.name, 0o644)
    os.replace(file.name, path)


def write(found, folder, page="RESULTS.md"):
    folder = pathlib.Path(folder)
    for chart in charts.all_charts(found):
        write_atomically(folder / "plots" / f"{chart.file}.svg", charts.svg(chart))
    write_atomically(folder / page, markdown(found))
