#include "frictionbench/sets/constraint_set.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <random>
#include <string>

#include "frictionbench/sets/sets.hpp"
#include "lib/sets/defined_sets.hpp"

namespace frictionbench {
namespace {

using test::DefinedSet;

constexpr double infinity = std::numeric_limits<double>::infinity();

class ConstraintSets : public testing::TestWithParam<DefinedSet> {
 protected:
  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine_);
  }
  double magnitude(double most = 8) { return std::pow(10, uniform(-most, most)); }
  BlockVector random() {
    BlockVector x(set_->dimension());
    for (double& component : x) component = std::normal_distribution<double>()(engine_);
    return x;
  }
  // A member, on the edge if `above` is 0; in all groups on it if asked for.
  BlockVector member(double above, bool on_all_edges = false) {
    BlockVector r = random();
    if (!defined_.is_contact()) {
      for (double& x : r) x = std::clamp(x, defined_.low, defined_.high);
      return r;
    }
    defined_.for_groups([&](Index first, const DefinedSet::Group& group) {
      auto part = r.segment(first, group.rows);
      part *= group.mu / (on_all_edges && !defined_.is_elliptic ? part.norm() : 1);
    });
    r[0] = defined_.least_normal(r) + above;
    return r;
  }
  // An answered u: its correction would be 0 in the CCP.
  BlockVector answered(double above) {
    BlockVector u = random();
    if (defined_.is_contact()) {
      u[0] = defined_.gamma(u) + above;
      return u;
    }
    return std::isfinite(defined_.supremum(-u)) ? u : (-u).eval();
  }
  // Components of very different sizes, both sides of all edges, edges, and their neighbourhood.
  BlockVector anywhere(int k) {
    BlockVector x = k % 8 == 0   ? member(0)
                    : k % 8 == 1 ? member(0, true)
                    : k % 8 == 2 ? member(magnitude())
                    : k % 8 == 3 ? BlockVector(-answered(0))
                    : k % 8 == 4 ? BlockVector(-answered(magnitude()))
                    : k % 8 == 5
                        ? BlockVector(member(0) + std::pow(10, uniform(-16, -3)) * random())
                        : random();
    if (k % 8 == 6) x *= magnitude();
    if (k % 8 == 7)
      for (double& component : x) component *= uniform(0, 1) < 0.1 ? 0 : magnitude();
    return k % 3 == 0 ? x * magnitude() : x;
  }

  DefinedSet defined_ = GetParam();
  SetPointer set_ = parse_set(defined_.text);
  std::mt19937 engine_{3};
};

// p = P(x) if and only if p is a member and <x - p, y - p> <= 0 for all members y, which says that the
// supremum of <x - p, y> is reached at p.
TEST_P(ConstraintSets, ProjectionObeysItsVariationalInequality) {
  for (int k = 0; k < 4000; ++k) {
    const BlockVector x = anywhere(k), p = set_->project(x);
    const double size = x.norm() + defined_.cohesion;
    ASSERT_LE(defined_.violation(p), 2e-15 * (std::abs(p[0]) + defined_.cohesion)) << x.transpose();
    const BlockVector push = x - p;
    if (defined_.is_contact()) {
      EXPECT_LE(defined_.unanswered(-push), 1e-14 * size * defined_.steepest()) << x.transpose();
    }
    const BlockVector apex = defined_.cohesion * BlockVector::Unit(x.size(), 0);
    const double at_p =
        defined_.is_contact() ? push.dot(p + apex) : push.dot(p) - defined_.supremum(push);
    EXPECT_LE(std::abs(at_p), 1e-14 * size * size) << x.transpose();
    for (int other = 0; other < 5; ++other) {
      const BlockVector y = member(other == 0 ? 0 : magnitude(3));
      EXPECT_LE(push.dot(y - p), 1e-14 * size * (size + y.norm())) << x.transpose();
    }

    EXPECT_LE((set_->project(p) - p).norm(), 1e-15 * size) << "idempotent";
    EXPECT_EQ(set_->distance(x), push.norm());
    if (defined_.violation(x) == 0) {
      EXPECT_LE(push.norm(), 1e-15 * size) << x.transpose();
    }
  }
}

TEST_P(ConstraintSets, PointsInsideStayAsTheyAre) {
  for (int k = 0; k < 1000; ++k) {
    BlockVector x = member(k % 2 == 0 ? 0 : magnitude());
    if (defined_.is_contact())
      x[0] += 1e-14 * std::abs(x[0]);  // the round-off of the definition here
    EXPECT_EQ(set_->project(x), x);
    EXPECT_EQ(set_->distance(x), 0);
  }
}

