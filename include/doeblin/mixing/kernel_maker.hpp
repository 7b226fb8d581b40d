// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "doeblin/mechanism/maker.hpp"
#include "doeblin/mixing/kernel.hpp"

namespace doeblin::pipeline {

using KernelMaker = Maker<Kernel>;

}  // namespace doeblin::pipeline
