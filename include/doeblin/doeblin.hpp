// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The accountant in one include: the algebra, expressions and plans, questions and their answers, calibration,
/// comparison, and numbers printed without rounding to the wrong side. With it, where they are installed, certificates
/// and their check; these have targets of their own (doeblin::certificates, doeblin::verifier).
#include "doeblin/core/bracket.hpp"
#include "doeblin/core/error.hpp"
#include "doeblin/core/format.hpp"
#include "doeblin/core/settings.hpp"
#include "doeblin/core/types.hpp"
#include "doeblin/language/expression.hpp"
#include "doeblin/language/plan.hpp"
#include "doeblin/language/program.hpp"
#include "doeblin/mechanism/mechanism.hpp"
#include "doeblin/mechanism/pipeline.hpp"
#include "doeblin/pipeline/calibration.hpp"
#include "doeblin/pipeline/comparison.hpp"
#include "doeblin/pipeline/evaluate.hpp"
#include "doeblin/pipeline/question.hpp"
#include "doeblin/pipeline/stages.hpp"

#if __has_include("doeblin/issuing/issue.hpp")
#include "doeblin/certificate/certificate_file.hpp"
#include "doeblin/issuing/issue.hpp"
#endif
#if __has_include("doeblin/verify/verify.hpp")
#include "doeblin/certificate/certificate_file.hpp"
#include "doeblin/verify/verify.hpp"
#endif