// x = P_C(x) - P_{C*}(-x), and dual_distance() is the distance to C*, here for C's recession cone.
TEST_P(ConstraintSets, DualDistanceObeysMoreau) {
  for (int k = 0; k < 2000; ++k) {
    const BlockVector u = anywhere(k);
    const double distance = set_->dual_distance(u), size = u.norm();
    if (!defined_.is_contact()) {
      EXPECT_EQ(distance, defined_.unanswered(u)) << u.transpose();
      continue;
    }
    if (defined_.unanswered(u) <= 0) {
      EXPECT_LE(distance, 1e-15 * size) << u.transpose();
    } else if (defined_.unanswered(u) > 1e-8 * size) {
      EXPECT_GT(distance, 1e-12 * size) << u.transpose();
    }
    if (!defined_.is_cone()) continue;
    const BlockVector nearest = u + set_->project(-u);
    EXPECT_LE(defined_.unanswered(nearest), 1e-14 * size * defined_.steepest()) << u.transpose();
    EXPECT_NEAR((u - nearest).norm(), distance, 1e-15 * size);
    EXPECT_LE(std::abs(nearest.dot(nearest - u)), 1e-14 * size * size) << u.transpose();
  }
}

// C = { E y + c : A y + b in cones }, and E û = A^T z for every û that a member answers, by z in the
// cones that are complementary.
TEST_P(ConstraintSets, ConicFormIsTheSet) {
  const std::optional<ConicForm> form = set_->conic_form();
  ASSERT_TRUE(form);
  const auto in_cones = [&](const Vector& x, double rounding) {
    Index first = 0;
    for (const Index rows : form->cones) {
      const double outside = x.segment(first + 1, rows - 1).norm() - x[first];
      if (outside > rounding) return false;
      first += rows;
    }
    return true;
  };
  Index rows = 0;
  for (const Index of_cone : form->cones) rows += of_cone;
  ASSERT_EQ(rows, form->A.rows());

  for (int k = 0; k < 1000; ++k) {
    const BlockVector r = member(k % 2 == 0 ? 0 : magnitude(2));
    BlockVector y = BlockVector::Zero(r.size());
    for (Index i = 0; i < r.size(); ++i)
      if (form->scale[i] > 0) y[i] = (r[i] - form->offset[i]) / form->scale[i];
    const Vector x = form->A * y + form->b;
    EXPECT_TRUE(in_cones(x, 1e-14 * (1 + x.norm()))) << r.transpose();
    EXPECT_LE((form->scale.cwiseProduct(y) + form->offset - r).norm(), 1e-15 * (1 + r.norm()));

    const BlockVector any_y = magnitude(2) * random();
    const BlockVector any = form->scale.cwiseProduct(any_y) + form->offset;
    const bool is_member = set_->distance(any) <= 1e-14 * any.norm();
    if (in_cones(form->A * any_y + form->b, 0)) {
      EXPECT_TRUE(is_member) << any.transpose();
    } else if (!defined_.has_mu_0()) {
      EXPECT_FALSE(is_member) << any.transpose();
    }

    // z opposite to x on the boundary of every cone, or zero inside.
    Vector z = Vector::Zero(rows);
    Index first = 0;
    for (const Index of_cone : form->cones) {
      const auto x_1 = x.segment(first + 1, of_cone - 1);
      if (x[first] - x_1.norm() <= 1e-14 * (1 + x.norm())) {
        z[first] = uniform(0, 1);
        if (x_1.norm() > 0) z.segment(first + 1, of_cone - 1) = -z[first] / x_1.norm() * x_1;
      }
      first += of_cone;
    }
    const Vector E_u = form->A.transpose() * z;
    BlockVector corrected = BlockVector::Zero(r.size());
    double gamma = 0;
    for (Index i = 0; i < r.size(); ++i)
      if (form->scale[i] > 0) corrected[i] = E_u[i] / form->scale[i];
    first = 0;
    for (const Index of_cone : form->cones) {
      gamma += z.segment(first + 1, of_cone - 1).norm();
      first += of_cone;
    }
    const double size = corrected.norm() * (1 + r.norm());
    EXPECT_LE(set_->dual_distance(corrected), 1e-13 * size);
    EXPECT_LE(set_->complementarity(r, corrected), 1e-12 * size);
    if (!defined_.is_contact()) {
      EXPECT_EQ(gamma, 0);
    } else if (!defined_.has_mu_0()) {
      EXPECT_NEAR(set_->correction(corrected), gamma, 1e-13 * (1 + gamma));
    }
  }
}

double spectral_excess(const BlockMatrix& J) {
  const Vector values = Eigen::SelfAdjointEigenSolver<Matrix>(Matrix(J)).eigenvalues();
  return std::max(-values.minCoeff(), values.maxCoeff() - 1);
}

