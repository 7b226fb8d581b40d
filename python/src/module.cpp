// SPDX-License-Identifier: Apache-2.0
// The Python face of the library, thin: python/doeblin makes it comfortable.
#include "expression.hpp"

namespace doeblin::python {
namespace {

namespace nb = nanobind;

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
    raise(PyExc_ValueError, error.what());
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
