#include "frictionbench/linalg/delassus_operator.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstdlib>
#include <new>
#include <vector>

#include "frictionbench/linalg/counted.hpp"
#include "frictionbench/problem/facts.hpp"
#include "support/problems.hpp"

namespace frictionbench {
namespace {

constexpr CholeskyBackend backends[] = {CholeskyBackend::dense, CholeskyBackend::simplicial,
                                        CholeskyBackend::supernodal};

// Block-sparse and asymmetric: contacts i and i + 1 are coupled.
ContactProblem chain(Index contacts) {
  const ContactProblem full = test::random_problem(3, contacts, 3 * contacts, 4);
  Matrix W = full.local().W;
  for (Index i = 0; i < contacts; ++i)
    for (Index j = 0; j < contacts; ++j)
      if (std::abs(i - j) > 1) W.block<3, 3>(3 * i, 3 * j).setZero();
  for (Index i = 0; i < 3 * contacts; ++i) W(i, i) += W.row(i).lpNorm<1>();
  W(0, 4) += 0.25;
  return ContactProblem(3, full.mu(), LocalForm{test::sparse(W), full.local().q});
}

TEST(DelassusOperator, CountsEveryPieceOfWork) {
  const ContactProblem problem = chain(20);
  WorkCounters work;
  const DelassusOperator W(problem, work);
  const Vector x = Vector::LinSpaced(W.size(), 0, 1);
  EXPECT_TRUE(W.velocity(x).isApprox(problem.contact_velocity(x)));
  EXPECT_TRUE(W.times(x).isApprox(problem.local().W * x));
  W.largest_eigenvalue(5);
  EXPECT_EQ(work, (WorkCounters{.products = 7}));

  ShiftedCholesky cholesky = W.factorization({}, CholeskyBackend::simplicial);
  EXPECT_EQ(work.analyses, 1);
  EXPECT_EQ(work.factorizations.all(), 0);
  ASSERT_TRUE(cholesky.factorize(1));
  ASSERT_TRUE(cholesky.factorize(2));
  Vector y = x;
  cholesky.solve_in_place(y);
  cholesky.solve_in_place(y);
  cholesky.solve_in_place(y);
  EXPECT_EQ(work, (WorkCounters{.factorizations = {.cholesky = 2},
                                .analyses = 1,
                                .triangular_solves = 3,
                                .products = 7}));
}

// The Laplacian of a square of points, plus the identity.
SparseMatrix grid(Index side) {
  std::vector<Eigen::Triplet<double>> entries;
  const Index points = side * side;
  for (Index k = 0; k < points; ++k) {
    entries.emplace_back(k, k, 5);
    for (const Index next : {k % side + 1 < side ? k + 1 : points, k + side})
      if (next < points) {
        entries.emplace_back(k, next, -1);
        entries.emplace_back(next, k, -1);
      }
  }
  SparseMatrix A(points, points);
  A.setFromTriplets(entries.begin(), entries.end());
  return A;
}

TEST(ShiftedCholesky, TellsALackOfMemoryFromAnIndefiniteMatrix) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the address sanitizer needs all of the address space";
#endif
  const auto ends = [] {
    WorkCounters work;
    const SparseMatrix A = grid(300);
    ShiftedCholesky cholesky(A, BlockShape(1, A.rows()), work, CholeskyBackend::supernodal);
    if (cholesky.factorize(-10) || !cholesky.factorize(0)) return 1;
    ShiftedCholesky another(A, BlockShape(1, A.rows()), work, CholeskyBackend::supernodal);
    const rlimit nothing_more{0, 0};
    if (setrlimit(RLIMIT_AS, &nothing_more) != 0) return 2;
    try {
      static_cast<void>(another.factorize(0));
      return 3;
    } catch (const std::bad_alloc&) {
      return 0;
    }
  };
  EXPECT_EXIT(std::exit(ends()), testing::ExitedWithCode(0), "");
}

TEST(DelassusOperator, KnowsTheSizeOfRoundingInAVelocity) {
  const ContactProblem problem = chain(20);
  WorkCounters work;
  const DelassusOperator W(problem, work);
  const Vector r = Vector::LinSpaced(W.size(), -1e3, 1);
  using Long = Eigen::Matrix<long double, Eigen::Dynamic, 1>;
  const Long exact = Matrix(problem.local().W).cast<long double>() * r.cast<long double>() +
                     problem.local().q.cast<long double>();
  const Vector size = W.velocity_rounding(r);
  const Vector error = (W.velocity(r).cast<long double>() - exact).cast<double>().cwiseAbs();
  EXPECT_EQ(work.products, 2);
  EXPECT_TRUE((error.array() <= 3 * size.array()).all());
  EXPECT_LE(size.maxCoeff(), 100 * error.maxCoeff());
}

TEST(DelassusOperator, EveryBackendSolvesTheShiftedSymmetricSystem) {
  const ContactProblem problem = chain(30);
  const Matrix symmetric = symmetric_part(problem.local().W);
  const Index m = symmetric.rows();
  const Vector diagonal = Vector::LinSpaced(m, 0.1, 2);
  const Vector b = Vector::LinSpaced(m, -1, 1);
  for (const CholeskyBackend backend : backends) {
    SCOPED_TRACE(std::string(name(backend)));
    WorkCounters work;
    const DelassusOperator W(problem, work);
    ShiftedCholesky cholesky = W.factorization(diagonal, backend);
    EXPECT_EQ(cholesky.backend(), backend);
    for (const double shift : {0.5, 1e-3, 1e3}) {
      ASSERT_TRUE(cholesky.factorize(shift));
      Matrix A = symmetric;
      A.diagonal() += diagonal + Vector::Constant(m, shift);
      Vector x = b;
      cholesky.solve_in_place(x);
      EXPECT_LE((A * x - b).norm(), 1e-12 * b.norm());
    }
  }
}

TEST(DelassusOperator, EveryBackendTakesAnyDiagonal) {
  const ContactProblem problem = test::random_global_problem(3, 20, 5, 8);
  const Matrix W = symmetric_part(problem.local().W);
  const Index m = W.rows();
  const Vector b = Vector::LinSpaced(m, -1, 1);
  for (const CholeskyBackend backend : {CholeskyBackend::dense, CholeskyBackend::simplicial,
                                        CholeskyBackend::supernodal, CholeskyBackend::dual}) {
    SCOPED_TRACE(std::string(name(backend)));
    WorkCounters work;
    const DelassusOperator operator_(problem, work);
    ShiftedCholesky cholesky = operator_.preconditioner(backend);
    EXPECT_EQ(cholesky.backend(), backend);
    for (const double size : {1.0, 1e-3, 1e2}) {
      const Vector diagonal = size * Vector::LinSpaced(m, 0.1, 3);
      ASSERT_TRUE(cholesky.factorize(diagonal));
      Vector x = b;
      cholesky.solve_in_place(x);
      EXPECT_LE((W * x + diagonal.cwiseProduct(x) - b).norm(), 1e-9 * b.norm());
      ASSERT_TRUE(cholesky.factorize(size)) << "a shift after a diagonal";
      x = b;
      cholesky.solve_in_place(x);
      EXPECT_LE((W * x + size * x - b).norm(), 1e-9 * b.norm());
    }
    EXPECT_EQ(work.factorizations.all(), 6);
    EXPECT_EQ(work.triangular_solves, 6);
    EXPECT_LE(work.analyses, 1);
  }
}

TEST(DelassusOperator, GoesTheDualWayWhereFreedomIsScarce) {
  WorkCounters work;
  const auto chosen = [&](const ContactProblem& problem) {
    return DelassusOperator(problem, work).preconditioner().backend();
  };
  const ContactProblem scarce = test::random_global_problem(3, 300, 20, 9);
  EXPECT_EQ(chosen(scarce), CholeskyBackend::dual) << "n = 120 of m = 900";
  EXPECT_NE(chosen(test::random_global_problem(3, 300, 140, 9)), CholeskyBackend::dual);
  EXPECT_NE(chosen(test::random_global_problem(3, 30, 2, 9)), CholeskyBackend::dual);
  EXPECT_NE(chosen(ContactProblem(3, scarce.mu(), test::local_form(scarce))),
            CholeskyBackend::dual);
  EXPECT_THROW(DelassusOperator(chain(5), work).preconditioner(CholeskyBackend::dual),
               std::invalid_argument);
}

TEST(DelassusOperator, FactorsByLuWhatTakesFewerOperations) {
  constexpr Index contacts = 160, m = 3 * contacts;
  // So few bodies that W is not looked at, somewhat fewer degrees of freedom than unknowns, and more.
  for (const auto& [bodies, analyses] : {std::pair{20, 1}, std::pair{70, 2}, std::pair{90, 1}}) {
    const ContactProblem problem = test::random_global_problem(3, contacts, bodies, 8);
    WorkCounters work, unused;
    ShiftedLu lu = DelassusOperator(problem, work).lu(Vector::Ones(m));
    EXPECT_EQ(work.analyses, analyses);
    const double direct = ShiftedLu(problem.local().W, 3, unused).cost().operations;
    const double dual =
        ShiftedLu(*problem.global(), Vector::Ones(m), {}, 3, unused).cost().operations;
    EXPECT_NE(direct, dual);
    EXPECT_EQ(lu.cost().operations, analyses == 2  ? std::min(direct, dual)
                                    : bodies == 20 ? dual
                                                   : direct);
    BlockDiagonal S(3, contacts);
    for (Index i = 0; i < contacts; ++i) S.block(i) << 2, 1, 0, -1, 3, 0, 0, 1, 1;
    ASSERT_TRUE(lu.factorize(S));
    const Vector b = Vector::LinSpaced(m, -1, 2);
    Vector x = b;
    lu.solve_in_place(x);
    EXPECT_LE((problem.local().W * x + S.times(x) - b).norm(), 1e-9 * b.norm()) << bodies;
  }
}

TEST(DelassusOperator, AnalysesOnceForEveryLu) {
  constexpr Index contacts = 160, m = 3 * contacts;
  const Vector halves = Vector::Constant(m, 0.5), ones = Vector::Ones(m);
  for (const auto& [bodies, analyses] : {std::pair{20, 1}, std::pair{70, 2}, std::pair{90, 1}}) {
    SCOPED_TRACE(bodies);
    const ContactProblem problem = test::random_global_problem(3, contacts, bodies, 8);
    WorkCounters work, unused;
    const DelassusOperator W(problem, work);
    EXPECT_EQ(W.lu_cost().operations, DelassusOperator(problem, unused).lu(ones).cost().operations);
    EXPECT_EQ(work.analyses, analyses);
    EXPECT_EQ(W.lu(halves).analysis(), W.lu(ones).analysis());
    EXPECT_EQ(W.lu(ones).cost().operations, W.lu_cost().operations);
    EXPECT_EQ(work.analyses, analyses);
    EXPECT_EQ(work.factorizations.lu, 0);

    // Both analyses fit whatever E, S and T are.
    BlockDiagonal S(3, contacts), T(3, contacts);
    for (Index i = 0; i < contacts; ++i) {
      S.block(i) << 2, 1, 0, -1, 3, 0, 0, 1, 1;
      T.block(i) << 1, 0, 0.1, 0, 0.5, 0, 0.2, 0, 1;
    }
    const Vector b = Vector::LinSpaced(m, -1, 2);
    ShiftedLu scaled = W.lu(halves), by_rows = W.row_scaled_lu();
    EXPECT_EQ(work.analyses, bodies == 20 ? 2 : analyses) << "W itself had not been analysed";
    ASSERT_TRUE(scaled.factorize(S) && by_rows.factorize(T, S));
    Vector x = b, y = b;
    scaled.solve_in_place(x);
    by_rows.solve_in_place(y);
    EXPECT_LE((0.25 * (problem.local().W * x) + S.times(x) - b).norm(), 1e-9 * b.norm());
    EXPECT_LE((T.times(problem.local().W * y) + S.times(y) - b).norm(), 1e-9 * b.norm());
  }
}

TEST(DelassusOperator, ChoosesTheBackendByFill) {
  WorkCounters work;
  const auto chosen = [&](const ContactProblem& problem) {
    return DelassusOperator(problem, work).factorization().backend();
  };
  EXPECT_EQ(chosen(test::random_problem(3, 10, 30, 4)), CholeskyBackend::dense);
  EXPECT_EQ(work.analyses, 0) << "a dense matrix needs no ordering";
  EXPECT_EQ(chosen(chain(30)), CholeskyBackend::simplicial);
  EXPECT_EQ(chosen(test::random_problem(3, 200, 600, 4)), CholeskyBackend::supernodal);
}

TEST(DelassusOperator, SaysWhenItIsNotPositiveDefinite) {
  const ContactProblem problem = chain(10);
  for (const CholeskyBackend backend : backends) {
    SCOPED_TRACE(std::string(name(backend)));
    WorkCounters work;
    ShiftedCholesky cholesky = DelassusOperator(problem, work).factorization({}, backend);
    EXPECT_FALSE(cholesky.factorize(-1e6));
    EXPECT_TRUE(cholesky.factorize(1)) << "and recovers";
  }
}

TEST(BlockRows, AreTheMatrix) {
  for (const int dimension : {2, 3}) {
    const ContactProblem problem = test::random_problem(dimension, 7, 6, 5);
    const Vector x = Vector::LinSpaced(problem.unknowns(), -1, 2);
    const Vector expected = problem.local().W * x;
    const Matrix dense = problem.local().W;
    with_dimension(dimension, [&](auto dim) {
      constexpr int Dim = dim();
      const BlockRows<Dim> rows(problem.local().W);
      ASSERT_EQ(rows.contacts(), 7);
      for (Index i = 0; i < 7; ++i) {
        EXPECT_LE((rows.row_times(i, x) - expected.segment<Dim>(Dim * i)).norm(), 1e-13);
        EXPECT_TRUE((rows.diagonal(i) == dense.block<Dim, Dim>(Dim * i, Dim * i)));
      }
    });
  }
}

TEST(ContactSweeps, CountSweepsAndProductsAndSeeTheProblemByContact) {
  for (const int dimension : {2, 3}) {
    const ContactProblem problem = test::random_problem(dimension, 5, 6, 5);
    const Vector r = Vector::LinSpaced(problem.unknowns(), -1, 2);
    const Vector u = problem.contact_velocity(r);
    with_dimension(dimension, [&](auto dim) {
      constexpr int Dim = dim();
      WorkCounters work;
      const ContactSweeps<Dim> W(problem, work);
      EXPECT_LE((W.velocity(r) - u).norm(), 1e-13 * u.norm());
      EXPECT_EQ(work, (WorkCounters{.products = 1}));
      std::vector<Index> visited;
      W.sweep([&](Index i) { visited.push_back(i); });
      W.sweep({3, 1}, [&](Index i) { visited.push_back(i); });
      EXPECT_EQ(visited, (std::vector<Index>{0, 1, 2, 3, 4, 3, 1}));
      EXPECT_EQ(work, (WorkCounters{.products = 1, .sweeps = 2}));

      for (Index i = 0; i < 5; ++i) {
        const auto r_i = r.segment<Dim>(Dim * i), u_i = u.segment<Dim>(Dim * i);
        EXPECT_EQ(W.mu(i), problem.mu()[i]);
        EXPECT_LE((W.velocity(i, r) - u_i).norm(), 1e-13 * u.norm());
        EXPECT_LE((W.free_velocity(i, r) - (u_i - W.W(i) * r_i)).norm(), 1e-13 * u.norm());
        EXPECT_LE(
            (W.free_velocity(i, r, Vector::Zero(r.size())) - (u_i - W.q(i) - W.W(i) * r_i)).norm(),
            1e-13 * u.norm());
      }
      EXPECT_EQ(work, (WorkCounters{.products = 1, .sweeps = 2})) << "rows are parts of a sweep";
    });
  }
}

TEST(Counted, MatricesAndTrialSteps) {
  WorkCounters work;
  Matrix dense(2, 3);
  dense << 1, 2, 3, 4, 5, 6;
  const SparseMatrix A = test::sparse(dense);
  const CountedMatrix counted(A, work.products);
  EXPECT_EQ(counted.times(test::vector({1, 0, 2})), test::vector({7, 16}));
  EXPECT_EQ(counted.transposed_times(test::vector({1, 2})), test::vector({9, 12, 15}));
  TrialSteps trials(work);
  trials.count();
  TrialSteps(trials).count();
  EXPECT_EQ(work, (WorkCounters{.products = 2, .line_search = 2}));
}

TEST(DelassusOperator, CountsJacobiSweeps) {
  for (const int dimension : {2, 3}) {
    const ContactProblem problem = test::random_problem(dimension, 4, 6, 5);
    WorkCounters work;
    Index visited = 0;
    DelassusOperator(problem, work).jacobi_sweep([&](auto dim, Index i) {
      EXPECT_EQ(dim(), dimension);
      EXPECT_EQ(i, visited++);
    });
    EXPECT_EQ(visited, 4);
    EXPECT_EQ(work, (WorkCounters{.sweeps = 1}));
  }
}

TEST(BlockRows, OfPartlyStoredBlocks) {
  // Block (0, 1) has one entry only, block (1, 1) none at all.
  Matrix W = Matrix::Zero(6, 6);
  W.diagonal().head(3).setConstant(2);
  W(1, 5) = 3;
  const BlockRows<3> rows(test::sparse(W));
  const Vector x = Vector::LinSpaced(6, 1, 6);
  EXPECT_EQ(rows.row_times(0, x), Eigen::Vector3d(2, 4 + 18, 6));
  EXPECT_EQ(rows.row_times(1, x), Eigen::Vector3d::Zero());
  EXPECT_EQ(rows.diagonal(1), Eigen::Matrix3d::Zero());
  EXPECT_EQ(rows.free_velocity(0, x, Vector::Ones(6)), Eigen::Vector3d(1, 1 + 18, 1));
}

TEST(DelassusOperator, PowerIterationFindsTheLargestEigenvalue) {
  const ContactProblem problem = test::random_problem(3, 10, 12, 6);
  WorkCounters work;
  const DelassusOperator W(problem, work);
  const double exact = spectrum_of(problem)->largest;
  EXPECT_NEAR(W.largest_eigenvalue(200), exact, 1e-6 * exact);
  EXPECT_LE(W.largest_eigenvalue(20), exact * (1 + 1e-12));
}

}  // namespace
}  // namespace frictionbench