TEST_P(ConstraintSets, JacobianIsTheDerivativeOfTheProjection) {
  int compared = 0;
  for (int k = 0; k < 2000; ++k) {
    const double size = defined_.is_cone() ? magnitude() : 1, h = 1e-6 * size;
    const BlockVector x = size * random() * (k % 4 == 0 ? 10 : 1), p = set_->project(x);
    const BlockMatrix J = set_->projection_jacobian(x);
    EXPECT_LE((J - J.transpose()).norm(), 1e-15);
    EXPECT_LE(spectral_excess(J), 1e-14);
    for (Index a = 0; a < x.size(); ++a) {
      const BlockVector step = h * BlockVector::Unit(x.size(), a);
      const BlockVector right = set_->project(x + step) - p, left = p - set_->project(x - step);
      if ((right - left).norm() > 1e-4 * h) continue;  // a kink, or a bend too tight for h
      EXPECT_LE((J.col(a) - (right + left) / (2 * h)).norm(), 1e-6) << x.transpose();
      ++compared;
    }
  }
  EXPECT_GT(compared, 1900 * set_->dimension());
}

// At kinks it is the limit of derivatives along some path: there is a neighbour with nearly the same.
TEST_P(ConstraintSets, JacobianAtKinksIsALimit) {
  for (int k = 0; k < 60; ++k) {
    const BlockVector apex = -defined_.cohesion * BlockVector::Unit(set_->dimension(), 0);
    const BlockVector x = k == 0       ? apex
                          : k % 3 == 0 ? member(0, true)
                          : k % 3 == 1 ? member(0)
                                       : BlockVector(apex - answered(0));
    const BlockMatrix J = set_->projection_jacobian(x);
    EXPECT_LE(spectral_excess(J), 1e-14);
    double nearest = infinity;
    for (int other = 0; other < 300 && nearest > 1e-4; ++other) {
      const BlockVector d = other % 3 == 0   ? random()
                            : other % 3 == 1 ? BlockVector(member(1) - apex)
                                             : BlockVector(-answered(1));
      nearest = std::min(nearest, (set_->projection_jacobian(x + 1e-9 * d) - J).norm());
    }
    EXPECT_LE(nearest, 1e-4) << x.transpose() << "\n" << J;
  }
}

TEST_P(ConstraintSets, SupportIsTheSupremum) {
  for (int k = 0; k < 500; ++k) {
    const BlockVector v = -answered(k % 2 == 0 ? 0 : magnitude(2));
    const double support = set_->support(v), size = v.norm() * (1 + defined_.cohesion);
    if (!std::isfinite(defined_.supremum(v))) continue;  // equality: only 0 is answered
    EXPECT_NEAR(support, defined_.supremum(v), 1e-14 * size);
    double most = -infinity;
    for (int other = 0; other < 20; ++other) most = std::max(most, v.dot(member(magnitude(3))));
    EXPECT_LE(most, support + 1e-12 * size * 1e3) << v.transpose();
    const BlockVector reached = set_->project(1e3 * v / (v.norm() + 1e-300) * (1 + 1e3 / v.norm()));
    if (k % 2 == 1 || defined_.is_bounded()) {
      EXPECT_NEAR(v.dot(reached), support, 1e-9 * size) << v.transpose();
    }
  }
  EXPECT_EQ(set_->support(BlockVector::Zero(set_->dimension())), 0);
}

// r = P(z) and u = r - z are the pairs with -u in the normal cone at r; no others are.
TEST_P(ConstraintSets, ComplementarityIsZeroForPairsOfTheNormalConeOnly) {
  int apart = 0;
  for (int k = 0; k < 2000; ++k) {
    const BlockVector z = anywhere(k), r = set_->project(z), u = r - z;
    const double size = z.norm() + defined_.cohesion;
    EXPECT_LE(set_->complementarity(r, u), 1e-14 * size * size) << z.transpose();
    EXPECT_LE(set_->dual_distance(u), 1e-14 * size) << z.transpose();
    if (defined_.has_mu_0() || u.norm() <= 1e-6 * size || defined_.low == defined_.high) continue;
    const BlockVector inside =
        defined_.is_contact() ? member(1) : BlockVector(0.5 * (r + member(0)));
    const double expected = inside.dot(u) + defined_.supremum(-u);
    if (!std::isfinite(expected) || (inside - r).norm() < 1e-3) continue;
    EXPECT_GT(set_->complementarity(inside, u), 1e-5 * u.norm()) << z.transpose();
    EXPECT_NEAR(set_->complementarity(inside, u), expected, 1e-14 * u.norm() * (3 + inside.norm()));
    ++apart;
  }
  EXPECT_GT(apart, defined_.is_contact() && !defined_.has_mu_0() ? 300 : -1);
}

