// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "doeblin/certificate/certificate.hpp"
#include "doeblin/report/comparison.hpp"

/// Guarantees as pages for people: one HTML file that loads nothing and runs nothing, for screens of any width, light
/// or dark, for paper and for screen readers.
namespace doeblin::report {

/// What a page shows besides the certificate.
struct Companions {
  /// What the certificate's file is called, for the command that verifies it.
  std::string file_name = "certificate.json";
  std::optional<Comparison> comparison = std::nullopt;
  /// Why there is no comparison, in a sentence; empty if nobody asked for one.
  std::string no_comparison = {};
};

/// A void certificate gets a page that says so first, and calls nothing a guarantee.
[[nodiscard]] std::string certificate_page(const certificate::Certificate& certificate, const Companions& companions);

[[nodiscard]] std::string comparison_page(const Comparison& comparison);

}  // namespace doeblin::report
