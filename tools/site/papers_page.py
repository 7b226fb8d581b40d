# SPDX-License-Identifier: Apache-2.0
"""tutorials/papers.md: docs/tutorials/papers.py with what its cells print and draw."""
import contextlib
import io
import os
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
from notebook import cells  # noqa: E402


def figures_in(folder):
    return {path.name: path.stat().st_mtime_ns for path in folder.glob("tutorial-*.svg")}


def write(folder, plots):
    import matplotlib

    matplotlib.use("Agg")
    plots.mkdir(parents=True, exist_ok=True)
    os.environ["DOEBLIN_PLOTS"] = str(plots)
    script, names, parts = folder / "papers.py", {}, []
    for is_text, _, source in cells(script.read_text(encoding="utf-8")):
        if is_text:
            # A heading of the page for each one of the notebook.
            parts.append(source)
            continue
        before, printed = figures_in(plots), io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(source, str(script), "exec"), names)
        parts.append(f"```python\n{source}\n```")
        if printed.getvalue().strip():
            parts.append(f"```text\n{printed.getvalue().rstrip()}\n```")
        new = sorted(name for name, stamp in figures_in(plots).items() if before.get(name) != stamp)
        parts += [f"![{re.sub('[-_]', ' ', name[9:-4])}](../plots/{name})" for name in new]
    (folder / "papers.md").write_text("\n\n".join(parts) + "\n", encoding="utf-8")
