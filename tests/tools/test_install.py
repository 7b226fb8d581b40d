# SPDX-License-Identifier: Apache-2.0
"""The installed package works outside the source tree, component by component: find_package(doeblin), compile, link, run."""
import re
import subprocess
import textwrap

import pytest

from tooling import ROOT, cmake_build, installed, run  # noqa: F401

GUESTS = ROOT / "tests" / "install"
# What nobody needs to have for a component.
FOR_NOBODY = ["MPI", "nlohmann_json", "Eigen3", "FastFloat"]
HIDDEN = {
    "accountant": ["Arb", "PkgConfig", *FOR_NOBODY],  # libsodium is found by PkgConfig
    "verifier": FOR_NOBODY,
    "certificates": ["Arb", *FOR_NOBODY],
    "training": ["Arb", *FOR_NOBODY],
    "report": ["Arb", *FOR_NOBODY],
}


def without(packages):
    return [f"-DCMAKE_DISABLE_FIND_PACKAGE_{package}=ON" for package in packages]


def guest(component, work, prefix):
    """The program of tests/install, built where nothing else than what the component needs can be found."""
    cmake_build(GUESTS, work, prefix, f"-DCOMPONENT={component}", *without(HIDDEN[component]))
    return work / "guest"


def refusal(prefix, work, *options):
    done = subprocess.run(["cmake", "-S", GUESTS, "-B", work, f"-DCMAKE_PREFIX_PATH={prefix}", *options], capture_output=True, text=True)
    assert done.returncode != 0
    return " ".join(done.stderr.split())


ACCOUNTS = ["epsilon <= 4.37718", "delta <= 0.126937", "sigma 4.2246", "analyses "]


@pytest.fixture(scope="module")
def certificate(installed, tmp_path_factory):
    file = tmp_path_factory.mktemp("certificate") / "claim.json"
    file.write_text(run(guest("certificates", tmp_path_factory.mktemp("certificates"), installed)))
    return file


def test_accountant(installed, tmp_path):
    out = run(guest("accountant", tmp_path, installed))
    assert all(part in out for part in ACCOUNTS), out


def test_verifier(installed, certificate, tmp_path):
    assert run(guest("verifier", tmp_path, installed), certificate) == "VERIFIED\n"


def test_report(installed, certificate, tmp_path):
    assert run(guest("report", tmp_path, installed), certificate).startswith("<!DOCTYPE html>")


def test_training(installed, tmp_path):
    out = run(guest("training", tmp_path, installed))
    assert out.startswith("parameters 2\nepsilon <= ") and out.endswith("\nCONSISTENT\n"), out


def test_what_is_missing_is_named(installed, tmp_path):
    # Without COMPONENTS everything that is installed is meant.
    assert "doeblin: component report needs libsodium, which pkg-config does not find" in refusal(installed, tmp_path / "all", *without(["PkgConfig"]))
    assert "doeblin: component verifier needs Arb" in refusal(installed, tmp_path / "arb", "-DCOMPONENT=verifier", *without(["Arb"]))
    assert "doeblin: component auditor is not installed" in refusal(installed, tmp_path / "none", "-DCOMPONENT=auditor")


@pytest.mark.parametrize("page", ["docs/howto/cmake.md", "docs/tutorials/researcher.md"])
def test_what_the_pages_tell_cmake(page, installed, tmp_path):
    block = re.search(r"(?:^    .*\n)*^    find_package\(doeblin.*\n(?:^    .*\n)*", (ROOT / page).read_text(), flags=re.MULTILINE)[0]
    source = textwrap.dedent(block)
    (tmp_path / "CMakeLists.txt").write_text(source)
    (tmp_path / re.search(r"(\w+\.cpp)\)", source)[1]).write_text("int main() {}\n")
    cmake_build(tmp_path, tmp_path / "build", installed, *without(HIDDEN["accountant"]))


def test_the_program_is_installed(installed):
    assert run(installed / "bin" / "doeblin", "--version").startswith("doeblin ")


def test_the_accountant_alone_as_shared_libraries(tmp_path):
    """From source, with the libraries of the other components hidden; ccache knows the batches from the rest of the build."""
    build, prefix = ROOT / "build-shared", tmp_path / "prefix"
    hidden = ["Arb", "PkgConfig", "MPI", "nlohmann_json"]
    run("cmake", "--preset", "release", "-B", build, "-DDOEBLIN_COMPONENTS=accountant", "-DBUILD_SHARED_LIBS=ON", *without(hidden), cwd=ROOT)
    run("cmake", "--build", build, "--parallel", "2")
    run("cmake", "--install", build, "--prefix", prefix)
    assert not list(prefix.rglob("*.a")) and not (prefix / "bin").exists()
    assert not (prefix / "include" / "doeblin" / "verify").exists()
    out = run(guest("accountant", tmp_path / "guest", prefix))
    assert all(part in out for part in ACCOUNTS), out
    assert "doeblin: component verifier is not installed, only accountant" in refusal(prefix, tmp_path / "none", "-DCOMPONENT=verifier")
