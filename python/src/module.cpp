// SPDX-License-Identifier: Apache-2.0
// The Python face of the library, thin: python/doeblin makes it comfortable.
#include <cctype>

#include "expression.hpp"

namespace doeblin::python {
namespace {

namespace nb = nanobind;

// The parameters as Python writes them: "--test-fraction" is test_fraction.
std::string in_python(std::string_view message) {
  std::string text;
  bool is_quoted = false;
  for (std::size_t i = 0; i < message.size(); ++i) {
    // What the user wrote stays as it is.
    if (message[i] == '\'') is_quoted = !is_quoted;
    const bool begins = i == 0 || message[i - 1] == ' ' || message[i - 1] == '(';
    const bool is_option = begins && !is_quoted && message.substr(i).starts_with("--") && i + 2 < message.size() &&
                           std::islower(static_cast<unsigned char>(message[i + 2])) != 0;
    if (!is_option) {
      text += message[i];
      continue;
    }
    for (i += 2; i < message.size(); ++i) {
      const char c = message[i];
      if (std::islower(static_cast<unsigned char>(c)) == 0 && c != '-') break;
      text += c == '-' ? '_' : c;
    }
    --i;
  }
  return text;
}

// Messages may quote bytes that are not UTF-8.
void raise(PyObject* type, const std::string& message) {
  const nb::object text =
      nb::steal(PyUnicode_DecodeUTF8(message.data(), static_cast<Py_ssize_t>(message.size()), "replace"));
  if (text.is_valid()) PyErr_SetObject(type, text.ptr());
}

void translate(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const InvalidArgument& error) {
    raise(PyExc_ValueError, in_python(error.what()));
  } catch (const InternalError& error) {
    raise(PyExc_RuntimeError, error.what());
  }
}

}  // namespace
}  // namespace doeblin::python

NB_MODULE(_core, module) {
  using namespace doeblin::python;
  nanobind::register_exception_translator(translate);
  // What outlives the interpreter's last breath is no leak worth a message.
  nanobind::set_leak_warnings(false);
  module.attr("version") = DOEBLIN_VERSION;
  bind_expressions(module);
  bind_training(module);
  bind_release(module);
  bind_audit(module);
}
