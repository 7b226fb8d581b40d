// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>

namespace doeblin::numerics {

/// Calls body(0), ..., body(count - 1), each once, on all cores and in no particular order. The first exception that
/// a body throws is thrown again here, and what has not begun by then is left out.
///
/// `finished` is called by the calling thread only, now and then, with how many bodies are done.
void parallel_for(std::size_t count, const std::function<void(std::size_t)>& body,
                  const std::function<void(std::size_t)>& finished = {});

}  // namespace doeblin::numerics
