# SPDX-License-Identifier: Apache-2.0
"""A proof's place is named beside the code that relies on it: every id that the code cites is an entry of the catalogue, and every
entry leads to a section of the theory that speaks of it."""
import re

import pytest
from tooling import ROOT

THEORY = ROOT / "docs/theory"
# As docs/_extensions/catalogue.py reads them.
FORM = r"[PCSMIDN][1-9][0-9]?"
CITED = re.compile(rf"(?<![\w.\[-])({FORM})(?![\w.]*\w)")
CATALOGUE = (THEORY / "catalogue.md").read_text()
ENTRIES = dict(re.findall(rf"^### ({FORM})\b(.*?)(?=^##|\Z)", CATALOGUE, re.MULTILINE | re.DOTALL))


def said_by(code):
    """Comments and texts: whatever else looks like an id is a name."""
    return "\n".join(re.findall(r"//[^\n]*|\"(?:[^\"\\\n]|\\.)*\"", code))


def anchor(title):
    """As MyST makes them."""
    return re.sub(r"[^\w\- ]", "", title.strip().lower()).replace(" ", "-")


def sections(page):
    """{anchor: the text up to the next heading of the same rank or a higher one}"""
    text = re.sub(r"^```.*?^```$", lambda fence: fence[0].replace("\n#", "\n "), page.read_text(), flags=re.MULTILINE | re.DOTALL)
    heads = list(re.finditer(r"^(#+) (.*)$", text, re.MULTILINE))
    found = {}
    for k, head in enumerate(heads):
        end = next((later.start() for later in heads[k + 1:] if len(later[1]) <= len(head[1])), len(text))
        found[anchor(head[2])] = text[head.start():end]
    return found


SECTIONS = {page.name: sections(page) for page in THEORY.glob("*.md")}


def test_every_id_in_the_code_is_in_the_catalogue():
    files = [file for folder in ("src", "include") for file in (ROOT / folder).rglob("*") if file.suffix in (".cpp", ".hpp")]
    cited = {(one, file.name) for file in files for one in CITED.findall(said_by(file.read_text()))}
    assert len({one for one, _ in cited}) > 40
    assert sorted((one, file) for one, file in cited if one not in ENTRIES) == []


def test_every_step_of_a_derivation_cites_the_catalogue():
    files = [file for file in (ROOT / "src").rglob("*.cpp") if re.search(r"\.source = \"", file.read_text())]
    sources = [(one, file.name) for file in files for one in re.findall(r'\.source = "([^"]*)"', file.read_text())]
    assert len(sources) > 20
    assert [one for one in sources if not re.fullmatch(rf"{FORM}(, {FORM})*", one[0])] == []


@pytest.mark.parametrize("one", ENTRIES)
def test_every_entry_leads_to_its_proof(one):
    links = re.findall(r"\]\((\w+\.md)#([\w-]+)\)", ENTRIES[one])
    broken = [link for link in links if link[1] not in SECTIONS[link[0]]]
    assert broken == []
    # Errata say what was wrong in a paper, not why something holds.
    proofs = [SECTIONS[page][section] for page, section in links if page != "errata.md"]
    ids = r"\b" + one + r"\b"
    spans = rf"\b{one[0]}(\d+) to {one[0]}(\d+)\b"
    assert any(re.search(ids, proof) or any(int(a) <= int(one[1:]) <= int(b) for a, b in re.findall(spans, proof)) for proof in proofs)


def test_names_of_code_are_no_citations():
    assert CITED.findall(said_by('int S9 = 0;  // by C4, not B2 or X1\n"see P1"')) == ["C4", "P1"]
    assert anchor("Exact pairs (S5, S7)") == "exact-pairs-s5-s7"
