// SPDX-License-Identifier: Apache-2.0
#include "sampling/coins.hpp"

#include "sampling/coins_body.hpp"

namespace doeblin::sampling {

#if defined(DOEBLIN_AVX2_COINS)
void decide_avx2(const Coins& batch, std::size_t count);
#endif

void decide(const Coins& batch, std::size_t count) {
#if defined(DOEBLIN_AVX2_COINS)
  static const bool has_avx2 = __builtin_cpu_supports("avx2") != 0;
  if (has_avx2) return decide_avx2(batch, count);
#endif
  decide_all(batch, count);
}

}  // namespace doeblin::sampling
