// SPDX-License-Identifier: Apache-2.0
#include "doeblin/language/number_list.hpp"

#include <cmath>
#include <string_view>

#include <fast_float/fast_float.h>
#include <fmt/format.h>

#include "doeblin/core/error.hpp"
#include "doeblin/language/expression.hpp"
#include "language/exact.hpp"

namespace doeblin::language {
namespace {

constexpr double kMostValues = 1e5;

Exact read_number(const std::string& option, std::string_view text) {
  double value = 0.0;
  const auto parsed = fast_float::from_chars(text.data(), text.data() + text.size(), value);
  // inf and nan have names here; whoever asked says what is wrong with them.
  if (!text.empty() && parsed.ptr == text.data() + text.size() && !std::isfinite(value)) return Exact(value);
  try {
    return parse_exact(text);
  } catch (const InvalidArgument&) {
    throw InvalidArgument(option, fmt::format("'{}'", text.substr(0, 40)),
                          "a number, a list 1,2,3 or a range start:stop:step");
  }
}

double rounded(const std::string& option, const Exact& value) {
  if (value.vanishes()) throw InvalidArgument(option, "a number below the smallest double", "0 or a larger one");
  return value.nearest();
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t end = text.find(separator); end != std::string_view::npos; end = text.find(separator)) {
    parts.push_back(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  parts.push_back(text);
  return parts;
}

void append_range(const std::string& option, std::string_view text, std::vector<double>& values) {
  const auto parts = split(text, ':');
  if (parts.size() != 3)
    throw InvalidArgument(option, fmt::format("'{}'", text.substr(0, 40)), "a range start:stop:step");
  const Exact start = read_number(option, parts[0]);
  const Exact stop = read_number(option, parts[1]);
  const Exact step = read_number(option, parts[2]);
  const double length = (stop - start).nearest();
  if (!(step.nearest() > 0.0 && std::isfinite(step.nearest()) && length >= 0.0 && std::isfinite(length)))
    throw InvalidArgument(option, fmt::format("'{}'", text.substr(0, 40)), "start <= stop and step > 0, all finite");
  const Exact steps = (stop - start) / step;
  if (!(steps.nearest() < kMostValues))
    throw InvalidArgument(option, fmt::format("'{}'", text.substr(0, 40)), "at most 100000 values");
  const double last = steps.floor();
  // Sums of rationals do not drift.
  Exact value = start;
  for (double i = 0.0; i <= last; ++i, value = value + step) values.push_back(rounded(option, value));
}

}  // namespace

std::vector<double> parse_values(const std::string& option, const std::vector<std::string>& texts) {
  std::vector<double> values;
  for (const std::string& text : texts)
    for (const std::string_view part : split(text, ',')) {
      if (part.find(':') != std::string_view::npos)
        append_range(option, part, values);
      else
        values.push_back(rounded(option, read_number(option, part)));
      if (static_cast<double>(values.size()) > kMostValues)
        throw InvalidArgument(option, "a longer list", "at most 100000 values");
    }
  return values;
}

}  // namespace doeblin::language
