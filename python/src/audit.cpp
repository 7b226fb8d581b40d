// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <future>

#include <nanobind/stl/string.h>

#include "arguments.hpp"
#include "commands/audit_report.hpp"
#include "doeblin/core/text.hpp"
#include "expression.hpp"
#include "interrupt.hpp"

namespace doeblin::python {
namespace {

using audit::Outputs;
using audit::Side;
using commands::AuditReport;
using commands::AuditRequest;

// Outputs of a function that are asked for at once, when it gives one at a time.
constexpr std::size_t kAtOnce = 1024;
// Numbers that are kept of a function's outputs.
constexpr double kMostNumbers = 0x1p28;

AuditRequest request_of(const Options& options, std::uint64_t runs) {
  AuditRequest request{.expression = options.text("expression"), .command = options.text("command")};
  request.inputs = options.texts("inputs");
  request.runs_per_call = options.count("runs_per_call").value_or(1);
  request.timeout = options.number("timeout", request.timeout);
  request.has_labels = options.flag("labels");
  request.noise_factor = options.number("noise_factor", 1.0);
  request.epsilon = options.number("epsilon");
  request.delta = options.number("delta");
  request.certificate = options.text("certificate");
  request.certificate_text = options.text("certificate_text");
  request.is_gaussian = options.flag("gaussian");
  request.runs = options.count("runs").value_or(runs);
  request.confidence = options.number("confidence", request.confidence);
  request.insecure_seed = options.count("insecure_seed");
  return request;
}

nb::tuple printed(const AuditReport& report) {
  return nb::make_tuple(commands::json_audit(report), commands::text_audit(report));
}

// The audit works in the background while this thread, which alone sees signals, waits for it.
AuditReport interruptible(const AuditRequest& request) {
  const nb::gil_scoped_release unlocked;
  std::atomic<bool> stop{false};
  auto working = std::async(std::launch::async, [&] { return commands::audit_run(request, stop); });
  while (working.wait_for(std::chrono::milliseconds(50)) != std::future_status::ready) {
    try {
      throw_if_interrupted();
    } catch (...) {
      stop = true;
      working.wait();
      throw;
    }
  }
  std::optional<AuditReport> report = working.get();
  ensure(report.has_value(), "an audit that nobody stopped comes to its end");
  return *std::move(report);
}

// (json, text), of what an expression or a program gives.
nb::tuple audited(const nb::object& pipeline, const nb::dict& values) {
  const Options options(values);
  AuditRequest request = request_of(options, options.has("command") ? 10'000 : 1'000'000);
  if (!pipeline.is_none()) {
    const auto& expression = nb::cast<const Expression&>(pipeline);
    request.built = {expression.pipeline(), expression.program()};
    request.settings = expression.settings();
  }
  return printed(interruptible(request));
}

// Rows that Python drew.
void append(Outputs& outputs, const Doubles& rows, std::size_t count) {
  ensure(rows.ndim() == 2 && rows.shape(0) == count, "a row for each output");
  if (outputs.values.empty()) outputs.dimension = rows.shape(1);
  // Auditors compare whole blocks with the first run; within one, it is up to us.
  if (rows.shape(1) != outputs.dimension)
    throw InvalidArgument("mechanism: output", std::to_string(rows.shape(1)) + " numbers",
                          std::to_string(outputs.dimension) + ", as in the first run");
  outputs.values.insert(outputs.values.end(), rows.data(), rows.data() + rows.size());
}

// (json, text), of what draw(side, count) gives: an array with a row for each output. All calls come from this thread,
// one after another, because a block is as long as the audit.
nb::tuple audited_function(const nb::callable& draw, const nb::callable& label, const nb::dict& values) {
  const Options options(values);
  const AuditRequest request = request_of(options, 10'000);
  const std::size_t block = options.count("block").value_or(1);
  require(block >= 1 && block <= 10'000'000, "block", static_cast<double>(block), "1 to 1e7");
  const std::size_t at_once = block > 1 ? block : kAtOnce;
  const auto runs = static_cast<double>(request.runs);
  audit::Subject subject{
      .name = printable(options.text("name"), 200),
      .run =
          [&](Side side, std::uint64_t, std::size_t count) {
            Outputs outputs{1};
            const nb::gil_scoped_acquire lock;
            for (std::size_t done = 0; done < count;) {
              const std::size_t size = std::min(at_once, count - done);
              const nb::object rows = draw(side == Side::kFirst ? 0 : 1, size);
              append(outputs, nb::cast<Doubles>(rows), size);
              // A quarter of the runs are of one input and counted together.
              const double most = 4.0 * kMostNumbers / static_cast<double>(outputs.dimension);
              require(runs <= most, "runs", runs,
                      "at most " + std::to_string(static_cast<std::uint64_t>(most)) + " of outputs as long as this");
              done += size;
            }
            return outputs;
          },
      .block = std::max<std::size_t>(1, request.runs),
      .is_categorical = request.has_labels};
  if (request.has_labels)
    subject.category = [&](double number) {
      const nb::gil_scoped_acquire lock;
      return text_of("label", label(number));
    };
  commands::AuditCase one = commands::claimed_case(request, subject);
  if (request.certificate.empty()) one.claimed_by = "epsilon";
  const AuditReport report = [&] {
    const nb::gil_scoped_release unlocked;
    return commands::audit_run(request, one, std::atomic<bool>{false}).value();
  }();
  return printed(report);
}

}  // namespace

void bind_audit(nb::module_& module) {
  module.def("audit", &audited, nb::arg().none(), nb::arg());
  module.def("audit_function", &audited_function);
}

}  // namespace doeblin::python
