// All solvers of a model find the same answer, where theory says that there is only one. A new
// solver is tested here by being registered.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>

#include "frictionbench/criteria/verdict.hpp"
#include "frictionbench/fclib/reader.hpp"
#include "frictionbench/solvers/register_all.hpp"
#include "lib/scenes/scene_support.hpp"
#include "solvers/agreement/known_answer.hpp"
#include "support/problems.hpp"
#include "support/real_files.hpp"
#include "support/registered_solvers.hpp"

namespace frictionbench {
namespace {

using scenes::test::NamedScene;
using scenes::test::state;
using test::known_answer;
using test::KnownAnswer;

constexpr double tolerance = 1e-10;

class Agreement : public testing::TestWithParam<std::string> {
 protected:
  // Solves to `tolerance` by `name`. Nothing if the solver does not take such problems.
  static std::optional<Vector> solve(const std::string& name, const ContactProblem& problem) {
    const ConfiguredSolver solver = solvers::all_solvers().make(name);
    if (!reason_to_refuse(solver.info(), problem).empty()) return std::nullopt;
    const Result result = solver.solver->solve(problem, scenes::test::precise(tolerance));
    EXPECT_EQ(result.status, Status::converged) << name << ": " << result.message;
    return result.r;
  }
  std::optional<Vector> solve(const ContactProblem& problem) const {
    return solve(GetParam(), problem);
  }

