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

namespace {

// A part more in a chain. Kernels in parentheses stay what they are, one kernel.
void append(std::optional<language::Program>& chain, const std::optional<language::Program>& part) {
  if (!chain || !part) {
    chain.reset();
    return;
  }
  if (chain->kind != language::Program::Kind::kPipe) {
    language::Program first = std::move(*chain);
    chain = language::Program{.kind = language::Program::Kind::kPipe};
    chain->parts.push_back(std::move(first));
  }
  chain->parts.push_back(*part);
}

}  // namespace

Pipeline::Pipeline(language::Program program, Derived source) : Pipeline(std::move(source)) {
  if (steps_[0].step.stage.empty()) steps_[0].step.stage = language::line_text(program);
  program_ = std::move(program);
}

const language::Program& Pipeline::program() const {
  if (!program_) throw InvalidArgument("the expression language has no call for some part of the pipeline");
  return *program_;
}

Pipeline operator|(Pipeline pipeline, const Stage& stage) {
  require_ieee();
  const Derived& before = pipeline.steps_.back();
  if (!stage.of_people || !before.people()) {
    pipeline.steps_.emplace_back(applied(stage, before.mechanism()));
    append(pipeline.program_, stage.program);
    return pipeline;
  }
  Neighbours about = stage.about(before.neighbours());
  Evaluated after = stage.of_people(*before.people());
  after.mechanism = std::move(after.mechanism).about(std::move(about));
  if (stage.program) after.step.stage = language::line_text(*stage.program);
  pipeline.steps_.emplace_back(std::move(after));
  append(pipeline.program_, stage.program);
  return pipeline;
}

}  // namespace doeblin::pipeline
