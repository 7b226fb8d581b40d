// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>

namespace doeblin::python {

/// Lets Ctrl-C end long work that calls this now and then: throws what Python's handler raised. Takes the lock.
inline void throw_if_interrupted() {
  const nanobind::gil_scoped_acquire lock;
  if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
}

}  // namespace doeblin::python
