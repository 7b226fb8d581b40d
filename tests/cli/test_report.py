# SPDX-License-Identifier: Apache-2.0
"""`doeblin report`: certificates and comparisons as pages. What they look like is for test_report_browser.py."""
import html.parser
import json

import pytest

from conftest import ROOT, run

GAUSSIAN = "gaussian(sigma=1.1) | poisson(rate=256/60000) | compose(14000)"
RUN = ("noisy_sgd(n=1000, batch=10, learning_rate=0.5, sigma=0.2, lipschitz=1, smoothness=1, "
       "strong_convexity=0.01)")
EVERY = ["guarantee", "assumptions", "profile", "analyses", "derivation", "origin", "verify", "limits"]
VOID_ELEMENTS = {"meta", "link", "path", "line", "circle", "rect"}


class Page(html.parser.HTMLParser):
    """Elements of a page, with a check that every one of them is closed in order."""

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.ids, self.text = [], [], [], ""
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.ids += [value for name, value in attributes if name == "id"]
        if tag not in VOID_ELEMENTS:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.tags.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "style" not in self.open:
            self.text += data


def made(*arguments):
    result = run(*arguments)
    assert result.returncode == 0, result.stderr
    return result


def page_of(source, folder, *options):
    made("report", source, "-o", folder / "report.html", *options)
    text = (folder / "report.html").read_text(encoding="utf-8")
    for outside in ("http:", "https:", "<script", "url(", "@import", "src="):
        assert outside not in text
    return Page(text)


@pytest.fixture
def certificate(tmp_path):
    made("epsilon", GAUSSIAN, "--delta", "1e-5", "--certificate", tmp_path / "c.json")
    return tmp_path / "c.json"


def test_certificate_of_an_analysis(certificate, tmp_path):
    page = page_of(certificate, tmp_path)
    assert [i for i in page.ids if i in EVERY] == EVERY and "people" not in page.ids
    claim = json.loads(certificate.read_text())
    assert claim["sentence"] in page.text
    for text in ("≤ 2.3762", "1 in 100,000", "2.37533", "privacy-loss distributions by FFT", "doeblin verify c.json",
                 "VERIFIED", "REFUTED", "NOT CHECKED", "the noise is an exact normal draw", "gaussian(sigma=1.1"):
        assert text in page.text, text
    for step in claim["derivation"]:
        assert step["statement"] in page.text


def test_the_comparison_can_be_left_out(certificate, tmp_path):
    assert "analyses" not in page_of(certificate, tmp_path, "--no-comparison").ids


def test_certificate_of_people(tmp_path):
    made("people", RUN, "--delta", "1e-6", "--certificate", tmp_path / "c.json")
    page = page_of(tmp_path / "c.json", tmp_path)
    assert "people" in page.ids and "1,000 records" in page.text and "worst protected" in page.text


def test_delta_at_an_epsilon(tmp_path):
    made("delta", "laplace(scale=1)", "--epsilon", "0.5", "--certificate", tmp_path / "c.json")
    page = page_of(tmp_path / "c.json", tmp_path)
    assert "Each analysis: delta at epsilon = 0.5" in page.text


def test_certificates_of_runs(tmp_path):
    """A release counts; one from a seed is void, and says so before anything else."""
    options = ["--mechanism", "gaussian(sigma=4)", "--sensitivity", "respondents=1.5", "--sensitivity", "hours=90",
               "--rows-per-person", "2", "--public", "district", "--force", "--certificate", tmp_path / "c.json"]
    made("release", ROOT / "docs/data/survey.csv", "--output", tmp_path / "noisy.csv", *options)
    page = page_of(tmp_path / "c.json", tmp_path)
    assert "VOID" not in page.text and "How private is this release?" in page.text
    made("release", ROOT / "docs/data/survey.csv", "--output", tmp_path / "seeded.csv", *options, "--insecure-seed", "1")
    page = page_of(tmp_path / "c.json", tmp_path)
    assert page.text.index("VOID") < page.text.index("The guarantee")
    assert "There is none." in page.text and "≤" not in page.text


