// A solver from outside: the example of solvers/README.md, registered and run with no change to
// anything else.

#include <gtest/gtest.h>

#include "frictionbench/bench/run/runner.hpp"
#include "frictionbench/fclib/writer.hpp"
#include "frictionbench/results/document/summary.hpp"
#include "frictionbench/solvers/register_all.hpp"
#include "solvers/plugin/readme_example.hpp"
#include "support/problems.hpp"
#include "support/temporary_folder.hpp"

namespace frictionbench {

namespace solvers {

static void register_outside(Registry& registry) { FRICTIONBENCH_REGISTER(registry, ccp_gradient); }

}  // namespace solvers

Registry test::solvers_with_readme_example() {
  Registry registry = solvers::all_solvers();
  solvers::register_outside(registry);
  return registry;
}

namespace {

TEST(Plugin, RunsNextToTheOthers) {
  const Registry registry = test::solvers_with_readme_example();
  const std::vector<ConfiguredSolver> chosen{registry.make("ccp-gradient(step=1.5)"),
                                             registry.make("ccp-pgs")};

  const test::TemporaryFolder folder;
  const std::string path = folder.file("problem.hdf5");
  fclib::write_problem(path, {test::random_problem(3, 5, 15, 41, 0.5), {}, {}, {}});
  bench::RunOptions options;
  options.criterion = Criterion::native;
  options.repeat_time = 0;
  bench::RunObserver silent;
  const bench::Plan plan = bench::make_plan(bench::find_problems({path}), chosen, {});
  const results::Document document = bench::run(plan, chosen, options, silent).value();

  ASSERT_EQ(document.records.size(), 2u);
  EXPECT_EQ(document.records[0].solver, "ccp-gradient(step=1.5)");
  EXPECT_EQ(document.records[0].status, Status::converged);
  EXPECT_TRUE(document.solved(document.records[0]));
  EXPECT_EQ(document.records[0].work.products, 51 + document.records[0].iterations);
  EXPECT_EQ(results::summarize(document).at(0).solved, 1);
}

TEST(Plugin, MayAlsoBeTheInnerSolverOfAnother) {
  const ConfiguredSolver solver =
      test::solvers_with_readme_example().make("ncp-desaxce(inner=ccp-gradient(step=1.5))");
  const Result result = solver.solver->solve(test::random_problem(3, 5, 15, 41, 0.5), {});
  EXPECT_EQ(result.status, Status::converged) << result.message;
}

}  // namespace
}  // namespace frictionbench
