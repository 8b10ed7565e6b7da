// A compliance R of the problem is part of it: every solver solves the problem with R as it solves
// the one whose W has R on its diagonal. A new solver is tested here by being registered.

#include <gtest/gtest.h>

#include "frictionbench/criteria/verdict.hpp"
#include "frictionbench/solvers/admm/admm.hpp"
#include "frictionbench/solvers/register_all.hpp"
#include "support/limits.hpp"
#include "support/problems.hpp"
#include "support/registered_solvers.hpp"

namespace frictionbench {
namespace {

class ComplianceConformance : public testing::TestWithParam<std::string> {
 protected:
  // Solves the problem, with R by with_compliance() and with R in a W of the test's own.
  void expect_same_answer(const ContactProblem& rigid, const Vector& R) const {
    const SolverInfo& info = solver_.info();
    if (!info.contacts) return;
    if (rigid.dimension() == 2 ? !info.two_dimensional : !info.three_dimensional) return;
    if (info.uses_global_form && !rigid.global()) return;
    Matrix W = rigid.local().W;
    W.diagonal() += R;
    const ContactProblem explicit_R(rigid.dimension(), rigid.mu(),
                                    LocalForm{test::sparse(W), rigid.local().q});
    const Limits limits = test::limits(1e-9);
    const Result given = solver_.solver->solve(rigid.with_compliance(R), limits);
    EXPECT_NE(given.status, Status::error) << given.message;
    EXPECT_NE(given.status, Status::refused) << given.message;
    ASSERT_EQ(given.r.size(), rigid.unknowns());
    if (given.status == Status::converged) {
      ContactProblem own = explicit_R;
      if (given.compliance.size() > 0) {  // R included
        EXPECT_GE((given.compliance - R).minCoeff(), 0);
        own = rigid.with_compliance(given.compliance);
      }
      EXPECT_LE(judge(own, given.r, {.facets = info.facets}).residuals(info.model).max(), 1e-8);
    }
    if (info.uses_global_form || !info.dependable) return;

    const Result expected = solver_.solver->solve(explicit_R, limits);
    EXPECT_EQ(name(given.status), name(expected.status)) << given.message;
    EXPECT_LE((given.r - expected.r).norm(), 1e-6 * expected.r.norm());
    const Vector rigid_answer = solver_.solver->solve(rigid, limits).r;
    EXPECT_GT((given.r - rigid_answer).norm(), 1e-3 * expected.r.norm())
        << "it matters in this problem";
  }

  // The problem with all contacts closing, so that impulses are needed.
  static ContactProblem closing(const ContactProblem& problem) {
    Vector s = Vector::Zero(problem.unknowns());
    for (Index i = 0; i < problem.contacts(); ++i)
      s[problem.dimension() * i] = -1.2 * problem.local().q.lpNorm<Eigen::Infinity>();
    return problem.with_velocity_added(s);
  }

  static Vector some_compliance(const ContactProblem& problem) {
    const double size = problem.local().W.diagonal().mean();
    Vector R(problem.unknowns());
    for (Index k = 0; k < R.size(); ++k)
      R[k] = size * (k % 4 == 3 ? 0 : 0.1 * static_cast<double>(1 + k % 3));
    return R;
  }

  ConfiguredSolver solver_ = solvers::all_solvers().make(GetParam());
};

TEST_P(ComplianceConformance, LocalForm) {
  for (const int dim : {2, 3})
    for (std::uint32_t seed = 0; seed < 3; ++seed) {
      SCOPED_TRACE(testing::Message() << dim << "D, seed " << seed);
      const ContactProblem problem = closing(test::random_problem(dim, 4, 4 * dim, seed, 0.5));
      expect_same_answer(problem, some_compliance(problem));
    }
}

TEST_P(ComplianceConformance, GlobalForm) {
  for (const int dim : {2, 3}) {
    SCOPED_TRACE(testing::Message() << dim << "D");
    const ContactProblem problem = closing(test::random_global_problem(dim, 3, 4, 3));
    expect_same_answer(problem, some_compliance(problem));
  }
}

// One contact of known answer: u_N = (2 + R_N) r_N - 1 = 0.
TEST_P(ComplianceConformance, OneContactByHand) {
  const SolverInfo& info = solver_.info();
  if (!info.contacts || !info.three_dimensional || info.uses_global_form) GTEST_SKIP();
  const ContactProblem problem =
      test::one_contact(test::vector({2, 2, 2}), test::vector({-1, 0.1, 0}), 0.5)
          .with_compliance(test::vector({0.5, 0.25, 0.25}));
  const Result result = solver_.solver->solve(problem, test::limits(1e-10));
  const Vector expected = test::vector({1 / 2.5, -0.1 / 2.25, 0});
  const bool near = result.status == Status::inaccurate || result.compliance.size() > 0;
  EXPECT_LE((result.r - expected).norm(), near ? 0.15 * expected.norm() : 1e-8);
}

INSTANTIATE_TEST_SUITE_P(Solvers, ComplianceConformance,
                         testing::ValuesIn(test::registered_names()), test::solver_test_name);

// (D + R + H^T M^-1 H)^-1 by the Woodbury identity.
TEST(DualCholesky, HasTheCompliance) {
  for (const int dim : {2, 3}) {
    const ContactProblem rigid = test::random_global_problem(dim, 12, 2, 5);
    const Vector R = Vector::LinSpaced(rigid.unknowns(), 0, 3);
    const ContactProblem problem = rigid.with_compliance(R);
    WorkCounters work;
    ShiftedCholesky dual = DelassusOperator(problem, work).preconditioner(CholeskyBackend::dual);
    const Matrix W = rigid.local().W;
    for (const double shift : {1e-3, 1.0, 50.0}) {
      ASSERT_TRUE(dual.factorize(shift));
      const Vector b = Vector::LinSpaced(rigid.unknowns(), -1, 2);
      Vector x = b;
      dual.solve_in_place(x);
      EXPECT_LE((W * x + R.cwiseProduct(x) + shift * x - b).norm(), 1e-9 * b.norm());
    }
  }
}

TEST(DualAdmm, SolvesACompliantProblem) {
  for (const char* solver : {"ncp-admm", "ccp-admm"})
    for (const int dim : {2, 3}) {
      const ContactProblem rigid = test::random_global_problem(dim, 30, 6, 62);
      const double size = rigid.local().W.diagonal().mean();
      const ContactProblem problem =
          rigid.with_compliance(Vector::LinSpaced(rigid.unknowns(), 0, 0.2 * size));
      const auto by = [&](const std::string& factorization) {
        const Result result = test::solve(solver + ("(factorization=" + factorization + ")"),
                                          problem, test::limits(1e-9));
        EXPECT_EQ(result.status, Status::converged) << factorization << ": " << result.message;
        return result;
      };
      const Result dual = by("dual"), dense = by("dense");
      EXPECT_LE((dual.r - dense.r).norm(), 1e-5 * dense.r.norm());
      EXPECT_LE(std::abs(dual.iterations - dense.iterations), 5) << "one map, twice factored";
    }
}

}  // namespace
}  // namespace frictionbench