  // Expects this velocity, to a millionth of the free velocity.
  void expect_velocity(const ContactProblem& problem, const Vector& u) const {
    if (const auto r = solve(problem)) {
      EXPECT_LE((problem.contact_velocity(*r) - u).norm(), 1e-6 * problem.local().q.norm());
    }
  }
};

double cost(const ContactProblem& problem, const Vector& r) {
  return r.dot((problem.contact_velocity(r) + problem.local().q) / 2);
}

// J J^T / rank, J of rank `rank` if that is less than the size of W.
SparseMatrix random_delassus(int dimension, Index contacts, Index rank, std::uint32_t seed) {
  return test::random_problem(dimension, contacts, rank, seed).local().W /
         static_cast<double>(rank);
}

Vector random_friction(Index contacts, double largest) {
  return Vector::LinSpaced(contacts, largest / 10, largest);
}

class NcpAgreement : public Agreement {};

// W positive definite, mu < 1 / sqrt(cond W). With d = r - s, y = W^1/2 d, F(r) = û:
//
//   <d, F(r) - F(s)> >= |y|^2 - max mu |d_N| |(W d)_T| >= (1 - max mu sqrt(cond W)) |y|^2,
//
// so F is strongly monotone, and the variational inequality of F over the cones, which is the NCP,
// has exactly one solution (Facchinei, Pang, Finite-Dimensional Variational Inequalities, theorem
// 2.3.3).
TEST_P(NcpAgreement, OneAnswerWhereTheModifiedVelocityIsMonotone) {
  for (const int dimension : {2, 3})
    for (std::uint32_t seed = 0; seed < 4; ++seed) {
      SCOPED_TRACE(testing::Message() << dimension << "D, seed " << seed);
      constexpr Index contacts = 6;
      const SparseMatrix W = random_delassus(dimension, contacts, 4 * dimension * contacts, seed);
      const Vector spectrum =
          Eigen::SelfAdjointEigenSolver<Matrix>(W, Eigen::EigenvaluesOnly).eigenvalues();
      ASSERT_GT(spectrum[0], 0.01 * spectrum.tail(1)[0]);
      const double largest_mu = 0.9 * std::sqrt(spectrum[0] / spectrum.tail(1)[0]);
      const KnownAnswer known = known_answer(ContactModel::ncp, dimension, W,
                                             random_friction(contacts, largest_mu), seed);
      ASSERT_LE(judge(known.problem, known.r).ncp.max(), 1e-13);
      expect_velocity(known.problem, known.u);
    }
}

// Without friction the NCP is a convex quadratic programme, and W r the same at all of its minima,
// singular as W may be.
TEST_P(NcpAgreement, OneVelocityWithoutFriction) {
  for (const int dimension : {2, 3}) {
    SCOPED_TRACE(testing::Message() << dimension << "D");
    constexpr Index contacts = 9;
    const KnownAnswer known =
        known_answer(ContactModel::ncp, dimension, random_delassus(dimension, contacts, 4, 5),
                     Vector::Zero(contacts), 5);
    expect_velocity(known.problem, known.u);
  }
}

// A block on several points, too flat to tip over: whatever the points share of its weight,
// friction takes mu g h off its speed, or stops it. W is singular here.
TEST_P(NcpAgreement, BlockSlidesOrSticksAsAWhole) {
  for (const NamedScene& scene :
       {NamedScene{"sliding_box", {{"direction", "20"}}},
        NamedScene{"sliding_box", {{"speed", "0.02"}}},
        NamedScene{"pushed_box", {{"push", "2"}, {"direction", "30"}}},
        NamedScene{"pushed_box", {{"push", "0.5"}}}, NamedScene{"pushed_box_2d", {{"push", "1.5"}}},
        NamedScene{"pushed_box_2d", {{"push", "0.5"}}}, NamedScene{"stack", {{"boxes", "1"}}}}) {
    const scenes::Snapshot snapshot = state(scene.name, scene.parameters);
    SCOPED_TRACE(scenes::test::make(scene.name, scene.parameters).command);
    const scenes::World& world = snapshot.world;
    const ContactProblem problem = scenes::global_problem(world, snapshot.contacts);

    Vector v = problem.generalized_velocity(Vector::Zero(problem.unknowns()));
    const int up = world.dimension - 1;
    const double friction = problem.mu()[0] * world.gravity.norm() * world.time_step;
    const double speed = v.head(up).norm();
    v.head(up) *= speed > friction ? 1 - friction / speed : 0;
    v[up] = 0;
    expect_velocity(problem, problem.global()->H.transpose() * v + problem.global()->w);
  }
}

class CcpAgreement : public Agreement {
 protected:
  // Expects an impulse of this cost, which is that of all solutions.
  void expect_cost(const ContactProblem& problem, double known) const {
    if (const auto r = solve(problem)) {
      EXPECT_NEAR(cost(problem, *r), known, 1e-8 * std::abs(known));
    }
  }
};

// The CCP is the convex programme min r.W r / 2 + r.q over the cones: one cost and one velocity,
// for any mu and a singular W, too.
TEST_P(CcpAgreement, OneCostAndOneVelocity) {
  for (const int dimension : {2, 3})
    for (const Index rank : {Index{5}, Index{18}, Index{60}}) {
      SCOPED_TRACE(testing::Message() << dimension << "D, rank " << rank);
      constexpr Index contacts = 6;
      const KnownAnswer known =
          known_answer(ContactModel::ccp, dimension, random_delassus(dimension, contacts, rank, 7),
                       random_friction(contacts, 1.2), 7);
      ASSERT_LE(judge(known.problem, known.r).ccp.max(), 1e-13);
      expect_cost(known.problem, cost(known.problem, known.r));
      expect_velocity(known.problem, known.u);
    }
}

// Against another solver here, because these answers are not known beforehand.
TEST_P(CcpAgreement, OneCostOfAScene) {
  const std::string reference = test::exact_solvers_of(ContactModel::ccp).front();
  for (const NamedScene& scene :
       {NamedScene{"stack", {{"boxes", "2"}}}, NamedScene{"sliding_box", {{"spin", "3"}}},
        NamedScene{"pushed_box", {{"push", "1.05"}, {"direction", "30"}}},
        NamedScene{"packed_spheres",
                   {{"grains", "20"}, {"width", "0.3"}, {"steps", "40"}, {"snapshots", "1"}}},
        NamedScene{"disks_2d", {{"grains", "12"}, {"steps", "60"}, {"snapshots", "1"}}},
        NamedScene{"pushed_box_2d", {{"push", "1.5"}}}}) {
    const scenes::Snapshot snapshot = state(scene.name, scene.parameters);
    SCOPED_TRACE(scenes::test::make(scene.name, scene.parameters).command);
    const ContactProblem problem = scenes::global_problem(snapshot.world, snapshot.contacts);
    ASSERT_GT(problem.contacts(), 1);
    const auto r = solve(reference, problem);
    ASSERT_TRUE(r) << reference << " does not take this problem";
    expect_cost(problem, cost(problem, *r));
  }
}

class LcpAgreement : public Agreement {
 protected:
  // The solver, by pyramids of these numbers of facets, or of its own if it has no choice.
  static std::vector<ConfiguredSolver> by_facets(const std::string& name) {
    const Registry registry = solvers::all_solvers();
    std::vector<ConfiguredSolver> found;
    for (const int facets : {4, 5, 8}) {
      try {
        found.push_back(registry.make(fmt::format("{}(facets={})", name, facets)));
      } catch (const std::invalid_argument&) {  // no such setting
        return {registry.make(name)};
      }
    }
    return found;
  }

