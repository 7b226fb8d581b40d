// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "doeblin/core/sentence.hpp"

namespace doeblin::commands {

/// Why `release` and `train` do not replace what they wrote before: whoever sees both learns more than either tells.
inline const Sentence kNoSecondFile{
    "a file that is not there yet: a second run is a second release about the same people, and privacy losses add up; ",
    Option{"force"}, " replaces it"};
inline const Sentence kNoSecondModel{
    "a folder without a model.json: a second run is a second release about the same people, and privacy losses add "
    "up; ",
    Option{"force"}, " replaces it"};

}  // namespace doeblin::commands
