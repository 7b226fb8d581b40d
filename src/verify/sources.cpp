// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "doeblin/pipeline/matrix_file.hpp"
#include "verify/noise.hpp"
#include "verify/programs.hpp"
#include "verify/renyi.hpp"

namespace doeblin::verify {
namespace {

constexpr double kMostMatrixWork = 3e7;

// D1: mu = sensitivity/sqrt(2 t); the same motion a little later.
Known brownian(const Ball& time, const Ball& sensitivity) {
  Known known = known_gdp(sensitivity / sqrt(Ball(2) * time));
  known.evolved = [=](const Ball& more) { return brownian(time + more, sensitivity); };
  return known;
}

// D2: mu = sensitivity sqrt(theta)/(rho sqrt(e^{2 theta t} - 1)).
Known ornstein_uhlenbeck(const Ball& theta, const Ball& rho, const Ball& time, const Ball& sensitivity) {
  const Ball growth = arb_is_zero(theta.get()) != 0 ? Ball(2) * time : expm1(Ball(2) * theta * time) / theta;
  Known known = known_gdp(sensitivity / (rho * sqrt(growth)));
  known.evolved = [=](const Ball& more) { return ornstein_uhlenbeck(theta, rho, time + more, sensitivity); };
  return known;
}

// sum_y [P(y) - e^eps Q(y)]_+
Ball hockey_stick(const std::vector<Ball>& p, const std::vector<Ball>& q, const Ball& growth) {
  Ball sum(0);
  for (std::size_t y = 0; y < p.size(); ++y) sum = sum + positive_part(p[y] - growth * q[y]);
  return sum;
}

// Rows as they are read, divided by their sums.
std::vector<std::vector<Ball>> stochastic_rows(const std::vector<std::vector<double>>& entries) {
  std::vector<std::vector<Ball>> rows;
  for (const std::vector<double>& row : entries) {
    Ball sum(0);
    for (const double p : row) sum = sum + Ball(p);
    rows.emplace_back();
    for (const double p : row) rows.back().push_back(Ball(p) / sum);
  }
  return rows;
}

// Rows at distance at most k in the graph of neighbours, by steps from every row.
std::vector<std::pair<std::size_t, std::size_t>> reachable(const KnownMatrix& matrix, unsigned long k) {
  const std::size_t count = matrix.rows.size();
  std::vector<std::vector<std::size_t>> next(count);
  for (const auto& [i, j] : matrix.neighbours) next[i].push_back(j), next[j].push_back(i);
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t start = 0; start < count; ++start) {
    std::vector<unsigned long> steps(count, k + 1);
    std::vector<std::size_t> queue{start};
    steps[start] = 0;
    for (std::size_t head = 0; head < queue.size(); ++head)
      for (const std::size_t other : next[queue[head]])
        if (steps[queue[head]] < k && steps[other] > k) {
          steps[other] = steps[queue[head]] + 1;
          queue.push_back(other);
        }
    for (const std::size_t other : queue)
      if (other > start) pairs.emplace_back(start, other);
  }
  return pairs;
}

Known known_matrix(const std::shared_ptr<const KnownMatrix>& matrix) {
  const double work = static_cast<double>(matrix->neighbours.size()) * static_cast<double>(matrix->rows[0].size());
  if (work > kMostMatrixWork) throw CannotCheck("a matrix of this size");
  const auto worst = [matrix](const Ball& epsilon) {
    const Ball growth = exp(epsilon);
    Ball largest(0);
    for (const auto& [i, j] : matrix->neighbours) {
      largest = max(largest, hockey_stick(matrix->rows[i], matrix->rows[j], growth));
      largest = max(largest, hockey_stick(matrix->rows[j], matrix->rows[i], growth));
    }
    return largest;
  };
  Known known = known_exactly(worst);
  // The largest over neighbours need not be that of one pair at every epsilon.
  known.pairs->are_attained = false;
  known.matrix = matrix;
  known.group = [matrix](unsigned long k) {
    return known_matrix(std::make_shared<const KnownMatrix>(KnownMatrix{matrix->rows, reachable(*matrix, k)}));
  };
  return known;
}

Known finite(const pipeline::Call& call) {
  KnownMatrix matrix{stochastic_rows(pipeline::read_matrix(call.text("file"))), {}};
  if (call.text("adjacency").empty()) {
    for (std::size_t i = 0; i < matrix.rows.size(); ++i)
      for (std::size_t j = i + 1; j < matrix.rows.size(); ++j) matrix.neighbours.emplace_back(i, j);
  } else {
    for (const std::vector<double>& pair : pipeline::read_matrix(call.text("adjacency")))
      matrix.neighbours.emplace_back(static_cast<std::size_t>(pair.at(0)) - 1,
                                     static_cast<std::size_t>(pair.at(1)) - 1);
  }
  for (const auto& [i, j] : matrix.neighbours)
    if (i >= matrix.rows.size() || j >= matrix.rows.size()) throw CannotCheck("neighbours that are no rows");
  return known_matrix(std::make_shared<const KnownMatrix>(std::move(matrix)));
}

Known zcdp(const Ball& rho) {
  // The Gaussian mechanism with mu^2 = 2 rho is rho-zCDP.
  Known known = known_by_renyi([rho](const Ball& alpha) { return alpha * rho; },
                               [mu = sqrt(Ball(2) * rho)](const Ball& epsilon) { return theta_of_wide(epsilon, mu); });
  known.rho = rho;
  known.group = [rho](unsigned long k) { return zcdp(rho * square(Ball(static_cast<double>(k)))); };
  return known;
}

}  // namespace

Known known_zcdp(const Ball& rho) { return zcdp(rho); }

Known known_source(const pipeline::Call& call) {
  const std::string& name = call.name;
  const auto number = [&](const char* parameter) { return Ball(call.number(parameter)); };
  if (name == "gaussian") return known_gdp(number("sensitivity") / number("sigma"));
  if (name == "laplace") return known_laplace(number("sensitivity") / number("scale"));
  if (name == "twice_laplace") return known_twice_laplace(number("scale1"), number("scale2"), number("sensitivity"));
  if (name == "randomized_response") return known_response(number("p"));
  if (name == "discrete_gaussian") return known_discrete_gaussian(call.number("sigma"), call.number("sensitivity"));
  if (name == "discrete_laplace") return known_discrete_laplace(call.number("scale"), call.number("sensitivity"));
  if (name == "black_box") return known_black_box(number("epsilon"), number("delta"));
  if (name == "gdp") return known_gdp(number("mu"));
  if (name == "zcdp") return zcdp(number("rho"));
  if (name == "rdp") return known_renyi_point(number("alpha"), number("epsilon"));
  if (name == "brownian") return brownian(number("time"), number("sensitivity"));
  if (name == "ornstein_uhlenbeck")
    return ornstein_uhlenbeck(number("theta"), number("rho"), number("time"), number("sensitivity"));
  if (name == "finite") return finite(call);
  throw CannotCheck("there is no independent route for " + name);
}

}  // namespace doeblin::verify