  // Expects the velocity of lcp-pgs on the same pyramid, to a millionth of the free velocity. A solver that
  // may fail has to say so.
  static void expect_velocity_of_pgs(const ContactProblem& problem) {
    for (const ConfiguredSolver& own : by_facets(GetParam())) {
      const int facets = own.info().facets;
      SCOPED_TRACE(testing::Message() << "K = " << facets);
      const Result result = own.solver->solve(problem, scenes::test::precise(tolerance));
      if (result.status != Status::converged) {
        EXPECT_FALSE(own.info().dependable) << result.message;
        continue;
      }
      const auto pgs = solve(fmt::format("lcp-pgs(facets={})", facets), problem);
      const Vector difference = problem.contact_velocity(result.r) - problem.contact_velocity(*pgs);
      EXPECT_LE(difference.norm(), 1e-6 * problem.local().q.norm());
    }
  }

  // The problem with the largest friction coefficients for which the modified velocity is strongly monotone
  // with a margin, as in NcpAgreement, corners of the pyramid having up to sqrt(2) times Coulomb's friction,
  // for 4 facets or more. Nothing if they would be tiny.
  static std::optional<ContactProblem> with_small_friction(const ContactProblem& problem) {
    const SparseMatrix& W = problem.local().W;
    const Vector spectrum =
        Eigen::SelfAdjointEigenSolver<Matrix>(Matrix(W), Eigen::EigenvaluesOnly).eigenvalues();
    const double largest = 0.6 * std::sqrt(std::max(0.0, spectrum[0]) / spectrum.tail(1)[0]);
    if (largest < 0.03) return std::nullopt;
    return ContactProblem(problem.dimension(), random_friction(problem.contacts(), largest),
                          LocalForm{W, problem.local().q});
  }

  static ContactProblem without_friction(const ContactProblem& problem) {
    return {problem.dimension(), Vector::Zero(problem.contacts()),
            LocalForm{problem.local().W, problem.local().q}};
  }
};

TEST_P(LcpAgreement, OneVelocityForSmallFriction) {
  for (const int dimension : {2, 3})
    for (std::uint32_t seed = 0; seed < 4; ++seed) {
      SCOPED_TRACE(testing::Message() << dimension << "D, seed " << seed);
      constexpr Index contacts = 5;
      const auto problem = with_small_friction(
          test::random_problem(dimension, contacts, 4 * dimension * contacts, seed));
      ASSERT_TRUE(problem);
      expect_velocity_of_pgs(*problem);
    }
}

// A convex quadratic programme: W r is the same at all of its minima, singular as W may be.
TEST_P(LcpAgreement, OneVelocityWithoutFriction) {
  for (const int dimension : {2, 3}) {
    SCOPED_TRACE(testing::Message() << dimension << "D");
    expect_velocity_of_pgs(without_friction(test::random_problem(dimension, 9, 4, 5)));
  }
}

TEST_P(LcpAgreement, RealFilesWithoutFrictionOrWithSmall) {
  SKIP_WITHOUT_REAL_FILES("fclib/local");
  const auto files = test::real_files("fclib/local");
  int frictionless = 0, regular = 0;
  for (std::size_t k = 0; k < files.size(); k += 7) {
    const ContactProblem problem = fclib::read_problem(files[k].string()).problem;
    if (problem.contacts() > 10 || problem.dimension() != 3 || problem.layout()) continue;
    SCOPED_TRACE(files[k].string());
    ++frictionless;
    expect_velocity_of_pgs(without_friction(problem));
    if (const auto little = with_small_friction(problem)) {
      ++regular;
      expect_velocity_of_pgs(*little);
    }
  }
  EXPECT_GT(frictionless, 0);
  EXPECT_GT(regular, 0);
}

INSTANTIATE_TEST_SUITE_P(Solvers, LcpAgreement,
                         testing::ValuesIn(test::exact_solvers_of(ContactModel::lcp)),
                         test::solver_test_name);
INSTANTIATE_TEST_SUITE_P(Solvers, NcpAgreement,
                         testing::ValuesIn(test::exact_solvers_of(ContactModel::ncp)),
                         test::solver_test_name);
INSTANTIATE_TEST_SUITE_P(Solvers, CcpAgreement,
                         testing::ValuesIn(test::exact_solvers_of(ContactModel::ccp)),
                         test::solver_test_name);

}  // namespace
}  // namespace frictionbench
