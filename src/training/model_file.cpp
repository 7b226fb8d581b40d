// SPDX-License-Identifier: Apache-2.0
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "doeblin/core/error.hpp"
#include "doeblin/core/text.hpp"
#include "doeblin/training/model.hpp"

namespace doeblin::training {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kFormat = "doeblin model 1";
constexpr std::streamoff kLargestModel = std::streamoff{1} << 30;

Json json_bounds(const std::optional<Bounds>& bounds) {
  return bounds ? Json::array({bounds->low, bounds->high}) : Json(nullptr);
}

std::optional<Bounds> bounds_from(const Json& json) {
  if (json.is_null()) return std::nullopt;
  if (json.size() != 2) throw InvalidArgument("bounds: two numbers are needed");
  return Bounds{json.at(0).get<double>(), json.at(1).get<double>()};
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

Encoding encoding_from(const Json& json) {
  Encoding encoding;
  for (const Json& one : json.at("columns")) {
    InputColumn column{.name = one.at("name").get<std::string>()};
    if (one.contains("levels")) {
      column.levels = one.at("levels").get<std::vector<std::string>>();
      if (column.levels.empty()) throw InvalidArgument("levels: at least one is needed");
    } else {
      column.bounds = bounds_from(one.at("bounds"));
    }
    encoding.columns.push_back(std::move(column));
  }
  for (const Json& some : json.at("numbered"))
    encoding.numbered.push_back({some.at("count").get<std::uint32_t>(), bounds_from(some.at("bounds"))});
  const Json& label = json.at("label");
  encoding.label.name = label.at("name").get<std::string>();
  if (label.contains("classes")) encoding.label.classes = label.at("classes").get<std::vector<std::string>>();
  if (label.contains("bounds")) encoding.label.bounds = bounds_from(label.at("bounds"));
  encoding.norm = json.at("norm").get<double>();
  encoding.intercept = json.at("intercept").get<double>();
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
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

Model read_model(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) throw refusal(path, "it cannot be read");
  if (file.tellg() < 0 || file.tellg() > kLargestModel) throw refusal(path, "it is no file, or over 1 GiB");
  std::string text(static_cast<std::size_t>(file.tellg()), '\0');
  file.seekg(0);
  if (!file.read(text.data(), static_cast<std::streamsize>(text.size()))) throw refusal(path, "it cannot be read");
  return model_of(path, text);
}

Model model_of(const std::string& name, std::string_view text) {
  try {
    const Json json = Json::parse(text);
    if (json.at("format").get<std::string>() != kFormat) throw refusal(name, "another format");
    Model model;
    model.guarantee = json.at("guarantee").get<std::string>();
    model.loss.kind = loss_named(json.at("loss").at("kind").get<std::string>());
    model.loss.width = json.at("loss").at("width").get<double>();
    model.encoding = encoding_from(json.at("encoding"));
    model.parameters = json.at("parameters").get<std::vector<std::vector<double>>>();
    model.validate();
    return model;
  } catch (const nlohmann::json::exception&) {
    throw refusal(name, "it is not JSON, or lacks a part of a model");
  } catch (const InvalidArgument& error) {
    if (std::string_view(error.what()).starts_with("model")) throw;
    throw refusal(name, error.what());
  }
}

}  // namespace doeblin::training
