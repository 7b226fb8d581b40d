# SPDX-License-Identifier: Apache-2.0
"""Reports in headless Chromium: wide and narrow, light, dark and on paper. Screenshots stay in pytest's temporary folder."""
import base64
import json
import struct
import time

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from conftest import BACKSTOP, ROOT, run

RUN = "noisy_sgd(n=2000, batch=10, learning_rate=0.5, sigma=0.2, lipschitz=1, smoothness=1, strong_convexity=0.01)"
DESKTOP, PHONE = 1280, 360
KINDS = ["analysis", "people", "comparison", "void", "long"]

# Whatever is seen, with the elements inside scrolling tables left out: those may be wider than the page.
VISIBLE = """
const visible = [...document.querySelectorAll('body *')].filter(e => e.checkVisibility() && !e.closest('.skip'));
const text_of = e => [...e.childNodes].filter(n => n.nodeType === 3).map(n => n.data.trim()).join('');
const name = e => e.tagName + '.' + (e.getAttribute('class') || '') + ' "' + text_of(e).slice(0, 30) + '"';
"""

OVERFLOW = VISIBLE + """
const problems = [];
if (document.documentElement.scrollWidth > innerWidth) problems.push('the page scrolls sideways');
for (const e of visible) {
  const box = e.getBoundingClientRect();
  const scroll = e.parentElement.closest('.scroll');
  if (box.width === 0 || box.height === 0 || scroll) continue;
  if (box.left < -0.5 || box.right > innerWidth + 0.5) problems.push(name(e) + ' leaves the page');
  const drawing = e.closest('figure svg');
  if (drawing && e !== drawing && e.tagName === 'text') {
    const frame = drawing.getBoundingClientRect();
    if (box.left < frame.left - 0.5 || box.right > frame.right + 0.5 || box.top < frame.top - 0.5 ||
        box.bottom > frame.bottom + 0.5) problems.push(name(e) + ' leaves its drawing');
  }
}
return problems;
"""

# Labels, ticks and names of axes that cover each other.
COLLISIONS = VISIBLE + """
const problems = [];
for (const drawing of visible.filter(e => e.matches('figure svg'))) {
  const texts = [...drawing.querySelectorAll('text')].map(e => [e, e.getBoundingClientRect()]);
  for (let i = 0; i < texts.length; ++i) for (let j = 0; j < i; ++j) {
    const [a, b] = [texts[i][1], texts[j][1]];
    if (a.left + 1 < b.right && b.left + 1 < a.right && a.top + 3 < b.bottom && b.top + 3 < a.bottom)
      problems.push(name(texts[i][0]) + ' covers ' + name(texts[j][0]));
  }
}
return problems;
"""

SMALL_TEXT = VISIBLE + """
return visible.filter(e => text_of(e)).map(e => {
  const matrix = e instanceof SVGElement ? e.getScreenCTM() : null;
  const scale = matrix ? Math.hypot(matrix.a, matrix.b) : 1;
  return [name(e), parseFloat(getComputedStyle(e).fontSize) * scale, e instanceof SVGElement ? 9 : 12];
}).filter(([, size, least]) => size < least - 0.01);
"""

# WCAG: 4.5 for text, 3 for lines that mean something.
CONTRAST = VISIBLE + """
const channels = color => (color.match(/[0-9.]+/g) || []).map(Number);
const luminance = ([r, g, b]) => {
  const [x, y, z] = [r, g, b].map(c => c / 255).map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
  return 0.2126 * x + 0.7152 * y + 0.0722 * z;
};
const background = e => {
  for (; e; e = e.parentElement) {
    const color = channels(getComputedStyle(e).backgroundColor);
    if (color.length === 3 || color[3] === 1) return color;
  }
  return [255, 255, 255];
};
const ratio = (e, color) => {
  const [a, b] = [luminance(channels(color)), luminance(background(e))];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
};
const found = [];
for (const e of visible) {
  const style = getComputedStyle(e);
  if (text_of(e)) found.push([name(e), ratio(e, e instanceof SVGElement ? style.fill : style.color), 4.5]);
  if (e.matches('.upper, .lower, .level')) found.push([name(e), ratio(e, style.stroke), 3]);
  if (e.matches('.mark, .dot, .end')) found.push([name(e), ratio(e, style.fill), 3]);
}
return found;
"""


def made(*arguments):
    result = run(*arguments)
    assert result.returncode == 0, result.stderr
    return result.stdout


