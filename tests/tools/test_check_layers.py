# SPDX-License-Identifier: Apache-2.0
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).parents[2]
CHECK = ROOT / "tools" / "check_layers.py"


def check(root):
    return subprocess.run([sys.executable, CHECK, root], capture_output=True, text=True)


def write(root, name, text):
    file = root / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def test_this_tree_is_fine():
    assert check(ROOT).returncode == 0


def test_an_upward_include_fails(tmp_path):
    write(tmp_path, "src/numerics/x.cpp", '#include "doeblin/profile/gdp.hpp"\n')
    result = check(tmp_path)
    assert result.returncode == 1 and "numerics must not include profile" in result.stderr


def test_a_downward_include_passes(tmp_path):
    write(tmp_path, "src/pipeline/x.cpp", '#include "doeblin/numerics/theta.hpp"\n')
    assert check(tmp_path).returncode == 0


def test_public_headers_show_no_third_party_types(tmp_path):
    write(tmp_path, "include/doeblin/core/x.hpp", "#include <fmt/format.h>\n")
    result = check(tmp_path)
    assert result.returncode == 1 and "third-party" in result.stderr


def test_an_unknown_module_fails(tmp_path):
    write(tmp_path, "src/misc/x.cpp", "")
    assert check(tmp_path).returncode == 1


def test_the_verifier_shares_no_numerical_code(tmp_path):
    write(tmp_path, "src/verify/x.cpp", '#include "doeblin/language/program.hpp"\n')
    assert check(tmp_path).returncode == 0
    write(tmp_path, "src/verify/y.cpp", '#include "doeblin/numerics/theta.hpp"\n')
    result = check(tmp_path)
    assert result.returncode == 1 and "verify must not include numerics" in result.stderr


def test_private_headers_stay_in_their_module(tmp_path):
    write(tmp_path, "src/training/x.cpp", '#include "training/y.hpp"\n#include "json/json.hpp"\n')
    assert check(tmp_path).returncode == 0
    write(tmp_path, "src/training/z.cpp", '#include "sampling/coins.hpp"\n')
    result = check(tmp_path)
    assert result.returncode == 1 and "sampling/coins.hpp is private to sampling" in result.stderr
