// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "doeblin/core/error.hpp"
#include "doeblin/training/data_file.hpp"
#include "support/temporary_file.hpp"

/// Files of records, and what becomes of them.
namespace doeblin::test {

/// So large that nothing is scaled down.
inline constexpr double kHugeNorm = 1e9;

/// A LIBSVM file of five features, and an NPY file whose last column is 0 or 1.
inline training::EncodingRequest libsvm_request() {
  return {.classes = {"-1", "+1"}, .features = 5, .norm = kHugeNorm};
}
inline training::EncodingRequest npy_request() { return {.classes = {"0", "1"}, .norm = kHugeNorm}; }

inline training::LabelledData read_data(const std::string& path, const training::EncodingRequest& request,
                                        const training::ReadOptions& options = {}) {
  training::DataFile file = training::DataFile::open(path);
  return training::read_records(file, training::resolve(request, file), options);
}

/// What is wrong with a file of this name and content; its path is called FILE.
inline std::string data_refusal(const std::string& name, const std::string& content,
                                const training::EncodingRequest& request) {
  const TemporaryFile file(name, content);
  std::string message = message_of<InvalidArgument>([&] { static_cast<void>(read_data(file.path(), request)); });
  for (auto at = message.find(file.path()); at != std::string::npos; at = message.find(file.path()))
    message.replace(at, file.path().size(), "FILE");
  return message;
}

inline std::vector<double> dense_row(const training::Records& records, std::size_t i) {
  return {records.row(i).begin(), records.row(i).end()};
}

using IndexedValues = std::vector<std::pair<std::uint32_t, double>>;
inline IndexedValues indexed(const training::SparseRow& row) {
  IndexedValues all;
  for (std::size_t k = 0; k < row.indices.size(); ++k) all.emplace_back(row.indices[k], row.values[k]);
  return all;
}

/// The header of a table of NumPy.
inline std::string npy_shape(const std::string& type, std::size_t rows, std::size_t columns,
                             const std::string& order = "False") {
  return "{'descr': '" + type + "', 'fortran_order': " + order + ", 'shape': (" + std::to_string(rows) + ", " +
         std::to_string(columns) + "), }\n";
}

}  // namespace doeblin::test