def hostile_comparison():
    """Names without a place to break, and many analyses."""
    word = "x" * 300
    return {"best": word, "relation": "neutral", "neighbours": {"whose": word}, "version": word, "expression": word, "analyses": [
        {"name": word if i == 0 else f"{i}-{word[:30]}", "description": word, "converged": True, "delta": 0.5,
         "epsilon": {"lower": 0, "upper": 10.0 ** i}} for i in range(9)]}


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """A page of every kind."""
    folder = tmp_path_factory.mktemp("reports")
    source = {kind: folder / f"{kind}.json" for kind in KINDS}
    made("epsilon", "gaussian(sigma=1.1) | poisson(rate=256/60000) | compose(14000)", "--delta", "1e-5", "1e-12",
         "--certificate", source["analysis"])
    made("people", RUN, "--delta", "1e-6", "--certificate", source["people"])
    source["comparison"].write_text(made("compare", f"{RUN} | person(39)", "--delta", "1e-5", "--json"))
    made("release", ROOT / "docs/data/survey.csv", "--output", folder / "noisy.csv", "--mechanism",
         "gaussian(sigma=4)", "--sensitivity", "respondents=1.5", "--sensitivity", "hours=90", "--rows-per-person", "2",
         "--public", "district", "--insecure-seed", "1", "--certificate", source["void"])
    source["long"].write_text(json.dumps(hostile_comparison()))
    for kind in KINDS:
        made("report", source[kind], "-o", folder / f"{kind}.html")
    return folder


@pytest.fixture(scope="module")
def browser():
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService("/usr/bin/chromedriver"))
    driver.set_script_timeout(BACKSTOP)
    driver.set_page_load_timeout(BACKSTOP)
    yield driver
    driver.quit()


def emulate(browser, width, scheme, media=""):
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
        "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width == PHONE})
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {
        "media": media, "features": [{"name": "prefers-color-scheme", "value": scheme}]})


def show(browser, pages, kind, width=DESKTOP, scheme="light", media=""):
    emulate(browser, width, scheme, media)
    browser.get_log("browser"), browser.get_log("performance")
    browser.get((pages / f"{kind}.html").as_uri())
    assert browser.execute_script("return innerWidth") == width


