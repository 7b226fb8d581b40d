// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace doeblin::commands {

/// What `report` is asked for.
struct ReportQuestion {
  std::string input;  ///< a certificate, or a comparison as JSON
  std::string output;
  bool no_comparison = false;
};

/// The page as HTML.
/// Errors   InvalidArgument when the input is neither, or the output would replace what is read
[[nodiscard]] std::string report_page(const ReportQuestion& question);

/// Of a certificate that is at hand; `name` is what the page calls it.
[[nodiscard]] std::string certificate_report_page(const std::string& name, const std::string& certificate,
                                                  bool no_comparison);

/// Of a comparison as JSON.
[[nodiscard]] std::string comparison_report_page(const std::string& name, const std::string& json);

}  // namespace doeblin::commands
