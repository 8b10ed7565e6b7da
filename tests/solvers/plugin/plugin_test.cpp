// A solver from outside: written here against the contract alone, registered and run with no change
// to anything else. It is also the shortest complete example of a solver.

#include <gtest/gtest.h>

#include "frictionbench/bench/run/runner.hpp"
#include "frictionbench/fclib/writer.hpp"
#include "frictionbench/linalg/delassus_operator.hpp"
#include "frictionbench/math/friction_cone.hpp"
#include "frictionbench/results/document/summary.hpp"
#include "frictionbench/solver/registry.hpp"
#include "frictionbench/solver/stopping.hpp"
#include "frictionbench/solvers/register_all.hpp"
#include "support/problems.hpp"
#include "support/temporary_folder.hpp"

namespace frictionbench {
namespace {

/// Projected gradient on the CCP: r <- P_K(r - step / L u), u = W r + q, L = lambda_max(W).
class ProjectedGradient final : public Solver {
 public:
  struct Settings {
    double step = 1.0;
    void describe(SettingFields& fields) {
      fields.add("step", step, open_interval(0, 2), "step length, in units of 1 / L", "textbook");
    }
  };

  static SolverInfo info() {
    SolverInfo info;
    info.name = "test-gradient";
    info.summary = "projected gradient";
    info.model = ContactModel::ccp;
    info.sources = {"textbook"};
    info.zero_diagonal = true;
    return info;
  }

  explicit ProjectedGradient(const Settings& settings) : Solver(info()), settings_(settings) {}

 private:
  Result run(const ContactProblem& problem, const Limits& limits, const InitialGuess& guess,
             Observer& observer) const override {
    Result result;
    result.r = guess.r;
    const DelassusOperator W(problem, result.work);
    const double step = settings_.step / W.largest_eigenvalue(50);
    Vector u = W.velocity(result.r);
    observer.setup_finished();

    const int dim = problem.dimension();
    for (result.iterations = 1; result.iterations <= limits.max_iterations; ++result.iterations) {
      for (Index i = 0; i < problem.contacts(); ++i) {
        const Vector target = result.r.segment(dim * i, dim) - step * u.segment(dim * i, dim);
        result.r.segment(dim * i, dim) = project_on_cone(target, problem.mu()[i]);
      }
      u = W.velocity(result.r);
      const ConeResiduals residuals = cone_residuals(ContactModel::ccp, problem, result.r, u);
      observer.iterated({result.iterations, residuals});
      if (stop_on_residuals(residuals, limits, result)) return result;
    }
    stop_at_iteration_limit(limits, result);
    return result;
  }

  Settings settings_;
};

TEST(Plugin, RegistersAndRunsBesideTheOthers) {
  Registry registry = solvers::all_solvers();
  registry.add<ProjectedGradient>();
  const std::vector<ConfiguredSolver> chosen{registry.make("test-gradient(step=1.5)"),
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
  EXPECT_EQ(document.records[0].solver, "test-gradient(step=1.5)");
  EXPECT_EQ(document.records[0].status, Status::converged);
  EXPECT_TRUE(document.solved(document.records[0]));
  EXPECT_EQ(document.records[0].work.products, 51 + document.records[0].iterations);
  EXPECT_EQ(results::summarize(document).at(0).solved, 1);
}

}  // namespace
}  // namespace frictionbench
