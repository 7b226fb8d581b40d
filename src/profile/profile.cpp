// SPDX-License-Identifier: Apache-2.0
#include "doeblin/profile/profile.hpp"

#include "doeblin/numerics/root.hpp"

namespace doeblin {
namespace {

Profile::Inverse bisected(Profile::Function delta) {
  return [delta = std::move(delta)](Delta level) {
    return numerics::first_at_most([&](double epsilon) { return delta(Epsilon(epsilon)); }, level.value());
  };
}

}  // namespace

Profile::Profile(Function delta, ProfileTraits traits) : Profile(delta, bisected(delta), traits) {}

Profile::Profile(Function delta, Inverse epsilon, ProfileTraits traits)
    : delta_(std::move(delta)), epsilon_(std::move(epsilon)), traits_(traits) {}

}  // namespace doeblin
