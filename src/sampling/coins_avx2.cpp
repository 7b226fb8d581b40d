// SPDX-License-Identifier: Apache-2.0
// Compiled for AVX2.
#include "sampling/coins_body.hpp"

namespace doeblin::sampling {

void decide_avx2(const Coins& batch, std::size_t count);

void decide_avx2(const Coins& batch, std::size_t count) { decide_all(batch, count); }

}  // namespace doeblin::sampling
