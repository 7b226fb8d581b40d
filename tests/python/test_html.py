# SPDX-License-Identifier: Apache-2.0
"""What notebooks show: well-formed, harmless, in the colours of the page, and without a question to the library."""
import base64
import html.parser
import json
import pathlib
import re
import types

import numpy as np
import pytest

import doeblin
from doeblin import Bracket, Calibration, Comparison, Explanation, Mixing, Report, Verification
from doeblin import calibrate, compose, gaussian, laplace, mix, noisy_sgd, poisson
from doeblin._html import pipeline_html, profile_html, report_html

SAMPLED = gaussian(sigma=1.1) | poisson(rate=256 / 60000)
RELEASES = laplace(scale=10) | compose(30)
RUN = noisy_sgd(n=1000, learning_rate=0.1, sigma=2, lipschitz=1, smoothness=1)
KERNEL = 0.7 * np.eye(5) + 0.06
# Closes whatever it stands in.
HOSTILE = "</code></td>\"'><script>alert(1)</script><img src=x onerror=alert(1)>&amp;"

SHOWN = {
    "pipeline": lambda: SAMPLED,
    "sum": lambda: RELEASES + SAMPLED,
    "explanation": lambda: SAMPLED.explain(delta=[1e-5, 1e-6], epsilon=1, alpha=2),
    "comparison": lambda: RUN.compare(delta=1e-5),
    "comparison of deltas": lambda: RELEASES.compare(epsilon=1),
    "calibration": lambda: calibrate("gaussian(sigma=?) | compose(10)", epsilon=1, delta=1e-5),
    "diffusion": lambda: calibrate("ornstein_uhlenbeck(theta=?, rho=?, time=1)", epsilon=1, delta=1e-5, radius=1),
    "verification": lambda: gaussian(sigma=2).certificate(delta=1e-6).verify(),
    "mixing": lambda: mix(KERNEL, mechanism=gaussian(sigma=1)),
    "people": lambda: RUN.people(epsilon=1),
    "profile": lambda: SAMPLED.profile(np.linspace(0, 1, 45)),
    "bracket": lambda: Bracket(1.25, 1.5),
}


class Page(html.parser.HTMLParser):
    """Elements, attributes and text; an end that does not belong to the last beginning is an error."""

    def __init__(self, page):
        super().__init__()
        self.open, self.tags, self.attributes, self.cells, self.text = [], [], [], [], ""
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.open.append(tag)
        self.tags.append(tag)
        self.attributes += attributes
        if tag in ("td", "th"):
            self.cells.append("")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data
        if "td" in self.open or "th" in self.open:
            self.cells[-1] += data


def assert_harmless(page):
    seen = Page(page)
    assert {*seen.tags} <= {"div", "p", "span", "code", "b", "pre", "table", "thead", "tbody", "tr", "th", "td"}
    assert {name for name, _ in seen.attributes} <= {"style", "title"}
    for name, value in seen.attributes:
        # Nothing is loaded, and colours are those of the page.
        assert name != "style" or not re.search(r"url|expression|#|rgb|hsl|color:(?!inherit)|background:(?!none)", value)
    return seen


@pytest.fixture(scope="module")
def shown():
    return {name: make()._repr_html_() for name, make in SHOWN.items()}


@pytest.mark.parametrize("name", SHOWN)
def test_everything_is_well_formed_and_harmless(shown, name):
    assert_harmless(shown[name])


def test_a_pipeline_shows_its_steps(shown):
    seen = Page(shown["pipeline"])
    assert SAMPLED.expression in seen.text and "relation: add_remove" in seen.text
    assert seen.tags.count("tr") == 1 + len(SAMPLED.steps)
    for i, step in enumerate(SAMPLED.steps, 1):
        number, stage, source, assumptions = seen.cells[4 * i : 4 * i + 4]
        assert number == str(i) and stage == step["stage"] + step["statement"] and source == step["source"]
        marks = {"checked": "\u2713 checked", "asserted": "! asserted"}
        assert assumptions == "".join(marks[a["status"]] + a["text"] for a in step["assumptions"])


def test_showing_a_pipeline_evaluates_nothing():
    heavy = gaussian(sigma=0.3) | poisson(rate=0.37) | compose(10**7)
    many = noisy_sgd(n=20_000_000, learning_rate=0.1, sigma=2, lipschitz=1, smoothness=1, diameter=2)
    for pipeline in (heavy, many):
        words = types.SimpleNamespace(expression=pipeline.expression, relation=pipeline.relation, whose=pipeline.whose, steps=pipeline.steps)
        assert pipeline_html(words) == pipeline_html(pipeline)


def test_a_pipeline_with_something_open():
    seen = []

    def remember(sigma):
        pipeline = gaussian(sigma=sigma) | compose(2)
        seen.append(pipeline._repr_html_())
        return pipeline

    calibrate(remember, epsilon=1, delta=1e-5)
    assert "sigma=?" in seen[0]
    for page in seen:
        assert_harmless(page)


def test_an_explanation_has_numbers(shown):
    steps = SHOWN["explanation"]().analysis
    text = Page(shown["explanation"]).text
    for answer in steps[-1]["after"]:
        assert any(f"{name} in {answer[name]}" in text for name in ("epsilon", "delta", "rdp") if name in answer)
    assert "at delta = 1e-05" in text and "at alpha = 2" in text


def test_a_comparison_marks_the_best(shown):
    rows = SHOWN["comparison"]().analyses
    seen = Page(shown["comparison"])
    assert seen.text.count("\u2605") == 1 and "epsilon at delta = 1e-05" in seen.text
    assert seen.cells[5:7] == ["\u2605", "best"]
    assert "does not apply: " + rows[2]["not_applicable"] in seen.cells
    assert "delta at epsilon = 1" in Page(shown["comparison of deltas"]).text


