// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

/// From Python objects to numbers and texts, with errors that name the parameter.
namespace doeblin::python {

namespace nb = nanobind;

/// Row-major doubles of any shape, read only.
using Doubles = nb::ndarray<const double, nb::c_contig, nb::device::cpu>;
/// Likewise, to be filled in.
using Output = nb::ndarray<double, nb::c_contig, nb::device::cpu>;

/// A float, an int, or anything with __float__ that is a single number (NumPy's scalars).
/// Errors   TypeError "sigma: 'x', need a number"; ValueError for an int that no double can hold
[[nodiscard]] double number_of(std::string_view parameter, nb::handle value);

/// Errors   TypeError unless it is a str
[[nodiscard]] std::string text_of(std::string_view parameter, nb::handle value);

/// A text of Python as bytes; what came from bytes that are not UTF-8 (names of files) becomes those bytes again.
struct Text {
  std::string bytes;
};

/// What Python calls the object, shortened: for error messages.
[[nodiscard]] std::string shown(nb::handle value);

[[noreturn]] void fail_type(std::string_view parameter, nb::handle value, std::string_view need);

/// The keyword arguments of a function; None counts as missing.
class Options {
 public:
  explicit Options(nb::dict values) : values_(std::move(values)) {}

  [[nodiscard]] bool has(const char* name) const { return !find(name).is_none(); }
  [[nodiscard]] nb::object find(const char* name) const;
  [[nodiscard]] std::optional<double> number(const char* name) const;
  [[nodiscard]] double number(const char* name, double standard) const { return number(name).value_or(standard); }
  [[nodiscard]] std::string text(const char* name, const std::string& standard = {}) const;
  [[nodiscard]] bool flag(const char* name) const;
  [[nodiscard]] std::vector<std::string> texts(const char* name) const;
  [[nodiscard]] std::vector<double> numbers(const char* name) const;
  /// Errors   ValueError unless it is a whole number from 0 to 2^53
  [[nodiscard]] std::optional<std::uint64_t> count(const char* name) const;

 private:
  nb::dict values_;
};

}  // namespace doeblin::python

template <>
struct nanobind::detail::type_caster<doeblin::python::Text> {
  NB_TYPE_CASTER(doeblin::python::Text, const_name("str"))

  // The type of the flags depends on the version of nanobind.
  template <typename Flags>
  bool from_python(handle source, Flags, cleanup_list*) noexcept {
    if (!PyUnicode_Check(source.ptr())) return false;
    const object encoded = steal(PyUnicode_AsEncodedString(source.ptr(), "utf-8", "surrogateescape"));
    if (!encoded.is_valid()) {
      // Half of a pair of surrogates: no file and no expression has that.
      PyErr_Clear();
      value.bytes = "\xff";
      return true;
    }
    value.bytes.assign(PyBytes_AsString(encoded.ptr()), static_cast<std::size_t>(PyBytes_Size(encoded.ptr())));
    return true;
  }
};
