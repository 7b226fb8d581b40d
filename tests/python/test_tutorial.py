# SPDX-License-Identifier: Apache-2.0
"""docs/tutorials/papers.py: every cell runs without warnings but those about wide answers, every figure is complete, and it converts to a notebook."""
import importlib.util
import json
import pathlib
import subprocess
import sys
import warnings

import matplotlib
import pytest

import doeblin

ROOT = pathlib.Path(__file__).parents[2]
TUTORIAL = ROOT / "docs" / "tutorials" / "papers.py"
CONVERTER = ROOT / "tools" / "notebook.py"
FIGURES = {"profiles", "subsampling", "groups", "iteration", "contraction", "mixing", "diffusion", "people"}

spec = importlib.util.spec_from_file_location("notebook", CONVERTER)
notebook = importlib.util.module_from_spec(spec)
spec.loader.exec_module(notebook)

CELLS = notebook.cells(TUTORIAL.read_text(encoding="utf-8"))
CODE = [(line, source) for is_text, line, source in CELLS if not is_text]


class Session:
    """Runs cells in order, each of them once."""

    def __init__(self):
        self.names, self.done, self.failed = {}, 0, None

    def run_through(self, index):
        while self.done <= index:
            if self.failed is not None:
                pytest.skip(f"the cell at line {self.failed} failed")
            line, source = CODE[self.done]
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("error")
                    # Bounds of the papers are known from one side only.
                    warnings.simplefilter("ignore", doeblin.AccuracyWarning)
                    # Empty lines first, for line numbers as in the file.
                    exec(compile("\n" * line + source, str(TUTORIAL), "exec"), self.names)
            except BaseException:
                self.failed = line
                raise
            self.done += 1


@pytest.fixture(scope="module")
def session(tmp_path_factory):
    folder = tmp_path_factory.mktemp("plots")
    with pytest.MonkeyPatch.context() as patch, matplotlib.rc_context():
        patch.setenv("DOEBLIN_PLOTS", str(folder))
        plt = pytest.importorskip("matplotlib.pyplot")
        plt.switch_backend("Agg")
        plt.close("all")
        started = Session()
        started.folder = folder
        yield started
        plt.close("all")


@pytest.mark.parametrize("index", range(len(CODE)), ids=[f"line{line}" for line, _ in CODE])
def test_cell(session, index):
    session.run_through(index)


def test_figures(session):
    import matplotlib.pyplot as plt

    session.run_through(len(CODE) - 1)
    figures = {figure.get_label(): figure for figure in map(plt.figure, plt.get_fignums())}
    assert set(figures) == FIGURES
    for name, figure in figures.items():
        for axes in figure.axes:
            shares_y = len(axes.get_shared_y_axes().get_siblings(axes)) > 1
            assert axes.get_xlabel() and axes.get_title(), name
            assert axes.get_ylabel() or shares_y, name
            assert axes.lines, name
        assert any(axes.get_ylabel() for axes in figure.axes), name
        assert figure.legends or all(axes.get_legend() for axes in figure.axes), name


def test_figures_are_saved(session):
    session.run_through(len(CODE) - 1)
    assert {path.name for path in session.folder.iterdir()} == {f"tutorial-{name}.svg" for name in FIGURES}
    for path in session.folder.iterdir():
        assert b"<dc:date>" not in path.read_bytes() and path.stat().st_size < 200_000


def test_a_figure_is_saved_alike_twice(session, monkeypatch, tmp_path):
    import matplotlib.pyplot as plt

    session.run_through(0)
    monkeypatch.setenv("DOEBLIN_PLOTS", str(tmp_path / "new"))
    saved = []
    for _ in range(2):
        figure, axes = session.names["panels"]("twice")
        axes.semilogy([1, 2], [0.1, 1e-5], label="line")
        axes.legend()
        session.names["keep"](figure)
        saved.append((tmp_path / "new" / "tutorial-twice.svg").read_bytes())
        plt.close(figure)
    assert saved[0] == saved[1]


