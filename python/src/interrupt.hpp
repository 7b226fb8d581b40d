// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>

#include <nanobind/nanobind.h>

#include "commands/process_guard.hpp"

namespace doeblin::python {

/// Lets Ctrl-C end long work that calls this now and then: throws what Python's handler raised. Takes the lock.
inline void throw_if_interrupted() {
  const nanobind::gil_scoped_acquire lock;
  if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
}

/// Runs work that ends soon after commands::StopsOnSignals::asked(), without the lock. Ctrl-C raises KeyboardInterrupt
/// whatever it was doing, and whether it ended, failed or was done: Python's own handler is not there meanwhile.
template <typename Work>
void run_until_interrupted(const Work& work) {
  commands::StopsOnSignals signals(commands::StopsOnSignals::Which::kInterrupt);
  std::exception_ptr problem;
  {
    const nanobind::gil_scoped_release unlocked;
    try {
      work();
    } catch (...) {
      problem = std::current_exception();
    }
  }
  if (signals.give_back()) {
    PyErr_SetNone(PyExc_KeyboardInterrupt);
    throw nanobind::python_error();
  }
  if (problem) std::rethrow_exception(problem);
}

}  // namespace doeblin::python
