// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "doeblin/diffusion/diffusion.hpp"
#include "doeblin/mechanism/pipeline.hpp"

namespace doeblin::pipeline {

/// A diffusion that has run for some time, with the way to run it on: `make` builds it for any time.
[[nodiscard]] inline Mechanism running(Mechanism mechanism, const Bracket& time,
                                       const std::function<Evaluated(const Bracket& total)>& make) {
  return std::move(mechanism).with_time([time, make](double more) { return make(time + more); });
}

}  // namespace doeblin::pipeline