def test_numbers_are_rounded_outward():
    row = {"name": "best", "description": "", "delta": 1e-5, "epsilon": {"lower": 0.99999999, "upper": 1.00000001}}
    page = report_html(Comparison(json.dumps({"best": "best", "analyses": [{**row, "converged": False}]}), ""))
    assert Page(page).cells[7:9] == ["0.999999", "1.00001"] and "wider than promised" in page


def test_other_reports(shown):
    found = SHOWN["calibration"]()
    text = Page(shown["calibration"]).text
    assert str(found.value) in text and str(found.misses) in text and "target: epsilon = 1, delta = 1e-05" in text
    assert "VERIFIED" in Page(shown["verification"]).cells
    mixing = Page(shown["mixing"])
    assert {"Dobrushin", "Doeblin", "ultra-mixing", "published-ultra", "16"} <= {*mixing.cells}
    everybody = Page(shown["people"])
    assert "1,000 records" in everybody.text and "worst: record 1,000" in everybody.cells
    # What has no table is its text.
    assert str(SHOWN["diffusion"]()) == Page(shown["diffusion"]).text


def test_long_tables_are_shortened(shown):
    seen = Page(shown["profile"])
    assert seen.tags.count("tr") == 31 and "... 15 more" in seen.text
    exact = profile_html(SAMPLED.profile(np.linspace(0, 1, 30)))
    assert Page(exact).tags.count("tr") == 31 and "more" not in exact
    whole = profile_html(laplace(scale=1).profile([[0, 1], [2, 3]]))
    assert Page(whole).cells[-3:] == ["3", "0", "0"]


def test_shown_twice_nothing_collides(shown):
    twice = "".join(2 * list(shown.values()))
    assert not re.search(r"\b(id|class|name|for)=", twice)


def hostile(value):
    """The same, with something hostile in the place of every text."""
    if isinstance(value, dict):
        return {key: hostile(x) for key, x in value.items()}
    if isinstance(value, list):
        return [hostile(x) for x in value]
    return HOSTILE if isinstance(value, str) and value not in ("epsilon", "delta", "inf") else value


@pytest.mark.parametrize("name", ["explanation", "comparison", "calibration", "diffusion", "verification", "mixing"])
def test_hostile_text_stays_text(name):
    report = SHOWN[name]()
    text = json.dumps(hostile(json.loads(report.to_json())))
    extra = {Calibration: (1.0,), Mixing: ("",)}.get(type(report), ())
    crafted = type(report)(text, HOSTILE, *extra)
    page = crafted._repr_html_()
    seen = assert_harmless(page)
    assert "<script" not in page and "<img" not in page and HOSTILE in seen.text


def test_a_hostile_people_report():
    report = SHOWN["people"]().report
    assert_harmless(report_html(Report(json.dumps(hostile(json.loads(report.to_json()))), HOSTILE)))


def test_hostile_pipelines():
    class Crafted:
        expression = relation = whose = HOSTILE
        steps = hostile(SAMPLED.steps)

    page = pipeline_html(Crafted())
    assert assert_harmless(page).text.count(HOSTILE) >= 6 and "<script" not in page


@pytest.mark.parametrize("kind", [Report, Explanation, Comparison, Verification])
def test_reports_of_unknown_kinds_are_their_text(kind):
    assert "one\ntwo &lt;3" in report_html(kind('{"something": 1}', "one\ntwo <3"))


# In a browser, on light and dark pages.

CONTRAST = """
const channels = color => (color.match(/[0-9.]+/g) || []).map(Number);
const luminance = ([r, g, b]) => {
  const [x, y, z] = [r, g, b].map(c => c / 255).map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
  return 0.2126 * x + 0.7152 * y + 0.0722 * z;
};
const page = channels(getComputedStyle(document.body).backgroundColor);
return [...document.querySelectorAll('body *')].map(e => {
  let opacity = 1;
  for (let up = e; up; up = up.parentElement) opacity *= getComputedStyle(up).opacity;
  const ink = channels(getComputedStyle(e).color).map((c, i) => opacity * c + (1 - opacity) * page[i]);
  const [a, b] = [luminance(ink), luminance(page)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
});
"""


@pytest.mark.skipif(not pathlib.Path("/usr/bin/chromedriver").exists(), reason="there is no browser")
def test_light_and_dark_pages(shown, tmp_path):
    webdriver = pytest.importorskip("selenium.webdriver")
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    body = "".join(shown.values())
    browser = webdriver.Chrome(options=options, service=webdriver.ChromeService("/usr/bin/chromedriver"))
    try:
        for theme, colours in (("light", "background:#fff;color:#222"), ("dark", "background:#111;color:#e0e0e0")):
            path = tmp_path / f"{theme}.html"
            # Backgrounds as some notebooks have them.
            style = f"body {{ {colours}; font: 14px sans-serif }} tr:nth-child(odd), td, th, code, pre {{ background: gray }}"
            path.write_text(f"<!doctype html><meta charset=utf-8><style>{style}</style>{body}", "utf-8")
            browser.get(path.as_uri())
            assert min(browser.execute_script(CONTRAST)) >= 4.5
            backgrounds = browser.execute_script(
                "return [...document.querySelectorAll('body *')].map(e => getComputedStyle(e).backgroundColor)")
            assert {*backgrounds} == {"rgba(0, 0, 0, 0)"}
            assert browser.execute_script("return document.documentElement.scrollWidth <= innerWidth")
            assert browser.get_log("browser") == []
            picture = browser.execute_cdp_cmd("Page.captureScreenshot", {"captureBeyondViewport": True})["data"]
            (tmp_path / f"{theme}.png").write_bytes(base64.b64decode(picture))
    finally:
        browser.quit()
