// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "doeblin/certificate/certificate.hpp"

/// The files that a certificate names. Whoever wrote it chose them, and need not be allowed to read them: nothing that
/// is in them may come into a message, which may go back to that person.
namespace doeblin::commands {

/// Compares them with what was certified; to be asked before anything else looks into them.
/// Errors   InvalidArgument that names the file
void require_certified_files(const certificate::Certificate& certificate);

/// An error that came up while a certificate's expression was evaluated: as it is if the expression names no file,
/// otherwise which file and which line it is about, and no more.
[[nodiscard]] std::string without_content(const certificate::Certificate& certificate, std::string_view message);

}  // namespace doeblin::commands
