// SPDX-License-Identifier: Apache-2.0
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arguments.hpp"
#include "commands/release_certificate.hpp"
#include "commands/release_report.hpp"
#include "doeblin/certificate/certificate_file.hpp"
#include "expression.hpp"
#include "interrupt.hpp"

namespace doeblin::python {
namespace {

using commands::ReleaseReport;
using commands::ReleaseRequest;

// A text, or a source.
language::Call mechanism_of(nb::handle mechanism, bool has_tiers) {
  return nb::isinstance<Expression>(mechanism)
             ? commands::mechanism_call(nb::cast<const Expression&>(mechanism).program(), has_tiers)
             : commands::parse_mechanism(text_of("mechanism", mechanism), has_tiers);
}

ReleaseRequest request_of(nb::handle mechanism, const Options& options) {
  ReleaseRequest request;
  request.tiers = options.numbers("tiers");
  if (options.has("tiers") && request.tiers.empty())
    throw InvalidArgument("tiers", "no times", "at least one, or None");
  request.mechanism = mechanism_of(mechanism, !request.tiers.empty());
  request.rows_per_person = options.number("rows_per_person");
  request.epsilon = options.number("epsilon");
  request.delta = options.number("delta", commands::standard_delta(request.mechanism));
  request.is_strict = options.flag("strict");
  request.insecure_seed = options.number("insecure_seed");
  return request;
}

// Names of columns and files may hold what is not UTF-8.
nb::object unicode(const std::string& text) {
  return nb::steal(PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace"));
}

// What was promised about a release that is done, without anything about the values.
class Promise {
 public:
  explicit Promise(ReleaseReport report) : report_(std::move(report)) {}

  [[nodiscard]] nb::object json() const { return unicode(commands::json_release(report_)); }
  [[nodiscard]] nb::object text() const { return unicode(commands::text_release(report_)); }
  [[nodiscard]] std::vector<std::string> certificates() const {
    const nb::gil_scoped_release unlocked;
    std::vector<std::string> texts;
    for (const certificate::Certificate& one : commands::certificates_of(report_))
      texts.push_back(certificate::text_of(one));
    return texts;
  }

 private:
  ReleaseReport report_;
};

// (name, (low, high) or None, sensitivity or None)
sampling::ColumnLimits limits_of(std::string_view parameter, const nb::tuple& column) {
  sampling::ColumnLimits limits{.name = text_of(parameter, column[0])};
  if (!column[1].is_none()) {
    const auto bounds = nb::cast<nb::tuple>(column[1]);
    limits.bounds = {number_of("bounds", bounds[0]), number_of("bounds", bounds[1])};
  }
  if (!column[2].is_none()) limits.sensitivity = number_of("sensitivity", column[2]);
  return limits;
}

// [(place in a row, limits)], in the order in which noise is drawn.
commands::ReleaseTable table_of(const Doubles& values, const nb::list& columns) {
  commands::ReleaseTable table{{values.data(), values.size()}, {}, {}};
  for (const nb::handle one : columns) {
    const auto column = nb::cast<nb::tuple>(one);
    table.places.push_back(nb::cast<std::size_t>(column[0]));
    table.columns.push_back(limits_of("names", nb::cast<nb::tuple>(column[1])));
  }
  return table;
}

// An array that owns its numbers.
nb::object array_of(std::vector<double> numbers, std::size_t rows, std::size_t columns) {
  auto* const kept = new std::vector<double>(std::move(numbers));
  const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<double>*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, double>(kept->data(), {rows, columns}, owner));
}

// (tables, promise)
nb::tuple release_table(const Doubles& values, const nb::list& columns, nb::handle mechanism, const nb::dict& options) {
  const ReleaseRequest request = request_of(mechanism, Options(options));
  const commands::ReleaseTable table = table_of(values, columns);
  commands::ReleasedTable released = [&] {
    const nb::gil_scoped_release unlocked;
    return commands::release_table(request, table, throw_if_interrupted);
  }();
  nb::list tables;
  for (std::vector<double>& one : released.tables)
    tables.append(array_of(std::move(one), released.report.done.rows, table.columns.size()));
  return nb::make_tuple(tables, Promise(std::move(released.report)));
}

// (json, text)
nb::tuple release_file(nb::handle mechanism, const nb::dict& values) {
  const Options options(values);
  ReleaseRequest request = request_of(mechanism, options);
  request.input = options.text("input");
  request.output = options.text("output");
  for (const nb::handle one : nb::cast<nb::list>(options.find("columns")))
    request.columns.push_back(limits_of("columns", nb::cast<nb::tuple>(one)));
  request.public_columns = options.texts("public");
  request.dropped_columns = options.texts("drop");
  request.is_forced = options.flag("force");
  const std::string certificate = options.text("certificate");
  std::string json, text;
  {
    const nb::gil_scoped_release unlocked;
    if (!certificate.empty()) commands::require_room_for_certificate(certificate, request);
    const ReleaseReport report = commands::release_report(request, throw_if_interrupted);
    if (!certificate.empty()) commands::write_certificates(certificate, report);
    json = commands::json_release(report);
    text = commands::text_release(report);
  }
  return nb::make_tuple(unicode(json), unicode(text));
}

}  // namespace

void bind_release(nb::module_& module) {
  nb::class_<Promise>(module, "Promise")
      .def_prop_ro("json", &Promise::json)
      .def_prop_ro("text", &Promise::text)
      .def("certificates", &Promise::certificates);
  module.def("release_table", &release_table, nb::arg(), nb::arg(), nb::arg().none(), nb::arg());
  module.def("release_file", &release_file, nb::arg().none(), nb::arg());
}

}  // namespace doeblin::python
