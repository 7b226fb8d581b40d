// SPDX-License-Identifier: Apache-2.0
#include "doeblin/mechanism/pipeline.hpp"

#include <mutex>
#include <optional>

namespace doeblin::pipeline {

struct Derived::Work {
  std::once_flag is_done;
  std::function<Mechanism()> worst;
  std::optional<Mechanism> mechanism;
};

Derived::Derived(Evaluated known)
    : step(std::move(known.step)),
      neighbours_(known.mechanism.neighbours()),
      people_(known.mechanism.people()),
      work_(std::make_shared<Work>()) {
  work_->mechanism = std::move(known.mechanism);
}

Derived::Derived(Step line, Neighbours about, std::shared_ptr<const People> people, std::function<Mechanism()> worst)
    : step(std::move(line)),
      neighbours_(std::move(about)),
      people_(std::move(people)),
      work_(std::make_shared<Work>()) {
  work_->worst = std::move(worst);
}

const Mechanism& Derived::mechanism() const {
  std::call_once(work_->is_done, [this] {
    if (work_->worst) work_->mechanism = work_->worst().about(neighbours_).with_people(people_);
  });
  return *work_->mechanism;
}

Pipeline operator|(Pipeline pipeline, const Stage& stage) {
  require_ieee();
  const Derived& before = pipeline.steps_.back();
  if (!stage.of_people || !before.people()) {
    pipeline.steps_.emplace_back(applied(stage, before.mechanism()));
    return pipeline;
  }
  Neighbours about = stage.about(before.neighbours());
  Evaluated after = stage.of_people(*before.people());
  after.mechanism = std::move(after.mechanism).about(std::move(about));
  pipeline.steps_.emplace_back(std::move(after));
  return pipeline;
}

}  // namespace doeblin::pipeline
