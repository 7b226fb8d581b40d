// SPDX-License-Identifier: Apache-2.0
#include "doeblin/numerics/fft.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <mutex>
#include <numbers>

#include <kissfft/kissfft.hh>

#include "doeblin/core/error.hpp"

namespace doeblin::numerics {
namespace {

// Error of one pass, in units of 2^-53. KissFFT's twiddle factors come from a rounded phase of at most 2 pi (three
// roundings, 19 units) through cos and sin (2 units); a complex product adds sqrt(5), the two layers of sums in a
// radix-4 butterfly one each (radix 3: three). Every exact pass is sqrt(radix) times an isometry, so the passes add up.
constexpr double kUnitsPerPass = 26.0;
// Splitting the half-length complex transform into the real one, and back: one more product with such a factor, which
// the unpacking forms as a product of two, and two layers of sums.
constexpr double kUnitsForPacking = 52.0;

}  // namespace

struct RealFft::Plans {
  explicit Plans(std::size_t half) : forward(half, false), inverse(half, true), rotations(half / 2 + 1) {
    for (std::size_t k = 0; k < rotations.size(); ++k)
      rotations[k] = std::polar(1.0, std::numbers::pi * static_cast<double>(k) / static_cast<double>(half));
  }
  kissfft<double> forward;
  kissfft<double> inverse;
  std::vector<Complex> rotations;  // e^{i pi k/half}
};

RealFft::RealFft(std::size_t size) : size_(size), plans_(std::make_unique<const Plans>(size / 2)) {}

RealFft::~RealFft() = default;

std::size_t RealFft::good_size(std::size_t points) {
  const std::size_t power = std::max<std::size_t>(4, std::bit_ceil(points));
  const std::size_t triple = power / 4 * 3;
  return triple >= points && triple >= 12 ? triple : power;
}

std::shared_ptr<const RealFft> RealFft::of_size(std::size_t size) {
  ensure(size == good_size(size) && size <= (std::size_t{1} << 27), "RealFft: size 2^k or 3 2^k, 4 to 2^27");
  static std::mutex mutex;
  static std::map<std::size_t, std::weak_ptr<const RealFft>> plans;
  // The plan used last stays alive, so that a sequence of questions does not rebuild it.
  static std::map<std::size_t, std::shared_ptr<const RealFft>> recent;
  const std::lock_guard lock(mutex);
  std::shared_ptr<const RealFft> plan = plans[size].lock();
  if (!plan) {
    plan.reset(new RealFft(size));
    plans[size] = plan;
  }
  constexpr std::size_t kLargestKept = std::size_t{1} << 18;
  if (size <= kLargestKept) recent[size] = plan;
  return plan;
}

void RealFft::forward(const std::vector<double>& x, std::vector<Complex>& spectrum) const {
  ensure(x.size() == size_, "RealFft: input of the plan's size");
  const std::size_t half = size_ / 2;
  spectrum.resize(half + 1);
  plans_->forward.transform_real(x.data(), spectrum.data());
  // KissFFT keeps the two real ends in one complex number.
  spectrum[half] = spectrum[0].imag();
  spectrum[0] = spectrum[0].real();
}

void RealFft::inverse(std::vector<Complex>& spectrum, std::vector<double>& x) const {
  const std::size_t half = size_ / 2;
  ensure(spectrum.size() == half + 1, "RealFft: spectrum of the plan's size");
  // With E and O the transforms of the even and odd samples, spectrum[k] = E[k] + e^{-i pi k/half} O[k]; the packed
  // sequence even + i odd has the transform E + i O.
  const auto packed = [](const Complex& at, const Complex& mirrored, const Complex& rotation) {
    const Complex even = at + std::conj(mirrored);
    const Complex difference = at - std::conj(mirrored);
    const Complex odd(difference.real() * rotation.real() - difference.imag() * rotation.imag(),
                      difference.real() * rotation.imag() + difference.imag() * rotation.real());
    return Complex(even.real() - odd.imag(), even.imag() + odd.real());
  };
  for (std::size_t k = 0; 2 * k <= half; ++k) {
    const Complex low = spectrum[k];
    const Complex high = spectrum[half - k];
    const Complex& rotation = plans_->rotations[k];
    spectrum[k] = packed(low, high, rotation);
    // e^{i pi (half-k)/half} = -conj(e^{i pi k/half}).
    if (k > 0) spectrum[half - k] = packed(high, low, -std::conj(rotation));
  }
  std::vector<Complex> samples(half);
  plans_->inverse.transform(spectrum.data(), samples.data());
  x.resize(size_);
  const double scale = 1.0 / static_cast<double>(size_);
  for (std::size_t j = 0; j < half; ++j) {
    x[2 * j] = samples[j].real() * scale;
    x[2 * j + 1] = samples[j].imag() * scale;
  }
}

double RealFft::relative_error() const {
  const int passes = static_cast<int>(std::bit_width(size_) - 1) / 2 + 1;
  return (kUnitsPerPass * passes + kUnitsForPacking) * 0x1p-53;
}

}  // namespace doeblin::numerics
