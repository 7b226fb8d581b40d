// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "doeblin/training/data_file.hpp"

namespace doeblin::training {

/// Reads the records of one format.
class RecordSource {
 public:
  RecordSource() = default;
  RecordSource(const RecordSource&) = delete;
  RecordSource& operator=(const RecordSource&) = delete;
  virtual ~RecordSource() = default;

  [[nodiscard]] virtual const std::string& name() const = 0;
  [[nodiscard]] virtual const std::vector<std::string>& columns() const = 0;
  [[nodiscard]] virtual std::uint64_t bytes_done() const = 0;
  [[nodiscard]] virtual std::uint64_t bytes_total() const = 0;

  /// Says, before the first record, how records are encoded.
  /// Errors   InvalidArgument unless the file has what the encoding needs
  virtual void start(const Encoding& encoding, bool needs_label) = 0;
  /// False at the end.
  virtual bool next(EncodedRecord& record) = 0;
};

[[nodiscard]] std::unique_ptr<RecordSource> open_csv(const std::string& path);
[[nodiscard]] std::unique_ptr<RecordSource> open_libsvm(const std::string& path);
[[nodiscard]] std::unique_ptr<RecordSource> open_npy(const std::string& path);
[[nodiscard]] std::unique_ptr<RecordSource> open_table(const Table& table);

}  // namespace doeblin::training
