// SPDX-License-Identifier: Apache-2.0
// What everybody in a hidden run is promised, from C++:
//   cmake -S examples -B build-examples -DCMAKE_PREFIX_PATH=/usr/local && cmake --build build-examples
#include <cstdio>

#include <doeblin/doeblin.hpp>

int main() {
  using namespace doeblin;
  using namespace doeblin::pipeline;

  // The algebra, as in the shell and in Python.
  const Pipeline training = gaussian({.sigma = 1.1}) | poisson(256.0 / 60000) | compose(14000);
  const Bracket epsilon = training.epsilon(Delta(1e-5));
  std::printf("every state public: %.5f <= epsilon <= %.5f\n", epsilon.lower(), epsilon.upper());

  // Or as text, from a file or a user. Record 1 is used first, record 40 last.
  for (const char* person : {"1", "39", "40"}) {
    const std::string run =
        "noisy_sgd(n=40, learning_rate=0.5, sigma=2, lipschitz=1, smoothness=0.5, diameter=1) | person(";
    const Bracket one = parse(run + person + ")").epsilon(Delta(1e-5));
    std::printf("hidden, record %s: epsilon <= %.5f\n", person, one.upper());
  }

  // A mistake is an exception that names the parameter, its value and what it needs.
  try {
    static_cast<void>(gaussian({.sigma = -1.0}));
  } catch (const InvalidArgument& error) {
    std::printf("refused: %s\n", error.what());
  }
}
