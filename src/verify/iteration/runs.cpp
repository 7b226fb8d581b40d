// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "doeblin/language/number_list.hpp"
#include "doeblin/language/schedule_file.hpp"
#include "verify/iteration/run_known.hpp"
#include "verify/iteration/run_laplace.hpp"
#include "verify/iteration/run_mixture.hpp"
#include "verify/iteration/run_sampling.hpp"
#include "verify/iteration/run_sgd.hpp"
#include "verify/routes.hpp"

namespace doeblin::verify {
namespace {

using language::Call;

std::size_t whole(double x) { return static_cast<std::size_t>(x); }

std::vector<std::size_t> steps_named(const Call& call, const char* parameter) {
  std::vector<std::size_t> steps;
  if (call.text(parameter).empty()) return steps;
  for (const double step : language::parse_values(parameter, {call.text(parameter)})) steps.push_back(whole(step));
  return steps;
}

language::Schedule schedule_of(const Call& call) {
  if (!call.text("schedule").empty()) return language::read_schedule(call.text("schedule"));
  const auto list = [&call](const char* parameter) {
    const auto* const found = call.list(parameter);
    return found != nullptr ? *found : std::vector<double>{};
  };
  return {list("learning_rate"), list("sigma"), list("lipschitz"), list("batch")};
}

// w -> w - eta grad f(w) is max(|1 - eta rho|, |1 - eta beta|)-Lipschitz.
Ball gradient_lipschitz(double eta, double beta, double rho) {
  return max(absolute(Ball(1) - Ball(eta) * Ball(rho)), absolute(Ball(1) - Ball(eta) * Ball(beta)));
}

struct Constants {
  double eta, sigma, lipschitz, batch;
};

// noisy_sgd(...), with its arguments by name.
class Sgd {
 public:
  explicit Sgd(const Call& call) : call_(call), schedule_(schedule_of(call)) {}

  [[nodiscard]] double number(const char* name) const { return call_.number(name); }
  [[nodiscard]] const std::string& text(const char* name) const { return call_.text(name); }
  [[nodiscard]] bool is_scheduled() const { return !schedule_.empty(); }
  [[nodiscard]] std::size_t steps() const {
    for (const auto* list : {&schedule_.learning_rate, &schedule_.sigma, &schedule_.lipschitz, &schedule_.batch})
      if (!list->empty()) return list->size();
    const std::size_t places = whole(number("n")) * whole(number("epochs")), batch = whole(number("batch"));
    return (places + batch - 1) / batch;
  }
  [[nodiscard]] Constants at(std::size_t t) const {
    const auto value = [&](const std::vector<double>& list, const char* name) {
      return list.empty() ? number(name) : list[t - 1];
    };
    return {value(schedule_.learning_rate, "learning_rate"), value(schedule_.sigma, "sigma"),
            value(schedule_.lipschitz, "lipschitz"), value(schedule_.batch, "batch")};
  }
  [[nodiscard]] bool exchanges() const {
    const std::string& relation = text("relation");
    return relation == "substitute" || (relation.empty() && text("order") != "poisson");
  }
  // I21: tasks that share what is drawn are one run, in which lengths are sqrt(tasks) times as large.
  [[nodiscard]] bool is_joint() const { return text("draws") == "shared"; }
  [[nodiscard]] Ball joint(const Ball& length) const {
    return is_joint() && length.is_finite() ? length * sqrt(Ball(number("tasks"))) : length;
  }
  // Runs one after another.
  [[nodiscard]] double tasks() const { return is_joint() ? 1.0 : number("tasks"); }
  // s = eta sigma; a record moves 2 eta L/b when it is exchanged, eta L/b when it is left out.
  [[nodiscard]] RunStep step(std::size_t t) const {
    const Constants now = at(t);
    const Ball moved = joint(Ball(exchanges() ? 2 : 1) * Ball(now.eta) * Ball(now.lipschitz) / Ball(now.batch));
    return {gradient_lipschitz(now.eta, number("smoothness"), number("strong_convexity")),
            Ball(now.eta) * Ball(now.sigma), moved};
  }

