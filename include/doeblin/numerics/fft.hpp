// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>
#include <cstddef>
#include <memory>
#include <vector>

namespace doeblin::numerics {

/// The discrete Fourier transform of real sequences of one length, by KissFFT.
///
/// Bound    ||computed - exact||_2 <= relative_error() ||exact||_2, in both directions
/// Cost     O(size log size); a plan costs about two transforms and is shared by everyone who asks for its size
class RealFft {
 public:
  using Complex = std::complex<double>;

  /// Domain: 2^k or 3 2^k, at least 4, at most 2^27.
  [[nodiscard]] static std::shared_ptr<const RealFft> of_size(std::size_t size);
  /// The smallest such size that is at least `points`.
  [[nodiscard]] static std::size_t good_size(std::size_t points);
  ~RealFft();
  RealFft(const RealFft&) = delete;
  RealFft& operator=(const RealFft&) = delete;

  [[nodiscard]] std::size_t size() const { return size_; }

  /// spectrum[w] = sum_j x[j] e^{-2 pi i j w/size} for w = 0 .. size/2.
  void forward(const std::vector<double>& x, std::vector<Complex>& spectrum) const;
  /// The inverse, scaled by 1/size; overwrites the spectrum.
  void inverse(std::vector<Complex>& spectrum, std::vector<double>& x) const;

  [[nodiscard]] double relative_error() const;

 private:
  struct Plans;
  explicit RealFft(std::size_t size);

  std::size_t size_;
  std::unique_ptr<const Plans> plans_;
};

}  // namespace doeblin::numerics