TEST_P(ConstraintSets, CorrectionAndItsGradient) {
  const Index size = set_->dimension();
  for (int k = 0; k < 200; ++k) {
    const double scale = magnitude(), h = 1e-6 * scale;
    const BlockVector r = random();
    BlockVector u = scale * random();
    EXPECT_NEAR(set_->correction(u), defined_.gamma(u), 1e-15 * defined_.gamma(u));
    EXPECT_EQ(set_->corrected(u), u + set_->correction(u) * BlockVector::Unit(size, 0));
    const BlockVector gradient = set_->correction_gradient(u, r);
    for (Index a = 0; a < size; ++a) {
      const BlockVector step = h * BlockVector::Unit(size, a);
      const double slope = (set_->correction(u + step) - set_->correction(u - step)) / (2 * h);
      EXPECT_NEAR(gradient[a], slope, 1e-5 * gradient.norm() + 1e-12) << u.transpose();
    }

    // u = 0: the slope in the direction of slip, against r
    const BlockVector still = BlockVector::Zero(size), slip = defined_.slip(r);
    EXPECT_NEAR(set_->correction_gradient(still, r).dot(slip), defined_.gamma(slip),
                1e-14 * defined_.gamma(slip));
    defined_.for_groups([&](Index first, const DefinedSet::Group& group) {
      if (!defined_.is_elliptic) u.segment(first, group.rows).setZero();
    });
    if (!defined_.is_elliptic) {
      EXPECT_EQ(set_->correction_gradient(u, r), set_->correction_gradient(still, r));
    }
    const double any = set_->correction_gradient(still, still).tail(size - 1).norm();
    EXPECT_LE(any, defined_.gamma(BlockVector::Ones(size)) * (1 + 1e-15));
    EXPECT_EQ(any > 0, defined_.gamma(BlockVector::Ones(size)) > 0);
  }
}

// A contact that slides with u_N = 0 solves the NCP with û; without Γ, nothing answers it.
TEST_P(ConstraintSets, SlidingContactsAreAnsweredWithTheirCorrection) {
  if (!defined_.is_contact()) return;
  for (int k = 0; k < 200; ++k) {
    const BlockVector r = member(0, true), u = magnitude() * defined_.slip(r);
    const BlockVector corrected = set_->corrected(u);
    const double size = corrected.norm();
    EXPECT_LE(set_->dual_distance(corrected), 1e-15 * size);
    EXPECT_LE(set_->complementarity(r, corrected), 1e-14 * size * (r.norm() + defined_.cohesion));
    if (defined_.gamma(u) > 0) {
      EXPECT_GT(set_->dual_distance(u), 1e-6 * set_->correction(u));
    }
    BlockVector lifted = corrected;
    lifted[0] += size;
    EXPECT_NEAR(set_->complementarity(r, lifted), size * (r[0] + defined_.cohesion),
                1e-14 * size * (r.norm() + defined_.cohesion));
  }
}

TEST_P(ConstraintSets, DividedIsTheSameSetInOtherUnits) {
  const SetPointer divided = set_->divided(4.5);
  EXPECT_EQ(divided == nullptr, defined_.is_cone());
  EXPECT_EQ(set_->mu().has_value(), defined_.is_contact());
  EXPECT_EQ(set_->mu().value_or(0), defined_.is_contact() ? defined_.groups[0].mu : 0);
  const Index rows = defined_.is_elliptic    ? std::min<Index>(2, set_->dimension() - 1)
                     : defined_.is_contact() ? defined_.groups[0].rows
                                             : 0;
  EXPECT_EQ(set_->friction_rows(), rows);
  for (int k = 0; divided && k < 500; ++k) {
    const BlockVector x = random() * magnitude(2);
    const BlockVector expected = set_->project(4.5 * x) / 4.5;
    EXPECT_LE((divided->project(x) - expected).norm(), 1e-15 * (x.norm() + 2));
    EXPECT_EQ(divided->friction_rows(), rows);
  }
}

TEST_P(ConstraintSets, NaNGivesNaN) {
  for (Index a = 0; a < set_->dimension(); ++a) {
    BlockVector x = random();
    x[a] = NAN;
    EXPECT_TRUE(std::isnan(set_->distance(x)) && std::isnan(set_->dual_distance(x)));
    EXPECT_TRUE(std::isnan(set_->complementarity(random(), x)));
  }
}

// friction_0_7_
std::string test_name(const testing::TestParamInfo<DefinedSet>& info) {
  std::string name = info.param.text;
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = c == '-' ? 'm' : '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, ConstraintSets, testing::ValuesIn(test::defined_sets()), test_name);

}  // namespace
}  // namespace frictionbench
