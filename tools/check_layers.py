# SPDX-License-Identifier: Apache-2.0
"""Fails when a module includes one that the architecture does not allow.

Usage: python tools/check_layers.py [root]
"""
import pathlib
import re
import sys

# Each module with the modules it builds on; a module may also use whatever those may use.
BUILDS_ON = {
    "core": [],
    "io": ["core"],
    "language": ["io"],
    "json": ["core"],
    "certificate": ["language", "json"],
    "verify": ["certificate"],
    "numerics": ["core"],
    "profile": ["numerics"],
    "mechanism": ["profile", "language"],
    "composition": ["mechanism"],
    "subsampling": ["mechanism"],
    "iteration": ["composition", "subsampling"],
    "mixing": ["iteration"],
    "diffusion": ["iteration"],
    "pipeline": ["mixing", "diffusion"],
    "issuing": ["pipeline", "certificate"],
    "report": ["issuing"],
    "sampling": ["io"],
    "training": ["sampling", "pipeline", "json"],
    "mpi": ["training"],
    "audit": ["training"],
    "commands": ["report", "verify", "audit"],
    "cli": ["commands"],
}
# Modules without public headers: whoever builds on them includes what stands in src.
INTERNAL = {"json", "commands"}
# Public headers promise not to show these.
THIRD_PARTY = re.compile(r'#\s*include\s*[<"](boost|fmt|CLI|nlohmann|fast_float|Eigen|kiss_fft|sodium|flint|arb|toml)')
FOR_GUESTS = re.compile(r'#\s*include\s*[<"]doeblin/doeblin\.hpp')
PRIVATE = re.compile(r'^\s*#\s*include\s*"(?!doeblin/)([a-z_]+)/([^"]+)"', re.MULTILINE)
INCLUDE = re.compile(r'^\s*#\s*include\s*"(?:doeblin/)?([a-z_]+)/', re.MULTILINE)


def allowed(module):
    seen, todo = {module}, list(BUILDS_ON[module])
    while todo:
        other = todo.pop()
        if other not in seen:
            seen.add(other)
            todo += BUILDS_ON[other]
    return seen


def sources(root):
    """(file, its module). Folders are modules; doeblin.hpp beside them is for guests, and ours include what they need."""
    files = sorted(f for folder in ("include/doeblin", "src") for f in (root / folder).rglob("*/*") if f.suffix in (".hpp", ".cpp"))
    for file in files:
        parts = file.relative_to(root).parts
        yield file, parts[2] if parts[0] == "include" else parts[1]


def includes(root):
    """Each module with the others that its files include."""
    found = {}
    for file, module in sources(root):
        others = found.setdefault(module, set())
        others.update(name for name in INCLUDE.findall(file.read_text()) if name in BUILDS_ON and name != module)
    return found


def problems(root):
    for file, module in sources(root):
        if module not in BUILDS_ON:
            yield f"{file}: module '{module}' is not part of the architecture"
            continue
        text = file.read_text()
        if FOR_GUESTS.search(text):
            yield f"{file}: doeblin/doeblin.hpp is for guests"
        for included in INCLUDE.findall(text):
            if included in BUILDS_ON and included not in allowed(module):
                yield f"{file}: {module} must not include {included}"
        for included, header in PRIVATE.findall(text):
            if included in BUILDS_ON and included != module and included not in INTERNAL:
                yield f"{file}: {included}/{header} is private to {included}"
        if file.is_relative_to(root / "include") and THIRD_PARTY.search(text):
            yield f"{file}: a public header includes a third-party header"


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[1])
    found = list(problems(root))
    for problem in found:
        print(problem, file=sys.stderr)
    if not found:
        print("layers: every include is allowed")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
