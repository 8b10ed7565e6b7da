#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <map>
#include <random>

#include "frictionbench/math/friction_cone.hpp"
#include "frictionbench/solvers/admm/admm.hpp"
#include "frictionbench/solvers/register_all.hpp"
#include "solvers/admm/admm_support.hpp"
#include "support/problems.hpp"

namespace frictionbench::solvers {
namespace {

using Settings = std::map<std::string, std::string>;

std::string ncp_admm_with(const Settings& settings) {
  std::string text = "ncp-admm(";
  for (const auto& [name, value] : settings) text += name + "=" + value + ",";
  text.back() = ')';
  return text;
}

// The accelerated variant with all that accelerates turned off: one rho for all contacts, in the
// units of the file. \param changes settings that are not.
std::string neutral(Settings changes = {}) {
  changes.merge(Settings{{"p_initial", "0.2"},
                         {"scaling", "none"},
                         {"start_sweeps", "0"},
                         {"balance", "absolute"},
                         {"hold", "1"},
                         {"hysteresis", "1"},
                         {"contact_weight", "1"},
                         {"anderson", "0"},
                         {"ray", "0"},
                         {"patience", "0"}});
  return ncp_admm_with(changes);
}

// A problem whose W is asymmetric by `share` of its norm.
ContactProblem asymmetric_problem(double share, std::uint32_t seed) {
  const ContactProblem symmetric = test::random_problem(3, 12, 20, seed);
  Matrix W = symmetric.local().W;
  std::mt19937 generator(seed);
  std::normal_distribution<double> normal;
  const Matrix random = Matrix::NullaryExpr(W.rows(), W.cols(), [&] { return normal(generator); });
  const Matrix skew = random - random.transpose();
  W += share * W.norm() / skew.norm() * skew;
  return ContactProblem(3, symmetric.mu(), LocalForm{test::sparse(W), symmetric.local().q});
}

// The class comment's iteration line by line in dense algebra: an oracle. W need not be symmetric.
Vector dense_iteration(const ContactProblem& problem, double rho, double relaxation,
                       int iterations) {
  const Index m = problem.unknowns();
  const Matrix W = problem.local().W;
  const Matrix A = 0.5 * (W + W.transpose()) + rho * Matrix::Identity(m, m);
  Vector x = Vector::Zero(m), y = x;
  for (int k = 0; k <= iterations; ++k) {
    for (Index i = 0; i < problem.contacts(); ++i)
      y.segment(3 * i, 3) = project_on_cone(Vector(x.segment(3 * i, 3)), problem.mu()[i]);
    if (k == iterations) break;
    const Vector z = rho * (y - x);
    Vector s = Vector::Zero(m);
    for (Index i = 0; i < problem.contacts(); ++i)
      s[3 * i] = de_saxce_correction(z.segment(3 * i, 3), problem.mu()[i]);
    const Vector u = W * y + problem.local().q;
    x += relaxation * A.partialPivLu().solve(z - s - u);
  }
  return y;
}

TEST(AcceleratedAdmm, FollowsItsIteration) {
  const ContactProblem problem = asymmetric_problem(1e-2, 51);
  for (const auto& [text, relaxation] : {std::pair{"1", 1.0}, std::pair{"1.5", 1.5}})
    for (const int iterations : {1, 2, 9}) {
      const std::string solver =
          neutral({{"rho_update", "constant"}, {"rho_initial", "0.6"}, {"relaxation", text}});
      // The answer of iteration k is that of x after k - 1 steps.
      const Vector r = solve(solver, problem, limits(0, iterations)).r;
      EXPECT_LE((r - dense_iteration(problem, 0.6, relaxation, iterations - 1)).norm(), 1e-11);
    }
}

// With one rho, no scaling and a symmetric W the two variants are the same map except for eta.
TEST(AcceleratedAdmm, WithEverythingOffIsThePapers) {
  const ContactProblem problem = test::random_problem(3, 6, 11, 52);
  const Settings same{{"rho_update", "constant"}, {"rho_initial", "0.6"}, {"eta", "1e-13"}};
  Settings paper = same;
  paper["variant"] = "rss2024";
  // Far enough that the last iterate is the best, which is what an unfinished solve returns.
  const Vector ours = solve(neutral(same), problem, limits(0, 31)).r;
  const Vector papers = solve(ncp_admm_with(paper), problem, limits(0, 30)).r;
  EXPECT_LE((ours - papers).norm(), 1e-9 * papers.norm());
}

TEST(AcceleratedAdmm, SolvesAnAsymmetricProblemAsItIsStated) {
  for (std::uint32_t seed = 60; seed < 64; ++seed) {
    const ContactProblem problem = asymmetric_problem(3e-3, seed);
    const Result result = solve("ncp-admm", problem, limits(1e-9));
    EXPECT_EQ(result.status, Status::converged) << seed;
    EXPECT_LE(judge(problem, result.r).ncp.max(), 1e-9);
    const Result papers = solve("ncp-admm(variant=rss2024)", problem, limits(1e-9, 3000));
    EXPECT_GT(judge(problem, papers.r).ncp.max(), 1e-7)
        << "the symmetrised problem has another answer";
  }
}

// Masses from 1 to 1e8 of a stack in the units of its file: what scaling and weights are for.
TEST(AcceleratedAdmm, DoesNotMindUnits) {
  const ContactProblem problem = test::random_problem(3, 15, 24, 55);
  Vector d(problem.contacts());
  for (Index i = 0; i < d.size(); ++i) d[i] = std::pow(10.0, static_cast<double>(i % 5) - 2);
  const ContactProblem other = problem.scaled(d, 100);
  const Result one = solve("ncp-admm", problem, limits(1e-9));
  ASSERT_EQ(one.status, Status::converged);
  const Result two = solve("ncp-admm", other, limits(1e-9));
  ASSERT_EQ(two.status, Status::converged);
  const Vector u = problem.contact_velocity(one.r);
  Vector v = other.contact_velocity(two.r);
  for (Index i = 0; i < d.size(); ++i) v.segment<3>(3 * i) *= 100 / d[i];
  EXPECT_LE((u - v).norm(), 1e-4 * u.norm()) << "velocities of this problem are unique";
}

TEST(AcceleratedAdmm, EverySettingStillSolves) {
  const ContactProblem problem = test::random_problem(3, 30, 40, 56);
  const auto solves = [&](const std::string& solver) {
    const Result result = solve(solver, problem, limits(1e-8));
    EXPECT_EQ(result.status, Status::converged) << solver;
    EXPECT_LE(judge(problem, result.r).ncp.max(), 1e-8);
    return result;
  };
  const Result plain = solves(neutral());
  const Result standard = solves("ncp-admm");
  EXPECT_LT(standard.iterations, plain.iterations);

  for (const char* balance : {"absolute", "relative", "velocity", "agreed"})
    solves(ncp_admm_with({{"balance", balance}, {"hold", "5"}}));
  for (const char* type : {"I", "II"}) {
    const Result accelerated = solves(neutral({{"anderson", "10"}, {"anderson_type", type}}));
    EXPECT_LT(accelerated.iterations, plain.iterations);
  }
  for (const char* rule : {"linear", "spectral", "constant"})
    solves(ncp_admm_with({{"rho_update", rule}}));
}

TEST(AcceleratedAdmm, EveryFactorizationGivesTheSameIterates) {
  const ContactProblem problem = test::random_global_problem(3, 40, 8, 62);
  const auto solve_by = [](const ContactProblem& form, const std::string& factorization) {
    return solve(ncp_admm_with({{"factorization", factorization}}), form, limits(1e-8));
  };
  const Result automatic = solve_by(problem, "automatic");
  ASSERT_EQ(automatic.status, Status::converged);
  for (const char* factorization : {"dense", "simplicial", "supernodal", "dual"}) {
    const Result result = solve_by(problem, factorization);
    EXPECT_EQ(result.status, Status::converged);
    EXPECT_LE((result.r - automatic.r).norm(), 1e-5 * automatic.r.norm());
  }
  const ContactProblem local(3, problem.mu(), test::local_form(problem));
  EXPECT_EQ(solve_by(local, "dual").status, Status::refused);
}

TEST(AcceleratedAdmm, WorkIsWhatTheIterationsNeed) {
  const ContactProblem problem = test::random_problem(3, 20, 30, 57);
  const AdmmSettings settings;
  // the other balances may ask for products of their own
  const Result result = solve("ncp-admm(balance=relative)", problem, limits(1e-9));
  ASSERT_EQ(result.status, Status::converged);
  EXPECT_EQ(result.work.triangular_solves, result.iterations - 1) << "the last one only tests";
  // The start's velocity, and the test in the units of the file, are a product each.
  EXPECT_EQ(result.work.products, settings.power_iterations + 1 + result.iterations + 1);
  EXPECT_EQ(result.work.sweeps, settings.start_sweeps);
  EXPECT_GE(result.work.factorizations.all(), 1);
}

TEST(AcceleratedAdmm, ASolutionNeedsNoIterationMore) {
  for (const char* solver : {"ncp-admm", "ccp-admm"}) {
    const ContactProblem problem = test::random_problem(3, 20, 30, 58);
    const Result cold = solve(solver, problem, limits(1e-8));
    ASSERT_EQ(cold.status, Status::converged);
    const Result warm = solve(solver, problem, limits(1e-8), cold.r);
    EXPECT_EQ(warm.status, Status::converged);
    EXPECT_LT(warm.iterations, cold.iterations);
  }
}

// Contacts that separate have y = 0, those that stick z = 0 and a small penalty: with the states
// known, hardly anything is left to iterate.
TEST(AcceleratedAdmm, ContactWeightsSaveIterations) {
  int with = 0, without = 0;
  for (std::uint32_t seed = 70; seed < 80; ++seed) {
    const ContactProblem problem = test::random_problem(3, 30, 45, seed);
    Settings settings{{"scaling", "contacts"}, {"rho_update", "constant"}};
    without += solve(neutral(settings), problem, limits(1e-8)).iterations;
    settings["contact_weight"] = "10";
    settings["weight_first"] = "20";
    with += solve(neutral(settings), problem, limits(1e-8)).iterations;
  }
  EXPECT_LT(with, without);
}

TEST(AcceleratedAdmm, SaysWhenNothingMovesAnyMore) {
  const ContactProblem problem = test::random_problem(3, 8, 14, 59);
  const Result result = solve("ncp-admm", problem, limits(1e-300));
  EXPECT_THAT(result.status, testing::AnyOf(Status::stalled, Status::converged));
  EXPECT_LE(judge(problem, result.r).ncp.max(), 1e-12) << "as far as double precision goes";
}

TEST(AdmmStart, SweepsApproachTheSolution) {
  const ContactProblem problem = test::random_problem(3, 20, 40, 61);
  const auto residual = [&](ContactModel model, int sweeps) {
    const SolverInfo info{.name = "start", .model = model};
    Observer silent;
    const Limits limits;
    Solve stub(info, problem, limits, {}, silent);
    const AdmmStart start = admm_start(stub, sweeps);
    EXPECT_EQ(stub.work().sweeps, sweeps);
    for (Index i = 0; i < problem.contacts(); ++i) {
      EXPECT_LE(distance_to_cone(start.y.segment<3>(3 * i), problem.mu()[i]), 1e-12);
      EXPECT_LE(distance_to_dual_cone(start.z.segment<3>(3 * i), problem.mu()[i]), 1e-12);
    }
    return cone_residuals(model, problem, start.y, problem.contact_velocity(start.y)).max();
  };
  for (const ContactModel model : {ContactModel::ncp, ContactModel::ccp})
    EXPECT_LT(residual(model, 200), 1e-2 * residual(model, 0));
}

TEST(AdmmSettings, ThePapersVariantTakesThePapersSettingsOnly) {
  const auto make = [](const std::string& settings) {
    return all_solvers().make("ncp-admm(" + settings + ")");
  };
  const auto value = [&](const std::string& settings, const std::string& of) {
    for (const auto& [name, given] : make(settings).settings)
      if (name == of) return text_of(given);
    return std::string("there is none");
  };
  EXPECT_EQ(make("variant=rss2024,rho_update=linear,tau=4").id,
            "ncp-admm(variant=rss2024,rho_update=linear,tau=4)");
  EXPECT_EQ(value("p=0.08,variant=rss2024", "p_initial"), "0.2");
  EXPECT_EQ(value("variant=rss2024", "scaling"), "none");
  const auto complaint = [&](const std::string& settings) -> std::string {
    try {
      make(settings);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_THAT(complaint("variant=rss2024,anderson=5"),
              testing::HasSubstr("anderson cannot be combined with variant = rss2024"));
  EXPECT_THAT(complaint("stop=admm"), testing::HasSubstr("requires variant = rss2024"));
}

}  // namespace
}  // namespace frictionbench::solvers