def test_nothing_is_saved_without_a_folder(session, monkeypatch):
    import matplotlib.pyplot as plt

    session.run_through(0)
    monkeypatch.delenv("DOEBLIN_PLOTS")
    before = sorted(session.folder.iterdir())
    figure, _ = session.names["panels"]("unsaved")
    session.names["keep"](figure)
    plt.close(figure)
    assert sorted(session.folder.iterdir()) == before


def test_a_gain_that_is_not_there_fails(session):
    session.run_through(0)
    with pytest.raises(AssertionError):
        session.names["gain"]("none", 1.0, 2.0, at_least=1)
    del session.names["gains"]["none"]


def test_shape():
    titles = [source.splitlines()[0] for is_text, _, source in CELLS if is_text and source.startswith("## ")]
    assert [title.split()[1] for title in titles] == [f"{k}." for k in range(1, len(titles) + 1)] and len(titles) <= 10
    # Every code cell but the first asserts something, keeps a figure, or both.
    for line, source in CODE[1:]:
        assert "assert " in source or "gain(" in source or "keep(" in source, f"line {line}"
    assert max(map(len, TUTORIAL.read_text(encoding="utf-8").splitlines())) <= 120


# The converter.

SCRIPT = "# licence\n\n# %% [markdown]\n# # Title\n#\n# Text, `code`.\n\n# %%\nx = 1\n\n\n# not a cell %%\ny = 2\n# %%\nx + y\n"


def test_cells():
    assert notebook.cells(SCRIPT) == [
        (True, 3, "# Title\n\nText, `code`."),
        (False, 8, "x = 1\n\n\n# not a cell %%\ny = 2"),
        (False, 14, "x + y"),
    ]


@pytest.mark.parametrize("script", ["", "x = 1\n", "x = 1\n# %%\ny = 2\n"])
def test_what_is_no_percent_script_is_refused(script):
    with pytest.raises(ValueError, match="# %%"):
        notebook.cells(script)


def check_structure(made):
    """What nbformat 4.5 asks for."""
    assert made["nbformat"] == 4 and made["nbformat_minor"] == 5
    assert made["metadata"]["kernelspec"]["name"] == "python3"
    assert len({cell["id"] for cell in made["cells"]}) == len(made["cells"])
    for cell in made["cells"]:
        assert 1 <= len(cell["id"]) <= 64 and cell["id"].replace("-", "").isalnum()
        assert cell["metadata"] == {} and all(isinstance(line, str) for line in cell["source"])
        assert all(line.endswith("\n") for line in cell["source"][:-1])
        common = {"id", "cell_type", "metadata", "source"}
        if cell["cell_type"] == "code":
            assert set(cell) == common | {"execution_count", "outputs"}
            assert cell["execution_count"] is None and cell["outputs"] == []
        else:
            assert set(cell) == common and cell["cell_type"] == "markdown"


def test_notebook():
    made = notebook.notebook(SCRIPT)
    check_structure(made)
    assert [cell["cell_type"] for cell in made["cells"]] == ["markdown", "code", "code"]
    assert made["cells"][0]["source"] == ["# Title\n", "\n", "Text, `code`."]
    assert made["cells"][2]["source"] == ["x + y"]


def test_the_tutorial_converts(tmp_path):
    output = tmp_path / "tutorial.ipynb"
    subprocess.run([sys.executable, CONVERTER, TUTORIAL, output], check=True)
    made = json.loads(output.read_text(encoding="utf-8"))
    check_structure(made)
    assert [path.name for path in tmp_path.iterdir()] == ["tutorial.ipynb"]
    assert ["".join(cell["source"]) for cell in made["cells"]] == [source for _, _, source in CELLS]
    assert [cell["cell_type"] == "markdown" for cell in made["cells"]] == [is_text for is_text, _, _ in CELLS]
    for cell in made["cells"]:
        if cell["cell_type"] == "code":
            compile("".join(cell["source"]), "cell", "exec")


def test_usage():
    done = subprocess.run([sys.executable, CONVERTER, TUTORIAL], capture_output=True, text=True)
    assert done.returncode == 1 and done.stderr.startswith("Usage:")
