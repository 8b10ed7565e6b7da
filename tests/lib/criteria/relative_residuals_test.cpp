// Relative residuals, and what else the scales of contacts decide, against a second implementation
// and against what they promise: neither units nor the company of other problems change them.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "frictionbench/criteria/verdict.hpp"
#include "frictionbench/problem/facts.hpp"
#include "lib/criteria/plain_residuals.hpp"
#include "support/joined_problems.hpp"
#include "support/problems.hpp"

namespace frictionbench {
namespace {

using test::join;

constexpr ContactModel models[] = {ContactModel::ncp, ContactModel::ccp, ContactModel::lcp};

// Impulses inside, on and outside of the cones, and zero ones.
Vector random_impulse(const ContactProblem& problem, std::uint32_t seed) {
  std::mt19937 generator(seed);
  std::normal_distribution<double> normal;
  Vector r = Vector::NullaryExpr(problem.unknowns(), [&] { return normal(generator); });
  const Index dim = problem.dimension();
  for (Index i = 0; i < problem.contacts(); ++i) {
    auto r_i = r.segment(dim * i, dim);
    if (i % 4 == 1) r_i.setZero();
    if (i % 4 == 2) r_i[0] = std::abs(r_i[0]);
    if (i % 4 == 3) r_i[0] = 3 * r_i.norm();
  }
  return r;
}

void expect_near(double value, double expected, double relative) {
  EXPECT_NEAR(value, expected, relative * std::abs(expected));
}

void expect_like_plain(const ContactProblem& problem, std::uint32_t seed) {
  const test::PlainScales scales = test::plain_scales(test::plain(problem));
  const ContactScales own = contact_scales(problem);
  ASSERT_EQ(own.velocity.size(), problem.contacts());
  for (Index i = 0; i < problem.contacts(); ++i) {
    expect_near(own.velocity_per_impulse[i], scales.w[i], 1e-12);
    expect_near(own.velocity[i], scales.U[i], 1e-12);
  }
  for (const double size : {1e-4, 1.0, 1e3}) {
    const Vector r = size * random_impulse(problem, seed);
    const Verdict verdict = judge(problem, r);
    for (const ContactModel model : models) {
      const double expected = test::plain_relative_residual(model, test::plain(problem), r);
      expect_near(verdict.residual(model, Scale::relative), expected, 1e-10);
      EXPECT_EQ(verdict.residuals(model).relative, verdict.residual(model, Scale::relative));
      EXPECT_TRUE(verdict.solved(model, Scale::relative, expected * (1 + 1e-9)));
      if (expected > 0) {
        EXPECT_FALSE(verdict.solved(model, Scale::relative, expected * (1 - 1e-9)));
      }
      // what stops a solver is what it is judged by
      const ConeResiduals in_units = cone_residuals(model, problem, r, problem.contact_velocity(r),
                                                    units_of(Scale::relative, problem));
      expect_near(in_units.max(), expected, 1e-10);
    }
  }
}

ContactProblem with(const ContactProblem& given, const Matrix& W, const Vector& q,
                    const Vector& mu) {
  return ContactProblem(given.dimension(), mu, LocalForm{test::sparse(W), q});
}

TEST(RelativeResiduals, AgreeWithASecondImplementation) {
  for (const int dim : {2, 3})
    for (std::uint32_t seed = 0; seed < 6; ++seed) {
      SCOPED_TRACE(testing::Message() << dim << "D, seed " << seed);
      const ContactProblem problem = test::random_problem(dim, 8, 11, seed);
      const Matrix W = problem.local().W;
      const Vector& q = problem.local().q;
      expect_like_plain(problem, seed);
      expect_like_plain(test::random_global_problem(dim, 7, 3, seed), seed);

      Vector mu = problem.mu();
      mu.head(4).setZero();
      expect_like_plain(with(problem, W, q, mu), seed);

      Matrix asymmetric = W;
      asymmetric += 0.05 * Matrix(W.triangularView<Eigen::StrictlyUpper>());
      expect_like_plain(with(problem, asymmetric, q, mu), seed);

      Matrix zero_blocks = W;  // bodies of infinite mass: one alone, and two that touch only others
      for (const Index i : {Index{0}, Index{5}}) zero_blocks.middleRows(dim * i, dim).setZero();
      zero_blocks.middleCols(0, dim).setZero();
      expect_like_plain(with(problem, zero_blocks, q, mu), seed);
      expect_like_plain(with(problem, 0 * W, q, mu), seed);
      expect_like_plain(with(problem, W, 0 * q, mu), seed);

      const Vector R = Vector::LinSpaced(problem.unknowns(), 0, 3);
      expect_like_plain(problem.with_compliance(R), seed);
      expect_like_plain(with(problem, zero_blocks, q, mu).with_compliance(R), seed);
      expect_like_plain(test::random_global_problem(dim, 7, 3, seed)
                            .with_compliance(Vector::LinSpaced(7 * dim, 0, 3)),
                        seed);
    }
}

// Islands of very different speeds, in every order of their contacts; one so slow that its scale is
// the least that counts.
TEST(RelativeResiduals, AgreeWithASecondImplementationOnIslands) {
  for (const int dim : {2, 3})
    for (std::uint32_t seed = 0; seed < 4; ++seed) {
      SCOPED_TRACE(testing::Message() << dim << "D, seed " << seed);
      const auto slowed = [&](std::uint32_t of, double speed) {
        const ContactProblem problem = test::random_problem(dim, 4, 7, of);
        return with(problem, problem.local().W, speed * problem.local().q, problem.mu());
      };
      const ContactProblem joined =
          join({slowed(seed, 1), slowed(seed + 10, 1e-2), slowed(seed + 20, 1e-6)});
      EXPECT_EQ(facts_of(joined).islands, 3);
      expect_like_plain(joined, seed);
      std::vector<Index> order(12);
      for (Index i = 0; i < 12; ++i) order[static_cast<std::size_t>(i)] = (5 * i) % 12;
      expect_like_plain(test::reordered(joined, order), seed);
    }
}

TEST(RelativeResiduals, WithoutContacts) {
  for (const int dim : {2, 3}) {
    const ContactProblem problem(dim, Vector(), LocalForm{SparseMatrix(0, 0), Vector()});
    expect_like_plain(problem, 1);
    const Verdict verdict = judge(problem, Vector());
    EXPECT_EQ(verdict.ncp.relative, 0);
    EXPECT_EQ(verdict.creep, 0);
    EXPECT_EQ(verdict.lift, 0);
  }
}

// The problem in other units of length, mass and time: a velocity is `velocity` times the number
// that it was, an impulse `impulse` times.
struct Units {
  double length, mass, time;
  double velocity() const { return length / time; }
  double impulse() const { return mass * length / time; }
};
ContactProblem in(const Units& units, const ContactProblem& problem) {
  const ContactProblem rigid(problem.dimension(), problem.mu(),
                             LocalForm{SparseMatrix(problem.rigid_W() / units.mass),
                                       units.velocity() * problem.local().q});
  if (problem.compliance().size() == 0) return rigid;
  return rigid.with_compliance(problem.compliance() / units.mass);
}

// \param velocity the unit of `there` in that of `here`.
void expect_same_verdict(const Verdict& here, const Verdict& there, double velocity) {
  for (const ContactModel model : models)
    expect_near(there.residuals(model).relative, here.residuals(model).relative, 1e-11);
  expect_near(there.creep, velocity * here.creep, 1e-11);
  expect_near(there.lift, velocity * here.lift, 1e-11);
  EXPECT_EQ(there.states.sticking, here.states.sticking);
  EXPECT_EQ(there.states.sliding, here.states.sliding);
  EXPECT_EQ(there.states.separated, here.states.separated);
}

TEST(RelativeResiduals, DoNotSeeUnits) {
  for (const int dim : {2, 3})
    for (std::uint32_t seed = 0; seed < 5; ++seed) {
      const ContactProblem rigid = test::random_problem(dim, 8, 11, seed);
      for (const ContactProblem& problem :
           {rigid, rigid.with_compliance(Vector::LinSpaced(8 * dim, 0, 2))}) {
        const Vector r = random_impulse(problem, seed);
        const Verdict here = judge(problem, r);
        EXPECT_GT(here.ncp.relative, 0);
        for (const Units& units : {Units{1e3, 1e3, 1e3}, Units{1e3, 1, 1}, Units{1, 1e3, 1},
                                   Units{1, 1, 1e3}, Units{0.0254, 1e-3, 60}}) {
          const Verdict there = judge(in(units, problem), units.impulse() * r);
          expect_same_verdict(here, there, units.velocity());
        }
        // ContactProblem::scaled with one factor for all contacts is a change of units, too.
        const double d = 7, c = 1e-3;
        const Vector all = Vector::Constant(problem.contacts(), d);
        expect_same_verdict(here, judge(problem.scaled(all, c), r / (c * d)), d / c);
      }
    }
}

TEST(RelativeResiduals, DoNotSeeOtherProblems) {
  for (const int dim : {2, 3})
    for (std::uint32_t seed = 0; seed < 5; ++seed) {
      std::vector<ContactProblem> problems;
      std::vector<Verdict> verdicts;
      Vector r(0);
      for (const double speed : {1.0, 0.1, 5.0}) {
        const ContactProblem given =
            test::random_problem(dim, 5, 8, 10 * seed + static_cast<std::uint32_t>(speed));
        problems.push_back(
            with(given, 5 / speed * Matrix(given.local().W), speed * given.local().q, given.mu()));
        const Vector own = 0.01 * random_impulse(problems.back(), seed);
        verdicts.push_back(judge(problems.back(), own));
        r.conservativeResize(r.size() + own.size());
        r.tail(own.size()) = own;
      }
      const Verdict all = judge(join(problems), r);
      const auto largest = [&](auto member) {
        double value = 0;
        for (const Verdict& verdict : verdicts) value = std::max(value, member(verdict));
        return value;
      };
      for (const ContactModel model : models)
        expect_near(all.residuals(model).relative,
                    largest([&](const Verdict& v) { return v.residuals(model).relative; }), 1e-12);
      expect_near(all.creep, largest([](const Verdict& v) { return v.creep; }), 1e-12);
      expect_near(all.lift, largest([](const Verdict& v) { return v.lift; }), 1e-12);
      Verdict::States sum;
      for (const Verdict& verdict : verdicts) {
        sum.sticking += verdict.states.sticking;
        sum.sliding += verdict.states.sliding;
        sum.separated += verdict.states.separated;
      }
      EXPECT_EQ(all.states.sticking, sum.sticking);
      EXPECT_EQ(all.states.sliding, sum.sliding);
      EXPECT_EQ(all.states.separated, sum.separated);
    }
}

TEST(RelativeResiduals, NaNAndInfSolveNothing) {
  const ContactProblem one = test::random_problem(3, 4, 9, 3);
  const ContactProblem zero = with(one, 0 * Matrix(one.local().W), one.local().q, one.mu());
  for (const ContactProblem& problem :
       {one, zero, join({one, one}), one.with_compliance(Vector::Ones(12))})
    for (const double bad : {NAN, INFINITY, -INFINITY})
      for (Index k = 0; k < problem.unknowns(); ++k) {
        Vector r = Vector::Zero(problem.unknowns());
        r[k] = bad;
        const Verdict verdict = judge(problem, r, {.time_step = 0.01});
        for (const ContactModel model : models)
          for (const Scale scale : {Scale::relative, Scale::absolute, Scale::scaled, Scale::force})
            EXPECT_FALSE(verdict.solved(model, scale, 1e300)) << name(scale) << " " << bad;
        EXPECT_TRUE(std::isnan(verdict.creep)) << "not 0, which an exact answer has";
        EXPECT_TRUE(std::isnan(verdict.lift));
      }
}

TEST(ForceScale, IsThatOfImpulsesOverTheTimeStep) {
  const ContactProblem problem = test::random_problem(3, 5, 9, 4);
  const Vector r = random_impulse(problem, 4);
  const double h = 0.005;
  const Verdict verdict = judge(problem, r, {.time_step = h});
  const ConeResiduals& ncp = verdict.ncp;
  const double expected = std::max({ncp.primal / h, ncp.dual, ncp.complementarity / h});
  expect_near(verdict.residual(ContactModel::ncp, Scale::force), expected, 1e-14);
  expect_near(cone_residuals(ContactModel::ncp, problem, r, problem.contact_velocity(r),
                             units_of(Scale::force, problem, h))
                  .max(),
              expected, 1e-14);
  EXPECT_TRUE(std::isnan(judge(problem, r).residual(ContactModel::ncp, Scale::force)));
  EXPECT_FALSE(judge(problem, r).solved(ContactModel::ncp, Scale::force, 1e300));
  EXPECT_THROW(units_of(Scale::force, problem), std::invalid_argument);
}

}  // namespace
}  // namespace frictionbench
