#include "frictionbench/linalg/kkt_ldlt.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "support/kinematic_trees.hpp"
#include "support/problems.hpp"

namespace frictionbench {
namespace {

// The matrix as a dense one.
Matrix kkt_matrix(const GlobalForm& form, const Vector& d) {
  const Index n = form.M.rows(), m = d.size();
  const Matrix M = form.M, H = form.H;
  Matrix K(n + m, n + m);
  K << (M + M.transpose()) / 2, H, H.transpose(), (-d).asDiagonal().toDenseMatrix();
  return K;
}

TEST(KktLdlt, SolvesForEveryDiagonal) {
  const ContactProblem problem = in_maximal_coordinates(test::robot({3, 2, 4}, 2));
  GlobalForm form = *problem.global();
  form.M.coeffRef(3, 4) += 0.001;  // of which the symmetric part counts
  WorkCounters work;
  KktLdlt ldlt(form, work);
  Vector right(form.f.size() + form.H.cols());
  right << form.f, Vector::LinSpaced(form.H.cols(), -1, 1);
  for (const double d : {1e-6, 1.0, 20.0}) {
    const Vector diagonal = Vector::LinSpaced(form.H.cols(), d, 2 * d);
    ASSERT_TRUE(ldlt.factorize(diagonal));
    const Vector x = ldlt.solve(right);
    EXPECT_LE((kkt_matrix(form, diagonal) * x - right).norm(), 1e-7 * right.norm()) << d;
  }
  EXPECT_EQ(work.analyses, 1);
  EXPECT_EQ(work.factorizations.ldlt, 3);
  EXPECT_EQ(work.triangular_solves, 3);
}

TEST(KktLdlt, SaysThatMIsNotPositiveDefinite) {
  const GlobalForm form{test::sparse(test::vector({1, -1}).asDiagonal().toDenseMatrix()),
                        test::sparse(Matrix::Ones(2, 1)), Vector::Ones(2), Vector::Ones(1)};
  WorkCounters work;
  KktLdlt ldlt(form, work);
  EXPECT_FALSE(ldlt.factorize(Vector::Ones(1)));
}

// The fill of a tree is within bodies and joints: so many entries for each link, whatever the tree.
TEST(KktLdlt, FactorsOfTreesGrowWithTheLinksOnly) {
  const auto entries_per_link = [](const test::KinematicTree& tree) {
    const ContactProblem problem = in_maximal_coordinates(tree);
    WorkCounters work;
    KktLdlt ldlt(*problem.global(), work);
    EXPECT_TRUE(ldlt.factorize(Vector::Constant(problem.unknowns(), 1e-6)));
    return static_cast<double>(ldlt.nonzeros()) / static_cast<double>(tree.links.size());
  };
  for (const int links : {10, 100, 300}) {
    EXPECT_LE(entries_per_link(test::chain(links)), 200) << links;
    EXPECT_LE(entries_per_link(test::binary_tree(links)), 200) << links;
  }
}

}  // namespace
}  // namespace frictionbench
