// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace doeblin::report {

/// What every page looks like: light and dark, narrow and wide, on paper. Colours of curves are those of Okabe and Ito,
/// which the colour-blind can tell apart.
[[nodiscard]] const char* style_sheet();

}  // namespace doeblin::report
