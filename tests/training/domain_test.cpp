// SPDX-License-Identifier: Apache-2.0
#include "doeblin/training/domain.hpp"

#include <cmath>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "doeblin/core/error.hpp"
#include "support/generators.hpp"

namespace doeblin::training {
namespace {

using Point = std::vector<double>;
__extension__ typedef __float128 Exact;

constexpr DomainKind kDomainKinds[] = {DomainKind::kBall, DomainKind::kBox, DomainKind::kSimplex, DomainKind::kL1Ball};

Domain any_domain() {
  Domain domain{kDomainKinds[*rc::gen::inRange(0, 4)], test::log_uniform(1e-3, 1e3)};
  domain.low = test::uniform(-3.0, 1.0);
  domain.high = domain.low + test::log_uniform(1e-3, 10.0);
  return domain;
}

Point any_point(std::size_t dimension, double scale) {
  Point point(dimension);
  for (double& x : point) x = *rc::gen::inRange(0, 4) == 0 ? 0.0 : test::uniform(-scale, scale);
  return point;
}

double dot(const Point& a, const Point& b) {
  Exact sum = 0;
  for (std::size_t j = 0; j < a.size(); ++j) sum += Exact(a[j]) * b[j];
  return static_cast<double>(sum);
}

double distance(const Point& a, const Point& b) {
  Exact sum = 0;
  for (std::size_t j = 0; j < a.size(); ++j) sum += (Exact(a[j]) - b[j]) * (Exact(a[j]) - b[j]);
  return std::sqrt(static_cast<double>(sum));
}

// The largest <direction, z> over the domain: a projection p of w is right iff <w - p, z - p> <= 0 for all z in it.
double support(const Domain& domain, const Point& direction) {
  double best = -INFINITY, sum = 0.0;
  for (const double x : direction) {
    best = std::max(best, domain.kind == DomainKind::kL1Ball ? std::abs(x) : x);
    sum += std::max(domain.low * x, domain.high * x);
  }
  switch (domain.kind) {
    case DomainKind::kBall: return domain.size * std::sqrt(dot(direction, direction));
    case DomainKind::kBox: return sum;
    case DomainKind::kSimplex:
    case DomainKind::kL1Ball: return domain.size * best;
  }
  return 0.0;
}

bool contains(const Domain& domain, const Point& p, double slack) {
  double sum = 0.0, lengths = 0.0;
  for (const double x : p) {
    sum += x, lengths += std::abs(x);
    if (domain.kind == DomainKind::kBox && !(x >= domain.low && x <= domain.high)) return false;
    if (domain.kind == DomainKind::kSimplex && x < 0.0) return false;
  }
  switch (domain.kind) {
    case DomainKind::kBall: return std::sqrt(dot(p, p)) <= domain.size + slack;
    case DomainKind::kBox: return true;
    case DomainKind::kSimplex: return std::abs(sum - domain.size) <= slack * static_cast<double>(p.size());
    case DomainKind::kL1Ball: return lengths <= domain.size + slack * static_cast<double>(p.size());
  }
  return false;
}

// Exact by bisection on the threshold, in quadruple precision.
Point exact_projection(const Domain& domain, const Point& w) {
  const std::size_t d = w.size();
  Point p = w;
  if (domain.kind == DomainKind::kBox) {
    for (double& x : p) x = std::clamp(x, domain.low, domain.high);
    return p;
  }
  if (domain.kind == DomainKind::kBall) {
    const double norm = std::sqrt(dot(w, w));
    if (norm <= domain.size) return p;
    for (double& x : p) x = static_cast<double>(Exact(x) * domain.size / norm);
    return p;
  }
  const bool is_l1 = domain.kind == DomainKind::kL1Ball;
  const auto excess = [&](Exact t) {
    Exact sum = -Exact(domain.size);
    for (const double x : w) {
      const Exact v = is_l1 ? std::abs(x) : x;
      if (v > t) sum += v - t;
    }
    return sum;
  };
  if (is_l1 && excess(0) <= 0) return p;
  Exact low = -1e9, high = 1e9;
  for (int i = 0; i < 200; ++i) (excess((low + high) / 2) > 0 ? low : high) = (low + high) / 2;
  for (std::size_t j = 0; j < d; ++j) {
    const Exact v = is_l1 ? std::abs(w[j]) : w[j];
    const double length = v > low ? static_cast<double>(v - low) : 0.0;
    p[j] = is_l1 ? std::copysign(length, w[j]) : length;
  }
  return p;
}

RC_GTEST_PROP(DomainProperty, ProjectsToTheNearestPoint, ()) {
  const Domain domain = any_domain();
  const auto d = static_cast<std::size_t>(*rc::gen::inRange(2, 40));
  const double scale = test::log_uniform(1e-3, 1e4);
  const Point w = any_point(d, scale);
  Point p = w;
  domain.project(p);
  const double error = domain.projection_error(d, scale) + 1e-15 * scale;
  RC_ASSERT(contains(domain, p, error + 1e-15));
  RC_ASSERT(distance(p, exact_projection(domain, w)) <= error);
  // The variational inequality, which no other point fulfils.
  Point normal(d);
  for (std::size_t j = 0; j < d; ++j) normal[j] = w[j] - p[j];
  const double size = scale + 2.0 * domain.radius(d);
  const double slack = error * size * static_cast<double>(d) + 1e-14 * size * size;
  RC_ASSERT(support(domain, normal) - dot(normal, p) <= slack);
}

RC_GTEST_PROP(DomainProperty, ProjectionBringsPointsTogetherAndIsIdempotent, ()) {
  const Domain domain = any_domain();
  const auto d = static_cast<std::size_t>(*rc::gen::inRange(2, 20));
  Point a = any_point(d, 10.0), b = any_point(d, 10.0);
  const double before = distance(a, b);
  domain.project(a);
  domain.project(b);
  const double error = 2.0 * domain.projection_error(d, 10.0) + 1e-14;
  RC_ASSERT(distance(a, b) <= before + error);
  RC_ASSERT(distance(a, b) <= domain.diameter(d) + error);
  RC_ASSERT(std::sqrt(dot(a, a)) <= domain.radius(d) + error);
  Point again = a;
  domain.project(again);
  RC_ASSERT(distance(a, again) <= error);
}

TEST(Domain, DiametersAreAttained) {
  EXPECT_EQ((Domain{DomainKind::kBall, 3.0}.diameter(5)), 6.0);
  EXPECT_EQ((Domain{DomainKind::kL1Ball, 3.0}.diameter(5)), 6.0);
  EXPECT_NEAR((Domain{DomainKind::kSimplex, 3.0}.diameter(5)), 3.0 * std::sqrt(2.0), 1e-14);
  EXPECT_GE((Domain{DomainKind::kSimplex, 3.0}.diameter(5)), 3.0 * std::sqrt(2.0));
  EXPECT_GE((Domain{DomainKind::kBox, 1.0, -1.0, 2.0}.diameter(7)), 3.0 * std::sqrt(7.0));
  EXPECT_NEAR((Domain{DomainKind::kBox, 1.0, -1.0, 2.0}.diameter(7)), 3.0 * std::sqrt(7.0), 1e-14);
  EXPECT_EQ((Domain{DomainKind::kBox, 1.0, -5.0, 2.0}.radius(4)), 10.0);
}

TEST(Domain, EqualCoordinatesAndTiesAreProjected) {
  Point w(7, 0.1);
  Domain{DomainKind::kSimplex, 1.0}.project(w);
  for (const double x : w) EXPECT_NEAR(x, 1.0 / 7.0, 1e-15);
  Point zero(3, 0.0);
  Domain{DomainKind::kSimplex, 1.0}.project(zero);
  EXPECT_NEAR(std::accumulate(zero.begin(), zero.end(), 0.0), 1.0, 1e-15);
  Point signs{-5.0, 5.0, 0.0};
  Domain{DomainKind::kL1Ball, 1.0}.project(signs);
  EXPECT_EQ(signs, (Point{-0.5, 0.5, 0.0}));
}

TEST(Domain, RefusesEmptyAndEndlessSets) {
  EXPECT_THROW((Domain{DomainKind::kBall, 0.0}.validate(2)), InvalidArgument);
  EXPECT_THROW((Domain{DomainKind::kBall, INFINITY}.validate(2)), InvalidArgument);
  EXPECT_THROW((Domain{DomainKind::kBall, std::nan("")}.validate(2)), InvalidArgument);
  EXPECT_THROW((Domain{DomainKind::kBox, 1.0, 1.0, 1.0}.validate(2)), InvalidArgument);
  EXPECT_THROW((Domain{DomainKind::kBox, 1.0, std::nan(""), 1.0}.validate(2)), InvalidArgument);
  EXPECT_THROW((Domain{DomainKind::kSimplex, 1.0}.validate(1)), InvalidArgument);
  EXPECT_THROW((Domain{}.validate(0)), InvalidArgument);
  EXPECT_THROW(static_cast<void>(domain_named("sphere")), InvalidArgument);
  for (const DomainKind kind : kDomainKinds) EXPECT_EQ(domain_named(name(kind)), kind);
}

}  // namespace
}  // namespace doeblin::training
