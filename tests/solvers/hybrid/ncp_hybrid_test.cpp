#include <gtest/gtest.h>

#include <utility>

#include "frictionbench/fclib/reader.hpp"
#include "lib/scenes/scene_support.hpp"
#include "support/joined_problems.hpp"
#include "support/limits.hpp"
#include "support/mixed_problems.hpp"
#include "support/problems.hpp"
#include "support/real_files.hpp"
#include "support/registered_solvers.hpp"

namespace frictionbench::solvers {
namespace {

using test::limits;
using test::solve;
using test::vector;

// A solve that ends in its first stage, at the limit of the whole.
Result sweep_stage(const ContactProblem& problem, int sweeps) {
  const Result result = solve("ncp-hybrid(active_set=0)", problem, limits(1e-14, sweeps));
  EXPECT_EQ(result.stage, "sweeps");
  EXPECT_EQ(result.iterations, sweeps);
  return result;
}

TEST(NcpHybrid, SweepsAsNsgsWithMomentum) {
  const ContactProblem problem = test::random_problem(3, 30, 120, 5);
  for (const int sweeps : {1, 2, 3, 8, 24}) {
    const Result result = sweep_stage(problem, sweeps);
    const Vector r =
        solve("ncp-nsgs(relaxation=1,momentum=true)", problem, limits(1e-14, sweeps)).r;
    EXPECT_LE((result.r - r).norm(), 1e-12 * r.norm()) << sweeps;
    EXPECT_EQ(result.work.sweeps, sweeps);
    EXPECT_LE(result.work.products, 6 + 2) << "and two to compare the answer with the start";
  }
}

// Active sets fail from the start, and find the states between sweeps, which they take turns with.
TEST(NcpHybrid, TakesTurnsWithActiveSets) {
  int finished = 0;
  for (std::uint32_t seed = 1; seed <= 40; ++seed) {
    const ContactProblem problem = test::random_problem(3, 12, 30, seed);
    const Result result = solve("ncp-hybrid", problem, limits(1e-9));
    EXPECT_EQ(result.status, Status::converged) << seed;
    if (result.stage != "sweeps") continue;
    EXPECT_GT(result.reported.at("sweeps iterations"), result.work.sweeps) << "Newton steps, too";
    finished += result.iterations > result.work.sweeps + 5;
  }
  EXPECT_GE(finished, 1);
}

// What nothing couples takes one sweep, however many contacts there are, and whatever their sets.
TEST(NcpHybrid, SolvesUncoupledBlocksInOneSweep) {
  constexpr Index contacts = 31;
  std::vector<Eigen::Triplet<double>> entries;
  Vector q(3 * contacts);
  for (Index i = 0; i < contacts; ++i) {
    for (Index k = 0; k < 3; ++k)
      entries.emplace_back(3 * i + k, 3 * i + k, 1 + static_cast<double>(k));
    q.segment<3>(3 * i) = Eigen::Vector3d(-1, 0.1 * static_cast<double>(i), 0.2);
  }
  LocalForm form{SparseMatrix(3 * contacts, 3 * contacts), q};
  form.W.setFromTriplets(entries.begin(), entries.end());
  const ContactProblem problem(3, Vector::Constant(contacts, 0.5), std::move(form));
  const Result result = solve("ncp-hybrid", problem, limits(1e-9));
  EXPECT_EQ(result.status, Status::converged);
  EXPECT_EQ(result.iterations, 1);
  EXPECT_EQ(result.work.sweeps, 1);
  EXPECT_EQ(result.work.factorizations.all(), 0);
}

// A rolling contact alone takes Newton's method: for the cost of a few sweeps there is an ADMM.
TEST(NcpHybrid, LeavesBlocksWithoutClosedFormToAdmm) {
  const Vector mu = Vector::Constant(1, 0.5);
  const ContactProblem rolling = test::mixed_problem(
      mu, {rolling_cone(0.5, 0.1), rolling_cone(0.5, 0.1), rolling_cone(0.5, 0.1)}, 3);
  const Result result = solve("ncp-hybrid", rolling, limits(1e-9));
  EXPECT_EQ(result.status, Status::converged);
  EXPECT_EQ(result.reported.at("sweeps iterations"), 0);
  EXPECT_TRUE(result.reported.contains("ADMM iterations"));
  const ContactProblem closed = test::mixed_problem(mu, {interval(-0.2, 0.3), equality()}, 3);
  EXPECT_GT(solve("ncp-hybrid", closed, limits(1e-9)).reported.at("sweeps iterations"), 0);
}

TEST(NcpHybrid, GivesSweepsUpWhereTheyAreTooSlow) {
  const scenes::Snapshot stack =
      scenes::test::state("stack", {{"boxes", "10"}, {"mass_ratio", "1e4"}});
  const ContactProblem problem = scenes::global_problem(stack.world, stack.contacts);
  const Result result = solve("ncp-hybrid(active_set=0,sweeps=500)", problem, limits(1e-8, 600));
  EXPECT_LT(result.reported.at("sweeps iterations"), 500);
  EXPECT_GE(result.reported.at("sweeps iterations"), 24);
  EXPECT_EQ(result.stage, "interior point") << "which is what comes next";
}

// ADMM waits until interior point steps are trapped, but where they have more cones than unknowns.
TEST(NcpHybrid, TriesAdmmFirstWhereStepsAreExpensive) {
  const auto stage = [](const ContactProblem& problem, const std::string& settings) {
    const Result result =
        solve("ncp-hybrid(active_set=0,sweeps=0" + settings + ")", problem, limits(1e-6));
    EXPECT_EQ(result.status, Status::converged) << result.message;
    return result.stage;
  };
  for (const Index contacts : {60, 200}) {
    const ContactProblem problem = test::random_problem(3, contacts, 6 * contacts, 3);
    EXPECT_EQ(stage(problem, ""), "interior point");
    EXPECT_EQ(stage(problem, ",interior_point=1"), "ADMM");
  }
  const Vector mu = Vector::Constant(1, 0.5);
  EXPECT_EQ(stage(test::mixed_problem(mu, {rolling_cone(0.5, 0.1), rolling_cone(0.5, 0.1)}, 3), ""),
            "ADMM");
}

TEST(NcpHybrid, EndsAtTheLimitBetweenIslands) {
  std::vector<ContactProblem> parts;
  for (std::uint32_t seed = 0; seed < 8; ++seed)
    parts.push_back(test::random_problem(3, 2, 6, seed));
  const ContactProblem problem = test::join(parts);
  const int needed = solve("ncp-hybrid", problem, limits(1e-8)).iterations;
  for (int most = 1; most < needed; ++most)
    EXPECT_EQ(solve("ncp-hybrid", problem, limits(1e-8, most)).status, Status::max_iterations)
        << most;
}

// One problem for each stage to finish.
TEST(NcpHybrid, SaysWhichStageFinished) {
  const auto stage = [](const std::string& settings, const ContactProblem& problem,
                        double tolerance) {
    const Result result = solve("ncp-hybrid(" + settings + ")", problem, limits(tolerance));
    EXPECT_EQ(result.status, Status::converged) << result.message;
    EXPECT_LE(judge(problem, result.r).ncp.max(), tolerance);
    double sum = 0;
    for (const auto& [name, value] : result.reported)
      if (name.ends_with(" iterations")) sum += value;
    EXPECT_EQ(sum, result.iterations);
    return result.stage;
  };
  const ContactProblem easy = test::one_contact(vector({2, 2, 2}), vector({-2, 0.3, 0}), 0.5);
  EXPECT_EQ(stage("", easy, 1e-9), "active set");
  EXPECT_EQ(stage("active_set=0", easy, 1e-9), "sweeps");
  const ContactProblem hyperstatic = test::random_problem(3, 30, 20, 17);
  std::string skipped = "active_set=0,sweeps=0";
  EXPECT_EQ(stage(skipped, hyperstatic, 1e-6), "interior point");
  skipped += ",interior_point=0";
  EXPECT_EQ(stage(skipped, hyperstatic, 1e-6), "ADMM");
  skipped += ",admm=0";
  EXPECT_EQ(stage(skipped, hyperstatic, 1e-6), "path");
  skipped += ",path=0";
  EXPECT_EQ(stage(skipped, hyperstatic, 1e-6), "Newton");
  skipped += ",safeguards=0";
  EXPECT_EQ(stage(skipped, hyperstatic, 1e-6), "final ADMM");
}

// Three paths of seven iterations each, too few to arrive, between the fallbacks that are left.
TEST(NcpHybrid, TriesOtherPathsWithManyContacts) {
  const char* paths_only =
      "ncp-hybrid(active_set=0,sweeps=0,admm=0,interior_point=0,safeguards=0,path=7)";
  const auto iterations = [&](Index contacts, const std::string& stage) {
    const ContactProblem problem = test::random_problem(3, contacts, 2 * contacts, 3);
    const Result result = solve(paths_only, problem, limits(1e-14, 30));
    const auto made = result.reported.find(stage + " iterations");
    return made == result.reported.end() ? 0 : made->second;
  };
  EXPECT_EQ(iterations(200, "path"), 7);
  EXPECT_EQ(iterations(200, "other path"), 2 * 7);
  EXPECT_EQ(iterations(200, "final ADMM"), 30 - 3 * 7);
  EXPECT_EQ(iterations(60, "path"), 7);
  EXPECT_EQ(iterations(60, "other path"), 0);
}

// Sweeps need no memory beside W.
TEST(NcpHybrid, SweepsToTheEndWhereFactorsDoNotFit) {
  const ContactProblem problem = test::random_problem(3, 250, 900, 4);
  const std::string first_stage = "active_set=0,sweeps=1,memory=";
  const Result small = solve("ncp-hybrid(" + first_stage + "1)", problem, limits(1e-6));
  EXPECT_EQ(small.status, Status::converged) << small.message;
  EXPECT_EQ(small.stage, "momentum");
  EXPECT_EQ(small.work.factorizations.all(), 0);
  EXPECT_EQ(small.reported.at("available_memory_MB"), 1);
  EXPECT_NEAR(small.reported.at("lu_memory_MB"), 16e-6 * 2 * 750 * 750, 1e-6);
  const Result large = solve("ncp-hybrid(" + first_stage + "1000)", problem, limits(1e-6));
  EXPECT_EQ(large.status, Status::converged) << large.message;
  EXPECT_GT(large.work.factorizations.all(), 0);
  EXPECT_FALSE(large.reported.contains("available_memory_MB"));
}

// Spheres about to settle, of which residuals stay where they are for hundreds of iterations.
TEST(NcpHybrid, IsPatientWithAdmmOnManyContacts) {
  SKIP_WITHOUT_REAL_FILES("fclib/local/Spheres");
  const auto file = test::real_files("fclib/local/Spheres").front().parent_path() /
                    "gen2000-Spheres-i000100-2736-00840.hdf5";
  const ContactProblem problem = fclib::read_problem(file).problem;
  const Result result = solve("ncp-hybrid", problem, limits(1e-6));
  EXPECT_EQ(result.stage, "ADMM");
  EXPECT_LE(judge(problem, result.r).ncp.max(), 1e-6);
}

// The same contacts, and bodies that touch nothing.
ContactProblem with_idle_bodies(const ContactProblem& problem, Index degrees_of_freedom) {
  GlobalForm form = *problem.global();
  const Index before = form.M.rows(), all = before + degrees_of_freedom;
  form.M.conservativeResize(all, all);
  form.H.conservativeResize(all, form.H.cols());
  form.f.conservativeResize(all);
  for (Index i = before; i < all; ++i) form.M.insert(i, i) = 1;
  form.f.tail(degrees_of_freedom).setZero();
  return ContactProblem(3, problem.mu(), std::move(form));
}

double admm_iterations(const ContactProblem& problem) {
  return solve("ncp-hybrid(sweeps=0,interior_point=0,path=0,safeguards=0)", problem,
               limits(1e-14, 1000))
      .reported.at("ADMM iterations");
}

// Where W is singular for the closed contacts, residuals that stay where they are do not fall later. The
// global form of balls says so: it has more than 1.2 times as many unknowns as degrees of freedom.
TEST(NcpHybrid, IsNotPatientWithAdmmOnStronglyHyperstaticContacts) {
  const scenes::Snapshot pile = scenes::test::state(
      "packed_spheres", {{"grains", "400"}, {"width", "0.862"}, {"steps", "250"}});
  const ContactProblem global = scenes::global_problem(pile.world, pile.contacts);
  ASSERT_GE(global.contacts(), 1000);
  const Index unknowns = global.unknowns(), degrees_of_freedom = global.global()->M.rows();
  ASSERT_GT(5 * unknowns, 6 * degrees_of_freedom);
  const ContactProblem idle = with_idle_bodies(global, 7 * unknowns / 8 - degrees_of_freedom);
  EXPECT_LT(admm_iterations(global), 300);
  EXPECT_GE(admm_iterations(idle), 400);
  EXPECT_GE(admm_iterations(scenes::local_problem(pile.world, pile.contacts)), 400);
}

// Boxes touch at four points, whose twelve rows of W have rank six: that shows without the global form.
TEST(NcpHybrid, IsNotPatientWithAdmmOnBoxesInLocalForm) {
  const scenes::Snapshot stack =
      scenes::test::state("stack", {{"boxes", "260"}, {"mass_ratio", "100"}});
  const ContactProblem local = scenes::local_problem(stack.world, stack.contacts);
  ASSERT_GE(local.contacts(), 1000);
  EXPECT_LT(admm_iterations(local), 300);
}

// Tight tolerances, hyperstatic stacks, towers: where single methods fail here and there.
TEST(NcpHybrid, SolvesRealFilesToOneInABillion) {
  SKIP_WITHOUT_REAL_FILES("fclib/local/IllConditionedStack");
  int files = 0, solved = 0;
  for (const char* folder :
       {"fclib/local/IllConditionedStack", "fclib/local/BoxesStack", "fclib/local/Capsules"}) {
    const auto paths = test::real_files(folder);
    for (std::size_t k = 0; k < paths.size(); k += 40, ++files) {
      const ContactProblem problem = fclib::read_problem(paths[k]).problem;
      const Result result = solve("ncp-hybrid", problem, limits(1e-9));
      const bool is_solved = judge(problem, result.r).ncp.max() <= 1e-9;
      EXPECT_EQ(result.status == Status::converged, is_solved) << paths[k];
      solved += is_solved;
    }
  }
  EXPECT_GE(solved, 0.9 * files);
}

}  // namespace
}  // namespace frictionbench::solvers
