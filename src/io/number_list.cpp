// SPDX-License-Identifier: Apache-2.0
#include "doeblin/io/number_list.hpp"

#include <cmath>
#include <string_view>

#include <fast_float/fast_float.h>
#include <fmt/format.h>

#include "doeblin/core/error.hpp"
#include "doeblin/core/format.hpp"

namespace doeblin::io {
namespace {

constexpr double kMostValues = 1e5;

double parse_number(const std::string& option, std::string_view text) {
  double value = 0.0;
  const auto parsed = fast_float::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || parsed.ec != std::errc() || parsed.ptr != text.data() + text.size())
    throw InvalidArgument(option, fmt::format("'{}'", text.substr(0, 40)),
                          "a number, a list 1,2,3 or a range start:stop:step");
  return value;
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
  const double start = parse_number(option, parts[0]);
  const double stop = parse_number(option, parts[1]);
  const double step = parse_number(option, parts[2]);
  if (!(step > 0.0 && stop >= start && std::isfinite(stop) && std::isfinite(step)))
    throw InvalidArgument(option, fmt::format("'{}'", text.substr(0, 40)), "start <= stop and step > 0, all finite");
  // The stop belongs to the range although (stop - start)/step may fall short of a whole number by rounding.
  const double steps = std::floor((stop - start) / step * (1.0 + 1e-12) + 1e-9);
  if (!(steps < kMostValues))
    throw InvalidArgument(option, fmt::format("'{}'", text.substr(0, 40)), "at most 100000 values");
  for (double i = 0.0; i <= steps; ++i) values.push_back(nearest_double(fmt::format("{:.15g}", start + i * step)));
}

}  // namespace

std::vector<double> parse_values(const std::string& option, const std::vector<std::string>& texts) {
  std::vector<double> values;
  for (const std::string& text : texts)
    for (const std::string_view part : split(text, ',')) {
      if (part.find(':') != std::string_view::npos)
        append_range(option, part, values);
      else
        values.push_back(parse_number(option, part));
      if (static_cast<double>(values.size()) > kMostValues)
        throw InvalidArgument(option, "a longer list", "at most 100000 values");
    }
  return values;
}

}  // namespace doeblin::io
