// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace doeblin::sampling {

/// Products of two words. Not ISO C++, but all supported compilers have them.
__extension__ using DoubleWord = __int128;
__extension__ using UnsignedDoubleWord = unsigned __int128;

}  // namespace doeblin::sampling
