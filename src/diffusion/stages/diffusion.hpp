// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "doeblin/diffusion/diffusion.hpp"
#include "doeblin/mechanism/pipeline.hpp"

namespace doeblin::pipeline {

/// A diffusion that has run for some time, with the way to run it on: `make` builds it for any time.
[[nodiscard]] inline Guarantee running(Guarantee guarantee, const Bracket& time,
                                       const std::function<Evaluated(const Bracket& total)>& make) {
  guarantee.evolved = [time, make](double more) { return make(time + more); };
  return guarantee;
}

}  // namespace doeblin::pipeline
