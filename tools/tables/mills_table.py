# SPDX-License-Identifier: Apache-2.0
"""Writes src/numerics/mills_table.hpp: Taylor coefficients of the Mills ratio R(x) = Q(x)/phi(x).

R(x) = int_0^inf exp(-x t - t^2/2) dt is completely monotone, so with I_j(x) = int t^j exp(-x t - t^2/2) dt

    R(x + u) = sum_j (-u)^j I_j(x)/j!,    |remainder after degree N| <= rho^(N+1) I_{N+1}(x - rho)/(N+1)!

for |u| <= rho. Cells are uniform in the leading bits of y = 1 + x, so a shift finds the cell. The remainder bounds
that the program states are computed here, over every cell, at 60 digits.

Usage: python tools/tables/mills_table.py > src/numerics/mills_table.hpp     (needs mpmath)
"""
import mpmath as mp

mp.mp.dps = 60

CELLS_PER_OCTAVE_BITS = 4
OCTAVES = 6
DEGREE = 20
# Inside a cell the series converges faster: a value needs fewer terms than a difference.
VALUE_DEGREE = 12
# A pair (a, b) is expanded around the cell of its middle m when (b - a)/2 <= REACH * (1 + centre).
REACH = mp.mpf(3) / 32


def moment(j, x):
    """I_j(x)/j! through the parabolic cylinder function D_{-j-1}."""
    return mp.exp(x * x / 4) * mp.pcfd(-j - 1, x)


def main():
    cells = 1 << CELLS_PER_OCTAVE_BITS
    rows = []
    worst_value = worst_slope = mp.mpf(0)
    for octave in range(OCTAVES):
        for i in range(cells):
            y = mp.mpf(2) ** octave * (1 + (i + mp.mpf(1) / 2) / cells)
            half = mp.mpf(2) ** octave / (2 * cells)
            centre = y - 1
            coefficients = [(-1) ** j * moment(j, centre) for j in range(DEGREE + 1)]
            rows.append((centre, coefficients))
            reach = REACH * y + half
            # The value is used only inside the cell; the divided difference up to `reach` from the centre.
            value = (half ** (VALUE_DEGREE + 1) * moment(VALUE_DEGREE + 1, centre - half)
                     / moment(0, centre + half))
            # |f[a, b] - truncated| <= sup |remainder'| <= rho^N (N+1) I_{N+1}(x - rho)/(N+1)!
            slope = ((DEGREE + 1) * reach ** DEGREE * moment(DEGREE + 1, centre - reach)
                     / moment(1, centre + reach))
            worst_value, worst_slope = max(worst_value, value), max(worst_slope, slope)

    print("// SPDX-License-Identifier: Apache-2.0")
    print("// Written by tools/tables/mills_table.py; do not edit.")
    print("#pragma once\n")
    print("namespace doeblin::numerics::mills_table {\n")
    print(f"inline constexpr int kCellBits = {CELLS_PER_OCTAVE_BITS};")
    print(f"inline constexpr int kCells = {OCTAVES * cells};")
    print(f"inline constexpr int kDegree = {DEGREE};")
    print(f"inline constexpr int kValueDegree = {VALUE_DEGREE};")
    print("/// The table serves 0 <= x < kEnd.")
    print(f"inline constexpr double kEnd = {2 ** OCTAVES - 1}.0;")
    print("/// A pair may be expanded around one centre when its half distance is at most kReach * (1 + centre).")
    print(f"inline constexpr double kReach = {float(REACH).hex()};")
    print("/// Relative truncation errors: of a value inside its cell, and of a divided difference within reach.")
    print(f"inline constexpr double kValueTruncation = {mp.nstr(worst_value * mp.mpf('1.01'), 3)};")
    print(f"inline constexpr double kSlopeTruncation = {mp.nstr(worst_slope * mp.mpf('1.01'), 3)};\n")
    print("struct Cell {")
    print("  double centre;")
    print("  /// (-1)^j I_j(centre)/j!, each correctly rounded.")
    print("  double coefficient[kDegree + 1];")
    print("};\n")
    print("inline constexpr Cell kTable[kCells] = {")
    for centre, coefficients in rows:
        numbers = ", ".join(float(c).hex() for c in coefficients)
        print(f"    {{{float(centre).hex()}, {{{numbers}}}}},")
    print("};\n")
    print("}  // namespace doeblin::numerics::mills_table")


if __name__ == "__main__":
    main()
