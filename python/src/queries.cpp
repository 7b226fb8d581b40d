// SPDX-License-Identifier: Apache-2.0
#include "arguments.hpp"
#include "expression.hpp"

namespace doeblin::python {
namespace {

using pipeline::Answer;
using pipeline::Quantity;
using pipeline::Question;

// (lower, upper, as narrow as promised)
nb::object asked(const Expression& self, Quantity quantity, nb::handle argument) {
  const Question question{quantity, number_of(names(quantity).argument, argument)};
  const pipeline::Mechanism& guarantee = self.pipeline().mechanism();
  const Answer answer = [&] {
    const nb::gil_scoped_release unlocked;
    return pipeline::answer(guarantee, question, self.settings().goal);
  }();
  PyObject* const result = PyTuple_New(3);
  if (result == nullptr) throw nb::python_error();
  PyTuple_SetItem(result, 0, PyFloat_FromDouble(answer.value.lower()));
  PyTuple_SetItem(result, 1, PyFloat_FromDouble(answer.value.upper()));
  PyTuple_SetItem(result, 2, PyBool_FromLong(answer.converged ? 1 : 0));
  return nb::steal(result);
}

// Whether every answer is as narrow as promised.
bool all_asked(const Expression& self, Quantity quantity, const Doubles& arguments, const Output& lower,
               const Output& upper) {
  const std::size_t count = arguments.size();
  ensure(lower.size() == count && upper.size() == count, "room for every answer");
  const pipeline::Mechanism& guarantee = self.pipeline().mechanism();
  const nb::gil_scoped_release unlocked;
  return pipeline::answers(guarantee, quantity, {arguments.data(), count}, {lower.data(), count}, {upper.data(), count},
                           self.settings().goal);
}

}  // namespace

void bind_queries(nb::class_<Expression>& expression) {
  expression
      .def(
          "epsilon", [](const Expression& self, nb::handle delta) { return asked(self, Quantity::kEpsilon, delta); },
          nb::arg().none())
      .def(
          "delta", [](const Expression& self, nb::handle epsilon) { return asked(self, Quantity::kDelta, epsilon); },
          nb::arg().none())
      .def(
          "rdp", [](const Expression& self, nb::handle alpha) { return asked(self, Quantity::kRdp, alpha); },
          nb::arg().none())
      .def("epsilons", [](const Expression& self, const Doubles& delta, const Output& lower,
                          const Output& upper) { return all_asked(self, Quantity::kEpsilon, delta, lower, upper); })
      .def("deltas", [](const Expression& self, const Doubles& epsilon, const Output& lower,
                        const Output& upper) { return all_asked(self, Quantity::kDelta, epsilon, lower, upper); })
      .def("rdps", [](const Expression& self, const Doubles& alpha, const Output& lower, const Output& upper) {
        return all_asked(self, Quantity::kRdp, alpha, lower, upper);
      });
}

}  // namespace doeblin::python
