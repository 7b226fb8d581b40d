// SPDX-License-Identifier: Apache-2.0
#include "commands/train_plan.hpp"

#include <fmt/format.h>

#include "commands/process_guard.hpp"
#include "commands/progress.hpp"
#include "doeblin/core/error.hpp"

namespace doeblin::commands {

using training::DescentPlan;
using training::Records;

training::DataFile data_file(const TrainRequest& asked) {
  return asked.table ? training::DataFile::of(*asked.table) : training::DataFile::open(asked.data, asked.format);
}

training::DescentRequest request_of(const TrainRequest& asked, const training::Encoding& encoding,
                                    const Records& records) {
  training::DescentRequest request = asked.run;
  request.bounds = {encoding.norm_bound(), encoding.label.largest()};
  request.dimension = encoding.dimension();
  request.is_sparse = encoding.is_sparse();
  request.records = static_cast<double>(records.count());
  const std::size_t classes = encoding.label.classes.size();
  request.tasks = classes > 2 ? static_cast<double>(classes) : 1.0;
  if (request.loss.is_classification() != encoding.label.is_class())
    throw InvalidArgument(Option{"loss"}, fmt::format("'{}'", training::name(request.loss.kind)),
                          request.loss.is_classification()
                              ? Sentence{"classes for the label (", Option{"classes"}, ")"}
                              : Sentence{"bounds for the label (", Option{"label_bounds"}, ")"});
  return request;
}

DescentPlan plan_of(const TrainRequest& asked, const training::DescentRequest& request) {
  if (asked.sigma) return plan_descent(request, *asked.sigma);
  Progress progress(0, "evaluations");
  return calibrated_descent(request, {*asked.epsilon, asked.delta}, asked.settings, [&](int count) {
    StopsOnSignals::throw_if_asked();
    progress.finished(static_cast<std::size_t>(count));
  });
}

}  // namespace doeblin::commands
