// SPDX-License-Identifier: Apache-2.0
#include "doeblin/core/bracket.hpp"

#include <ostream>

#include <fmt/format.h>

namespace doeblin {

double Bracket::middle() const {
  if (is_exact()) return lower_;
  if (std::isinf(lower_) || std::isinf(upper_)) return std::isinf(lower_) ? upper_ : lower_;
  return lower_ / 2 + upper_ / 2;
}

std::ostream& operator<<(std::ostream& out, const Bracket& x) {
  return out << fmt::format("[{}, {}]", x.lower(), x.upper());
}

}  // namespace doeblin
