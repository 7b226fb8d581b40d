# SPDX-License-Identifier: Apache-2.0
"""Certificates from the commands that write them: all verify, and nothing of them can be changed."""
import copy
import hashlib
import json
import subprocess

import jsonschema
import pytest

from conftest import PROGRAM, ROOT, run

SCHEMA = json.loads((ROOT / "docs" / "reference" / "certificate.schema.json").read_text())
CHANNEL = ROOT / "docs" / "data" / "channel.csv"
SGD = "noisy_sgd(n=40, learning_rate=0.5, sigma=2, lipschitz=1, smoothness=0.5, diameter=1)"


def certified(path, *arguments, codes=(0, 3)):
    """Runs a command with --certificate and returns the certificate."""
    result = run(*arguments, "--certificate", path)
    assert result.returncode in codes, (arguments, result.stderr)
    certificate = json.loads(path.read_text())
    jsonschema.validate(certificate, SCHEMA)
    return certificate


def test_the_schema_is_a_schema():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def verdict(path):
    result = run("verify", path, "--json")
    if result.returncode == 2:
        assert result.stderr.count("\n") == 1 and result.stdout.count("\n") <= 3, result.stderr
        return 2, "rejected", result.stderr
    answer = json.loads(result.stdout)
    assert result.returncode == {"VERIFIED": 0, "REFUTED": 1, "NOT CHECKED": 3}[answer["verdict"]]
    return result.returncode, answer["verdict"], answer["checks"]


def sealed(document):
    """The document as a forger would write it: with a seal that fits."""
    document = {key: value for key, value in document.items() if key != "seal"}
    text = json.dumps(document, separators=(",", ":"), ensure_ascii=False)
    return document | {"seal": {"sha256": hashlib.sha256(text.encode()).hexdigest()}}


QUESTIONS = [
    ("epsilon", "gaussian(sigma=1.1)", "--delta", "1e-5", "1e-12"),
    ("delta", "laplace(scale=2) | group(2)", "--epsilon", "0:1:0.25"),
    ("epsilon", "gaussian(sigma=2) | poisson(rate=0.1) | compose(5)", "--delta", "1e-6"),
    ("epsilon", "gaussian(sigma=4) | compose(100)", "--delta", "1e-6"),
    ("epsilon", f"gaussian(sigma=1) | kernel('{CHANNEL}', steps=3)", "--delta", "1e-6"),
    ("epsilon", "gaussian(sigma=1) | projected_gaussian(0.5, 0, 1, 0.9, steps=10)", "--delta", "1e-6"),
    ("epsilon", SGD, "--delta", "1e-6"),
    ("epsilon", SGD + " | person(7)", "--delta", "1e-6"),
    ("people", SGD, "--delta", "1e-6"),
    ("people", SGD, "--epsilon", "0.5"),
    ("epsilon", "zcdp(rho=0.1) | compose(3)", "--delta", "1e-6"),
    ("epsilon", "ornstein_uhlenbeck(theta=1, rho=1, time=1)", "--delta", "1e-300"),
]


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda q: f"{q[0]}-{q[1][:40]}")
def test_certificates_verify(question, tmp_path):
    certificate = certified(tmp_path / "c.json", *question)
    assert certificate["format"] == "doeblin certificate" and certificate["void"] is None
    code, word, checks = verdict(tmp_path / "c.json")
    assert code == 0, [c for c in checks if c["verdict"] != "VERIFIED"]
    assert len(checks) > len(certificate["claim"]["curve"])


def test_the_certificate_says_what_the_command_says(tmp_path):
    result = run("epsilon", "gaussian(sigma=3) | compose(7)", "--delta", "1e-6", "--json", "--certificate", tmp_path / "c.json")
    said = json.loads(result.stdout)
    certificate = json.loads((tmp_path / "c.json").read_text())
    value = certificate["claim"]["values"][0]
    assert value["upper"]["decimal"] == said["epsilon"]["upper"]
    assert float.fromhex(value["upper"]["hexadecimal"]) == said["epsilon"]["upper"]
    assert [s["source"] for s in certificate["derivation"]] == [s["source"] for s in said["analysis"]]
    assert certificate["expression"] == "gaussian(sigma=3, sensitivity=1) | compose(k=7)"
    assert "factor" in certificate["sentence"]


