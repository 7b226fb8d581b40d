// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "doeblin/numerics/wide.hpp"
#include "numerics/theta_batch_kernel.hpp"

/// The polynomials that theta at many epsilons evaluates.
namespace doeblin::numerics::kernel {

/// Whether cells can serve this r: it is known well enough, and the bounds of theta_cells.cpp hold.
[[nodiscard]] bool cells_serve(const Wide& r);

/// The cells that the epsilons in a range need.
struct CellPlan {
  double width, inverse_width;
  double first;
  std::size_t count;
  double least, greatest;
  /// The cells that stand for all epsilons before them, where theta = 1 to the last bit, and after them, where theta is
  /// below the smallest double.
  double one, tail;
};

/// Domain: cells_serve(r), 0 <= least <= greatest.
[[nodiscard]] CellPlan plan_cells(double least, double greatest, const Wide& r);

class CellTable {
 public:
  CellTable(const CellPlan& plan, const Wide& r);
  CellTable(const CellTable&) = delete;
  CellTable& operator=(const CellTable&) = delete;
  /// Valid as long as the table.
  [[nodiscard]] const ThetaCells& cells() const { return cells_; }

 private:
  std::vector<double> coefficients_;
  ThetaCells cells_;
};

}  // namespace doeblin::numerics::kernel
