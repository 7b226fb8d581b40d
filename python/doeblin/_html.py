# SPDX-License-Identifier: Apache-2.0
"""What notebooks show: small tables in the colours of the page, without anything to load or to run."""
import html
import itertools

from ._bracket import Bracket, _rounded

_MOST_ROWS = 30
_PLACE = "vertical-align:top;padding:.25em .9em .25em 0;background:none"
_CELL = f"{_PLACE};text-align:left;white-space:normal"
_NUMBER = f"{_PLACE};text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums"
_RULE = "border:0;border-bottom:1px solid"
_CODE = "background:none;color:inherit;overflow-wrap:break-word;white-space:pre-wrap"
_MARKS = {"checked": "\u2713 checked", "asserted": "! asserted"}


class _Html(str):
    """Text that is HTML already."""


def _escaped(text):
    """Safe between tags and in attributes; what cannot be printed is left out."""
    if isinstance(text, _Html):
        return text
    return _Html(html.escape("".join(c if c.isprintable() or c == "\n" else " " for c in str(text)), quote=True))


def _element(tag, inside, style=""):
    attribute = f' style="{style}"' if style else ""
    return _Html(f"<{tag}{attribute}>{_escaped(inside)}</{tag}>")


def _joined(*parts):
    return _Html("".join(_escaped(part) for part in parts))


def _soft(text):
    return _element("span", text, "opacity:.75;font-size:.92em")


def _code(text):
    return _element("code", text, _CODE)


def _paragraph(*parts):
    return _element("p", _joined(*parts), "margin:.3em 0")


def _upper(x):
    return _rounded(float(x), 6, up=True)


def _lower(x):
    return _rounded(x.lower if isinstance(x, Bracket) else float(x), 6, up=False)


def _table(names, rows, numbers=()):
    """`numbers` are the columns with figures; of a long table the beginning is shown."""
    rows = iter(rows)
    shown = list(itertools.islice(rows, _MOST_ROWS))
    left = sum(1 for _ in rows)
    styles = [_NUMBER if i in numbers else _CELL for i in range(len(names))]
    head = _joined(*(_element("th", name, f"{style};{_RULE}") for name, style in zip(names, styles)))
    head = _element("thead", _element("tr", head, "background:none")) if any(names) else ""
    cells = (_joined(*(_element("td", cell, style) for cell, style in zip(row, styles))) for row in shown)
    body = [_element("tr", row, "background:none") for row in cells]
    table = _element("table", _joined(head, _element("tbody", _joined(*body))),
                     "border-collapse:collapse;border:0;margin:.4em 0;color:inherit")
    return _joined(table, _paragraph(_soft(f"... {left} more")) if left else "")


def _page(*parts):
    return str(_element("div", _joined(*parts), "color:inherit;max-width:72em"))


def _assumptions(step):
    lines = []
    for assumption in step.get("assumptions", []):
        status = str(assumption.get("status", ""))
        mark = _element("b", _MARKS.get(status, status), "flex:none;width:6.2em")
        text = _element("span", assumption.get("text", ""))
        lines.append(_element("div", _joined(mark, text), "display:flex;gap:.4em"))
    return _joined(*lines)


def _width_words(answer):
    """What is said about a bracket that is not as narrow as promised."""
    if answer.get("converged", True):
        return ""
    return " (not known more closely)" if answer.get("ends", {}).get("upper") == "known" else " (wider than promised)"


def _answers(step):
    """The numbers after a step, if there are any."""
    lines = []
    for answer in step.get("after", []):
        asked = [(name, answer[name]) for name in ("delta", "epsilon", "alpha")
                 if isinstance(answer.get(name), (int, float)) and not isinstance(answer[name], Bracket)]
        for name in ("epsilon", "delta", "rdp"):
            if isinstance(answer.get(name), Bracket):
                where = ", ".join(f"{given} = {x:g}" for given, x in asked)
                lines.append(_element("div", f"{name} in {answer[name]}" + (f" at {where}" if where else "") + _width_words(answer),
                                      "white-space:nowrap"))
    return _joined(*lines)


def _steps(steps):
    def row_of(number, step):
        statement = _element("div", _soft(step.get("statement", "")))
        return [str(number), _joined(_code(step.get("stage", "")), statement, _answers(step)), step.get("source", ""),
                _assumptions(step)]

    rows = (row_of(number, step) for number, step in enumerate(steps, 1))
    return _table(["", "step", "source", "it assumes"], rows, numbers=(0,))


def _heading(expression, relation=None, whose=None):
    about = [_soft(", about "), whose] if whose else []
    return _joined(_paragraph(_code(expression)),
                   _paragraph(_soft("relation: "), relation, *about) if relation else "")


def pipeline_html(pipeline):
    """The expression and its steps. Nothing is evaluated."""
    try:
        steps, about = pipeline.steps, (pipeline.relation, pipeline.whose)
    except ValueError:
        # Something in it is still open.
        return _page(_heading(pipeline.expression))
    return _page(_heading(pipeline.expression, *about), _steps(steps))