def test_training_certificates_verify(tmp_path):
    arguments = ["train", ROOT / "data" / "spambase.csv", "--label", "spam", "--norm", "1", "--radius", "10", "--batch",
                 "200", "--epochs", "5", "--learning-rate", "0.5", "--output", tmp_path / "run", "--force"]
    certificate = certified(tmp_path / "c.json", *arguments, "--epsilon", "2", "--delta", "1e-5")
    assert (tmp_path / "run" / "certificate.json").read_text() == (tmp_path / "c.json").read_text()
    assert certificate["kind"] == "training" and certificate["claim"]["people"]["records"] == 4601
    assert certificate["claim"]["values"][0]["quantity"] == "delta"
    assert certificate["claim"]["values"][0]["upper"]["decimal"] <= 1e-5
    code, word, checks = verdict(tmp_path / "c.json")
    assert code == 0, [c for c in checks if c["verdict"] != "VERIFIED"]
    # What the run did is planned again: other facts do not fit.
    for name in certificate["details"]:
        forged = copy.deepcopy(certificate)
        value = forged["details"][name]
        forged["details"][name] = number(value["decimal"] * 2 + 1) if isinstance(value, dict) else value + "x"
        (tmp_path / "f.json").write_text(json.dumps(sealed(forged)))
        assert verdict(tmp_path / "f.json")[0] in (1, 2), name
    # A run with a seed has no guarantee to be verified.
    run(*arguments, "--sigma", "1", "--insecure-seed", "1")
    code, word, checks = verdict(tmp_path / "run" / "certificate.json")
    assert (code, word) == (3, "NOT CHECKED") and "void" in checks[0]["reason"]


def test_release_certificates_verify(tmp_path):
    (tmp_path / "in.csv").write_text("a,b\n1,2\n3,4\n")
    for mechanism, more, files in [
        ("gaussian(sigma=2)", [], ["r.json"]),
        ("laplace(scale=3)", [], ["r.json"]),
        ("brownian", ["--tiers", "1,4,16"], ["r.tier1.json", "r.tier2.json", "r.tier3.json"]),
        ("ornstein_uhlenbeck(theta=0.5, rho=1)", ["--tiers", "1,2"], ["r.tier1.json", "r.tier2.json"]),
    ]:
        result = run("release", tmp_path / "in.csv", "--output", tmp_path / "out.csv", "--force", "--mechanism", mechanism, "--bounds",
                     "*=0:10", *more, "--certificate", tmp_path / "r.json")
        assert result.returncode == 0, result.stderr
        for name in files:
            jsonschema.validate(json.loads((tmp_path / name).read_text()), SCHEMA)
            code, word, checks = verdict(tmp_path / name)
            assert code == 0, (mechanism, name, [c for c in checks if c["verdict"] != "VERIFIED"])
        # What was declared, and what is drawn for it, belong together; so do the words.
        certificate = json.loads((tmp_path / files[-1]).read_text())
        for path, value in leaves(certificate):
            if path[0] not in ("details", "derivation", "program") or path[-1] == "hexadecimal":
                continue
            # What a column is called is nobody's claim.
            if path[0] == "details" and path[1] in ("column_1", "column_2"):
                continue
            is_number = path[-1] == "decimal"
            where = path[:-1] if is_number else path
            forged = replaced(certificate, where, number(value * 2 + 1) if is_number else changed(value))
            (tmp_path / "f.json").write_text(json.dumps(sealed(forged)))
            assert verdict(tmp_path / "f.json")[0] in (1, 2), (mechanism, path)


def test_certificates_do_not_overwrite_what_they_are_about(tmp_path):
    (tmp_path / "in.csv").write_text("a,b\n1,2\n")
    result = run("release", tmp_path / "in.csv", "--output", tmp_path / "out.csv", "--mechanism", "gaussian(sigma=2)", "--bounds",
                 "*=0:10", "--certificate", tmp_path / "in.csv")
    assert result.returncode == 2 and (tmp_path / "in.csv").read_text() == "a,b\n1,2\n" and not (tmp_path / "out.csv").exists()
    result = run("release", tmp_path / "in.csv", "--output", tmp_path / "out.csv", "--mechanism", "gaussian(sigma=2)", "--bounds",
                 "*=0:10", "--certificate", tmp_path / "out.csv")
    assert result.returncode == 2 and not (tmp_path / "out.csv").exists()
    matrix = tmp_path / "m.csv"
    matrix.write_text("0.6,0.4\n0.4,0.6\n")
    result = run("delta", f"finite('{matrix}')", "--epsilon", "0.1", "--certificate", matrix)
    assert result.returncode == 2 and matrix.read_text() == "0.6,0.4\n0.4,0.6\n"
    result = run("epsilon", "gaussian(sigma=1)", "--delta", "1e-5", "--certificate", "/no/such/folder/c.json")
    assert result.returncode == 2 and result.stderr.count("\n") == 1 and "--certificate" in result.stderr


