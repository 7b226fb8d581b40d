// SPDX-License-Identifier: Apache-2.0
#include "training/nameless_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>

namespace doeblin::training {

int open_nameless(const std::string& folder) {
  // Exclusive: nobody can give it a name later.
  const int descriptor = open(folder.c_str(), O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);
  return descriptor >= 0 ? descriptor : open_unlinked(folder);
}

int open_unlinked(const std::string& folder) {
  std::string path = folder + "/doeblin_XXXXXX";
  const int descriptor = mkostemp(path.data(), O_CLOEXEC);
  if (descriptor >= 0) unlink(path.c_str());
  return descriptor;
}

}  // namespace doeblin::training
