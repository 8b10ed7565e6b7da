#include <gtest/gtest.h>

#include <Eigen/Cholesky>

#include "frictionbench/math/friction_cone.hpp"
#include "frictionbench/problem/facts.hpp"
#include "frictionbench/solvers/admm/admm.hpp"
#include "solvers/admm/admm_support.hpp"
#include "support/problems.hpp"

namespace frictionbench::solvers {
namespace {

// The paper's variant, with these settings. \param model "ncp" or "ccp".
std::string papers(const std::string& settings, const std::string& model = "ncp") {
  return model + "-admm(variant=rss2024" + (settings.empty() ? "" : ",") + settings + ")";
}

// [Carpentier24] Alg. 1, line by line in dense algebra, with rho fixed: an oracle for the solver.
Vector dense_admm(const ContactProblem& problem, double rho, double eta, bool ncp, int iterations) {
  const Index m = problem.unknowns();
  const Matrix A = Matrix(symmetric_part(problem.local().W)) + (eta + rho) * Matrix::Identity(m, m);
  Vector f = Vector::Zero(m), y = f, z = f;
  for (int k = 0; k < iterations; ++k) {
    Vector s = Vector::Zero(m);
    for (Index i = 0; ncp && i < problem.contacts(); ++i)
      s[3 * i] = de_saxce_correction(z.segment(3 * i, 3), problem.mu()[i]);
    f = -A.ldlt().solve(problem.local().q + s - eta * f - rho * y - z);
    for (Index i = 0; i < problem.contacts(); ++i)
      y.segment(3 * i, 3) =
          project_on_cone(Vector(f.segment(3 * i, 3) - z.segment(3 * i, 3) / rho), problem.mu()[i]);
    z -= rho * (f - y);
  }
  return y;
}

TEST(ProximalAdmm, FollowsTheAlgorithmOfThePaper) {
  const ContactProblem problem = test::random_problem(3, 5, 9, 31);
  const std::string settings = "rho_update=constant,rho_initial=0.7,eta=1e-3";
  for (const int iterations : {1, 2, 7}) {
    const Vector ncp = solve(papers(settings), problem, limits(0, iterations)).r;
    EXPECT_LE((ncp - dense_admm(problem, 0.7, 1e-3, true, iterations)).norm(), 1e-12);
    const Vector ccp = solve(papers(settings, "ccp"), problem, limits(0, iterations)).r;
    EXPECT_LE((ccp - dense_admm(problem, 0.7, 1e-3, false, iterations)).norm(), 1e-12);
    if (iterations == 7) {
      EXPECT_GT((ncp - ccp).norm(), 1e-6);
    }
  }
}

TEST(ProximalAdmm, EquationFortyFiveMayTakeTheSmallestEigenvalue) {
  const auto first_penalty = [](const ContactProblem& problem) {
    Recorder recorder;
    solve(papers("strong_convexity=smallest_eigenvalue,power_iterations=300"), problem,
          limits(1e-10, 1), {}, recorder);
    return recorder.rows[0].penalty;
  };
  const auto rho = [](const ContactProblem& problem, double smallest) {
    const double eta = AdmmSettings::rss2024().eta;
    const double m = smallest + eta, L = spectrum_of(problem)->largest + eta;
    return std::sqrt(m * L) * std::pow(L / m, 0.2);
  };
  const ContactProblem regular = test::random_problem(3, 8, 60, 32);
  const double smallest = spectrum_of(regular)->smallest;
  ASSERT_GT(smallest, 0.1);
  EXPECT_NEAR(first_penalty(regular), rho(regular, smallest), 1e-4 * rho(regular, smallest));
  const ContactProblem hyperstatic = test::random_problem(3, 8, 14, 32);
  EXPECT_NEAR(first_penalty(hyperstatic), rho(hyperstatic, 0), 1e-4 * rho(hyperstatic, 0));

  const Result result =
      solve("ncp-admm(strong_convexity=smallest_eigenvalue)", regular, limits(1e-9));
  EXPECT_EQ(result.status, Status::converged) << result.message;
}

TEST(ProximalAdmm, SpectralRuleStartsAtAndMovesAlongEquation45) {
  const ContactProblem problem = test::random_problem(3, 8, 14, 32);
  const AdmmSettings settings = AdmmSettings::rss2024();
  Recorder recorder;
  solve(papers("power_iterations=300"), problem, limits(1e-10), {}, recorder);
  const double L = spectrum_of(problem)->largest + settings.eta;
  const double kappa = L / settings.eta;
  const auto rho = [&](double p) { return std::sqrt(settings.eta * L) * std::pow(kappa, p); };
  EXPECT_NEAR(recorder.rows[0].penalty, rho(0.2), 1e-6 * rho(0.2));

  double p = 0.2;
  for (std::size_t k = 0; k + 1 < recorder.rows.size(); ++k) {
    const ConeResiduals& now = recorder.rows[k].residuals;
    if (now.primal >= settings.alpha * now.dual)
      p += settings.p_inc;
    else if (now.dual >= settings.alpha * now.primal)
      p -= settings.p_dec;
    ASSERT_NEAR(recorder.rows[k + 1].penalty, rho(p), 1e-5 * rho(p)) << "iteration " << k + 2;
  }
  EXPECT_NE(p, 0.2) << "this problem must move p for the test to mean anything";
}

TEST(ProximalAdmm, LinearRuleMultipliesAndDivides) {
  const ContactProblem problem = test::random_problem(3, 8, 14, 32);
  const AdmmSettings settings = AdmmSettings::rss2024();
  Recorder recorder;
  const Result result = solve(papers("rho_update=linear,rho_initial=10,tau_inc=3,tau_dec=5"),
                              problem, limits(1e-10), {}, recorder);
  int changes = 0;
  for (std::size_t k = 0; k + 1 < recorder.rows.size(); ++k) {
    const ConeResiduals& now = recorder.rows[k].residuals;
    double expected = recorder.rows[k].penalty;
    if (now.primal >= settings.alpha * now.dual)
      expected *= 3, ++changes;
    else if (now.dual >= settings.alpha * now.primal)
      expected /= 5, ++changes;
    ASSERT_DOUBLE_EQ(recorder.rows[k + 1].penalty, expected);
  }
  EXPECT_GT(changes, 0);
  EXPECT_EQ(result.work.factorizations.all(), changes + 1) << "the first factorisation counts";
}

TEST(ProximalAdmm, WorkIsWhatTheIterationsNeed) {
  const ContactProblem problem = test::random_problem(3, 20, 30, 33);
  const AdmmSettings settings = AdmmSettings::rss2024();
  const Result result = solve(papers("stop=admm"), problem, limits(1e-6));
  EXPECT_EQ(result.stop_reason, StopReason::admm_residuals);
  EXPECT_EQ(result.work.triangular_solves, result.iterations);
  EXPECT_EQ(result.work.products, settings.power_iterations);
  const Result verified = solve(papers("stop=verified"), problem, limits(1e-6));
  EXPECT_GT(verified.work.products, settings.power_iterations);
  EXPECT_EQ(verified.status, Status::converged);
  EXPECT_LE(judge(problem, verified.r).ncp.max(), 1e-6) << "what it reports is so";
}

TEST(ProximalAdmm, HyperstaticProblemsConverge) {
  // rank W = 6 of 24: four feet of one body, twice over
  const ContactProblem problem = test::random_problem(3, 8, 6, 34);
  const Result result = solve(papers(""), problem, limits(1e-8));
  EXPECT_EQ(result.status, Status::converged);
  EXPECT_LE(judge(problem, result.r).ncp.max(), 1e-8);
}

}  // namespace
}  // namespace frictionbench::solvers