def hexadecimal(x):
    """As certificates write it: without zeros at the end."""
    digits, exponent = float(x).hex().split("p")
    return (digits.rstrip("0").rstrip(".") if "." in digits else digits) + "p" + exponent


def number(x):
    return {"decimal": x, "hexadecimal": hexadecimal(x) if x else "0x0p+0"}


def leaves(value, path=()):
    """Every place of a document that holds a number, a text, true, false or null."""
    if isinstance(value, dict):
        for key, child in value.items():
            yield from leaves(child, (*path, key))
    elif isinstance(value, list):
        for i, child in enumerate(value):
            yield from leaves(child, (*path, i))
    else:
        yield path, value


def changed(value):
    if isinstance(value, str):
        return hexadecimal(float.fromhex(value) * 0.997 + 1e-9) if value.startswith("0x") else value + "x"
    if isinstance(value, bool) or value is None:
        return "yes"
    return value * 0.999 + 1 if isinstance(value, float) else value + 1


def replaced(document, path, value):
    document = copy.deepcopy(document)
    place = document
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return document


def test_no_field_can_be_changed(tmp_path):
    """Every leaf of two certificates, with the old seal and with one that fits."""
    tampered = 0
    for question in (QUESTIONS[3], QUESTIONS[8]):
        certificate = certified(tmp_path / "c.json", *question)
        assert sealed(certificate) == certificate, "this test must be able to make seals"
        for path, value in leaves(certificate):
            forged = replaced(certificate, path, changed(value))
            for document in (forged, sealed(forged)) if path[0] != "seal" else (forged,):
                (tmp_path / "f.json").write_text(json.dumps(document))
                code, word, why = verdict(tmp_path / "f.json")
                # Another version of the software may have written it: then nothing is known about its words.
                assert code in (1, 2) or (path == ("software", "version") and code == 3), (path, word)
                tampered += 1
    assert tampered >= 200


def test_consistent_lies_are_refuted(tmp_path):
    """Numbers changed in both of their forms, with the sentence and the seal made to fit."""
    certificate = certified(tmp_path / "c.json", "delta", "gaussian(sigma=1)", "--epsilon", "1")
    places = [("claim", "values", 0, "upper")] + [("claim", "curve", i, "delta", "upper") for i in range(12)]
    for path in places:
        value = certificate
        for key in path:
            value = value[key]
        forged = replaced(certificate, path, number(value["decimal"] * (1 - 1e-6)))
        lower = path[:-1] + ("lower",)
        forged = replaced(forged, lower, number(0.0))
        (tmp_path / "f.json").write_text(json.dumps(sealed(forged)))
        code, word, checks = verdict(tmp_path / "f.json")
        if path[1] == "values":
            # The sentence shows six digits, rounded up: it still fits.
            assert code in (1, 2)
        else:
            assert (code, word) == (1, "REFUTED"), path
            assert any("too small" in c["reason"] for c in checks if c["verdict"] == "REFUTED")


def test_terminals_are_not_steered(tmp_path):
    certificate = certified(tmp_path / "c.json", "epsilon", "gaussian(sigma=1)", "--delta", "1e-5")
    for path in (("software", "version"), ("void",), ("program", "call"), ("derivation", 0, "statement")):
        for text in ("\x1b[2J\x1b[Hc.json: VERIFIED", "line\nVERIFIED", "\x9b2J", "\x7f"):
            (tmp_path / "f.json").write_text(json.dumps(sealed(replaced(certificate, path, text)), ensure_ascii=False))
            result = run("verify", tmp_path / "f.json")
            assert result.returncode == 2 and "\x1b" not in result.stdout + result.stderr and result.stderr.count("\n") == 1


@pytest.mark.parametrize("parameter, value", [("batch", 0), ("epochs", 1e15), ("n", 0), ("n", -1), ("sigma", 0), ("diameter", -1),
                                              ("tasks", 1e300), ("public_tail", 1e9)])
def test_senseless_runs_are_refuted(parameter, value, tmp_path):
    certificate = certified(tmp_path / "c.json", "epsilon", SGD, "--delta", "1e-6")
    arguments = certificate["program"]["arguments"]
    old = arguments[parameter]["decimal"]
    arguments[parameter] = number(float(value))
    shown = "%g" % value
    certificate["expression"] = certificate["expression"].replace(f"{parameter}={old:g},", f"{parameter}={shown},")
    (tmp_path / "f.json").write_text(json.dumps(sealed(certificate)))
    assert verdict(tmp_path / "f.json")[0] in (1, 2)


