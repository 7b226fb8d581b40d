# SPDX-License-Identifier: Apache-2.0
"""A truth table: its columns, its inputs, the number to be tabulated, and its file format."""

import csv
import os
from dataclasses import dataclass
from typing import Callable, Optional, Tuple

from settle import settle


@dataclass(frozen=True)
class Table:
    name: str
    inputs: Tuple[str, ...]
    rows: Callable  # () -> list of tuples of doubles
    truth: Callable  # inputs -> mpf or Fraction, at the working precision
    low: Optional[float] = None  # the truth is exact (a Fraction) or strictly above low
    high: Optional[float] = None  # and strictly below high
    with_log: bool = False  # also tabulate the logarithm
    only_log: bool = False  # tabulate the logarithm as the truth
    start: int = 100  # working digits of the first attempt
    digits: int = 60  # digits that two attempts must share

    def header(self):
        logs = ("log_down", "log_up") if self.with_log else ()
        return self.inputs + ("truth_down", "truth_up") + logs

    def line(self, inputs, precision=1):
        """The cells of one row; precision multiplies the digits of the first attempt."""
        rounded = settle(
            lambda: self.truth(*inputs),
            start=self.start * precision,
            digits=self.digits,
            low=self.low,
            high=self.high,
            truth=not self.only_log,
            log=self.with_log or self.only_log,
        )
        # Adding 0.0 turns -0.0 into 0.0.
        return [float(x).hex() for x in inputs] + [(x + 0.0).hex() for x in rounded]


@dataclass(frozen=True)
class WideTable:
    """Several numbers at the same inputs, each in columns <name>_down and <name>_up; all are positive."""

    name: str
    inputs: Tuple[str, ...]
    rows: Callable
    truths: Tuple[Tuple[str, Callable], ...]  # (name, inputs -> mpf or Fraction)
    start: int = 100
    digits: int = 60

    def header(self):
        return self.inputs + tuple(name + side for name, _ in self.truths for side in ("_down", "_up"))

    def line(self, inputs, precision=1):
        cells = [float(x).hex() for x in inputs]
        for _, truth in self.truths:
            rounded = settle(lambda: truth(*inputs), start=self.start * precision, digits=self.digits, low=0)
            cells += [(x + 0.0).hex() for x in rounded]
        return cells


def write(path, header, lines):
    """Writes the whole file or nothing."""
    partial = path + ".partial"
    with open(partial, "w", encoding="ascii", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(lines)
    os.replace(partial, path)


def read(path):
    """(header, lines) of a table file."""
    with open(path, encoding="ascii", newline="") as file:
        lines = list(csv.reader(file))
    return tuple(lines[0]), lines[1:]
