// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "doeblin/core/derivation.hpp"
#include "doeblin/core/neighbours.hpp"
#include "doeblin/core/settings.hpp"
#include "doeblin/mechanism/people.hpp"
#include "doeblin/profile/finite.hpp"
#include "doeblin/profile/gdp.hpp"
#include "doeblin/profile/loss_pair.hpp"
#include "doeblin/profile/profile.hpp"
#include "doeblin/profile/renyi_curve.hpp"
#include "doeblin/profile/zcdp.hpp"

namespace doeblin::pipeline {

struct Guarantee;
struct Mixed;
struct Evaluated;

/// A mechanism that is run `count` times as part of a composition.
struct Release {
  std::shared_ptr<const Guarantee> guarantee;
  double count;
};

/// Everything known about a mechanism at some point of a pipeline.
struct Guarantee {
  Profile profile;
  RenyiCurve renyi;
  /// About whom it is. Set by sources, and after that by what a stage says of its neighbours (Stage::about).
  Neighbours neighbours = Neighbours();
  /// The laws behind the profile, for composition and exact subsampling; empty when only the profile is known.
  std::optional<LossPairs> pairs = std::nullopt;
  /// Set when the mechanism is exactly Gaussian DP, or known to be zCDP: forms that later stages can use.
  std::optional<Gdp> gdp = std::nullopt;
  /// A Gaussian level that the mechanism is at least as private as, where it is not exactly Gaussian.
  std::optional<Gdp> dominating_gdp = std::nullopt;
  std::optional<Zcdp> zcdp = std::nullopt;
  /// The guarantee for k people from the inside of the mechanism; empty for a black box.
  std::function<Guarantee(double k)> white_box_group = {};
  /// Why that is so, for the derivation.
  std::string group_rule = "white box: k people move the value k times as far";
  /// k people at once are bounded by the group rule, but need not be as badly off.
  bool is_group_bound_only = false;
  /// The neighbours that attain it differ from everybody else: a sample without them has a third law.
  bool has_third_law = false;
  /// The pair that such neighbours have when they take part with some probability; empty if it is not known.
  std::function<LossPair(const Bracket& rate)> attained_at_rate = {};
  /// What a run draws at random and keeps hidden, such as "the order of the records"; empty if nothing.
  std::string hidden_choice = {};
  /// Whose guarantee this is the worst of; null unless the source is an iterative run.
  std::shared_ptr<const People> people = nullptr;
  /// The mechanism itself, where it is a matrix.
  std::shared_ptr<const FiniteMechanism> finite = nullptr;
  /// What was there before the last kernels, and these as one; null unless a kernel came last.
  std::shared_ptr<const Mixed> mixed = nullptr;
  /// The same diffusion after some more time; empty unless the mechanism is one.
  std::function<Evaluated(double time)> evolved = {};
  /// What a composition is made of, so that composing it again starts from the parts; empty for a single release.
  std::vector<Release> releases = {};
};

[[nodiscard]] Guarantee guarantee_of(const Gdp& gdp);
[[nodiscard]] Guarantee guarantee_of(const Zcdp& zcdp);
[[nodiscard]] Guarantee guarantee_of(const FiniteMechanism& mechanism);

/// The guarantee for k people: from the inside where the mechanism is known, else by the black-box rule.
[[nodiscard]] Guarantee group_guarantee(const Guarantee& guarantee, double k);

/// Nothing is known from below.
[[nodiscard]] Profile nothing_attained();

/// A guarantee with the line of the derivation that gave it.
struct Evaluated {
  Guarantee guarantee;
  Step step;
};

/// A step of a pipeline: a line of its derivation, and the guarantee after it, which may be worked out when it is first
/// asked for.
class Derived {
 public:
  explicit Derived(Evaluated known);
  /// A run whose people can be asked about one by one, while the worst of them takes long to find.
  Derived(Step line, Neighbours about, std::shared_ptr<const People> people, std::function<Guarantee()> worst);

  Step step;
  [[nodiscard]] const Neighbours& neighbours() const { return neighbours_; }
  /// Null unless it is such a run.
  [[nodiscard]] const std::shared_ptr<const People>& people() const { return people_; }
  [[nodiscard]] const Guarantee& guarantee() const;

 private:
  struct Work;

  Neighbours neighbours_;
  std::shared_ptr<const People> people_;
  std::shared_ptr<Work> work_;
};

/// Something that turns one guarantee into another.
struct Stage {
  std::string text;
  /// Whom the result is about, given whom the mechanism before it is about.
  /// Errors   InvalidArgument where the stage does not fit those neighbours
  std::function<Neighbours(const Neighbours&)> about;
  /// What holds for them; its neighbours are those of `about`.
  std::function<Evaluated(const Guarantee&)> apply;
  /// Set where people say it all, and nobody needs to know who is the worst off; `apply` is for everything else.
  std::function<Evaluated(const People&)> of_people = {};
};

/// For Stage::about: the same people as before.
[[nodiscard]] inline Neighbours same_people(const Neighbours& before) { return before; }

/// What no stage undoes.
void inherit(Guarantee& after, const Guarantee& before);

/// The stage after a mechanism, about whom it says.
[[nodiscard]] Evaluated applied(const Stage& stage, const Guarantee& before);

/// A source piped through stages, evaluated symbolically as it is built; numbers are computed when asked for.
class Pipeline {
 public:
  explicit Pipeline(Evaluated source) : Pipeline(Derived(std::move(source))) {}
  explicit Pipeline(Derived source) : steps_{std::move(source)} { require_ieee(), steps_[0].step.is_source = true; }

  /// Encloses the smallest epsilon at delta.
  [[nodiscard]] Bracket epsilon(Delta delta) const { return guarantee().profile.epsilon(delta); }
  /// Encloses delta at epsilon.
  [[nodiscard]] Bracket delta(Epsilon epsilon) const { return guarantee().profile.delta(epsilon); }
  /// Encloses the Renyi divergence of order alpha.
  [[nodiscard]] Bracket rdp(Alpha alpha) const { return guarantee().renyi.at(alpha); }

  [[nodiscard]] Relation relation() const { return neighbours().relation; }
  [[nodiscard]] const Neighbours& neighbours() const { return steps_.back().neighbours(); }
  [[nodiscard]] const Guarantee& guarantee() const { return steps_.back().guarantee(); }
  /// Every step, in order, with the guarantee that held after it.
  [[nodiscard]] const std::vector<Derived>& steps() const { return steps_; }

  friend Pipeline operator|(Pipeline pipeline, const Stage& stage);
  friend Pipeline sum(std::vector<Pipeline> parts, const Settings& settings);

 private:
  std::vector<Derived> steps_;
};

}  // namespace doeblin::pipeline