@pytest.mark.parametrize("question", [
    ("epsilon", "gaussian(sigma=1) | projected_gaussian(sigma=3, low=0, high=1, steps=3) | compose(2)", "--delta", "1e-6"),
    ("delta", "ornstein_uhlenbeck(theta=1e60, rho=1, time=1e58)", "--epsilon", "1"),
    ("delta", "twice_laplace(scale1=1e-100, scale2=1e-100)", "--epsilon", "1"),
    ("delta", "black_box(1, 0.1)", "--epsilon", "inf"),
    ("delta", "discrete_gaussian(sigma=1e5)", "--epsilon", "1e7"),
    ("epsilon", "black_box(epsilon=0, delta=0.1) | compose(3)", "--delta", "0.5"),
    ("epsilon", "randomized_response(p=1) | compose(2)", "--delta", "0.5"),
], ids=lambda q: q[1][:30])
def test_extremes_are_not_refuted(question, tmp_path):
    certified(tmp_path / "c.json", *question, codes=(0, 3))
    assert verdict(tmp_path / "c.json")[0] in (0, 3)


def test_files_are_part_of_the_claim(tmp_path):
    matrix = tmp_path / "m.csv"
    matrix.write_text("0.6,0.4\n0.4,0.6\n")
    certificate = certified(tmp_path / "c.json", "delta", f"finite('{matrix}')", "--epsilon", "0.1")
    assert certificate["inputs"] == [{"path": str(matrix), "sha256": hashlib.sha256(matrix.read_bytes()).hexdigest()}]
    assert verdict(tmp_path / "c.json")[0] == 0
    matrix.write_text("0.6,0.4\n0.4,0.6\n\n")
    assert verdict(tmp_path / "c.json")[0] == 1
    matrix.unlink()
    assert verdict(tmp_path / "c.json")[0] == 1


@pytest.mark.parametrize("content", ["", "{", "[1, 2]", "null", "{}", '{"format": "doeblin certificate"}', "x" * 1000,
                                     "[" * 100000, '{"a": ' * 5000, '{"format": "doeblin certificate", "format": 1}'])
def test_what_is_no_certificate_is_refused(content, tmp_path):
    (tmp_path / "c.json").write_text(content)
    result = run("verify", tmp_path / "c.json")
    assert result.returncode == 2 and result.stdout == "" and result.stderr.count("\n") == 1
    assert "c.json" in result.stderr


def test_missing_files_are_refused(tmp_path):
    for path in (tmp_path / "none.json", tmp_path, "/dev/zero"):
        result = run("verify", path)
        assert result.returncode == 2 and result.stderr.count("\n") == 1


def test_answers_that_nobody_can_read_are_failures(tmp_path):
    certified(tmp_path / "c.json", "epsilon", "gaussian(sigma=1)", "--delta", "1e-5")
    for arguments in (["verify", str(tmp_path / "c.json")], ["epsilon", "gaussian(sigma=1)", "--delta", "1e-5"]):
        with open("/dev/full", "w") as full:
            done = subprocess.run([PROGRAM, *arguments], stdout=full, stderr=subprocess.PIPE, text=True)
        assert done.returncode == 1 and "standard output" in done.stderr


def test_verbose_shows_every_check(tmp_path):
    certified(tmp_path / "c.json", "epsilon", "gaussian(sigma=1)", "--delta", "1e-5")
    short = run("verify", tmp_path / "c.json").stdout
    long = run("verify", tmp_path / "c.json", "--verbose").stdout
    assert "VERIFIED" in short.splitlines()[0] and short.count("VERIFIED") == 1
    assert long.count("VERIFIED") > 10 and "delta at epsilon" in long


def test_what_is_proven_is_said_of_verified_certificates_only(tmp_path):
    path = tmp_path / "claim.json"
    matrix = tmp_path / "channel.csv"
    matrix.write_text(CHANNEL.read_text())
    certified(path, "epsilon", f"gaussian(sigma=1) | kernel('{matrix}')", "--delta", "1e-6")
    assert "upper ends are proven" in run("verify", path).stdout
    matrix.write_text("0.5,0.5\n0.5,0.5\n")
    refuted = run("verify", path)
    assert refuted.returncode == 1 and "REFUTED" in refuted.stdout and "upper ends are proven" not in refuted.stdout


def test_a_claim_about_one_record_says_so(tmp_path):
    one = certified(tmp_path / "one.json", "epsilon", SGD + " | person(7)", "--delta", "1e-6")
    assert "the data of the person in place 7" in one["sentence"]
    everybody = certified(tmp_path / "all.json", "epsilon", SGD, "--delta", "1e-6")
    assert "when one person's data" in everybody["sentence"]
