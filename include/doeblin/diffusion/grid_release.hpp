// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "doeblin/core/grid_release.hpp"
#include "doeblin/language/program.hpp"
#include "doeblin/mechanism/pipeline.hpp"

namespace doeblin::pipeline {

/// What a release on a grid is called in its derivation, and what it assumes.
struct GridReleaseText {
  std::string stage;
  std::string source;
  std::vector<Assumption> assumptions = {};
};

/// Both ends of every answer, or only the upper one, with 0 as the lower: half the work where columns must be composed.
enum class ReleaseEnds { kBoth, kUpper };

/// The guarantee of the `number`-th value (from 1) of every path, and of all later ones together with it.
///
/// Source   catalogue D5, D6; I2 along a path with a pull, C5 over columns
/// Bound    upper: the discrete noise as it is drawn, rounding to the grid included
[[nodiscard]] Pipeline released(const GridRelease& release, std::size_t number, const GridReleaseText& text,
                                const Settings& settings = {}, ReleaseEnds ends = ReleaseEnds::kBoth);

/// The release as data, as certificates keep it: a call grid_gaussian(...) or grid_laplace(...) for each column, with
/// the transitions up to the `number`-th. (Calls that the expression language does not know.)
[[nodiscard]] language::Program program_of(const GridRelease& release, std::size_t number);

/// A release that was made into a program, and which value of the paths it is about.
struct GridQuestion {
  GridRelease release;
  std::size_t number;
};

/// Errors   InvalidArgument unless program_of() makes such programs
[[nodiscard]] GridQuestion grid_release_of(const language::Program& program);

}  // namespace doeblin::pipeline
