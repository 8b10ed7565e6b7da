#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/limits.hpp"
#include "support/problems.hpp"
#include "support/registered_solvers.hpp"

namespace frictionbench::solvers {
namespace {

using test::limits;
using test::solve;
using test::vector;

Limits iterations(int count) { return limits(0, count); }

// Two coupled 2D contacts; absolute row sums 3.5, 4.5 and 3, 1, so D = 4.5, 3.
ContactProblem two_contacts() {
  Matrix W(4, 4);
  W << 2, 0.5, -1, 0,  //
      0.5, 4, 0, 0,    //
      -1, 0, 2, 0,     //
      0, 0, 0, 1;
  return ContactProblem(2, vector({0.5, 0.5}), LocalForm{test::sparse(W), vector({-9, 9, -3, 6})});
}

// Many contacts on few degrees of freedom: every contact feels every other.
ContactProblem hyperstatic() { return test::random_problem(3, 30, 6, 17); }

double objective(const ContactProblem& problem, const Vector& r) {
  return r.dot((problem.contact_velocity(r) + problem.local().q) / 2);
}

TEST(NcpJacobi, OneIterationByHand) {
  // r = (9 / 4.5, -9 / 4.5 cut to 0.5 * 2), (3 / 3, -6 / 3 cut to 0.5 * 1)
  const Result result = solve("ncp-jacobi", two_contacts(), iterations(1));
  EXPECT_LE((result.r - vector({2, -1, 1, -0.5})).norm(), 1e-15);
  EXPECT_EQ(result.work, (WorkCounters{.products = 2, .sweeps = 1}));
}

TEST(CcpJacobi, OneIterationByHand) {
  // before the projection (2, -2), (1, -2); normals (2 + 0.5 * 2) / 1.25 and (1 + 0.5 * 2) / 1.25
  const Result result = solve("ccp-jacobi", two_contacts(), iterations(1));
  EXPECT_LE((result.r - vector({2.4, -1.2, 1.6, -0.8})).norm(), 1e-15);

  // omega = 1.5, divided by trace(W_ii) / 2 = 3 and 1.5: (4.5, -4.5), (3, -6)
  const Result chrono =
      solve("ccp-jacobi(relaxation=1.5,divisor=trace)", two_contacts(), iterations(1));
  EXPECT_LE((chrono.r - vector({5.4, -2.7, 4.8, -2.4})).norm(), 1e-14);
}

TEST(CcpJacobi, NeverRaisesTheObjective) {
  for (const char* relaxation : {"0.5", "1", "1.99"}) {
    const auto solver = test::solver(fmt::format("ccp-jacobi(relaxation={})", relaxation));
    double last = 0;
    for (int k = 1; k < 200; ++k) {
      const Vector r = solver->solve(hyperstatic(), iterations(k)).r;
      const double value = objective(hyperstatic(), r);
      ASSERT_LE(value, last + 1e-12 * std::abs(last)) << relaxation << " " << k;
      last = value;
    }
    EXPECT_LT(last, -0.1);
  }
}

TEST(CcpJacobi, DividedByTheTraceDivergesWhereItsBoundDoesNot) {
  const Result undamped = solve("ccp-jacobi(divisor=trace)", hyperstatic(), limits(1e-8));
  EXPECT_NE(undamped.status, Status::converged);
  const Result damped = solve("ccp-jacobi", hyperstatic(), limits(1e-8));
  ASSERT_EQ(damped.status, Status::converged);
  const Result reference = solve("ccp-pgs", hyperstatic(), limits(1e-8));
  EXPECT_LE((hyperstatic().contact_velocity(damped.r) - hyperstatic().contact_velocity(reference.r))
                .norm(),
            1e-3);
}

TEST(CcpJacobi, OrderOfTheContactsDoesNotMatter) {
  const ContactProblem problem = test::random_problem(2, 3, 6, 4, 0.5);
  // the same with the contacts in reverse
  Eigen::PermutationMatrix<Eigen::Dynamic> reverse(6);
  reverse.indices() << 4, 5, 2, 3, 0, 1;
  const SparseMatrix W = test::sparse(reverse * Matrix(problem.local().W) * reverse.transpose());
  const ContactProblem reversed(2, problem.mu().reverse(),
                                LocalForm{W, reverse * problem.local().q});
  const Vector r = solve("ccp-jacobi", problem, iterations(50)).r;
  EXPECT_LE((solve("ccp-jacobi", reversed, iterations(50)).r - reverse * r).norm(), 1e-14);
}

}  // namespace
}  // namespace frictionbench::solvers
