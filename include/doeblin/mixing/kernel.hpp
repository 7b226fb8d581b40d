// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "doeblin/mechanism/pipeline.hpp"
#include "doeblin/mixing/finite_kernel.hpp"
#include "doeblin/mixing/mixing.hpp"

namespace doeblin::pipeline {

/// A Markov kernel that a mechanism's output is sent through, and everything known about it.
struct Kernel {
  /// What it was made from; empty where the language has no call for it.
  std::optional<language::Program> program = std::nullopt;
  std::string statement;  ///< what its bound is, in a sentence
  std::vector<Assumption> assumptions = {};
  /// Its (gamma, eps)-Dobrushin coefficient at every eps.
  MixingKernel bound;
  /// How many states it has; 0 for kernels on a continuum and for classes of kernels.
  std::size_t states = 0;
  /// The matrix, for kernels on finitely many states that are not too many.
  std::shared_ptr<const FiniteKernel> finite = nullptr;
  /// A gamma with which it is Doeblin; empty when none below 1 is known.
  std::optional<Bracket> doeblin = std::nullopt;
  /// The kernel applied this many times; if empty, what follows from the bound.
  std::function<Kernel(double times)> power = {};
};

/// A kernel given by its matrix.
[[nodiscard]] Kernel kernel_of(const std::shared_ptr<const FiniteKernel>& matrix,
                               const std::vector<Assumption>& assumptions);
/// The same for a matrix that is applied `steps` times.
[[nodiscard]] Kernel kernel_of(const FiniteKernel& matrix, double steps);

/// First one, then the other: the product of the matrices, or of the bounds.
[[nodiscard]] Kernel followed_by(const Kernel& first, const Kernel& second);

/// The kernel applied `times` times. Domain: an integer, times >= 1.
[[nodiscard]] Kernel repeated(const Kernel& kernel, double times);

/// The total variation distance of two rows at most, kappa(0).
[[nodiscard]] Bracket dobrushin_gamma(const Kernel& kernel);
/// The epsilon of the kernel as a local mechanism with delta = 0: -log(1 - gamma) for its ultra-mixing gamma.
[[nodiscard]] Bracket ultra_mixing_level(const Kernel& kernel);

/// The stage that sends a mechanism's output through a kernel; what came before stays hidden.
[[nodiscard]] Stage mixing(const Kernel& kernel, const Settings& settings = {});

[[nodiscard]] Pipeline operator|(Pipeline pipeline, const Kernel& kernel);

/// What Mechanism::mixed points to.
struct Mixed {
  Mechanism before;
  Kernel kernel;
};

}  // namespace doeblin::pipeline