def requested(browser):
    messages = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    return {m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent"}


def screenshot(browser, path):
    height = browser.execute_script("return document.documentElement.scrollHeight")
    width = browser.execute_script("return innerWidth")
    picture = base64.b64decode(browser.execute_cdp_cmd("Page.captureScreenshot", {
        "captureBeyondViewport": True, "clip": {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}})["data"])
    path.write_bytes(picture)
    # Its size stands in the header.
    assert struct.unpack(">II", picture[16:24]) == (width, height)
    return picture


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("width", [DESKTOP, 700, PHONE])
def test_nothing_overflows_or_is_too_small(browser, pages, kind, width):
    show(browser, pages, kind, width)
    for state in ("closed", "open"):
        assert browser.execute_script(OVERFLOW) == [], state
        assert browser.execute_script(SMALL_TEXT) == [], state
        assert browser.execute_script(COLLISIONS) == [], state
        browser.execute_script("for (const e of document.querySelectorAll('details')) e.open = true")


@pytest.mark.parametrize("kind", KINDS)
def test_it_is_silent_and_loads_nothing(browser, pages, kind):
    show(browser, pages, kind)
    assert browser.get_log("browser") == []
    assert requested(browser) <= {(pages / f"{kind}.html").as_uri(), "data:,"}


def test_the_policy_stops_what_would_load_or_run(browser, pages):
    show(browser, pages, "analysis")
    for what in ("new Image().src = 'https://example.invalid/x.png'",
                 "document.body.append(Object.assign(document.createElement('script'), {textContent: 'var x = 1'}))"):
        directive = browser.execute_async_script(
            "const done = arguments[0];"
            "document.addEventListener('securitypolicyviolation', e => done(e.effectiveDirective), {once: true});" + what)
        assert directive in ("img-src", "script-src-elem")
    # And the log, which the test above finds empty, tells of it, sooner or later.
    logged, begin = [], time.monotonic()
    while len(logged) < 2 and time.monotonic() - begin < BACKSTOP:
        logged += browser.get_log("browser")
    assert len(logged) >= 2


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("scheme, media", [("light", ""), ("dark", ""), ("dark", "print")])
def test_contrast(browser, pages, kind, scheme, media):
    show(browser, pages, kind, DESKTOP, scheme, media)
    found = browser.execute_script(CONTRAST)
    assert len(found) > 30
    assert [one for one in found if one[1] < one[2]] == []


def test_screenshots(browser, pages):
    pictures = {}
    for kind in KINDS:
        for width, scheme in ((DESKTOP, "light"), (PHONE, "dark")):
            show(browser, pages, kind, width, scheme)
            pictures[kind, width] = screenshot(browser, pages / f"{kind}-{width}-{scheme}.png")
    assert len(set(pictures.values())) == len(pictures)
    assert min(map(len, pictures.values())) > 20_000


def test_every_part_is_there(browser, pages):
    show(browser, pages, "people")
    headings = [e.text for e in browser.find_elements(By.CSS_SELECTOR, "h2")]
    assert headings == ["The guarantee", "What it assumes", "Privacy profile", "Every person", "Analyses compared",
                        "Derivation", "What it was computed from", "How to verify", "What the number does not promise"]
    for selector in (".verdict", ".cards", "#profile svg.wide", "#people svg.wide", "#analyses svg.wide", "#analyses table",
                     "#derivation ol", "#verify pre", "footer"):
        box = browser.find_element(By.CSS_SELECTOR, selector).rect
        assert box["width"] > 100 and box["height"] > 20, selector
    for link in browser.find_elements(By.CSS_SELECTOR, "nav a"):
        assert browser.find_elements(By.ID, link.get_attribute("href").split("#")[1])


def test_plots_fit_their_screen(browser, pages):
    """Two drawings of each plot, of which one is shown."""
    for width, shown in ((DESKTOP, "wide"), (PHONE, "narrow")):
        show(browser, pages, "people", width)
        drawings = browser.find_elements(By.CSS_SELECTOR, "figure > svg")
        assert len(drawings) == 6
        assert {d.get_attribute("class") for d in drawings if d.is_displayed()} == {shown}


def test_what_screen_readers_get(browser, pages):
    show(browser, pages, "people")
    assert browser.execute_script("return document.documentElement.lang") == "en"
    tree = browser.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    nodes = [(n["role"]["value"], n.get("name", {}).get("value", ""), n.get("description", {}).get("value", ""))
             for n in tree if not n["ignored"]]
    images = [n for n in nodes if n[0] in ("img", "image")]
    assert len(images) == 3 and all(name and description for _, name, description in images)
    assert [n[1] for n in nodes if n[0] == "table"] and all(n[1] for n in nodes if n[0] in ("table", "region", "navigation"))
    assert {"main", "navigation", "contentinfo", "heading"} <= {n[0] for n in nodes}
    assert browser.execute_script("return [...document.querySelectorAll('th')].every(e => e.scope)")


def test_keyboard(browser, pages):
    show(browser, pages, "people")
    browser.find_element(By.TAG_NAME, "body").send_keys(Keys.TAB)
    skip = browser.switch_to.active_element
    assert skip.get_attribute("class") == "skip" and skip.rect["y"] >= 0
    summary = browser.find_element(By.TAG_NAME, "summary")
    summary.send_keys(Keys.ENTER)
    assert browser.find_element(By.CSS_SELECTOR, "details table").is_displayed()
    assert browser.execute_script("return getComputedStyle(document.activeElement).outlineStyle") != "none"


def test_paper(browser, pages):
    """Black on white whatever the screen is, folded tables open, no navigation."""
    show(browser, pages, "people", DESKTOP, "dark", "print")
    assert browser.execute_script("return getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert browser.execute_script(
        "return [...document.querySelectorAll('details table')].every(e => e.checkVisibility() && e.clientHeight > 50)")
    assert not browser.find_element(By.TAG_NAME, "nav").is_displayed()
    screenshot(browser, pages / "people-print.png")
    paper = base64.b64decode(browser.execute_cdp_cmd("Page.printToPDF", {"preferCSSPageSize": True})["data"])
    (pages / "people.pdf").write_bytes(paper)
    assert paper.startswith(b"%PDF")


def test_a_void_report_shouts(browser, pages):
    show(browser, pages, "void", PHONE)
    banner = browser.find_element(By.CSS_SELECTOR, ".void")
    assert banner.text.startswith("VOID") and banner.rect["y"] < 400
    assert not browser.find_elements(By.CSS_SELECTOR, ".cards")
