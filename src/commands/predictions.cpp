// SPDX-License-Identifier: Apache-2.0
#include "commands/predictions.hpp"

#include <cmath>
#include <iostream>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "commands/progress.hpp"
#include "doeblin/core/error.hpp"
#include "doeblin/core/format.hpp"
#include "doeblin/io/atomic_file.hpp"
#include "doeblin/training/model.hpp"

namespace doeblin::commands {
namespace {

constexpr std::size_t kBlock = 1 << 16;

// A field of a CSV file, in quotes where it needs them.
std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

std::string header_of(const training::Model& model) {
  if (!model.encoding.label.is_class()) return "line,prediction\n";
  return model.loss.has_chance() && model.parameters.size() == 1 ? "line,prediction,probability\n"
                                                                 : "line,prediction,score\n";
}

// For classes also how sure the model is: the chance of the class if the loss has one, or the largest score.
std::string row_of(const training::Model& model, std::uint64_t line, const std::vector<double>& values) {
  if (!model.encoding.label.is_class()) return fmt::format("{},{}\n", line, format_exact(values[0]));
  const std::size_t predicted = model.class_of(values);
  const double score = values.size() == 1 ? std::abs(values[0]) : values[predicted];
  const bool has_chance = model.loss.has_chance() && values.size() == 1;
  return fmt::format("{},{},{}\n", line, csv_field(model.encoding.label.classes[predicted]),
                     format_exact(has_chance ? model.loss.kind->chance(score) : score));
}

}  // namespace

void predict(const PredictQuestion& question) {
  const training::Model model = training::read_model(question.model);
  if (model.guarantee.starts_with("VOID")) std::cerr << "doeblin: the model's guarantee: " + model.guarantee + "\n";
  const auto format = question.format.empty() ? std::nullopt : std::optional(training::format_named(question.format));
  training::DataFile data = training::DataFile::open(question.data, format);
  // Without a file the predictions go to standard output as they come.
  std::optional<AtomicFile> file;
  if (!question.output.empty()) file.emplace(Option{"output"}, question.output, FileOptions{.is_private = true});
  std::string block = header_of(model);
  const auto flush = [&] {
    if (file)
      file->write(block);
    else
      std::cout << block;
    block.clear();
  };
  Progress progress("predicting");
  std::vector<double> values;
  training::for_each_record(
      data, model.encoding,
      {.needs_label = false, .progress = [&](std::uint64_t, std::uint64_t) { progress.goes_on(); }},
      [&](const training::EncodedRecord& record) {
        model.predictions(record, values);
        block += row_of(model, record.line, values);
        if (block.size() >= kBlock) flush();
      });
  flush();
  if (file) file->commit();
  if (!file && !(std::cout << std::flush)) throw InvalidArgument("standard output: it cannot be written");
}

}  // namespace doeblin::commands
