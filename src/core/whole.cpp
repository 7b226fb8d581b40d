// SPDX-License-Identifier: Apache-2.0
#include "doeblin/core/whole.hpp"

#include <string>

#include <fmt/format.h>

#include "doeblin/core/error.hpp"

namespace doeblin::detail {
namespace {

// A long bound by its power of two or of ten, if it is one.
std::string bound_text(double bound) {
  if (bound >= 0x1p31 && std::isfinite(bound) && std::ldexp(1.0, std::ilogb(bound)) == bound)
    return fmt::format("2^{}", std::ilogb(bound));
  const double digits = std::round(std::log10(bound));
  if (digits >= 6.0 && digits <= 22.0 && std::pow(10.0, digits) == bound) return fmt::format("1e{}", digits);
  return fmt::format("{}", bound);
}

}  // namespace

void fail_whole(std::string_view parameter, double value, double low, double high) {
  fail_whole(Sentence(parameter), value,
             fmt::format("an integer, {} <= {} <= {}", bound_text(low), parameter, bound_text(high)));
}

void fail_whole(const Sentence& parameter, double value, std::string_view constraint) {
  throw InvalidArgument(parameter, value, constraint);
}

}  // namespace doeblin::detail
