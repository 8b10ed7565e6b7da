#include "frictionbench/problem/contact_columns.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "frictionbench/criteria/verdict.hpp"
#include "frictionbench/problem/compliance_rule.hpp"
#include "frictionbench/problem/facts.hpp"
#include "frictionbench/problem/islands.hpp"
#include "frictionbench/problem/scaling.hpp"
#include "frictionbench/sets/sets.hpp"
#include "lib/scenes/scene_support.hpp"
#include "support/problems.hpp"

namespace frictionbench {
namespace {

ContactProblem scene(const std::string& name, const Assignments& parameters = {}) {
  const scenes::Snapshot state = scenes::test::state(name, parameters);
  return scenes::global_problem(state.world, state.contacts);
}

// A wall; loose spheres; contacts in the plane; contacts that each act on three bodies; the same with a
// mass that is not symmetric, and with rows of other sets behind the contacts.
std::vector<ContactProblem> global_problems() {
  const ContactProblem several = test::random_global_problem(3, 4, 3, 2);
  GlobalForm gyroscopic = *several.global();
  gyroscopic.M.coeffRef(0, 1) += 0.02;
  std::mt19937 generator(4);
  const Index n = several.global()->M.rows();
  const GlobalRows rows{test::sparse(test::random_matrix(n, 3, generator)),
                        test::random_matrix(3, 1, generator)};
  return {scene("wall"),
          scene("packed_spheres",
                {{"grains", "25"}, {"width", "0.3"}, {"steps", "80"}, {"snapshots", "1"}}),
          scene("disks_2d", {{"grains", "25"}, {"steps", "80"}, {"snapshots", "1"}}),
          several,
          ContactProblem(3, several.mu(), gyroscopic),
          several.with_rows(rows, {equality(2), equality()})};
}

Vector some_impulse(const ContactProblem& problem) {
  return Vector::LinSpaced(problem.unknowns(), -1, 2);
}

void expect_near(const Vector& a, const Vector& b) {
  ASSERT_EQ(a.size(), b.size());
  EXPECT_LE((a - b).norm(), 1e-11 * (1 + b.norm()));
}

TEST(ContactColumns, HaveTheProductsOfM) {
  for (const ContactProblem& problem : global_problems()) {
    const GlobalForm& form = *problem.global();
    const ContactColumns& columns = problem.columns();
    const Vector r = some_impulse(problem);
    const Vector v = columns.generalized_velocity(r);
    expect_near(form.M * v, form.H * r + form.f);
    expect_near(columns.contact_velocity(v), form.H.transpose() * v);
    expect_near(columns.free_contact_velocity(), problem.local().q);
    expect_near(columns.delassus_diagonal(), problem.local().W.diagonal());
    for (Index i = 0; i < problem.blocks(); ++i) {
      const Index first = problem.block_start(i), rows = problem.block_rows(i);
      const Matrix W_ii = Matrix(problem.local().W).block(first, first, rows, rows);
      EXPECT_LE((columns.diagonal_block(i) - W_ii).norm(), 1e-12 * W_ii.norm());
    }
  }
}

TEST(ContactColumns, GroupsHaveEveryBlockOnceAndNoBodyTwice) {
  for (const ContactProblem& problem : global_problems()) {
    std::vector<int> all;
    for (const std::vector<int>& group : problem.columns().groups()) {
      EXPECT_TRUE(std::ranges::is_sorted(group));
      std::set<int> dofs;
      for (const int i : group) {
        for (const int dof : problem.columns().dofs_of(i))
          EXPECT_TRUE(dofs.insert(dof).second) << "contact " << i;
        all.push_back(i);
      }
    }
    std::ranges::sort(all);
    EXPECT_EQ(static_cast<Index>(all.size()), problem.blocks());
    EXPECT_EQ(std::ranges::adjacent_find(all), all.end());

    // First fit: the groups before a contact's are taken by others on one of its at most two bodies.
    std::vector<std::size_t> at_dof(static_cast<std::size_t>(problem.columns().dofs()), 0);
    for (Index i = 0; i < problem.blocks(); ++i)
      for (const int dof : problem.columns().dofs_of(i)) ++at_dof[static_cast<std::size_t>(dof)];
    EXPECT_LT(problem.columns().groups().size(), 2 * std::ranges::max(at_dof));
  }
}

TEST(ContactColumns, SingularMassIsRefused) {
  GlobalForm form = *test::random_global_problem(3, 2, 1, 1).global();
  form.M = SparseMatrix(form.M.rows(), form.M.cols());
  const ContactProblem problem(3, Vector::Constant(form.w.size() / 3, 0.5), form);
  EXPECT_THROW(problem.without_W(), InvalidProblem);
}

TEST(WithoutW, SaysSoWhereWIsAskedFor) {
  const ContactProblem problem = test::random_global_problem(3, 4, 3, 2);
  const ContactProblem without = problem.without_W();
  EXPECT_TRUE(problem.has_W());
  EXPECT_FALSE(without.has_W());
  EXPECT_THROW(without.local(), std::logic_error);
  EXPECT_THROW(without.rigid_W(), std::logic_error);
  EXPECT_EQ(problem.assembly_time(), 0) << "W was made";
  EXPECT_EQ(&without.columns(), &problem.columns());
}

// What is measured of a problem, with W and without, rigid and compliant.
TEST(WithoutW, MeasuresTheSame) {
  for (const ContactProblem& given : global_problems())
    for (const double softness : {0.0, 0.1}) {
      const ComplianceRule rule{.of_diagonal = true, .value = softness};
      const ContactProblem problem = with_compliance(given, rule);
      const ContactProblem without = with_compliance(given.without_W(), rule);
      ASSERT_FALSE(without.has_W());
      const Vector r = some_impulse(problem);
      expect_near(without.compliance(), problem.compliance());
      expect_near(without.free_velocity(), problem.free_velocity());
      expect_near(without.delassus_diagonal(), problem.delassus_diagonal());
      expect_near(without.contact_velocity(r), problem.contact_velocity(r));
      expect_near(without.generalized_velocity(r), problem.generalized_velocity(r));
      EXPECT_EQ(islands(without), islands(problem));

      const ProblemFacts facts = facts_of(without), expected = facts_of(problem);
      EXPECT_EQ(facts.nonzeros, expected.nonzeros);
      EXPECT_EQ(facts.islands, expected.islands);
      EXPECT_NEAR(facts.asymmetry, expected.asymmetry, 1e-13);
      EXPECT_NEAR(facts.diagonal_max, expected.diagonal_max, 1e-12 * expected.diagonal_max);

      const Vector impulse = r.cwiseAbs();
      const Verdict verdict = judge(without, impulse), same = judge(problem, impulse);
      for (const ContactModel model : {ContactModel::ncp, ContactModel::ccp, ContactModel::lcp})
        EXPECT_NEAR(verdict.residual(model, Scale::relative), same.residual(model, Scale::relative),
                    1e-10 * same.residual(model, Scale::relative));
      EXPECT_NEAR(verdict.natural_map, same.natural_map, 1e-10 * same.natural_map);

      const ContactScaling scaling = ContactScaling::equilibrated(without);
      const ContactProblem scaled = scaling.apply(without);
      ASSERT_FALSE(scaled.has_W());
      expect_near(scaled.contact_velocity(r),
                  ContactScaling::equilibrated(problem).apply(problem).contact_velocity(r));
    }
}

}  // namespace
}  // namespace frictionbench
