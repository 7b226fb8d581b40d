# SPDX-License-Identifier: Apache-2.0
"""The drawing of docs/guides/how_an_answer_is_made.md: which module includes which, read from the #includes.

Usage: python tools/site/plot_modules.py PROGRAM FOLDER     (the program has no say in it)
"""
import pathlib
import sys

from drawings import arguments, write_all

ROOT = pathlib.Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import check_layers  # noqa: E402

WIDTH, MARGIN, TOP, ROW, BOX, SWEEPS = 720, 56, 34, 50, (92, 26), 24
# How far apart two boxes of a row are at least, and a line that passes through a row.
APART, PASSING = 104, 30


def beyond(graph, node):
    """Everything that can be reached from a node."""
    seen, todo = set(), list(graph[node])
    while todo:
        one = todo.pop()
        if one not in seen:
            seen.add(one)
            todo += graph[one]
    return seen


def reduced(graph):
    """Without the edges that follow from others."""
    return {node: sorted(one for one in graph[node]
                         if not any(one in beyond(graph, other) for other in graph[node] if other != one))
            for node in sorted(graph)}


def heights(graph):
    """The length of the longest way down."""
    found = {}

    def height(node):
        if node not in found:
            found[node] = 1 + max(map(height, graph[node]), default=-1)
        return found[node]

    for node in graph:
        height(node)
    return found


def chains(graph, height):
    """Every edge as the places that it passes, one in each row: modules, and (from, to, row) in between."""
    return [[upper, *((upper, lower, row) for row in range(height[upper] - 1, height[lower], -1)), lower]
            for upper in graph for lower in graph[upper]]


def spread(order, wanted):
    """Places in this order, as near to the wanted ones as boxes that do not overlap can be."""
    def gap(a, b):
        return (APART if isinstance(a, str) else PASSING) / 2 + (APART if isinstance(b, str) else PASSING) / 2

    from_left, from_right = {order[0]: wanted[order[0]]}, {order[-1]: wanted[order[-1]]}
    for a, b in zip(order, order[1:]):
        from_left[b] = max(wanted[b], from_left[a] + gap(a, b))
    for b, a in zip(order[::-1], order[-2::-1]):
        from_right[a] = min(wanted[a], from_right[b] - gap(a, b))
    return {one: (from_left[one] + from_right[one]) / 2 for one in order}


def places(graph, height):
    """x of every box and of every line where it passes a row: each near its neighbours, by sweeps down and up."""
    rows = [[node for node in sorted(graph) if height[node] == row] for row in range(max(height.values()) + 1)]
    near = {}
    for chain in chains(graph, height):
        for upper, lower in zip(chain, chain[1:]):
            near.setdefault(upper, []).append(lower)
            near.setdefault(lower, []).append(upper)
        for one in chain[1:-1]:
            rows[one[2]].append(one)
    x = {one: k * APART for row in rows for k, one in enumerate(row)}
    for sweep in range(SWEEPS):
        for row in rows if sweep % 2 else rows[::-1]:
            wanted = {one: sum(x[other] for other in near[one]) / len(near[one]) for one in row}
            x.update(spread(sorted(row, key=lambda one: (wanted[one], str(one))), wanted))
    low, high = min(x.values()), max(x.values())
    return {one: MARGIN + (WIDTH - 2 * MARGIN) * (value - low) / (high - low) for one, value in x.items()}


def drawing(graph):
    graph = reduced(graph)
    height = heights(graph)
    x, rows = places(graph, height), max(height.values())

    def y(one):
        return TOP + ROW * (rows - (height[one] if isinstance(one, str) else one[2]))

    total = TOP * 2 + ROW * rows
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {total}" width="{WIDTH}" height="{total}" '
             'font-family="Helvetica, Arial, DejaVu Sans, sans-serif" font-size="13" fill="#222222">',
             f'<rect width="{WIDTH}" height="{total}" fill="#fcfcfa"/>']
    for chain in chains(graph, height):
        points = " ".join(f"{x[one]:.1f},{y(one)}" for one in chain)
        parts.append(f'<polyline points="{points}" fill="none" stroke="#7d8a94" stroke-width="1.4"/>')
    for node in graph:
        parts.append(f'<rect x="{x[node] - BOX[0] / 2:.1f}" y="{y(node) - BOX[1] / 2}" width="{BOX[0]}" height="{BOX[1]}" '
                     'rx="5" fill="#e8f0f6" stroke="#1b6ca8"/>'
                     f'<text x="{x[node]:.1f}" y="{y(node) + 4}" text-anchor="middle">{node}</text>')
    return "\n".join(parts) + "\n</svg>\n"


def main():
    _, folder = arguments(__file__)
    write_all(folder, [("modules", lambda: drawing(check_layers.includes(ROOT)))])


if __name__ == "__main__":
    main()
