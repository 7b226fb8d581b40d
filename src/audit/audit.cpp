// SPDX-License-Identifier: Apache-2.0
#include "doeblin/audit/audit.hpp"

#include <algorithm>

#include "doeblin/audit/learning.hpp"
#include "doeblin/core/error.hpp"
#include "doeblin/numerics/parallel.hpp"

namespace doeblin::audit {
namespace {

// Numbers of one input's outputs.
constexpr std::uint64_t kMostKept = std::uint64_t{1} << 25U;
// Streams of one phase and side; there are fewer blocks than this.
constexpr int kStreamBits = 48;

class Auditor {
 public:
  Auditor(const Subject& subject, const AuditOptions& options) : subject_(subject), options_(options) {}

  [[nodiscard]] std::optional<AuditResult> result() {
    const std::uint64_t each = options_.runs / 2;
    // One run tells how long an output is, and is thrown away.
    dimension_ = subject_.run(Side::kFirst, stream(2, 0, 0), 1).dimension;
    const std::uint64_t learned = std::min<std::uint64_t>(each / 2, std::max<std::uint64_t>(2, kMostKept / dimension_));
    const std::uint64_t fresh = each - learned;
    const Outputs first = collected(Side::kFirst, learned);
    const Outputs second = collected(Side::kSecond, learned);
    if (is_stopped()) return std::nullopt;
    const double failure = options_.is_gaussian ? options_.failure / 2.0 : options_.failure;
    const LearnedEvents events = learn_events(first, second,
                                              {.delta = options_.delta,
                                               .failure = failure,
                                               .directions = subject_.directions,
                                               .is_categorical = subject_.is_categorical});
    return counted(events, fresh, failure);
  }

 private:
  [[nodiscard]] bool is_stopped() const { return options_.stop != nullptr && options_.stop->load(); }

  static std::uint64_t stream(std::uint64_t phase, std::uint64_t side, std::uint64_t block) {
    return ((phase * 2 + side) << kStreamBits) + block;
  }

  // Calls `take` with block after block, from several threads.
  void in_blocks(std::uint64_t phase, Side side, std::uint64_t count,
                 const std::function<void(std::size_t, const Outputs&)>& take) {
    const std::uint64_t block = subject_.block;
    const std::uint64_t blocks = (count + block - 1) / block;
    numerics::parallel_for(
        blocks,
        [&](std::size_t k) {
          if (is_stopped()) return;
          const std::size_t size = std::min(block, count - k * block);
          const Outputs outputs = subject_.run(side, stream(phase, side == Side::kFirst ? 0 : 1, k), size);
          outputs.validate(dimension_);
          ensure(outputs.count() == size, "a subject runs as often as it is asked to");
          take(k, outputs);
        },
        [&](std::size_t finished) { options_.progress(done_ + std::min(finished * block, count)); });
    done_ += count;
  }

  [[nodiscard]] Outputs collected(Side side, std::uint64_t count) {
    std::vector<Outputs> parts((count + subject_.block - 1) / subject_.block);
    in_blocks(0, side, count, [&](std::size_t k, const Outputs& outputs) { parts[k] = outputs; });
    Outputs all{dimension_};
    for (const Outputs& part : parts) all.values.insert(all.values.end(), part.values.begin(), part.values.end());
    return all;
  }

  [[nodiscard]] std::optional<AuditResult> counted(const LearnedEvents& events, std::uint64_t fresh, double failure) {
    struct Hits {
      std::uint64_t epsilon = 0;
      std::uint64_t mu = 0;
    };
    Hits hits[2];
    for (const Side side : {Side::kFirst, Side::kSecond}) {
      std::vector<Hits> parts((fresh + subject_.block - 1) / subject_.block);
      in_blocks(1, side, fresh, [&](std::size_t k, const Outputs& outputs) {
        parts[k] = {events.for_epsilon.count_in(outputs), options_.is_gaussian ? events.for_mu.count_in(outputs) : 0};
      });
      if (is_stopped()) return std::nullopt;
      for (const Hits& part : parts) {
        hits[side == Side::kFirst ? 0 : 1].epsilon += part.epsilon;
        hits[side == Side::kFirst ? 0 : 1].mu += part.mu;
      }
    }
    const auto finding = [&](const Event& event, std::uint64_t first, std::uint64_t second) {
      const auto runs = static_cast<double>(fresh);
      if (event.likely == Side::kSecond) std::swap(first, second);
      const EventCounts counts{static_cast<double>(first), runs, static_cast<double>(second), runs};
      return Finding{event, counts, bounds_of(counts, failure), failure};
    };
    AuditResult result{finding(events.for_epsilon, hits[0].epsilon, hits[1].epsilon), 0.0};
    result.epsilon_lower = epsilon_lower(result.black_box.bounds, options_.delta);
    if (options_.is_gaussian) {
      result.gaussian = finding(events.for_mu, hits[0].mu, hits[1].mu);
      result.mu_lower = mu_lower(result.gaussian->bounds);
    }
    return result;
  }

  const Subject& subject_;
  const AuditOptions& options_;
  std::size_t dimension_ = 1;
  std::uint64_t done_ = 0;
};

}  // namespace

void AuditOptions::validate() const {
  // The tails of larger counts are not known precisely enough.
  require(runs >= 8 && runs <= 1'000'000'000, "runs", static_cast<double>(runs), "8 <= runs <= 1e9");
  require(delta >= 0.0 && delta < 1.0, "delta", delta, "0 <= delta < 1");
  require(failure >= 1e-15 && failure < 1.0, "failure", failure, "1e-15 <= failure < 1");
}

std::optional<AuditResult> audit(const Subject& subject, const AuditOptions& options) {
  options.validate();
  try {
    return Auditor(subject, options).result();
  } catch (const InvalidArgument&) {
    // What a program says that was ended in the middle is no mistake of its own.
    if (options.stop != nullptr && options.stop->load()) return std::nullopt;
    throw;
  }
}

}  // namespace doeblin::audit
