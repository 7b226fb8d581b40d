// SPDX-License-Identifier: Apache-2.0
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

#include "doeblin/core/error.hpp"
#include "doeblin/training/data_file.hpp"

namespace {

using namespace doeblin;
using namespace doeblin::training;

constexpr double kNorm = 2.0;

void check(bool holds) {
  if (!holds) std::abort();
}

EncodingRequest request_for(const DataFile& file) {
  EncodingRequest request{.classes = {"0", "1", "b"}, .norm = kNorm, .intercept = 0.5};
  if (file.format() == DataFormat::kLibsvm) request.features = 9;
  if (file.format() != DataFormat::kCsv) return request;
  request.label = file.columns().back();
  for (const std::string& name : file.columns()) {
    if (name == request.label) continue;
    if (name.starts_with("c")) request.categorical.push_back({name, {"u", "*"}});
    if (name.starts_with("d")) request.dropped.push_back(name);
  }
  return request;
}

void check_record(const EncodedRecord& record, const Encoding& encoding) {
  const std::span<const double> values = encoding.is_sparse() ? record.sparse.values : record.features;
  check(encoding.is_sparse() ? record.sparse.indices.size() == values.size() : values.size() == encoding.dimension());
  double squares = 0.0;
  for (const double value : values) squares += value * value;
  check(squares <= encoding.norm_bound() * encoding.norm_bound() * (1.0 + 1e-9));
  for (std::size_t k = 0; k < record.sparse.indices.size(); ++k)
    check(record.sparse.indices[k] < encoding.dimension() &&
          (k == 0 || record.sparse.indices[k - 1] < record.sparse.indices[k]));
  if (record.label) check(*record.label == 0.0 || *record.label == 1.0 || *record.label == 2.0);
}

// Read for prediction, what was read for training comes again.
void check_file(const std::string& path, DataFormat format) {
  DataFile file = DataFile::open(path, format);
  const Encoding encoding = resolve(request_for(file), file);
  std::size_t seen = 0;
  DataFile again = DataFile::open(path, format);
  for_each_record(again, encoding, {.needs_label = false}, [&](const EncodedRecord& record) {
    check_record(record, encoding);
    ++seen;
  });
  ReadOptions options;
  options.shard = {3, 5};
  // Files are slow.
  options.limits.memory = seen % 16 == 0 ? 0 : 1 << 20;
  options.split.held_out = 0.25;
  const LabelledData data = read_records(file, encoding, options);
  check(data.train.count() + data.held_out.count() == seen);
}

}  // namespace

// Any bytes are either records, all of them within the norm, or refused with one line.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const int file = memfd_create("data", 0);
  static const std::string path = "/proc/self/fd/" + std::to_string(file);
  if (ftruncate(file, 0) != 0 || pwrite(file, data, size, 0) != static_cast<ssize_t>(size)) std::abort();
  for (const DataFormat format : {DataFormat::kCsv, DataFormat::kLibsvm, DataFormat::kNpy}) {
    try {
      check_file(path, format);
    } catch (const InvalidArgument& error) {
      check(std::strchr(error.what(), '\n') == nullptr);
    }
  }
  return 0;
}
