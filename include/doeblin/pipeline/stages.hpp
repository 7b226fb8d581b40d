// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The algebra: gaussian({.sigma = 1.1}) | poisson(0.01) | compose(10).
#include "doeblin/composition/stages.hpp"
#include "doeblin/diffusion/stages.hpp"
#include "doeblin/iteration/noisy_sgd.hpp"
#include "doeblin/mechanism/stages.hpp"
#include "doeblin/mixing/stages.hpp"
#include "doeblin/subsampling/stages.hpp"
