// SPDX-License-Identifier: Apache-2.0
#include "pipeline/parts.hpp"

#include <fmt/format.h>

#include "doeblin/core/error.hpp"
#include "doeblin/core/text.hpp"

namespace doeblin::pipeline {

#define DOEBLIN_SOURCE(name) SourceMaker name##_maker();
#define DOEBLIN_STAGE(name) StageMaker name##_maker();
#define DOEBLIN_KERNEL(name) KernelMaker name##_maker();
#include "pipeline/parts.def"
#undef DOEBLIN_SOURCE
#undef DOEBLIN_STAGE
#undef DOEBLIN_KERNEL

namespace {

struct NamedMaker {
  std::string_view name;
  AnyMaker (*maker)();
};

constexpr NamedMaker kMakers[] = {
#define DOEBLIN_SOURCE(name) {#name, [] { return AnyMaker(name##_maker()); }},
#define DOEBLIN_STAGE(name) DOEBLIN_SOURCE(name)
#define DOEBLIN_KERNEL(name) DOEBLIN_SOURCE(name)
#include "pipeline/parts.def"
#undef DOEBLIN_SOURCE
#undef DOEBLIN_STAGE
#undef DOEBLIN_KERNEL
};

}  // namespace

AnyMaker maker_of(std::string_view name) {
  for (const NamedMaker& one : kMakers)
    if (one.name == name) return one.maker();
  throw InvalidArgument(fmt::format("unknown source or stage '{}'", printable(std::string(name).substr(0, 40))));
}

}  // namespace doeblin::pipeline
