// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace doeblin::training {

/// A file in the folder that has no name and is gone when it is closed; -1, with errno, when there can be none.
[[nodiscard]] int open_nameless(const std::string& folder);

/// The same for file systems that have no such files: the name is taken away at once.
[[nodiscard]] int open_unlinked(const std::string& folder);

}  // namespace doeblin::training
