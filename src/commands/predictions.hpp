// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace doeblin::commands {

/// What `predict` is asked for.
struct PredictQuestion {
  std::string model;
  std::string data;
  std::string format;
  /// Empty: standard output.
  std::string output;
};

/// Writes a line of CSV for every record, into a file that only its owner can read: it is about these records.
void predict(const PredictQuestion& question);

}  // namespace doeblin::commands
