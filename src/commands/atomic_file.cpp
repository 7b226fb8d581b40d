// SPDX-License-Identifier: Apache-2.0
#include "commands/atomic_file.hpp"

#include <ostream>
#include <streambuf>
#include <vector>

#include "doeblin/io/atomic_file.hpp"

namespace doeblin::commands {
namespace {

// Collects what a stream writes and hands it on in blocks.
class BlockBuffer : public std::streambuf {
 public:
  explicit BlockBuffer(AtomicFile& file) : file_(file), block_(1 << 16) {
    setp(block_.data(), block_.data() + block_.size());
  }

 protected:
  int_type overflow(int_type c) override {
    sync();
    if (c != traits_type::eof()) sputc(traits_type::to_char_type(c));
    return traits_type::not_eof(c);
  }
  int sync() override {
    file_.write({pbase(), static_cast<std::size_t>(pptr() - pbase())});
    setp(block_.data(), block_.data() + block_.size());
    return 0;
  }

 private:
  AtomicFile& file_;
  std::vector<char> block_;
};

}  // namespace

void write_atomically(const std::string& option, const std::string& path,
                      const std::function<void(std::ostream&)>& write) {
  AtomicFile file(option, path);
  BlockBuffer buffer(file);
  std::ostream out(&buffer);
  out.exceptions(std::ios::badbit);
  write(out);
  out.flush();
  file.commit();
}

}  // namespace doeblin::commands
