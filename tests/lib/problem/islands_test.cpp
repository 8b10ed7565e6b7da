#include "frictionbench/problem/islands.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "frictionbench/math/components.hpp"
#include "frictionbench/problem/facts.hpp"
#include "frictionbench/problem/part.hpp"
#include "support/joined_problems.hpp"
#include "support/problems.hpp"

namespace frictionbench {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// Three problems of 2, 3 and 1 contacts that do not touch, with their contacts mixed.
const std::vector<ContactProblem> apart = {test::random_problem(3, 2, 9, 1),
                                           test::random_problem(3, 3, 9, 2),
                                           test::random_problem(3, 1, 9, 3)};
ContactProblem mixed() { return test::reordered(test::join(apart), {2, 0, 5, 3, 1, 4}); }

TEST(Islands, AreTheComponentsOfTheBlockGraph) {
  Matrix W = Matrix::Identity(12, 12);
  W(1, 10) = 0.1;  // contact 0 acts on contact 5, in one direction only
  W(8, 2) = 0.1;   // contacts 4 and 1
  W(3, 9) = 0.1;   // contacts 1 and 4 again
  SparseMatrix sparse = test::sparse(W);
  sparse.coeffRef(4, 6) = 0;  // stored, and no contact
  const ContactProblem problem(2, Vector::Zero(6), LocalForm{sparse, Vector::Zero(12)});
  EXPECT_EQ(islands(problem), (std::vector<Index>{0, 1, 2, 3, 1, 0}));
  EXPECT_EQ(facts_of(problem).islands, 4);
  EXPECT_TRUE(
      islands(ContactProblem(3, Vector(), LocalForm{SparseMatrix(0, 0), Vector()})).empty());
}

// Rows of a block mostly have entries in the same columns, but not always, and entries may be zero in some.
TEST(Islands, DoNotDependOnWhichRowsOfABlockTouch) {
  for (const Index row : {0, 1, 2})
    for (const bool others_are_stored : {false, true}) {
      const Index n = 9;
      Matrix dense = Matrix::Identity(n, n);
      dense(row, 5) = dense(5, row) = 0.5;  // contacts 0 and 1
      SparseMatrix W = test::sparse(dense);
      if (others_are_stored)
        for (Index k = 0; k < 3; ++k) {
          if (k != row) W.coeffRef(k, 5) = 0;
          W.coeffRef(k, 7) = W.coeffRef(6 + k, 2) = 0;  // contacts 0 and 2, which do not touch
        }
      const ContactProblem problem(3, Vector::Zero(3), LocalForm{W, Vector::LinSpaced(n, 0, 1)});
      EXPECT_EQ(islands(problem), (std::vector<Index>{0, 0, 1}));
      EXPECT_THAT(several_islands(problem), ElementsAre(ElementsAre(0, 1), ElementsAre(2)));
      EXPECT_EQ(Matrix(part_of(problem, {0, 1}).local().W), dense.topLeftCorner(6, 6));
      EXPECT_EQ(Matrix(part_of(problem, {2}).local().W), dense.bottomRightCorner(3, 3));
    }
}

// A long chain whose links come in the worst order for a search.
TEST(Islands, OfAChain) {
  constexpr int links = 3000;
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < 2 * links; ++i) entries.emplace_back(i, i, 1);
  for (int i = 0; i + 1 < links; ++i)
    entries.emplace_back(2 * ((i * 7) % links), 2 * (((i + 1) * 7) % links), 0.1);
  SparseMatrix W(2 * links, 2 * links);
  W.setFromTriplets(entries.begin(), entries.end());
  const ContactProblem chain(2, Vector::Zero(links), LocalForm{W, Vector::Zero(2 * links)});
  EXPECT_EQ(islands(chain), std::vector<Index>(links, 0));
}

TEST(Islands, AreOneIfAllContactsTouch) {
  EXPECT_THAT(several_islands(apart[1]), IsEmpty());
  EXPECT_THAT(several_islands(test::join({apart[0]})), IsEmpty());
  EXPECT_EQ(several_islands(mixed()), members(islands(mixed())));
  EXPECT_THAT(several_islands(ContactProblem(3, Vector(), LocalForm{SparseMatrix(0, 0), Vector()})),
              IsEmpty());
  // Chains that are read against their direction, below and above 64 contacts.
  for (const Index links : {1, 2, 40, 63, 64, 65, 200}) {
    Matrix W = Matrix::Identity(2 * links, 2 * links);
    for (Index i = 0; i + 1 < links; ++i) W(2 * i, 2 * i + 3) = 0.1;
    const auto chain = [&] {
      return ContactProblem(2, Vector::Zero(links),
                            LocalForm{test::sparse(W), Vector::Zero(2 * links)});
    };
    EXPECT_THAT(several_islands(chain()), IsEmpty()) << links;
    if (links == 1) continue;
    W(0, 3) = 0;
    EXPECT_EQ(several_islands(chain()), members(islands(chain()))) << links;
  }
}

