// SPDX-License-Identifier: Apache-2.0
#include "arguments.hpp"

#include "doeblin/core/error.hpp"
#include "doeblin/core/text.hpp"
#include "doeblin/core/whole.hpp"

namespace doeblin::python {
namespace {

constexpr std::size_t kShown = 60;

bool is_whole_text(nb::handle value) { return PyUnicode_Check(value.ptr()) || PyBytes_Check(value.ptr()); }

// NumPy has a type of its own for True and False.
bool is_numpy_bool(nb::handle value) {
  return std::string_view(nb::type_name(value.type()).c_str()).starts_with("numpy.bool");
}

// An array with a shape other than () is not a number, even if it has a single entry.
bool has_shape(nb::handle value) {
  if (!nb::hasattr(value, "shape")) return false;
  const nb::object shape = value.attr("shape");
  return PyTuple_Check(shape.ptr()) && PyTuple_Size(shape.ptr()) > 0;
}

}  // namespace

std::string shown(nb::handle value) {
  const nb::object text = nb::steal(PyObject_Repr(value.ptr()));
  if (!text.is_valid()) {
    PyErr_Clear();
    return "an object without a name";
  }
  // Names may hold what is not UTF-8.
  const nb::object bytes = nb::steal(PyUnicode_AsEncodedString(text.ptr(), "utf-8", "replace"));
  if (!bytes.is_valid()) {
    PyErr_Clear();
    return "an object without a name";
  }
  return printable(std::string_view(PyBytes_AsString(bytes.ptr()), static_cast<std::size_t>(PyBytes_Size(bytes.ptr()))),
                   kShown);
}

void fail_type(std::string_view parameter, nb::handle value, std::string_view need) {
  const std::string message = std::string(parameter) + " = " + shown(value) + ", need " + std::string(need);
  throw nb::type_error(message.c_str());
}

double number_of(std::string_view parameter, nb::handle value) {
  PyObject* const object = value.ptr();
  if (PyFloat_Check(object)) return PyFloat_AsDouble(object);
  if (PyBool_Check(object) || is_numpy_bool(value) || is_whole_text(value) || PyComplex_Check(object) ||
      has_shape(value))
    fail_type(parameter, value, "a number");
  if (!PyLong_Check(object) && !PyIndex_Check(object) && !nb::hasattr(value, "__float__"))
    fail_type(parameter, value, "a number");
  const double number = PyFloat_AsDouble(object);
  if (number == -1.0 && PyErr_Occurred() != nullptr) {
    const bool is_large = PyErr_ExceptionMatches(PyExc_OverflowError) != 0;
    PyErr_Clear();
    if (is_large) throw InvalidArgument(parameter, shown(value), "a number that a double can hold");
    fail_type(parameter, value, "a number");
  }
  return number;
}

std::string text_of(std::string_view parameter, nb::handle value) {
  if (!PyUnicode_Check(value.ptr())) fail_type(parameter, value, "a text");
  const nb::object bytes = nb::steal(PyUnicode_AsEncodedString(value.ptr(), "utf-8", "surrogateescape"));
  if (!bytes.is_valid()) {
    PyErr_Clear();
    throw InvalidArgument(parameter, shown(value), "a text in UTF-8");
  }
  std::string text(PyBytes_AsString(bytes.ptr()), static_cast<std::size_t>(PyBytes_Size(bytes.ptr())));
  if (text.find('\0') != std::string::npos) throw InvalidArgument(parameter, shown(value), "a text without zeros");
  return text;
}

nb::object Options::find(const char* name) const {
  if (!values_.contains(name)) return nb::none();
  return values_[name];
}

std::optional<double> Options::number(const char* name) const {
  const nb::object value = find(name);
  return value.is_none() ? std::nullopt : std::optional(number_of(name, value));
}

std::string Options::text(const char* name, const std::string& standard) const {
  const nb::object value = find(name);
  return value.is_none() ? standard : text_of(name, value);
}

bool Options::flag(const char* name) const {
  const nb::object value = find(name);
  if (value.is_none()) return false;
  if (!PyBool_Check(value.ptr()) && !is_numpy_bool(value)) fail_type(name, value, "True or False");
  return PyObject_IsTrue(value.ptr()) == 1;
}

std::vector<std::string> Options::texts(const char* name) const {
  std::vector<std::string> all;
  const nb::object value = find(name);
  if (value.is_none()) return all;
  if (!PyList_Check(value.ptr()) && !PyTuple_Check(value.ptr())) fail_type(name, value, "a list of texts");
  for (const nb::handle one : value) all.push_back(text_of(name, one));
  return all;
}

std::vector<double> Options::numbers(const char* name) const {
  std::vector<double> all;
  const nb::object value = find(name);
  if (value.is_none()) return all;
  if (!PyList_Check(value.ptr()) && !PyTuple_Check(value.ptr())) fail_type(name, value, "a list of numbers");
  for (const nb::handle one : value) all.push_back(number_of(name, one));
  return all;
}

std::optional<std::uint64_t> Options::count(const char* name) const {
  const std::optional<double> value = number(name);
  if (!value) return std::nullopt;
  require_whole(name, *value, 0.0, 0x1p53, "a whole number from 0 to 2^53");
  return static_cast<std::uint64_t>(*value);
}

}  // namespace doeblin::python
