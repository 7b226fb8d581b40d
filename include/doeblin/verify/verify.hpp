// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "doeblin/certificate/certificate.hpp"

/// Certificates computed again by an independent route: ball arithmetic for closed forms and recursions, exact
/// multiplication of whole numbers for compositions. No numerical code is shared with what wrote them.
namespace doeblin::verify {

enum class Verdict {
  kVerified,    ///< the number is proven to be large enough
  kRefuted,     ///< it is proven to be too small
  kNotChecked,  ///< neither
};

[[nodiscard]] std::string_view name(Verdict verdict);

/// What was found out about one claim of a certificate.
struct Check {
  std::string claim;  ///< such as "epsilon <= 2.3762 at delta = 1e-05"
  Verdict verdict;
  std::string reason;  ///< the number that decided it, or why nothing did
};

/// The worst of all: refuted if anything is, verified if everything is.
[[nodiscard]] Verdict overall(const std::vector<Check>& checks);

/// Called with how many claims are settled, of how many.
using VerifyProgress = std::function<void(std::size_t done, std::size_t total)>;

/// Every claim: epsilons, deltas, the curve and the records listed. A void certificate claims nothing, which is not
/// checked either.
[[nodiscard]] std::vector<Check> verify(
    const certificate::Certificate& certificate, const VerifyProgress& progress = [](std::size_t, std::size_t) {});

}  // namespace doeblin::verify
