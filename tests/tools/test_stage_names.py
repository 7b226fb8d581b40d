# SPDX-License-Identifier: Apache-2.0
"""Who needs to know what a source or stage is asks its schema for the role, or has a table of routes: a name is written
in the schemas, in the file of the stage, and in the verifier's chapters, and compared nowhere else."""
import pathlib
import re
import sys

import pytest

ROOT = pathlib.Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import schemas  # noqa: E402

OWN = re.compile(r"src/language/schemas/\w+\.cpp|src/\w+/stages/\w+\.[ch]pp|src/verify/\w+/\w+\.[ch]pp")
NAME = "|".join(schemas.names())
# Ways to go by a name: comparisons, searches, constants, rows of tables.
USES = [
    rf'[!=]= ?"({NAME})"', rf'"({NAME})" ?[!=]=', rf'(?:\w*schema\w*|starts_with|compare|find|contains|count) ?\("({NAME})"',
    rf'case "({NAME})"', rf'[ ({{]= ?\{{?"({NAME})"', rf'\{{"({NAME})",', rf'^ *"({NAME})",',
]
# The same word for something else, with the line as it is written.
OTHER = [
    ("include/doeblin/core/settings.hpp", "MixingAnalysis::"),  # words of --accountant
    ("include/doeblin/iteration/noisy_sgd.hpp", "NoiseLaw::"),  # words of noisy_sgd(noise=...)
    ("include/doeblin/iteration/noisy_sgd.hpp", "RecordSequence::"),  # and of noisy_sgd(order=...)
    ("src/audit/line_runs.cpp", 'text("noise")'),
    ("src/cli/train_options.hpp", 'noise = "gaussian"'),
    ("src/commands/mix_report.cpp", "json_bracket"),
    ("src/commands/people_report.cpp", 'line = "person"'),  # a column of a CSV file
    ("src/pipeline/question.cpp", "Quantity::kRdp"),
]


def uses(text):
    """Lines that go by a name, with their numbers."""
    return [(number, line.strip()) for number, line in enumerate(text.splitlines(), 1)
            if not line.lstrip().startswith("//") and any(re.search(use, line) for use in USES)]


def is_other(path, line):
    return any(path == file and part in line for file, part in OTHER)


def files():
    return [file for folder in ("src", "include") for file in sorted((ROOT / folder).rglob("*")) if file.suffix in (".cpp", ".hpp")]


def test_no_other_file_goes_by_a_name():
    found = [f"{path}:{number}: {line}" for file in files() if not OWN.fullmatch(path := str(file.relative_to(ROOT)))
             for number, line in uses(file.read_text()) if not is_other(path, line)]
    assert found == []


def test_exceptions_are_still_there():
    for path, part in OTHER:
        assert [line for _, line in uses((ROOT / path).read_text()) if part in line], path


@pytest.mark.parametrize("line", [
    'if (call.name == "group") return;', 'if ("person" != name)', 'find_schema("kernel")', 'const char* kTable = "noisy_sgd";',
    'constexpr const char* kAll[] = {"gaussian", "laplace"};', '    {"poisson", sampled},', '    "dobrushin", "doeblin",',
    'text.starts_with("laplace")', '{.call = {.name = "person", .arguments = {}}}'])
def test_a_use_is_seen(line):
    assert uses(line)


@pytest.mark.parametrize("line", ['// as in name == "group"', 'json["gaussian"] = x;', 'throw InvalidArgument("person", text, need);'])
def test_other_words_are_not_uses(line):
    assert not uses(line)
