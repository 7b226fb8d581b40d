// SPDX-License-Identifier: Apache-2.0
#include <limits>

#include <fmt/format.h>

#include "doeblin/core/error.hpp"
#include "doeblin/core/text.hpp"
#include "doeblin/io/input_file.hpp"
#include "doeblin/training/model.hpp"
#include "json/json.hpp"

namespace doeblin::training {
namespace {

constexpr const char* kFormat = "doeblin model 1";
constexpr std::uintmax_t kLargestModel = std::uintmax_t{1} << 30U;

Json json_bounds(const std::optional<Bounds>& bounds) {
  return bounds ? Json::array({bounds->low, bounds->high}) : Json(nullptr);
}

std::optional<Bounds> bounds_from(const JsonField& field) {
  if (field.is_null()) return std::nullopt;
  const std::vector<double> ends = field.numbers();
  if (ends.size() != 2) throw InvalidArgument("bounds: two numbers are needed");
  return Bounds{ends[0], ends[1]};
}

Json json_encoding(const Encoding& encoding) {
  Json columns = Json::array();
  for (const InputColumn& column : encoding.columns) {
    Json one{{"name", column.name}};
    if (column.is_categorical())
      one["levels"] = column.levels;
    else
      one["bounds"] = json_bounds(column.bounds);
    columns.push_back(one);
  }
  Json numbered = Json::array();
  for (const NumberedColumns& some : encoding.numbered)
    numbered.push_back({{"count", some.count}, {"bounds", json_bounds(some.bounds)}});
  Json label{{"name", encoding.label.name}};
  if (encoding.label.is_class())
    label["classes"] = encoding.label.classes;
  else
    label["bounds"] = json_bounds(encoding.label.bounds);
  return {{"columns", columns},
          {"numbered", numbered},
          {"label", label},
          {"norm", encoding.norm},
          {"intercept", encoding.intercept}};
}

Encoding encoding_from(const JsonField& field) {
  Encoding encoding;
  for (const JsonField& one : field["columns"].elements(kMostFeatures)) {
    InputColumn column{.name = one["name"].any_text()};
    if (one.has("levels")) {
      column.levels = one["levels"].any_texts();
      if (column.levels.empty()) throw InvalidArgument("levels: at least one is needed");
    } else {
      column.bounds = bounds_from(one["bounds"]);
    }
    encoding.columns.push_back(std::move(column));
  }
  for (const JsonField& some : field["numbered"].elements(kMostFeatures)) {
    const double count = some["count"].integer();
    if (!(count <= std::numeric_limits<std::uint32_t>::max())) some["count"].fail("less than 2^32");
    encoding.numbered.push_back({static_cast<std::uint32_t>(count), bounds_from(some["bounds"])});
  }
  const JsonField label = field["label"];
  encoding.label.name = label["name"].any_text();
  if (label.has("classes")) encoding.label.classes = label["classes"].any_texts();
  if (label.has("bounds")) encoding.label.bounds = bounds_from(label["bounds"]);
  encoding.norm = field["norm"].number();
  encoding.intercept = field["intercept"].number();
  return encoding;
}

InvalidArgument refusal(const std::string& name, const std::string& why) {
  return {"model", fmt::format("'{}'", printable(name)), fmt::format("a model of this program ({})", why)};
}

}  // namespace

std::string json_of(const Model& model) {
  Json json{{"format", kFormat},
            {"guarantee", model.guarantee},
            {"loss", {{"kind", std::string(name(model.loss.kind))}, {"width", model.loss.width}}},
            {"encoding", json_encoding(model.encoding)},
            {"parameters", model.parameters}};
  return dumped(json);
}

Model read_model(const std::string& path) {
  return model_of(path, io::read_whole(path, kLargestModel, "model"));
}

Model model_of(const std::string& name, std::string_view text) {
  try {
    const Json json = parsed_json(text);
    const JsonField whole(json);
    if (whole["format"].any_text() != kFormat) throw refusal(name, "another format");
    Model model;
    model.guarantee = whole["guarantee"].any_text();
    model.loss.kind = loss_named(whole["loss"]["kind"].any_text());
    model.loss.width = whole["loss"]["width"].number();
    model.encoding = encoding_from(whole["encoding"]);
    for (const JsonField& one : whole["parameters"].elements()) model.parameters.push_back(one.numbers());
    model.validate();
    return model;
  } catch (const JsonError&) {
    throw refusal(name, "it is not JSON, or lacks a part of a model");
  } catch (const InvalidArgument& error) {
    if (std::string_view(error.what()).starts_with("model")) throw;
    throw refusal(name, error.what());
  }
}

}  // namespace doeblin::training
