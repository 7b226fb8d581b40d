// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "doeblin/mechanism/stage.hpp"

namespace doeblin::pipeline {

/// A guarantee about additions and removals, as one about exchanges of as many people: whoever exchanges a record removes
/// one and adds another (catalogue C9). Nobody is known who comes near.
/// Domain: an add/remove guarantee for data of any size
[[nodiscard]] Stage as_substitution();

}  // namespace doeblin::pipeline