def test_comparison(tmp_path):
    for question in (["--delta", "1e-5"], ["--epsilon", "1"]):
        (tmp_path / "c.json").write_text(made("compare", f"{RUN} | person(500)", *question, "--json").stdout)
        page = page_of(tmp_path / "c.json", tmp_path)
        best = json.loads((tmp_path / "c.json").read_text())["best"]
        assert f"“{best}” gives the smallest bound" in page.text
        assert "published" in page.text and "Does not apply: " in page.text
        assert "which nobody can verify" in page.text


def test_a_mechanism_whose_file_is_gone_has_a_page_without_comparison(tmp_path):
    kernel = tmp_path / "kernel.csv"
    kernel.write_text("0.7,0.3\n0.3,0.7\n")
    made("epsilon", f"randomized_response(p=0.9) | kernel('{kernel}')", "--delta", "0.01", "--certificate",
         tmp_path / "c.json")
    assert "Each analysis" in page_of(tmp_path / "c.json", tmp_path).text
    kernel.unlink()
    page = page_of(tmp_path / "c.json", tmp_path)
    assert "Other analyses are not compared here: " in page.text and str(kernel) in page.text


def test_a_changed_file_gives_no_comparison(tmp_path):
    kernel = tmp_path / "kernel.csv"
    kernel.write_text("0.7,0.3\n0.3,0.7\n")
    made("epsilon", f"randomized_response(p=0.9) | kernel('{kernel}')", "--delta", "0.01", "--certificate",
         tmp_path / "c.json")
    kernel.write_text("0.9,0.1\n0.1,0.9\n")
    assert f"the file {kernel} is another one than was certified" in page_of(tmp_path / "c.json", tmp_path).text


def test_hostile_text_stays_text(tmp_path):
    (tmp_path / "c.json").write_text(json.dumps({
        "best": "<script>alert(1)</script>", "relation": "neutral", "neighbours": {"whose": "<i>"}, "version": "'\"><b>", "expression": "</code><img src=x>",
        "analyses": [{"name": "<script>alert(1)</script>", "description": "\u202e\u0007&", "converged": True, "delta": 0.5,
                      "epsilon": {"lower": 0, "upper": 1}}]}))
    made("report", tmp_path / "c.json", "-o", tmp_path / "report.html")
    page = Page((tmp_path / "report.html").read_text(encoding="utf-8"))
    assert "script" not in page.tags and "img" not in page.tags and "b" not in page.tags
    assert "<script>alert(1)</script>" in page.text and "\u202e" not in page.text and "\u0007" not in page.text


def bad_files(folder):
    (folder / "empty.json").write_text("")
    (folder / "other.json").write_text('{"a": 1}')
    (folder / "bytes.json").write_bytes(b"\xff\x00\xfe")
    (folder / "comparison.json").write_text('{"analyses": 3}')
    (folder / "deep.json").write_text("[" * 100000)
    return ["empty.json", "other.json", "bytes.json", "comparison.json", "deep.json", "missing.json", ""]


def test_bad_input_is_one_line(tmp_path):
    for name in bad_files(tmp_path):
        result = run("report", tmp_path / name, "-o", tmp_path / "report.html")
        assert result.returncode == 2 and result.stdout == "", (name, result)
        assert result.stderr.startswith("doeblin: ") and result.stderr.count("\n") == 1, (name, result.stderr)
    assert not (tmp_path / "report.html").exists()


def test_bad_output(certificate, tmp_path):
    before = certificate.read_bytes()
    for output, word in ((certificate, "need another file"), (tmp_path / "none" / "x.html", "--output")):
        result = run("report", certificate, "-o", output, "--no-comparison")
        assert result.returncode == 2 and word in result.stderr and result.stderr.count("\n") == 1
    assert certificate.read_bytes() == before
    assert run("report", certificate).returncode == 2


def test_a_page_replaces_the_last_one_only_if_it_is_whole(certificate, tmp_path):
    page_of(certificate, tmp_path, "--no-comparison")
    before = (tmp_path / "report.html").read_bytes()
    certificate.write_text(certificate.read_text()[:-20])
    assert run("report", certificate, "-o", tmp_path / "report.html").returncode == 2
    assert (tmp_path / "report.html").read_bytes() == before


def test_help_has_examples():
    result = run("report", "--help")
    assert result.returncode == 0 and "doeblin report certificate.json -o report.html" in result.stdout
