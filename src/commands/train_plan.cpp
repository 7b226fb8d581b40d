// SPDX-License-Identifier: Apache-2.0
#include "commands/train_plan.hpp"

#include <fmt/format.h>

#include "commands/progress.hpp"
#include "doeblin/core/error.hpp"

namespace doeblin::commands {

using training::DescentPlan;
using training::Records;

training::DataFile data_file(const TrainQuestion& question) {
  return question.table ? training::DataFile::of(*question.table)
                        : training::DataFile::open(question.data, question.format);
}

training::DescentRequest request_of(const TrainQuestion& question, const training::Encoding& encoding,
                                    const Records& records) {
  training::DescentRequest request = question.run;
  request.bounds = {encoding.norm_bound(), encoding.label.largest()};
  request.dimension = encoding.dimension();
  request.is_sparse = encoding.is_sparse();
  request.records = static_cast<double>(records.count());
  const std::size_t classes = encoding.label.classes.size();
  request.tasks = classes > 2 ? static_cast<double>(classes) : 1.0;
  if (request.loss.is_classification() != encoding.label.is_class())
    throw InvalidArgument("--loss", fmt::format("'{}'", training::name(request.loss.kind)),
                          request.loss.is_classification() ? "classes for the label (--classes)"
                                                           : "bounds for the label (--label-bounds)");
  return request;
}

DescentPlan plan_of(const TrainQuestion& question, const training::DescentRequest& request) {
  if (question.sigma) return plan_descent(request, *question.sigma);
  Progress progress(0, "evaluations");
  return calibrated_descent(request, {*question.epsilon, question.delta}, question.settings,
                            [&](int count) { progress.finished(static_cast<std::size_t>(count)); });
}

}  // namespace doeblin::commands
