// SPDX-License-Identifier: Apache-2.0
#include "doeblin/mixing/kernel_maker.hpp"
#include "doeblin/mixing/stages.hpp"

namespace doeblin::pipeline {
namespace {

// Up to here the matrix is made too, for exact products.
constexpr double kMostStates = 512.0;

Kernel response_kernel(const KAryResponse& response) {
  Kernel kernel{
      .statement =
          "kappa(eps) = |lambda^r| - (e^eps - 1) min(p_r, q_r) for the r-th power; lower: some way to "
          "feed the outputs to it",
      .assumptions = {asserted("the state is kept with probability p, else replaced by another one, uniformly")},
      .bound = mixing_kernel(response),
      .states = static_cast<std::size_t>(response.k),
      .doeblin = doeblin_gamma(response)};
  if (response.k <= kMostStates) kernel.finite = std::make_shared<const FiniteKernel>(finite_kernel(response));
  kernel.power = [response](double times) {
    return response_kernel({response.k, response.p, response.steps * times, response.p_is_of_replacing});
  };
  return kernel;
}

}  // namespace

KernelMaker k_ary_response_maker() {
  return {[](const Call& a, const Settings&) {
    return response_kernel({a.number("k"), a.number("p"), a.number("steps")});
  }};
}

Kernel k_ary_response(const KAryResponse& response) {
  // Calls say how likely it is to stay.
  if (response.p_is_of_replacing) return response_kernel(response);
  return made(k_ary_response_maker(),
              call_of("k_ary_response", {{"k", response.k}, {"p", response.p}, {"steps", response.steps}}));
}

}  // namespace doeblin::pipeline
