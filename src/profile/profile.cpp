// SPDX-License-Identifier: Apache-2.0
#include "doeblin/profile/profile.hpp"

#include "doeblin/numerics/root.hpp"

namespace doeblin {
namespace {

// To neighbouring doubles, or to 1e-9 where every evaluation is costly.
Profile::Inverse bisected(Profile::Function delta, const ProfileTraits& traits) {
  return [delta = std::move(delta), width = traits.costly ? 1e-9 : 0.0](Delta level) {
    return numerics::first_at_most([&](double epsilon) { return delta(Epsilon(epsilon)); }, level.value(), width);
  };
}

}  // namespace

Profile::Profile(Function delta, ProfileTraits traits) : Profile(delta, bisected(delta, traits), traits) {}

Profile::Profile(Function delta, Inverse epsilon, ProfileTraits traits)
    : delta_(std::move(delta)), epsilon_(std::move(epsilon)), traits_(traits) {}

}  // namespace doeblin
