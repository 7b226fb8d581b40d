// SPDX-License-Identifier: Apache-2.0
#include "doeblin/io/kernel_file.hpp"
#include "doeblin/mixing/kernel_file.hpp"

#include <gtest/gtest.h>

#include "doeblin/mixing/kernel_coefficients.hpp"
#include "support/npy.hpp"
#include "support/temporary_file.hpp"

namespace doeblin::pipeline {
namespace {

using test::bytes;
using test::npy;
using test::TemporaryFile;

// The message without the directory.
std::string refusal(const TemporaryFile& file) {
  std::string message = test::message_of<InvalidArgument>([&] { (void)read_kernel(file.path()); });
  if (const auto at = message.find(file.path()); at != std::string::npos)
    message.replace(at, file.path().size(), "FILE");
  return message;
}

void expect_channel(const std::string& name, const std::string& content) {
  const TemporaryFile file(name, content);
  const FiniteKernel kernel = read_kernel(file.path());
  EXPECT_EQ(kernel.states(), 2U) << name;
  EXPECT_EQ(kernel.outputs(), 3U) << name;
  // Rows (1/4, 1/2, 1/4) and (0, 3/4, 1/4).
  EXPECT_EQ(dobrushin(kernel).value, Bracket(0.25)) << name;
  EXPECT_EQ(hockey_stick(kernel, 0, 1, Epsilon(rounding::kInfinity)).upper(), 0.25) << name;
}

TEST(KernelFile, ReadsEveryFormat) {
  expect_channel("a.csv", "# a channel\n0.25,0.5,0.25\n\n 0, 0.75 ,0.25\r\n");
  const std::string header = "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }\n";
  expect_channel("a.npy", npy(header, bytes<double>({0.25, 0.5, 0.25, 0.0, 0.75, 0.25})));
  expect_channel("b.npy", npy("{'descr': '<f8', 'fortran_order': True, 'shape': (2, 3), }",
                              bytes<double>({0.25, 0.0, 0.5, 0.75, 0.25, 0.25})));
  expect_channel("a.mtx",
                 "%%MatrixMarket matrix coordinate real general\n% comment\n2 3 5\n1 1 0.25\n1 2 0.5\n1 3 0.25\n2 2 "
                 "0.75\n2 3 0.25\n");
  expect_channel("b.mtx", "%%MatrixMarket matrix array real general\n2 3\n0.25\n0\n0.5\n0.75\n0.25\n0.25\n");
  const TemporaryFile symmetric(
      "c.mtx", "%%MatrixMarket matrix coordinate real symmetric\n2 2 3\n1 1 0.25\n2 1 0.75\n2 2 0.25\n");
  EXPECT_EQ(dobrushin(read_kernel(symmetric.path())).value, Bracket(0.5));
}

TEST(KernelFile, MalformedFilesAreNamedWithTheirLine) {
  const auto csv = [](const std::string& content) { return refusal(TemporaryFile("bad.csv", content)); };
  EXPECT_EQ(csv("0.5,0.5\n0.5,0.25,0.25\n"), "FILE:2: 3 values, need 2 as in the first row");
  EXPECT_EQ(csv("0.5,0.5\n-0.5,1.5\n"), "FILE:2: row 2, column 1 = -0.5, need 0 <= entry <= 1");
  EXPECT_EQ(csv("0.5,0.5\n\nnan,1\n"), "FILE:3: column 1 = 'nan', need a finite number that a double can hold");
  EXPECT_EQ(csv("0.5,0.5\n0.5,0.6\n"), "FILE:2: sum of row 2 = 1.1, need 1 (within 1e-12 per entry)");
  EXPECT_EQ(csv(""), "file = 'FILE', need at least one row of numbers");
  EXPECT_EQ(csv("# nothing\n"), "file = 'FILE', need at least one row of numbers");
  EXPECT_EQ(csv("a,b\n"), "FILE:1: column 1 = 'a', need a finite number that a double can hold");
  EXPECT_EQ(csv("0.5,,0.5\n"), "FILE:1: column 2 = '', need a finite number that a double can hold");
  EXPECT_EQ(csv(std::string(std::size_t{17} << 20, '0')), "FILE:1: line too long, need at most 16384 KiB");

  const auto npy_refusal = [](const std::string& content) { return refusal(TemporaryFile("bad.npy", content)); };
  const std::string claim = "{'descr': '<f8', 'fortran_order': False, 'shape': (16384, 16384), }";
  EXPECT_EQ(npy_refusal(npy(claim, "12345678")),
            "FILE: 16384 x 16384 entries, need at most 67108864; a sparse kernel is for more");
  EXPECT_EQ(npy_refusal(npy("{'descr': '<f8', 'fortran_order': False, 'shape': (4096, 4096), }", "12345678")),
            "FILE: 8 bytes of data, need 134217728 for the 4096 x 4096 entries that the header claims");
  EXPECT_EQ(npy_refusal(npy("{'descr': '<i8', 'fortran_order': False, 'shape': (1, 1), }", "12345678")),
            "FILE: NPY type '<i8', need '<f8'");
  EXPECT_EQ(npy_refusal(npy("{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }", "12345678")),
            "FILE: NPY array of 1 dimensions, need 2");
  EXPECT_EQ(npy_refusal(npy("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1, 1), }", "12345678")),
            "FILE: NPY type that is not a plain one, need '<f8'");
  EXPECT_EQ(npy_refusal(npy("{'fortran_order': False}", "")), "FILE: NPY header without 'descr'");
  EXPECT_EQ(npy_refusal(std::string("\x93NUMPY\x01", 7)), "FILE: NPY header that is cut off or of an unknown version");
  EXPECT_EQ(npy_refusal(npy("{'descr': '<f8', 'fortran_order': False, 'shape': (1, 1), }", bytes<double>({1.1}))),
            "FILE: row 1, column 1 = 1.1, need 0 <= entry <= 1");

  const auto market = [](const std::string& content) {
    return refusal(TemporaryFile("bad.mtx", "%%MatrixMarket matrix coordinate real general\n" + content));
  };
  EXPECT_EQ(market("2 2\n"), "FILE:2: 2 sizes, need 3");
  EXPECT_EQ(market("2 2 2\n1 1 1\n3 1 1\n"), "FILE:4: row = 3, need an integer from 1 to 2");
  EXPECT_EQ(market("2 2 2\n1 1 1\n2 1.5 1\n"), "FILE:4: column = 1.5, need an integer from 1 to 2");
  EXPECT_EQ(market("2 2 2\n1 1 1\n2 1 -1\n"), "FILE:4: entry = -1, need 0 <= entry <= 1");
  EXPECT_EQ(market("2 2 2\n1 1 1\n2 1 nan\n"), "FILE:4: entry = 'nan', need a finite number that a double can hold");
  EXPECT_EQ(market("2 2 2\n1 1 1\n2 1\n"), "FILE:4: 2 values, need row, column and entry");
  EXPECT_EQ(market("2 2 3\n1 1 1\n2 1 1\n"), "FILE:4: 2 entries up to here, need 3 as claimed");
  EXPECT_EQ(market("2 2 2\n1 1 1\n2 1 1\n2 2 0\n"), "FILE:5: more entries than the 2 claimed");
  EXPECT_EQ(market("2 2 3\n1 1 1\n2 1 0.6\n2 2 0.5\n"), "FILE:5: sum of row 2 = 1.1, need 1 (within 1e-12 per entry)");
  EXPECT_EQ(market("2 2 3\n1 1 1\n2 1 0.5\n2 1 0.5\n"), "FILE:5: row 2, column 1: the entry is given twice");
  EXPECT_EQ(market("2 2 40000000\n1 1 1\n"), "FILE:2: 40000000 entries claimed, but the file has 65 bytes");
  EXPECT_EQ(market("1 1000000 2\n1 1 1\n"),
            "FILE:2: 1000000 columns for 2 entries, need at most 16 for each and 50000000 in all");
  EXPECT_EQ(market("2 2 9e18\n"), "FILE:2: entries = 9e+18, need an integer from 1 to 50000000");
  EXPECT_EQ(market("2000000000 2000000000 4\n"), "FILE:2: 4 entries, need at least one for each of 2000000000 rows");
  const TemporaryFile oblong("o.mtx", "%%MatrixMarket matrix coordinate real symmetric\n1 2 2\n1 1 0.5\n1 2 0.5\n");
  EXPECT_EQ(refusal(oblong), "FILE:2: 1 x 2, need a square for a symmetric matrix");
  const TemporaryFile pattern("p.mtx", "%%MatrixMarket matrix coordinate pattern general\n1 1 1\n1 1\n");
  EXPECT_NE(refusal(pattern).find("FILE:1: "), std::string::npos);
  const TemporaryFile claimed("d.mtx", "%%MatrixMarket matrix array real general\n8192 8192\n0\n");
  EXPECT_EQ(refusal(claimed), "FILE:2: 8192 x 8192 entries claimed, but the file has 53 bytes");
  EXPECT_EQ(test::message_of<InvalidArgument>([] { (void)read_kernel("/nonexistent/k.csv"); }),
            "file = '/nonexistent/k.csv', need an existing regular file");
  EXPECT_EQ(test::message_of<InvalidArgument>([] { (void)read_kernel("/tmp"); }),
            "file = '/tmp', need an existing regular file");
}

TEST(KernelFile, ReadsEdges) {
  const TemporaryFile file("edges.txt", "# a path\n10 20\n20,30,2.5\n% and a loop\n30\t30\n");
  const io::Graph graph = io::read_edges(file.path());
  EXPECT_EQ(graph.nodes, 3U);
  ASSERT_EQ(graph.edges.size(), 3U);
  EXPECT_EQ(graph.edges[1].first, 1U);
  EXPECT_EQ(graph.edges[1].second, 2U);
  EXPECT_EQ(graph.edges[1].weight, 2.5);
  const auto message = [](const std::string& content) {
    const TemporaryFile bad("edges.txt", content);
    std::string text = test::message_of<InvalidArgument>([&] { (void)io::read_edges(bad.path()); });
    if (const auto at = text.find(bad.path()); at != std::string::npos) text.replace(at, bad.path().size(), "FILE");
    return text;
  };
  EXPECT_EQ(message("1 2\n3\n"), "FILE:2: 1 values, need two nodes and possibly a weight");
  EXPECT_EQ(message("1 2\n3 -4\n"), "FILE:2: node = -4, need an integer from 0 to 4294967295");
  EXPECT_EQ(message("1 2 0\n"), "FILE:1: weight = 0, need weight > 0");
  EXPECT_EQ(message("1 x\n"), "FILE:1: node = 'x', need a finite number that a double can hold");
  EXPECT_EQ(message(""), "file = 'FILE', need at least one edge");
}

}  // namespace
}  // namespace doeblin::pipeline