 private:
  const Call& call_;
  language::Schedule schedule_;
};

ConfinedRun confined(const Sgd& sgd) {
  const Ball diameter = sgd.joint(Ball(sgd.number("diameter"))), rounding = sgd.joint(Ball(sgd.number("rounding")));
  if (!sgd.is_scheduled()) return {RunSteps(sgd.step(1), sgd.steps()), diameter, rounding};
  std::vector<RunStep> steps;
  for (std::size_t t = 1; t <= sgd.steps(); ++t) steps.push_back(sgd.step(t));
  return {RunSteps(steps), diameter, rounding};
}

RunRecords records_of(const Sgd& sgd) {
  if (!sgd.is_scheduled()) return {whole(sgd.number("n")), whole(sgd.number("batch")), sgd.steps()};
  std::vector<std::size_t> batches;
  for (std::size_t t = 1; t <= sgd.steps(); ++t) batches.push_back(whole(sgd.at(t).batch));
  return {whole(sgd.number("n")), batches};
}

OrderedRun ordered(const Call& call, const Sgd& sgd) {
  OrderedRun run{std::make_shared<const ConfinedRun>(confined(sgd)),
                 records_of(sgd),
                 whole(sgd.number("n") - sgd.number("public_tail")),
                 steps_named(call, "checkpoints"),
                 sgd.text("analysis") == "public",
                 sgd.is_scheduled() ? 0 : whole(sgd.number("batch"))};
  if (run.releases.empty() || run.releases.back() != sgd.steps()) run.releases.push_back(sgd.steps());
  return run;
}

// T is uniform: runs that stop before the record is used do not depend on it. The first record is the worst (I8).
Known stopped(const OrderedRun& run, std::size_t record) {
  const std::size_t steps = run.run->steps.count(), first = run.records.uses(record)[0];
  const std::size_t parts = steps - first + 1;
  const Ball each = Ball(1) / Ball(static_cast<double>(steps));
  if (run.is_public) return known_thinned(known_record(run, {first}), Ball(static_cast<double>(parts)) * each);
  return known_average({run.run, {first}, parts, each, each, true});
}

// The first t0 steps are left out, t0 uniform in 0, ..., floor(T/2) (I9).
Known skipping(const OrderedRun& run, std::size_t record) {
  Known all = known_record(run, run.records.uses(record));
  const std::size_t step = run.records.uses(record)[0], starts = run.run->steps.count() / 2 + 1;
  if (step >= starts) return all;
  return known_thinned(all, Ball(static_cast<double>(step)) / Ball(static_cast<double>(starts)));
}

// The place of a record is uniform (I10): of n records at most b (k+1) have k or fewer steps after their last use.
Known permuted(const OrderedRun& run, bool exchanges) {
  if (!run.run->steps.never_expand()) throw CannotCheck("a random order of maps that expand");
  const RecordUses uses = worst_pattern(run);
  if (run.is_public) {
    const Known exact = known_record(run, uses);
    return known_dominated(exact.mu ? *exact.mu : *exact.dominating_mu,
                           [exact](const Ball& epsilon) { return exact.delta(epsilon).upper; });
  }
  const std::size_t n = run.records.records();
  const std::size_t room = run.run->steps.count() - uses.back();
  const std::size_t parts = std::min((n - 1) / run.batch, room) + 1;
  const Ball records(static_cast<double>(n));
  return known_average({run.run, uses, parts, Ball(static_cast<double>(run.batch)) / records,
                        Ball(static_cast<double>(n - run.batch * (parts - 1))) / records, false, exchanges});
}

// Several people: whoever is used later is hidden by less, so the worst are those who are used last (I3); or by the rule.
Known with_joint_uses(Known known, const OrderedRun& run) {
  if (run.is_public) return known;
  known.group = [one = known, run](unsigned long k) {
    Known by_rule = known_group(one, k);
    const RecordUses uses = latest_uses(run, k);
    if (uses.empty()) return by_rule;
    const Known joint = known_record(run, uses);
    const std::optional<Ball>& level = joint.mu ? joint.mu : joint.dominating_mu;
    const std::optional<Ball>& rule_level = by_rule.mu ? by_rule.mu : by_rule.dominating_mu;
    const auto least = [rule = by_rule.delta, joint = joint.delta](const Ball& epsilon) {
      return min(rule(epsilon).upper, joint(epsilon).upper);
    };
    if (level) return known_dominated(rule_level ? min(*level, *rule_level) : *level, least);
    by_rule.delta = [least](const Ball& epsilon) { return Enclosed{least(epsilon), Ball(0)}; };
    return by_rule;
  };
  return known;
}

Known known_gaussian_sgd(const Call& call, const Sgd& sgd, std::size_t person) {
  const OrderedRun run = ordered(call, sgd);
  const bool exchanges = sgd.exchanges();
  if (sgd.text("order") == "permuted") return with_joint_uses(permuted(run, exchanges), run);
  Known known = sgd.text("output") == "uniform_stop" ? stopped(run, person > 0 ? person : 1)
                : sgd.text("output") == "skip"       ? skipping(run, person > 0 ? person : run.private_records)
                : person > 0                         ? known_record(run, run.records.uses(person))
                                                     : known_worst(run);
  if (person > 0) return known;
  if (sgd.text("output") != "uniform_stop") known = with_joint_uses(known, run);
  // Those who are drawn for the run come in random order, and a state before the last one has used fewer of them (I22).
  const bool is_whole = run.releases.size() == 1 && run.private_records == run.records.records();
  if (exchanges && is_whole && !run.is_public && sgd.number("tasks") == 1.0 && run.run->steps.are_alike() &&
      run.run->steps.never_expand())
    known.in_random_order = [run] { return with_joint_uses(permuted(run, true), run); };
  return known;
}

Known known_laplace_sgd(const Sgd& sgd, std::size_t person) {
  const RunStep step = sgd.step(1);
  const RunRecords records = records_of(sgd);
  const auto n = whole(sgd.number("n")), batch = whole(sgd.number("batch"));
  if (sgd.is_scheduled() || sgd.text("order") != "fixed" || sgd.text("output") != "last" || n % batch != 0)
    throw CannotCheck("Laplace noise with a random order or output, or records that differ in their uses");
  const std::size_t record = person > 0 ? person : n - whole(sgd.number("public_tail"));
  const Ball diameter(sgd.number("diameter"));
  return known_laplace_run({step.lipschitz, step.shift / step.noise,
                            diameter.is_finite() ? diameter / step.noise : diameter, Ball(sgd.number("rounding")),
                            records.uses(record), sgd.steps()});
}

// The probability that some batch is too large for the Lipschitz constant |1 - eta rho|: more than k = b (2 - 2 eta
// rho)/(eta (beta - rho)) of the records, T Pr[Bin(n, q) > k] <= T exp(-n KL(k/n || q)).
Ball failure_of(const Sgd& sgd) {
  const Ball eta(sgd.number("learning_rate")), rho(sgd.number("strong_convexity")), n(sgd.number("n"));
  const Ball curvature = Ball(sgd.number("smoothness")) - rho;
  if (!certainly_less(Ball(0), curvature)) return Ball(0);
  const Ball rate = Ball(sgd.number("batch")) / n;
  const Ball share = rate * (Ball(2) - Ball(2) * eta * rho) / (eta * curvature);
  if (certainly_at_most(Ball(1), share)) return Ball(0);
  if (!certainly_less(rate, share)) return Ball(1);
  const Ball rest = Ball(1) - share;
  const Ball divergence = share * log(share / rate) + rest * log(rest / (Ball(1) - rate));
  return min(Ball(1), Ball(static_cast<double>(sgd.steps())) * exp(-n * divergence));
}

Known known_poisson_sgd(const Sgd& sgd, const Context& context) {
  const RunStep step = sgd.step(1);
  if (arb_is_zero(step.shift.get())) return known_nothing();
  const Ball diameter = sgd.joint(Ball(sgd.number("diameter")));
  return known_poisson_run(
      {.jump = step.shift / step.noise,
       .lipschitz = absolute(Ball(1) - Ball(sgd.number("learning_rate")) * Ball(sgd.number("strong_convexity"))),
       .diameter = diameter.is_finite() ? diameter / step.noise : diameter,
       .rate = Ball(sgd.number("batch")) / Ball(sgd.number("n")),
       .steps = sgd.steps(),
       .rounding = sgd.joint(Ball(sgd.number("rounding"))),
       .is_public = sgd.text("analysis") == "public",
       .failure = failure_of(sgd),
       .tasks = sgd.tasks()},
      context);
}

// Every task is a run of its own on the same records (I13).
Known with_tasks(const Known& one, double tasks, const Context& context) {
  if (tasks == 1.0) return one;
  if (one.mu || one.dominating_mu) {
    Known known = known_repeated({one}, tasks);
    if (!one.mu) known.group = [=](unsigned long k) { return with_tasks(known_group(one, k), tasks, context); };
    return known;
  }
  return known_composition({one}, static_cast<unsigned long>(tasks), context);
}

Known known_sgd(const Call& call, const Context& context, double person) {
  const Sgd sgd(call);
  if (sgd.text("order") == "poisson") return known_poisson_sgd(sgd, context);
  if (!sgd.is_scheduled() && sgd.number("lipschitz") == 0.0) return known_nothing();
  if (sgd.text("noise") == "laplace")
    return with_tasks(known_laplace_sgd(sgd, whole(person)), sgd.number("tasks"), context);
  Known known = with_tasks(known_gaussian_sgd(call, sgd, whole(person)), sgd.tasks(), context);
  // The joint domain is a product, which need not attain what a ball of its diameter would.
  if (sgd.is_joint())
    known.delta = [delta = known.delta](const Ball& epsilon) { return Enclosed{delta(epsilon).upper, Ball(0)}; };
  return known;
}

Known known_iteration(const Call& call) {
  const Ball shift(call.number("sensitivity")), noise(call.number("sigma")), diameter(call.number("diameter"));
  if (arb_is_zero(shift.get())) return known_nothing();
  const std::size_t steps = whole(call.number("steps"));
  const RecordUses uses = steps_named(call, "affected");
  const RunStep step{Ball(call.number("lipschitz")), noise, shift};
  if (call.text("noise") == "laplace")
    return known_laplace_run(
        {step.lipschitz, shift / noise, diameter.is_finite() ? diameter / noise : diameter, Ball(0), uses, steps});
  const auto run = std::make_shared<const ConfinedRun>(ConfinedRun{RunSteps(step, steps), diameter});
  return known_record({run, RunRecords(1, 1, steps), 1, {steps}, call.text("analysis") == "public", 0}, uses);
}

// No divergence is above 1.
Known capped(Known known) {
  known.delta = [delta = known.delta](const Ball& epsilon) {
    Enclosed value = delta(epsilon);
    if (!certainly_at_most(value.upper, Ball(1))) value.upper = Ball(1);
    return value;
  };
  return known;
}

Subjects about_records(const Call& call, const Subjects& /*before*/) {
  return {.records = call.number("n"),
          .has_public_records = call.number("public_tail") > 0.0,
          .relation = call.text("relation")};
}

Subjects about_person(const Call& /*call*/, const Subjects& before) {
  Subjects one = before;
  one.is_one_place = true;
  return one;
}

constexpr const char* kPerson = "person";

constexpr Route kIterationRoutes[] = {
    {.name = "noisy_sgd",
     .run = [](const Call& call, const Context& context,
               double person) { return capped(known_sgd(call, context, person)); },
     .about = about_records},
    {.name = "noisy_iteration",
     .run = [](const Call& call, const Context& /*context*/,
               double /*person*/) { return capped(known_iteration(call)); }},
    {.name = kPerson, .about = about_person, .is_person = true},
};

}  // namespace

Known known_run(const Call& call, const Context& context, double person) {
  return route_of(call).run(call, context, person);
}

language::Program of_person(const language::Program& run, double record) {
  return piped(run, {.call = {.name = kPerson, .arguments = {{"i", record}}}});
}

std::span<const Route> iteration_routes() { return kIterationRoutes; }

}  // namespace doeblin::verify
