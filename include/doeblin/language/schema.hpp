// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "doeblin/language/program.hpp"

/// What every source and stage is called and takes: data, without a formula. Parser, help, completion, suggestions,
/// Python functions and stubs, the certificate schema, documentation, `verify` and `audit` read it.
namespace doeblin::language {

/// In which direction a parameter makes the guarantee stronger, and where it may lie.
struct Monotone {
  bool larger_is_safer;
  double low = 0.0;
  double high = std::numeric_limits<double>::infinity();
  bool is_integer = false;
};

/// Noise: more is safer.
inline constexpr Monotone kMoreIsSafer = {.larger_is_safer = true};
/// A level of privacy loss, or a sensitivity: less is safer.
inline constexpr Monotone kLessIsSafer = {.larger_is_safer = false};
/// A probability or a coefficient: less is safer.
inline constexpr Monotone kSmallIsSafer = {.larger_is_safer = false, .low = 0.0, .high = 1.0};
/// How many people, draws or releases: fewer are safer.
inline constexpr Monotone kFewAreSafer = {.larger_is_safer = false, .low = 1.0, .high = 0x1p53, .is_integer = true};
/// How many there are to hide among, or how often something is applied: more is safer.
inline constexpr Monotone kManyAreSafer = {.larger_is_safer = true, .low = 1.0, .high = 0x1p53, .is_integer = true};

/// What kind of argument a parameter takes.
enum class Type {
  kNumber,
  kScale,   ///< a positive number
  kShare,   ///< a number from 0 to 1
  kCount,   ///< a whole number
  kChoice,  ///< one of several words
  kFile,    ///< the name of a file, or what would be in it
  kSteps,   ///< whole numbers such as '3,7' or '100:1000:100'
};

/// "number", "scale", "share" and so on.
[[nodiscard]] std::string_view name(Type type);

struct Parameter {
  std::string name;
  std::string meaning;
  Type type = Type::kNumber;
  /// Must be given when there is no default. What is text has a text as its default, possibly empty.
  std::optional<Argument> standard = std::nullopt;
  /// Set where `calibrate` can solve for the parameter.
  std::optional<Monotone> monotone = std::nullopt;
  /// The words of a choice.
  std::vector<std::string> choices = {};
  /// May be a list, with a number for each step of a run.
  bool may_change = false;
  /// Lines of derivations write it even where it has its default.
  bool is_shown = false;

  /// The argument is a text rather than a number.
  [[nodiscard]] bool is_text() const { return type == Type::kChoice || type == Type::kFile || type == Type::kSteps; }
};

/// What a part is to those who read programs without knowing its formula, and its parameters that they read.
enum class Role {
  kPlain,
  kGaussianNoise,  ///< adds noise of this law to a value: parameters of Type::kScale, and `sensitivity`, which is a
  kLaplaceNoise,   ///< count where value and noise are whole numbers
  kDiffusion,      ///< runs from a value for a `time`; with `theta` and `rho` where it is pulled back
  kResponse,       ///< reports a bit truthfully with probability `p`
  kMatrix,         ///< a source whose matrix is in a file
  kMatrixKernel,   ///< a kernel whose matrix is in a `file`
  kIteration,      ///< hides all states but the last
  kRun,            ///< the same over `n` records, of which the last `public_tail` are public
  kPerson,         ///< about record `i` of a run
  kGroup,          ///< about `k` people at once
  kPoisson,        ///< everybody takes part with probability `rate`
  kSubset,         ///< `m` of `n` people take part
  kRepeat,         ///< released `k` times
};

struct Schema {
  /// A source makes a pipeline, a stage continues one; a kernel is a stage that also stands alone, for `mix`.
  enum class Kind { kSource, kStage, kKernel };

  std::string name;
  Kind kind;
  std::string summary;
  std::string example;
  std::vector<Parameter> parameters;
  Role role = Role::kPlain;
  /// What people call it elsewhere.
  std::vector<std::string> synonyms = {};

  [[nodiscard]] bool is_source() const { return kind == Kind::kSource; }
  [[nodiscard]] bool is_kernel() const { return kind == Kind::kKernel; }
  /// Null when there is none of this name.
  [[nodiscard]] const Parameter* parameter(std::string_view name) const;
  /// "gaussian(sigma, sensitivity=1)".
  [[nodiscard]] std::string signature() const;
};

/// Every source and stage, sources first, in the order of the documentation.
[[nodiscard]] const std::vector<std::reference_wrapper<const Schema>>& schemas();

/// The schema of this name, or null.
[[nodiscard]] const Schema* find_schema(std::string_view name);

/// What the part of this name is; kPlain when there is none.
[[nodiscard]] Role role_of(std::string_view name);
/// The only schema with this role.
/// Errors   InternalError unless there is one
[[nodiscard]] const Schema& schema_with(Role role);

/// How to go on when there is no source or stage of this name: ", did you mean 'laplace'?" and so on.
[[nodiscard]] std::string advice_about(std::string_view name);
/// The same for a parameter.
[[nodiscard]] std::string advice_about(const Schema& schema, std::string_view parameter);

/// The parameters of any source or stage that a word may mean: itself, and what it stands for elsewhere.
[[nodiscard]] std::vector<std::string> parameters_meant_by(std::string_view word);

/// A call with these arguments, by name, and defaults for the others.
/// Errors   InternalError for a name that the schema does not have, or an argument without default that is missing
[[nodiscard]] Call call_of(const Schema& schema, const std::vector<std::pair<std::string, Argument>>& given);
/// Errors   InternalError for the name of no schema, too
[[nodiscard]] Call call_of(std::string_view name, const std::vector<std::pair<std::string, Argument>>& given);

/// Whether the parser could have built it: every call fits its schema, pipelines begin with sources and go on with
/// stages, and chains are flat.
[[nodiscard]] bool is_well_formed(const Program& program);

}  // namespace doeblin::language