def profile_html(profile):
    """The table of a profile."""
    columns = (profile.epsilon.ravel(), profile.delta.lower.ravel(), profile.delta.upper.ravel())
    rows = ([f"{epsilon:.6g}", _lower(lower), _upper(upper)] for epsilon, lower, upper in zip(*columns))
    return _page(_heading(profile.pipeline.expression, profile.pipeline.relation, profile.pipeline.whose),
                 _table(["epsilon", "delta >=", "delta <="], rows, numbers=(0, 1, 2)))


# Reports, by the entries that they have.


def _analyses(report):
    """A comparison."""
    quantity = next((name for row in report["analyses"] for name in ("epsilon", "delta")
                     if isinstance(row.get(name), Bracket)), "value")
    given = "delta" if quantity == "epsilon" else "epsilon"
    asked = next((row[given] for row in report["analyses"] if given in row), None)

    def row_of(row):
        is_best = row.get("name") == report.get("best")
        value = row.get(quantity)
        words = row.get("description", "") if value is not None else f"does not apply: {row.get('not_applicable', '')}"
        if value is not None:
            words += _width_words(row)
        cells = [row.get("name", ""), "" if value is None else _lower(value), "" if value is None else _upper(value)]
        cells = [_element("b", cell) if is_best else cell for cell in cells]
        return ["\u2605" if is_best else "", *cells, words if value is not None else _soft(words)]

    return _joined(_paragraph(f"{quantity} at {given} = {asked:g}" if isinstance(asked, (int, float)) else quantity),
                   _table(["", "analysis", f"{quantity} >=", f"{quantity} <=", ""], map(row_of, report["analyses"]),
                          numbers=(2, 3)))


def _calibration(report):
    target = ", ".join(f"{name} = {value:g}" for name, value in report.get("target", {}).items())
    name = report["parameter"]
    rows = [[f"{name} that meets it", _element("b", str(report["value"]))]]
    if "misses" in report:
        rows.append([f"{name} that misses it", str(report["misses"])])
    for quantity in ("epsilon", "delta"):
        if isinstance(report.get(quantity), Bracket):
            rows.append([f"{quantity} that is reached", f"{_upper(report[quantity])} (>= {_lower(report[quantity])})"])
    return _joined(_paragraph("target: ", target), _table(["", ""], rows, numbers=(1,)))


def _verification(report):
    rows = ([_element("b", check.get("verdict", "")), check.get("claim", ""), check.get("reason", "")]
            for check in report.get("checks", []))
    return _joined(_paragraph(_element("b", report["verdict"])), _paragraph(report.get("sentence", "")),
                   _table(["", "claim", "because"], rows))


def _mixing(report):
    coefficients = [("Dobrushin" if row["epsilon"] == 0 else f"at epsilon = {row['epsilon']:g}", row["gamma"])
                    for row in report.get("coefficients", [])]
    coefficients += [(name, report[entry]["gamma"])
                     for name, entry in (("Doeblin", "doeblin"), ("ultra-mixing", "ultra_mixing")) if entry in report]
    parts = [_paragraph(_code(report["kernel"])),
             _table(["coefficient", "gamma >=", "gamma <="], ([name, _lower(x), _upper(x)] for name, x in coefficients),
                    numbers=(1, 2))]
    columns = [f"delta at {report['epsilon']:g} <=", f"epsilon at {report['delta']:g} <="]
    if report.get("effects"):
        parts += [_paragraph(_code(report.get("mechanism", "")), " and then the kernel"),
                  _table(["rule", "source", *columns],
                         ([row["name"], row["source"], _upper(row["delta"]), _upper(row["epsilon"])]
                          for row in report["effects"]), numbers=(2, 3))]
    if report.get("steps"):
        parts.append(_table(["steps", "Dobrushin <=", *columns],
                            ([str(row["steps"]), _upper(row["dobrushin"]), _upper(row["delta"]), _upper(row["epsilon"])]
                             for row in report["steps"]), numbers=(0, 1, 2, 3)))
    return _joined(*parts)


def _people(report):
    parts = [_paragraph(f"{report['records']:,} records, each with a guarantee of its own")]
    for answer in report["answers"]:
        quantity = answer.get("quantity", "epsilon")
        given = "delta" if quantity == "epsilon" else "epsilon"
        rows = [[f"{100 * row['share']:g} % of the records", _upper(row[quantity])]
                for row in answer.get("quantiles", [])]
        for name in ("worst", "best"):
            if name in answer:
                rows.append([f"{name}: record {answer[name]['first']:,}", _upper(answer[name][quantity])])
        parts.append(_table([f"at {given} = {answer[given]:g}", f"{quantity} <="], rows, numbers=(1,)))
    return _joined(*parts)


def report_html(report):
    """A report as tables; one of an unknown kind as its text."""
    kinds = {"analyses": _analyses, "verdict": _verification, "coefficients": _mixing, "answers": _people,
             "parameter": _calibration}
    entry = next((entry for entry in kinds if entry in report), None)
    whose = report.get("neighbours", {}).get("whose")
    heading = _heading(report["expression"], report.get("relation"), whose) if "expression" in report else ""
    if entry is None and not any(step.get("after") for step in report.get("analysis", [])):
        return _page(_element("pre", str(report), _CODE))
    steps = _steps(report["analysis"]) if "analysis" in report else ""
    return _page(heading, kinds[entry](report) if entry else "", steps)
