// SPDX-License-Identifier: Apache-2.0
#include "doeblin/training/loss.hpp"

#include <array>
#include <cmath>

#include <fmt/format.h>

#include "doeblin/core/error.hpp"
#include "doeblin/core/words.hpp"

namespace doeblin::training {

#define DOEBLIN_LOSS(name) LossDefinition name##_loss();
#include "training/losses.def"
#undef DOEBLIN_LOSS

namespace {

const auto& loss_table() {
  static const std::array table = {
#define DOEBLIN_LOSS(name) name##_loss(),
#include "training/losses.def"
#undef DOEBLIN_LOSS
  };
  return table;
}

auto loss_words() {
  const auto& table = loss_table();
  std::array<Word<LossKind>, std::tuple_size_v<std::decay_t<decltype(table)>>> rows;
  for (std::size_t i = 0; i < table.size(); ++i) rows[i] = {table[i].name, &table[i]};
  return Words(rows);
}

}  // namespace

std::span<const LossDefinition> losses() { return loss_table(); }

std::string loss_list() { return loss_words().listed(); }

LossKind standard_loss(bool is_classification) {
  for (const LossDefinition& one : losses())
    if (one.is_classification == is_classification) return &one;
  throw InternalError("broken invariant: a loss for classes and one for numbers");
}

LossKind loss_named(std::string_view text) {
  if (const auto found = loss_words().value_of(text)) return *found;
  throw InvalidArgument("loss", fmt::format("'{}'", text), loss_list());
}

std::string_view name(LossKind kind) { return kind->name; }

void Loss::validate() const {
  if (has_width()) require(width >= 1e-6 && width <= 1e6, "width", width, "1e-6 <= width <= 1e6");
}

LossConstants constants_of(const Loss& loss, const RecordBounds& bounds, double radius) {
  loss.validate();
  require(bounds.feature_norm >= 0.0 && std::isfinite(bounds.feature_norm), "feature norm", bounds.feature_norm,
          "0 <= feature norm < infinity");
  require(bounds.label >= 0.0 && std::isfinite(bounds.label), "label bound", bounds.label, "0 <= bound < infinity");
  require(radius >= 0.0 && std::isfinite(radius), "radius", radius, "0 <= radius < infinity");
  const Bracket norm(bounds.feature_norm);
  const auto [slope, curvature] = loss.kind->limits(norm * radius, bounds.label, loss.width);
  const LossConstants constants{slope.upper(), curvature.upper(), (slope * norm).upper(),
                                (curvature * norm * norm).upper()};
  require(std::isfinite(constants.lipschitz) && std::isfinite(constants.smoothness), "feature norm",
          bounds.feature_norm, "bounds whose constants a double can hold");
  return constants;
}

}  // namespace doeblin::training
