#include "frictionbench/linalg/body_sweeps.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "frictionbench/sets/sets.hpp"
#include "lib/scenes/scene_support.hpp"
#include "support/limits.hpp"
#include "support/problems.hpp"
#include "support/registered_solvers.hpp"

namespace frictionbench::solvers {
namespace {

using test::limits;
using test::solve;

ContactProblem scene(const std::string& name, const Assignments& parameters = {}) {
  const scenes::Snapshot state = scenes::test::state(name, parameters);
  return scenes::global_problem(state.world, state.contacts);
}

ContactProblem spheres() {
  return scene("packed_spheres",
               {{"grains", "25"}, {"width", "0.3"}, {"steps", "80"}, {"snapshots", "1"}});
}
ContactProblem disks() {
  return scene("disks_2d", {{"grains", "25"}, {"steps", "80"}, {"snapshots", "1"}});
}

// Contacts, and behind them a limit and a rolling contact.
ContactProblem mixed() {
  const ContactProblem contacts = test::random_global_problem(3, 4, 3, 2);
  std::mt19937 generator(5);
  return contacts.with_rows(
      GlobalRows{test::sparse(test::random_matrix(contacts.global()->M.rows(), 6, generator)),
                 test::random_matrix(6, 1, generator)},
      {interval(0, 1), rolling_cone(0.5, 0.1)});
}

// Every iterate, seen by the impulse that a limit of so many sweeps leaves.
void expect_same_iterates(const std::string& solver, const std::string& settings,
                          const ContactProblem& problem, int sweeps) {
  SCOPED_TRACE(solver + " " + settings);
  const std::string separator = settings.empty() ? "" : ",";
  const ContactProblem without = problem.without_W();
  for (int most = 1; most <= sweeps; ++most) {
    const Result rows = solve(solver + "(" + settings + ")", problem, limits(0, most));
    const Result bodies =
        solve(solver + "(form=global" + separator + settings + ")", without, limits(0, most));
    ASSERT_EQ(bodies.status, rows.status) << bodies.message;
    ASSERT_EQ(bodies.work.sweeps, most);
    EXPECT_EQ(bodies.work.products, 0);
    ASSERT_LE((bodies.r - rows.r).norm(), 1e-9 * rows.r.norm()) << most << " sweeps";
  }
}

TEST(BodySweeps, MakeTheIteratesOfRowsOfW) {
  const ContactProblem wall = scene("wall");
  for (const std::string solver : {"ncp-nsgs", "ncp-pgs", "ccp-pgs", "lcp-pgs", "rolling-nsgs"}) {
    expect_same_iterates(solver, "", wall, 12);
    expect_same_iterates(solver, "", disks(), 12);
    expect_same_iterates(solver, "order=random,momentum=true", spheres(), 12);
  }
  expect_same_iterates("lcp-pgs", "facets=8", wall, 5);
  expect_same_iterates("rolling-nsgs", "scaling=contacts", wall, 5);
  const Vector R = Vector::LinSpaced(wall.unknowns(), 0.1, 1);
  expect_same_iterates("ncp-nsgs", "order=residual", wall.with_compliance(R), 12);
}

TEST(BodySweeps, TakeBlocksOfAnySet) {
  for (const std::string solver : {"ncp-nsgs", "ncp-pgs", "ccp-pgs"})
    expect_same_iterates(solver, "", mixed(), 12);
}

// The residuals that end a solve are those of the verdict, without W: a problem without W throws where W
// is asked for.
TEST(BodySweeps, SolveWithoutW) {
  for (const ContactProblem& problem :
       {scene("wall", {{"rows", "6"}, {"columns", "4"}}), disks(), mixed()}) {
    const ContactProblem without = problem.without_W();
    for (const std::string settings : {"", ",momentum=true,relaxation=1", ",order=colours"}) {
      const Result result =
          solve("ncp-nsgs(form=global" + settings + ")", without, limits(1e-7, 100000));
      EXPECT_EQ(result.status, Status::converged) << settings << result.message;
      EXPECT_LE(judge(without, result.r).ncp.max(), 1.000001e-7) << settings;
      EXPECT_LE(judge(problem, result.r).ncp.max(), 1.000001e-7) << settings;
    }
  }
}

TEST(BodySweeps, WithWAreTheSameAndDoNotMakeIt) {
  const ContactProblem problem = spheres();
  const Result with = solve("ncp-nsgs(form=global)", problem, limits(1e-8));
  EXPECT_EQ(problem.assembly_time(), 0) << "W was made";
  EXPECT_EQ(with.r, solve("ncp-nsgs(form=global)", problem.without_W(), limits(1e-8)).r);
}

TEST(BodySweeps, CountWhatTheyDo) {
  const Result result = solve("ncp-nsgs(form=global,check_every=2)", spheres(), limits(0, 4));
  // H r before each sweep; H r and H^T v for each evaluation.
  EXPECT_EQ(result.work, (WorkCounters{.global_products = 4 + 2 * 2, .sweeps = 4}));
}

// A colour's contacts share no body: their order, and so the number of threads, changes no bit.
TEST(BodySweeps, ThreadsChangeNothing) {
  for (const ContactProblem& problem : {scene("wall"), spheres(), disks(), mixed()}) {
    const auto answer = [&](const std::string& threads) {
      return solve("ncp-nsgs(form=global,order=colours,momentum=true,threads=" + threads + ")",
                   problem, limits(1e-9, 60));
    };
    const Result one = answer("1");
    for (const char* threads : {"2", "3", "8"}) {
      const Result several = answer(threads);
      EXPECT_EQ(several.r, one.r) << threads;
      EXPECT_EQ(several.iterations, one.iterations);
      EXPECT_EQ(several.work, one.work);
    }
  }
}

TEST(BodySweeps, RefuseWhatTheyCannotDo) {
  const Result local =
      solve("ncp-nsgs(form=global)", test::random_problem(3, 4, 12, 1), limits(1e-6));
  EXPECT_EQ(local.status, Status::refused);
  EXPECT_EQ(local.message, "needs the global form (M, H), and the file has only W");
  EXPECT_THROW(test::solver("ncp-nsgs(order=colours)"), std::invalid_argument);
  EXPECT_THROW(test::solver("ncp-nsgs(form=global,threads=2)"), std::invalid_argument);
  EXPECT_THROW(test::solver("ncp-pgs(threads=2)"), std::invalid_argument);
}

}  // namespace
}  // namespace frictionbench::solvers
