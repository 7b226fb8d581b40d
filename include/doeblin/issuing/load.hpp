// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "doeblin/certificate/certificate.hpp"
#include "doeblin/mechanism/pipeline.hpp"

/// Certificates as operands: what was certified is computed with like anything else.
namespace doeblin::certificate {

/// What the certificate in this file is about, as data. Numbers that it claims are not used: whoever evaluates the program
/// computes them again.
/// Errors   InvalidArgument, one line, for a file that is no certificate or was changed, a void one, files that are not
///          those that were certified, and what cannot be gone on from: noise on a grid, which the language has no words
///          for, and a run that held out records; the line names the way out
[[nodiscard]] language::Program program_in(const std::string& path);

/// The pipeline of a certificate: load("a.json") | compose(12).
[[nodiscard]] pipeline::Pipeline load(const std::string& path, const Settings& settings = {});

}  // namespace doeblin::certificate
