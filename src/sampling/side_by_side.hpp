// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>

namespace doeblin::sampling {

/// `asked`, or as many threads as there are processors if that is 0.
[[nodiscard]] unsigned thread_count(unsigned asked);

/// Calls body(0), ..., body(count - 1), each by a thread of its own, and throws the first exception again.
void side_by_side(std::size_t count, const std::function<void(std::size_t)>& body);

}  // namespace doeblin::sampling
