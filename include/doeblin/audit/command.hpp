// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <string>

#include "doeblin/audit/audit.hpp"
#include "doeblin/sampling/random_stream.hpp"

namespace doeblin::audit {

/// A program that prints what a mechanism releases.
struct CommandOptions {
  /// For the shell. {input} becomes the path of the input, in quotes, so it must not stand inside of others; {seed}
  /// becomes a number that differs from call to call.
  std::string command;
  /// The two neighbouring inputs.
  std::string first;
  std::string second;
  /// How many independent outputs one call prints, one on each line.
  std::size_t runs_per_call = 1;
  /// Seconds after which a call is given up.
  double timeout = 60.0;
  /// Outputs are words: whole lines that are equal or not.
  bool is_categorical = false;
  /// Where the seeds come from.
  sampling::RandomSource source = sampling::RandomSource::secure();
  /// Ends the programs that are running soon after it is set.
  const std::atomic<bool>* stop = nullptr;

  void validate() const;
};

/// Runs `sh -c command`, several at a time. An output is a line of numbers, separated by blanks or commas.
///
/// The runs of one call must be independent of each other, as those of different calls are: an audit rests on that.
/// Errors   InvalidArgument, one line, for a program that fails, takes too long, prints too little or no numbers
[[nodiscard]] Subject command_subject(const CommandOptions& options);

}  // namespace doeblin::audit
