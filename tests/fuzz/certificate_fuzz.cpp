// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "doeblin/certificate/certificate_file.hpp"
#include "doeblin/core/error.hpp"

// Any bytes are either a certificate, which is written as it was read, or refused with one line.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace doeblin;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  // Whatever is wrong with its numbers is found before the seal is looked at; so is what the writer makes of them.
  try {
    const certificate::Certificate read = certificate::read_certificate("fuzz", text);
    const std::string again = certificate::text_of(read);
    if (certificate::text_of(certificate::read_certificate("fuzz", again)) != again) std::abort();
  } catch (const InvalidArgument& error) {
    if (std::strchr(error.what(), '\n') != nullptr) std::abort();
  }
  return 0;
}
