// SPDX-License-Identifier: Apache-2.0
#include "doeblin/audit/event.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "doeblin/core/error.hpp"

namespace doeblin::audit {
namespace {

constexpr std::size_t kMostShown = 4;

std::string subject_of(const Event& event) {
  const std::vector<double>& weights = event.weights;
  if (weights.empty()) return "output";
  const auto used = std::count_if(weights.begin(), weights.end(), [](double w) { return w != 0.0; });
  const auto only = std::find(weights.begin(), weights.end(), 1.0);
  if (used == 1 && only != weights.end()) return fmt::format("output[{}]", only - weights.begin() + 1);
  if (weights.size() > kMostShown) return fmt::format("weighted sum of {} outputs", weights.size());
  std::string text;
  for (std::size_t j = 0; j < weights.size(); ++j)
    text += fmt::format("{}{:.4g} output[{}]", j == 0 ? "" : (weights[j] < 0.0 ? " - " : " + "),
                        j == 0 ? weights[j] : std::fabs(weights[j]), j + 1);
  return text;
}

std::string text_of(const Interval& interval, const std::string& subject,
                    const std::function<std::string(double)>& name) {
  const auto number = [&](double x) { return name ? name(x) : fmt::format("{:.6g}", x); };
  if (interval.low == interval.high) return fmt::format("{} = {}", subject, number(interval.low));
  if (std::isinf(interval.low) && std::isinf(interval.high)) return subject + " is anything";
  if (std::isinf(interval.low)) return fmt::format("{} <= {:.6g}", subject, interval.high);
  if (std::isinf(interval.high)) return fmt::format("{} >= {:.6g}", subject, interval.low);
  return fmt::format("{:.6g} <= {} <= {:.6g}", interval.low, subject, interval.high);
}

}  // namespace

double Event::statistic(std::span<const double> output) const {
  if (weights.empty()) return output[0];
  double sum = 0.0;
  for (std::size_t j = 0; j < weights.size(); ++j) sum += weights[j] * output[j];
  return sum;
}

bool Event::contains(std::span<const double> output) const {
  const double x = statistic(output);
  // The first interval that does not end before x.
  const auto found = std::lower_bound(intervals.begin(), intervals.end(), x,
                                      [](const Interval& interval, double value) { return interval.high < value; });
  return found != intervals.end() && found->low <= x;
}

std::uint64_t Event::count_in(const Outputs& outputs) const {
  ensure(weights.empty() ? outputs.dimension == 1 : weights.size() == outputs.dimension,
         "the event is about outputs like these");
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < outputs.count(); ++i) count += contains(outputs.row(i)) ? 1 : 0;
  return count;
}

std::string text_of(const Event& event, const std::function<std::string(double)>& name) {
  if (event.intervals.empty()) return "nothing";
  const std::string subject = subject_of(event);
  std::string text;
  for (std::size_t k = 0; k < std::min(event.intervals.size(), kMostShown); ++k)
    text += (k == 0 ? "" : " or ") + text_of(event.intervals[k], subject, name);
  if (event.intervals.size() > kMostShown)
    text += fmt::format(" or in {} more places", event.intervals.size() - kMostShown);
  return text;
}

}  // namespace doeblin::audit