TEST(Islands, AreTheSameForFewContactsAndForMany) {
  std::mt19937 generator(7);
  for (const Index contacts : {2, 9, 33, 64, 65, 90})
    for (int edges = 0; edges < contacts; edges += 4) {
      Matrix W = Matrix::Identity(2 * contacts, 2 * contacts);
      std::uniform_int_distribution<Index> any(0, 2 * contacts - 1);
      for (int k = 0; k < edges; ++k) W(any(generator), any(generator)) = 0.1;
      const ContactProblem problem(2, Vector::Zero(contacts),
                                   LocalForm{test::sparse(W), Vector::Zero(2 * contacts)});
      const auto all = members(islands(problem));
      EXPECT_EQ(several_islands(problem), all.size() > 1 ? all : decltype(all){}) << contacts;
    }
}

TEST(Islands, HaveTheirContactsInOrder) {
  EXPECT_THAT(members(islands(mixed())),
              ElementsAre(ElementsAre(0, 3, 5), ElementsAre(1, 4), ElementsAre(2)));
  EXPECT_THAT(members(islands(apart[1])), ElementsAre(ElementsAre(0, 1, 2)));
}

TEST(Islands, AreProblemsOfTheirOwn) {
  const ContactProblem whole = mixed().with_compliance(Vector::LinSpaced(18, 0, 1));
  const Vector r = Vector::LinSpaced(18, -1, 2);
  const Vector u = whole.contact_velocity(r);
  Vector together = Vector::Zero(18);
  for (const std::vector<Index>& contacts : members(islands(whole))) {
    const ContactProblem part = part_of(whole, contacts);
    EXPECT_EQ(part.contacts(), contacts.size());
    EXPECT_EQ(part.mu(), blocks_of(whole.mu(), contacts));
    EXPECT_EQ(part.compliance(), rows_of(whole, whole.compliance(), contacts));
    set_rows(whole, together, contacts, part.contact_velocity(rows_of(whole, r, contacts)));
  }
  EXPECT_LE((together - u).norm(), 1e-14 * u.norm());
}

// Side by side or among others, with entries of others in their rows or without.
TEST(Islands, AreTheSameProblemsWhereverTheirContactsStand) {
  const ContactProblem in_order = test::join(apart);
  const auto same = [](const ContactProblem& part, const ContactProblem& expected) {
    EXPECT_EQ(Matrix(part.local().W), Matrix(expected.local().W));
    EXPECT_EQ(part.local().W.nonZeros(), expected.local().W.nonZeros());
    EXPECT_EQ(part.local().q, expected.local().q);
    EXPECT_EQ(part.mu(), expected.mu());
  };
  same(part_of(in_order, {0, 1}), apart[0]);
  same(part_of(in_order, {2, 3, 4}), apart[1]);
  same(part_of(in_order, {5}), apart[2]);
  same(part_of(in_order, {0, 1, 2, 3, 4}), test::join({apart[0], apart[1]}));
  same(part_of(mixed(), {0, 3, 5}), apart[1]);

  const Matrix whole = Matrix(apart[1].local().W);
  EXPECT_EQ(Matrix(part_of(apart[1], {1, 2}).local().W), whole.bottomRightCorner(6, 6));
  EXPECT_EQ(Matrix(part_of(apart[1], {1}).local().W), whole.block(3, 3, 3, 3));
  EXPECT_EQ(part_of(apart[1], {}).contacts(), 0);
}

TEST(Islands, OfAGlobalProblemKeepTheirBodiesAndTheReduction) {
  const std::vector<ContactProblem> pieces = {test::random_global_problem(3, 2, 2, 1),
                                              test::random_global_problem(3, 3, 4, 2)};
  const ContactProblem rigid = test::join_global(pieces);
  const Vector compliance = Vector::LinSpaced(15, 0, 1);
  const ContactProblem whole = rigid.with_compliance(compliance);
  const std::vector<std::vector<Index>> contacts = {{0, 1}, {2, 3, 4}};
  for (std::size_t k = 0; k < 2; ++k) {
    const ContactProblem part = part_of(whole, contacts[k], ProblemForm::global);
    const GlobalForm& form = *part.global();
    // A body that no contact touches is left out: the same as in a problem by itself.
    EXPECT_LE(form.M.rows(), pieces[k].global()->M.rows());
    const ContactProblem own(3, part.mu(), form);
    const ContactProblem own_compliant = own.with_compliance(part.compliance());
    const Vector r = Vector::LinSpaced(part.unknowns(), -1, 2);
    EXPECT_EQ(part.form(), ProblemForm::global);
    EXPECT_EQ(part.mu(), pieces[k].mu());
    EXPECT_EQ(part.compliance(), rows_of(whole, compliance, contacts[k]));
    EXPECT_EQ(Matrix(part.rigid_W()), Matrix(part_of(rigid, contacts[k]).rigid_W()))
        << "not reduced again";
    EXPECT_LE((part.local().W - own_compliant.local().W).norm(), 1e-13 * own.local().W.norm());
    EXPECT_LE((part.local().q - own.local().q).norm(), 1e-13 * own.local().q.norm());
    EXPECT_LE((part.generalized_velocity(r) - own.generalized_velocity(r)).norm(),
              1e-13 * own.generalized_velocity(r).norm());
  }
}

}  // namespace
}  // namespace frictionbench
