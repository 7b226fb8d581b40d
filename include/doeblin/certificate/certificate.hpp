// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "doeblin/core/bracket.hpp"
#include "doeblin/core/derivation.hpp"
#include "doeblin/core/settings.hpp"
#include "doeblin/core/types.hpp"
#include "doeblin/core/words.hpp"
#include "doeblin/language/program.hpp"

/// A guarantee that others can check: the claim, everything it was computed from, and why it holds. Never anything that
/// was computed from private data.
namespace doeblin::certificate {

/// Certificates of version 1 are read too.
inline constexpr int kFormatVersion = 2;

/// The one reason for which a certificate is void.
inline constexpr const char* kSeeded = "the noise was drawn from a seed";

/// The detail of a training run that says what share of the records was held out.
inline constexpr const char* kHeldOutShare = "held_out_share";

/// What the certificate is about.
enum class Kind {
  kAnalysis,  ///< an expression
  kPeople,    ///< an expression, with everybody's guarantee
  kTraining,  ///< a run of `train`
  kRelease,   ///< a run of `release`
};

inline constexpr auto kKinds = words<Kind>({{"analysis", Kind::kAnalysis},
                                            {"people", Kind::kPeople},
                                            {"training", Kind::kTraining},
                                            {"release", Kind::kRelease}});

[[nodiscard]] std::string_view name(Kind kind);

/// Epsilon at a delta, or delta at an epsilon.
struct Claim {
  bool is_epsilon = true;
  double at = 0.0;  ///< the delta, or the epsilon
  Bracket value;

  friend bool operator==(const Claim&, const Claim&) = default;
};

/// A point of the privacy profile.
struct CurvePoint {
  double epsilon = 0.0;
  Bracket delta;

  friend bool operator==(const CurvePoint&, const CurvePoint&) = default;
};

/// One record's guarantee.
struct PersonPoint {
  std::size_t record = 1;
  Bracket value;

  friend bool operator==(const PersonPoint&, const PersonPoint&) = default;
};

/// The guarantees of the records 1, ..., count: the same question for everybody.
struct PeopleClaim {
  bool is_epsilon = true;
  double at = 0.0;
  std::size_t count = 0;
  PersonPoint worst;
  PersonPoint best;
  /// An upper bound for half of the records.
  double median = 0.0;
  /// Some records, increasing, the first and the last among them: for plots, and to be checked.
  std::vector<PersonPoint> points = {};

  friend bool operator==(const PeopleClaim&, const PeopleClaim&) = default;
};

/// A file that the expression names: a kernel, a mechanism or a schedule. Never the data.
struct Input {
  std::string path;
  std::string sha256;

  friend bool operator==(const Input&, const Input&) = default;
};

/// A fact about what was run, such as ("domain", "ball"); numbers are exact.
struct Detail {
  std::string name;
  language::Argument value;

  friend bool operator==(const Detail&, const Detail&) = default;
};

struct Certificate {
  int format_version = kFormatVersion;
  std::string software_version;
  Kind kind = Kind::kAnalysis;
  /// Why there is no guarantee: kSeeded, or empty for a certificate that counts.
  std::string void_because = {};
  Relation relation = Relation::kNeutral;
  std::vector<Claim> claims = {};
  std::vector<CurvePoint> curve = {};
  std::optional<PeopleClaim> people = std::nullopt;
  language::Program program = {};
  Settings settings = {};  ///< accountant and goal; the others have no say
  std::vector<Step> derivation = {};
  std::vector<Input> inputs = {};
  std::vector<Detail> details = {};
};

/// The guarantee in one plain sentence.
[[nodiscard]] std::string sentence_of(const Certificate& certificate);

/// "when one person's data is added or removed" and so on, for sentences.
[[nodiscard]] std::string neighbours_text(Relation relation, const std::string& whose = "one person's data");

/// Whose data may change, by the words of the program: one person's, that of several people or of one in a certain
/// place, and which records are public.
[[nodiscard]] std::string whose_data(const Certificate& certificate);
[[nodiscard]] std::string neighbours_text(const Certificate& certificate);

}  // namespace doeblin::certificate
