// SPDX-License-Identifier: Apache-2.0
// The Python face of the library: thin, with the names of the C++ and of the command line.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "doeblin/core/format.hpp"
#include "doeblin/pipeline/expression.hpp"
#include "doeblin/pipeline/stages.hpp"

namespace nb = nanobind;
using namespace doeblin;
using pipeline::Pipeline;

namespace {

SteepnessShape::Bend bend_of(const std::string& name) {
  if (name == "decreasing") return SteepnessShape::Bend::kDecreasing;
  if (name == "convex") return SteepnessShape::Bend::kConvex;
  if (name == "log_convex") return SteepnessShape::Bend::kLogConvex;
  throw InvalidArgument("bend", "'" + name + "'", "decreasing, convex or log_convex");
}

Pipeline diffusion(const nb::callable& kappa, double time, const std::string& bend, double rate, double power,
                   double relative_error, double relative_width) {
  const auto called = [kappa](double at) {
    double value = 0.0;
    if (!nb::try_cast(kappa(at), value)) throw nb::type_error("kappa must return a number");
    return value;
  };
  return pipeline::diffusion(steepness_of(called, relative_error), time,
                             {.bend = bend_of(bend), .rate = rate, .power = power}, {.relative_width = relative_width});
}

}  // namespace

NB_MODULE(_core, module) {
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const InvalidArgument& error) {
      PyErr_SetString(PyExc_ValueError, error.what());
    }
  });

  nb::class_<Bracket>(module, "Bracket", "A number known to lie between lower and upper.")
      .def_prop_ro("lower", &Bracket::lower)
      .def_prop_ro("upper", &Bracket::upper)
      .def("__float__", &Bracket::upper, "The safe end.")
      .def("__repr__", [](const Bracket& x) {
        return "Bracket(" + format_exact(x.lower()) + ", " + format_exact(x.upper()) + ")";
      });

  nb::class_<Pipeline>(module, "Pipeline", "A source piped through stages, with its guarantee.")
      .def(
          "epsilon", [](const Pipeline& self, double delta) { return self.epsilon(Delta(delta)); }, nb::arg("delta"),
          "Encloses the smallest epsilon at delta.")
      .def(
          "delta", [](const Pipeline& self, double epsilon) { return self.delta(Epsilon(epsilon)); },
          nb::arg("epsilon"), "Encloses delta at epsilon.")
      .def(
          "rdp", [](const Pipeline& self, double alpha) { return self.rdp(Alpha(alpha)); }, nb::arg("alpha"),
          "Encloses the Renyi divergence of order alpha.")
      .def(
          "evolve", [](const Pipeline& self, double time) { return self | pipeline::evolve(time); }, nb::arg("time"),
          "The same diffusion after some more time.");

  module.def(
      "parse", [](const std::string& expression) { return pipeline::parse(expression); }, nb::arg("expression"),
      "The pipeline that an expression describes, such as 'ornstein_uhlenbeck(0.5, 1, 2) | evolve(1)'.");
  module.def("diffusion", &diffusion, nb::arg("kappa"), nb::arg("time"), nb::kw_only(), nb::arg("bend") = "decreasing",
             nb::arg("rate") = 0.0, nb::arg("power") = 0.0, nb::arg("relative_error") = 1e-14,
             nb::arg("relative_width") = 1e-8,
             "Any symmetric diffusion that ran for `time`, known by its steepness kappa(s) (catalogue D3).\n\n"
             "`bend` is what is known about kappa: decreasing, convex or log_convex. It must fall at a `rate`, or\n"
             "like 1/s to a `power` above 1, for its integral to be finite. `relative_error` bounds the error of the\n"
             "function itself.");
}
