// SPDX-License-Identifier: Apache-2.0
#include "doeblin/profile/profile.hpp"

#include "doeblin/numerics/parallel.hpp"
#include "doeblin/numerics/solve.hpp"

namespace doeblin {
namespace {

// To neighbouring doubles, or to 1e-9 where every evaluation is costly.
Profile::Inverse bisected(Profile::Function delta, const ProfileTraits& traits) {
  return [delta = std::move(delta), width = traits.costly ? 1e-9 : 0.0](Delta level) {
    return numerics::first_at_most([&](double epsilon) { return delta(Epsilon(epsilon)); }, level.value(), width);
  };
}

// Below this, starting threads takes longer than asking.
constexpr std::size_t kFewValues = 256;
constexpr std::size_t kBlock = 64;

}  // namespace

Profile::Profile(const Function& delta, ProfileTraits traits)
    : Profile(delta, bisected(delta, traits), std::move(traits)) {}

Profile::Profile(Function delta, Inverse epsilon, ProfileTraits traits)
    : known_(std::make_shared<const Known>(Known{std::move(delta), std::move(epsilon), std::move(traits)})) {}

Profile Profile::with_batch(Batch batch) && {
  Known known = *known_;
  known.batch = std::move(batch);
  known_ = std::make_shared<const Known>(std::move(known));
  return std::move(*this);
}

double Profile::deltas(std::span<const double> epsilon, std::span<double> lower, std::span<double> upper) const {
  require_ieee();
  ensure(lower.size() == epsilon.size() && upper.size() == epsilon.size(), "room for every delta");
  if (known_->batch) return known_->batch(epsilon, lower, upper);
  const auto fill = [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      const Bracket value = known_->delta(Epsilon(epsilon[i]));
      lower[i] = value.lower(), upper[i] = value.upper();
    }
  };
  if (traits().costly || epsilon.size() < kFewValues)
    fill(0, epsilon.size());
  else
    numerics::parallel_for((epsilon.size() + kBlock - 1) / kBlock, [&](std::size_t block) {
      fill(block * kBlock, std::min((block + 1) * kBlock, epsilon.size()));
    });
  double widest = 0.0;
  for (std::size_t i = 0; i < epsilon.size(); ++i) widest = std::max(widest, Bracket(lower[i], upper[i]).width());
  return widest;
}

}  // namespace doeblin
