// SPDX-License-Identifier: Apache-2.0
#include "doeblin/issuing/load.hpp"

#include <cmath>

#include <fmt/format.h>

#include "doeblin/certificate/certificate_file.hpp"
#include "doeblin/core/format.hpp"
#include "doeblin/core/text.hpp"
#include "doeblin/issuing/issue.hpp"
#include "doeblin/pipeline/evaluate.hpp"

namespace doeblin::certificate {
namespace {

// "black_box(epsilon=1.2, delta=1e-06)": what it claims and no more.
std::string as_black_box(const Certificate& certificate) {
  for (const Claim& claim : certificate.claims) {
    const double epsilon = claim.is_epsilon ? claim.value.upper() : claim.at;
    const double delta = claim.is_epsilon ? claim.at : claim.value.upper();
    if (std::isfinite(epsilon))
      return fmt::format("black_box(epsilon={}, delta={})", format_exact(epsilon), format_exact(delta));
  }
  return "black_box(epsilon=..., delta=...)";
}

bool holds_records_out(const Certificate& certificate) {
  for (const Detail& detail : certificate.details) {
    const auto* const share = std::get_if<double>(&detail.value);
    if (certificate.kind == Kind::kTraining && detail.name == kHeldOutShare && share != nullptr && *share > 0.0)
      return true;
  }
  return false;
}

void require_operand(const Certificate& certificate) {
  if (!certificate.void_because.empty()) throw InvalidArgument("void, no guarantee: " + certificate.void_because);
  if (certificate.kind == Kind::kRelease)
    throw InvalidArgument(
        fmt::format("a release of noise on a grid, which expressions have no words for; write what it claims instead, "
                    "{}, which holds {}",
                    as_black_box(certificate), neighbours_text(certificate)));
  if (holds_records_out(certificate))
    throw InvalidArgument(fmt::format(
        "a run that held out records, which it does not cover; if that is meant, write its expression instead: {}",
        short_text(certificate.program)));
}

void require_same_files(const Certificate& certificate) {
  const std::vector<Input> inputs = inputs_of(certificate.program);
  if (inputs != certificate.inputs)
    throw InvalidArgument("the files that it names are not those that were certified; issue it again");
}

}  // namespace

language::Program program_in(const std::string& path) {
  Certificate certificate = read_certificate_file(path);
  try {
    require_operand(certificate);
    require_same_files(certificate);
  } catch (const InvalidArgument& error) {
    throw error.within(printable_path(path));
  }
  return std::move(certificate.program);
}

pipeline::Pipeline load(const std::string& path, const Settings& settings) {
  return pipeline::evaluate(program_in(path), settings);
}

}  // namespace doeblin::certificate
