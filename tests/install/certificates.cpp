// SPDX-License-Identifier: Apache-2.0
// Prints a certificate.
#include <cstdio>

#include <doeblin/doeblin.hpp>

int main() {
  using namespace doeblin;
  const language::Program program = language::parse("gaussian(sigma=3) | compose(4)");
  const pipeline::Pipeline releases = pipeline::evaluate(program);
  const certificate::Claim claim{.at = 1e-5, .value = releases.epsilon(Delta(1e-5))};
  const certificate::Subject subject{.pipeline = releases, .program = program, .claims = {claim}};
  std::fputs(certificate::text_of(certificate::issue(certificate::Kind::kAnalysis, subject)).c_str(), stdout);
}
