// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "doeblin/training/encoding.hpp"
#include "doeblin/training/records.hpp"

namespace doeblin::training {

enum class DataFormat {
  kCsv,     ///< a header, then fields separated by commas
  kLibsvm,  ///< "label index:value ..." with indices that increase from 1; comments after #
  kNpy      ///< a table of NumPy, row by row
};

/// "csv", "libsvm" or "npy".
[[nodiscard]] std::string_view name(DataFormat format);
/// Errors   InvalidArgument for other names
[[nodiscard]] DataFormat format_named(std::string_view text);
/// By the end of the name: .csv, .libsvm, .svm, .svmlight or .npy; standard input, "-", is CSV.
/// Errors   InvalidArgument for other names
[[nodiscard]] DataFormat format_of(const std::string& path);

/// Numbers in memory, row after row, that are read as the rows of an NPY file would be: the label is the last column.
struct Table {
  std::string name;  ///< what errors call it
  std::size_t rows = 0;
  std::size_t columns = 0;
  const double* features = nullptr;  ///< must outlive whatever reads the table
  const double* labels = nullptr;    ///< null: there are none
};

class RecordSource;
struct EncodedRecord;
struct RecordOptions;

/// A file of records that is read once, from its beginning to its end, with memory for about a block of it.
class DataFile {
 public:
  /// Reads what stands before the first record. "-" is standard input, for CSV and LIBSVM.
  /// Errors   InvalidArgument for what cannot be read or is not of the format
  [[nodiscard]] static DataFile open(const std::string& path, std::optional<DataFormat> format = {});
  [[nodiscard]] static DataFile of(const Table& table);
  DataFile(DataFile&&) noexcept;
  DataFile& operator=(DataFile&&) noexcept;
  ~DataFile();

  [[nodiscard]] DataFormat format() const { return format_; }
  /// What errors call the file.
  [[nodiscard]] const std::string& name() const;
  /// Names of a CSV file; "1", "2", ... of an NPY file; none of a LIBSVM file.
  [[nodiscard]] const std::vector<std::string>& columns() const;
  [[nodiscard]] std::uint64_t bytes_done() const;
  /// 0 when it is not known, as for a pipe.
  [[nodiscard]] std::uint64_t bytes_total() const;

 private:
  DataFile(DataFormat format, std::unique_ptr<RecordSource> source);
  DataFormat format_;
  std::unique_ptr<RecordSource> source_;

  friend void for_each_record(DataFile& file, const Encoding& encoding, const RecordOptions& options,
                              const std::function<void(const EncodedRecord&)>& take);
};

/// The encoding of this file.
/// Errors   as resolve() and resolve_numbered()
[[nodiscard]] Encoding resolve(const EncodingRequest& request, const DataFile& file);

/// A record on its way; the views hold until the next one.
struct EncodedRecord {
  /// Of the file, from 1; of an NPY file the row.
  std::uint64_t line = 0;
  /// Of a dense encoding, intercept included.
  std::span<const double> features = {};
  /// Of a sparse one.
  SparseRow sparse = {};
  std::optional<double> label = {};
  /// The line without blanks around it, or the bytes of the row.
  std::string_view content = {};
};

/// Called between blocks with the bytes that were read and those of the file, 0 if not known.
using ReadProgress = std::function<void(std::uint64_t, std::uint64_t)>;

struct RecordOptions {
  /// Refuse records without a valid label; otherwise they come without one, and the file need not have the column.
  bool needs_label = true;
  ReadProgress progress = {};
};

/// Calls `take` with every record of the file, in order. Columns that the encoding does not name are passed over.
///
/// Errors   InvalidArgument "file:line: column 'x' = 'abc', need ..." for the first record that is not valid, and for
///          a file without any
void for_each_record(DataFile& file, const Encoding& encoding, const RecordOptions& options,
                     const std::function<void(const EncodedRecord&)>& take);

/// Which records are kept from training, to measure a model on.
///
/// Formula  a record is held out iff H < 2^64 held_out, where H is the first 64 bits (little endian) of the 32 bytes
///          of BLAKE2b of: length of the key (8 bytes, little endian), key, content of the record
/// So it depends on nothing but the record and the key: not on the order, the name of the file or other records.
/// Records with the same content are always on the same side. What a record says then decides on which side it is, so
/// guarantees are about exchanging it for another one on the same side. By position instead, the content is the number
/// of the record in the file (8 bytes, little endian, from 0), and a guarantee is about any other record.
struct Split {
  double held_out = 0.0;
  std::string key = {};
  bool is_by_position = false;

  /// Errors   InvalidArgument unless 0 <= held_out < 1
  void validate() const;
};

struct ReadOptions {
  /// Of the records that are trained on and, likewise, of those held out, both counted from 0.
  Shard shard = {};
  /// For all of them together.
  StorageLimits limits = {};
  Split split = {};
  ReadProgress progress = {};
};

struct LabelledData {
  Records train;
  Records held_out;
};

/// All records of the file. Those of other shards are checked as well, so every part of a split job refuses the same
/// files.
/// Errors   as for_each_record(), and when no record is left to train on
[[nodiscard]] LabelledData read_records(DataFile& file, const Encoding& encoding, const ReadOptions& options = {});

}  // namespace doeblin::training
