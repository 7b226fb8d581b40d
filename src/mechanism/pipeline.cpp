// SPDX-License-Identifier: Apache-2.0
#include "doeblin/mechanism/pipeline.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>

#include <fmt/format.h>

#include "doeblin/core/format.hpp"

namespace doeblin::pipeline {

Guarantee guarantee_of(const Gdp& gdp) {
  return {.profile = profile_of(gdp),
          .renyi = renyi_of(gdp),
          .pairs = LossPairs::exact(LossPair::symmetric_of(profile_of(gdp))),
          .gdp = gdp,
          .zcdp = Zcdp{gdp.mu * gdp.mu * 0.5},
          .white_box_group = [gdp](double k) { return guarantee_of(doeblin::group(gdp, k)); },
          .group_rule = "GDP for k people: k mu"};
}

Guarantee guarantee_of(const Zcdp& zcdp) {
  return {.profile = profile_of(zcdp),
          .renyi = renyi_of(zcdp),
          .zcdp = zcdp,
          .white_box_group = [zcdp](double k) { return guarantee_of(doeblin::group(zcdp, k)); },
          .group_rule = "zCDP for k people: k^2 rho"};
}

Profile nothing_attained() {
  return Profile([](Epsilon) { return Bracket(0.0); }, [](Delta) { return Bracket(0.0); }, {.tight = false});
}

struct Derived::Work {
  std::once_flag is_done;
  std::function<Guarantee()> worst;
  std::optional<Guarantee> guarantee;
};

Derived::Derived(Evaluated known)
    : step(std::move(known.step)),
      neighbours_(known.guarantee.neighbours),
      people_(known.guarantee.people),
      work_(std::make_shared<Work>()) {
  work_->guarantee = std::move(known.guarantee);
}

Derived::Derived(Step line, Neighbours about, std::shared_ptr<const People> people, std::function<Guarantee()> worst)
    : step(std::move(line)),
      neighbours_(std::move(about)),
      people_(std::move(people)),
      work_(std::make_shared<Work>()) {
  work_->worst = std::move(worst);
}

const Guarantee& Derived::guarantee() const {
  std::call_once(work_->is_done, [this] {
    if (!work_->worst) return;
    Guarantee found = work_->worst();
    found.neighbours = neighbours_;
    found.people = people_;
    work_->guarantee = std::move(found);
  });
  return *work_->guarantee;
}

void inherit(Guarantee& after, const Guarantee& before) {
  after.has_third_law = after.has_third_law || before.has_third_law;
  if (after.hidden_choice.empty()) after.hidden_choice = before.hidden_choice;
}

Evaluated applied(const Stage& stage, const Guarantee& before) {
  const Neighbours about = stage.about(before.neighbours);
  Evaluated after = stage.apply(before);
  after.guarantee.neighbours = about;
  inherit(after.guarantee, before);
  return after;
}

Pipeline operator|(Pipeline pipeline, const Stage& stage) {
  require_ieee();
  const Derived& before = pipeline.steps_.back();
  if (!stage.of_people || !before.people()) {
    pipeline.steps_.emplace_back(applied(stage, before.guarantee()));
    return pipeline;
  }
  const Neighbours about = stage.about(before.neighbours());
  Evaluated after = stage.of_people(*before.people());
  after.guarantee.neighbours = about;
  pipeline.steps_.emplace_back(std::move(after));
  return pipeline;
}

}  // namespace doeblin::pipeline
