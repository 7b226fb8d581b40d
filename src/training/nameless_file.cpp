// SPDX-License-Identifier: Apache-2.0
#include "training/nameless_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "doeblin/io/part_file.hpp"

namespace doeblin::training {

int open_nameless(const std::string& folder) {
  // Exclusive: nobody can give it a name later.
  const int descriptor = open(folder.c_str(), O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);
  return descriptor >= 0 ? descriptor : open_unlinked(folder);
}

int open_unlinked(const std::string& folder) {
  const PartFile part = create_part(folder + "/doeblin");
  if (part.descriptor >= 0) unlink(part.path.c_str());
  return part.descriptor;
}

}  // namespace doeblin::training
