// SPDX-License-Identifier: Apache-2.0
#include "term.hpp"

#include <algorithm>

#include "doeblin/core/format.hpp"
#include "doeblin/pipeline/kernel.hpp"

namespace doeblin::python {
namespace {

using pipeline::Definition;
using pipeline::Kernel;
using pipeline::Pipeline;
using pipeline::Settings;
using pipeline::Stage;

const Definition& definition_of(const std::string& name) {
  const Definition* const found = pipeline::find_definition(name);
  if (found == nullptr) throw InvalidArgument("name", "'" + name + "'", "a source or a stage");
  return *found;
}

pipeline::Arguments arguments_of(const pipeline::Call& call, const Settings& settings) {
  std::map<std::string, pipeline::Argument, std::less<>> values;
  for (const auto& [name, value] : call.arguments) values[name] = value;
  return pipeline::Arguments(std::move(values), settings);
}

Made made(const Definition& definition, const pipeline::Arguments& arguments) {
  try {
    if (definition.is_source()) return std::get<0>(definition.make)(arguments);
    if (definition.is_kernel()) return std::get<2>(definition.make)(arguments);
    return std::get<1>(definition.make)(arguments);
  } catch (const InvalidArgument& error) {
    throw error.within(definition.name);
  }
}

std::string name_of(const Made& made) {
  const auto* kernel = std::get_if<Kernel>(&made);
  const std::string& text = kernel != nullptr ? kernel->text : std::get<Stage>(made).text;
  return text.substr(0, text.find('('));
}

}  // namespace

Made piped(Made left, const Made& right, const Settings& settings) {
  if (std::holds_alternative<Pipeline>(right))
    throw InvalidArgument("|: a stage is needed on its right; pipelines compose with '+'");
  const auto* kernel = std::get_if<Kernel>(&right);
  try {
    if (auto* pipeline = std::get_if<Pipeline>(&left))
      return std::move(*pipeline) | (kernel != nullptr ? mixing(*kernel, settings) : std::get<Stage>(right));
    if (std::holds_alternative<Kernel>(left) && kernel != nullptr) return followed_by(std::get<Kernel>(left), *kernel);
  } catch (const InvalidArgument& error) {
    throw error.within(name_of(right));
  }
  // Stages in a row, to be used after a source.
  const Stage first =
      std::holds_alternative<Kernel>(left) ? mixing(std::get<Kernel>(left), settings) : std::get<Stage>(left);
  return Stage{first.text + " | " + (kernel != nullptr ? kernel->text : std::get<Stage>(right).text), {}, {}};
}

SharedTerm Term::call(pipeline::Call call, std::shared_ptr<const pipeline::Schedule> schedule,
                      const std::string& open) {
  const auto term = std::make_shared<Term>();
  term->call_ = std::move(call);
  term->schedule_ = std::move(schedule);
  term->open_ = open;
  if (!open.empty())
    for (const pipeline::Parameter& parameter : definition_of(term->call_.name).parameters)
      if (parameter.name == open && !parameter.monotone)
        throw InvalidArgument(open + " of " + term->call_.name +
                              " cannot be solved for: the guarantee is not monotone in it");
  return term;
}

SharedTerm Term::unwritten(std::string text, std::function<Made()> make) {
  const auto term = std::make_shared<Term>();
  term->kind_ = Kind::kUnwritten;
  term->text_ = std::move(text);
  term->make_ = std::move(make);
  return term;
}

SharedTerm Term::pipe(const SharedTerm& left, const SharedTerm& right) {
  const auto term = std::make_shared<Term>();
  term->kind_ = Kind::kPipe;
  for (const SharedTerm& side : {left, right})
    if (side->kind_ == Kind::kPipe)
      term->parts_.insert(term->parts_.end(), side->parts_.begin(), side->parts_.end());
    else
      term->parts_.push_back(side);
  return term;
}

SharedTerm Term::sum(const SharedTerm& left, const SharedTerm& right) {
  const auto term = std::make_shared<Term>();
  term->kind_ = Kind::kSum;
  // a + b + c is one composition.
  if (left->kind_ == Kind::kSum)
    term->parts_ = left->parts_;
  else
    term->parts_.push_back(left);
  term->parts_.push_back(right);
  return term;
}

Made Term::leaf(const Settings& settings, const Hole& hole) const {
  if (kind_ == Kind::kUnwritten) return make_();
  Settings own = settings;
  own.schedule = schedule_;
  if (open_.empty()) return made(definition_of(call_.name), arguments_of(call_, own));
  if (!hole) throw InvalidArgument(call_.name + ": " + open_ + " is open, which is for calibrate");
  pipeline::Call filled = call_;
  for (auto& [name, value] : filled.arguments)
    if (name == open_) value = *hole;
  return made(definition_of(filled.name), arguments_of(filled, own));
}

Made Term::evaluated(const Settings& settings, const Hole& hole) const {
  if (kind_ == Kind::kCall || kind_ == Kind::kUnwritten) return leaf(settings, hole);
  if (kind_ == Kind::kPipe) {
    Made result = parts_[0]->evaluated(settings, hole);
    for (std::size_t i = 1; i < parts_.size(); ++i)
      result = piped(std::move(result), parts_[i]->evaluated(settings, hole), settings);
    return result;
  }
  std::vector<Pipeline> pipelines;
  for (const SharedTerm& part : parts_) {
    Made one = part->evaluated(settings, hole);
    if (!std::holds_alternative<Pipeline>(one)) throw InvalidArgument("+: pipelines are needed on both sides");
    pipelines.push_back(std::get<Pipeline>(std::move(one)));
  }
  try {
    return pipeline::sum(std::move(pipelines), settings);
  } catch (const InvalidArgument& error) {
    throw error.within("+");
  }
}

std::string Term::text() const {
  if (kind_ == Kind::kUnwritten) return text_;
  if (kind_ == Kind::kCall) {
    const auto has_list = [this](const std::string& name) {
      if (!schedule_) return false;
      return (name == "learning_rate" && !schedule_->learning_rate.empty()) ||
             (name == "sigma" && !schedule_->sigma.empty()) || (name == "lipschitz" && !schedule_->lipschitz.empty()) ||
             (name == "batch" && !schedule_->batch.empty());
    };
    std::string text = call_.name + "(";
    for (const auto& [name, value] : call_.arguments) {
      if (text.back() != '(') text += ", ";
      const auto* number = std::get_if<double>(&value);
      text += name + "=";
      text += name == open_       ? "?"
              : has_list(name)    ? "<array>"
              : number != nullptr ? format_exact(*number)
                                  : "'" + std::get<std::string>(value) + "'";
    }
    return text + ")";
  }
  std::string text;
  for (const SharedTerm& part : parts_) {
    if (!text.empty()) text += kind_ == Kind::kSum ? " + " : " | ";
    const bool is_chain = part->kind_ == Kind::kPipe || (kind_ == Kind::kSum && part->kind_ == Kind::kSum);
    text += is_chain ? "(" + part->text() + ")" : part->text();
  }
  return text;
}

pipeline::Program Term::program() const {
  if (kind_ == Kind::kUnwritten)
    throw InvalidArgument(text_ + ": the expression language has no words for it; use a file instead");
  if (kind_ == Kind::kCall) {
    if (!open_.empty()) throw InvalidArgument(call_.name + ": " + open_ + " is open, which is for calibrate");
    return {.call = call_};
  }
  pipeline::Program program{.kind =
                                kind_ == Kind::kSum ? pipeline::Program::Kind::kSum : pipeline::Program::Kind::kPipe};
  for (const SharedTerm& part : parts_) program.parts.push_back(part->program());
  return program;
}

void Term::collect_runs(std::vector<const Term*>& runs) const {
  if (kind_ == Kind::kCall && call_.name == "noisy_sgd") runs.push_back(this);
  for (const SharedTerm& part : parts_) part->collect_runs(runs);
}

Settings Term::settings_of_program(Settings settings) const {
  std::vector<const Term*> runs;
  collect_runs(runs);
  for (const Term* run : runs) {
    if (!run->schedule_) continue;
    if (runs.size() > 1)
      throw InvalidArgument("noisy_sgd: arrays of constants beside another run; use a file, schedule='...'");
    settings.schedule = run->schedule_;
  }
  return settings;
}

void Term::collect_open(std::vector<const Term*>& open) const {
  if (!open_.empty()) open.push_back(this);
  for (const SharedTerm& part : parts_) part->collect_open(open);
}

bool Term::is_open() const {
  std::vector<const Term*> open;
  collect_open(open);
  return !open.empty();
}

pipeline::Monotone Term::domain() const {
  const Definition& definition = definition_of(call_.name);
  for (const pipeline::Parameter& parameter : definition.parameters) {
    if (parameter.name != open_) continue;
    if (!definition.limits) return *parameter.monotone;
    pipeline::Call low = call_;
    for (auto& [name, value] : low.arguments)
      if (name == open_) value = parameter.monotone->low;
    return definition.limits(parameter, arguments_of(low, {}));
  }
  throw InternalError("broken invariant: the open parameter exists");
}

pipeline::OpenPipeline Term::open_pipeline(const SharedTerm& self) const {
  std::vector<const Term*> open;
  collect_open(open);
  if (open.empty()) throw InvalidArgument("calibrate: nothing is open, so there is nothing to solve for");
  pipeline::Monotone domain = open[0]->domain();
  for (const Term* other : open) {
    const pipeline::Monotone more = other->domain();
    if (more.larger_is_safer != domain.larger_is_safer)
      throw InvalidArgument("calibrate: a larger " + open[0]->open_ + " and a larger " + other->open_ +
                            " have opposite effects, need one argument");
    domain.low = std::max(domain.low, more.low);
    domain.high = std::min(domain.high, more.high);
    domain.is_integer = domain.is_integer || more.is_integer;
  }
  return {open[0]->call_.name, open[0]->open_, domain, [self](double value, const Settings& settings) {
            Made filled = self->evaluated(settings, value);
            if (!std::holds_alternative<Pipeline>(filled))
              throw InvalidArgument("calibrate: a pipeline is needed, beginning with a source");
            return std::get<Pipeline>(std::move(filled));
          }};
}

}  // namespace doeblin::python
