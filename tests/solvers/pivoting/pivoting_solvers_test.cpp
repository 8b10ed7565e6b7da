#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "frictionbench/criteria/verdict.hpp"
#include "support/limits.hpp"
#include "support/problems.hpp"
#include "support/registered_solvers.hpp"

namespace frictionbench::solvers {
namespace {

using test::limits;
using test::random_matrix;
using test::solve;
using test::sparse;
using test::vector;

const std::vector<std::string> pivoting_solvers = {"lcp-dantzig", "lcp-lemke",
                                                   "lcp-lemke-lexicographic", "lcp-pivot-search"};

double residual(const ContactProblem& problem, const Vector& r, int facets) {
  return cone_residuals(ContactModel::lcp, problem, r, problem.contact_velocity(r), {}, facets)
      .max();
}

// A body of mass 1 that lies on a plane, with contacts at these places and a free velocity.
ContactProblem body_on_plane(const std::vector<Eigen::Vector2d>& places, double mu,
                             const Vector& velocity) {
  const auto contacts = static_cast<Index>(places.size());
  Matrix J = Matrix::Zero(3 * contacts, 6);
  for (Index i = 0; i < contacts; ++i) {
    const Eigen::Vector3d p(places[static_cast<std::size_t>(i)][0],
                            places[static_cast<std::size_t>(i)][1], -0.5);
    // The velocity of the point, the normal direction z first: v + omega x p.
    J.row(3 * i) << 0, 0, 1, p[1], -p[0], 0;
    J.row(3 * i + 1) << 1, 0, 0, 0, p[2], -p[1];
    J.row(3 * i + 2) << 0, 1, 0, -p[2], 0, p[0];
  }
  return {3, Vector::Constant(contacts, mu), LocalForm{sparse(J * J.transpose()), J * velocity}};
}

// Corners of a square, and `more` points on its edges and inside.
std::vector<Eigen::Vector2d> face(int more, std::mt19937& generator) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<Eigen::Vector2d> places = {{1, 1}, {1, -1}, {-1, 1}, {-1, -1}};
  for (int k = 0; k < more; ++k)
    places.emplace_back(k % 2 == 0 ? 1 : uniform(generator), uniform(generator));
  return places;
}

// What solvers say, counted, after the verdict has confirmed every claim.
class Claims {
 public:
  explicit Claims(const std::vector<std::string>& specs) {
    for (const std::string& spec : specs) subjects_.push_back({spec, test::solver(spec), {}});
  }

  void check(const ContactProblem& problem, const std::string& which) {
    for (auto& [spec, solver, ends] : subjects_) {
      const Result result = solver->solve(problem, limits(1e-8));
      ++ends[result.status];
      const double own = residual(problem, result.r, solver->info().facets);
      EXPECT_EQ(result.status == Status::converged, own <= 1e-8)
          << spec << ", " << which << ": " << name(result.status) << ' ' << own;
      EXPECT_NE(result.status, Status::error) << spec << ", " << which << ": " << result.message;
      EXPECT_NE(result.status, Status::diverged) << spec << ", " << which;
    }
  }

  // What ends there were, for messages.
  std::string text() const {
    std::string text;
    for (const auto& [spec, solver, ends] : subjects_) {
      text += spec + ":";
      for (const auto& [status, count] : ends) text += fmt::format(" {} {}", name(status), count);
      text += "\n";
    }
    return text;
  }

  int solved(const std::string& spec) const {
    for (const auto& [own, solver, ends] : subjects_)
      if (own == spec && ends.contains(Status::converged)) return ends.at(Status::converged);
    return 0;
  }

 private:
  struct Subject {
    std::string spec;
    std::shared_ptr<const Solver> solver;
    std::map<Status, int> ends;
  };
  std::vector<Subject> subjects_;
};

// 10^4 answers in all: nine of each problem, and four of each face below.
TEST(PivotingSolvers, ClaimsOnRandomProblemsHold) {
  Claims claims({"lcp-dantzig", "lcp-lemke", "lcp-lemke-lexicographic", "lcp-pivot-search",
                 "lcp-lemke(facets=4,refine=true)", "lcp-lemke-lexicographic(tie=0,two_step=false)",
                 "lcp-lemke-lexicographic(facets=5,smallest_pivot=1e-9)",
                 "lcp-pivot-search(facets=4)", "lcp-pivot-search(order=total,two_step=false)"});
  for (std::uint32_t seed = 0; seed < 1000; ++seed) {
    const int dim = seed % 4 == 0 ? 2 : 3;
    const Index contacts = 1 + seed % 4;
    // Half of them are redundant.
    const Index freedom = seed / 4 % 2 == 0 ? dim * contacts : 1 + dim * contacts / 2;
    claims.check(test::random_problem(dim, contacts, freedom, seed),
                 fmt::format("problem {}", seed));
  }
  EXPECT_GE(claims.solved("lcp-pivot-search"), 995) << claims.text();
}

TEST(PivotingSolvers, ClaimsOnRedundantFacesHold) {
  Claims claims({"lcp-dantzig", "lcp-lemke", "lcp-lemke-lexicographic", "lcp-pivot-search"});
  std::mt19937 generator(5);
  for (int trial = 0; trial < 250; ++trial) {
    const Vector v = random_matrix(6, 1, generator) - 2 * Vector::Unit(6, 2);
    claims.check(body_on_plane(face(trial % 5, generator), 0.5, v), fmt::format("face {}", trial));
  }
  EXPECT_GE(claims.solved("lcp-pivot-search"), 245) << claims.text();
  EXPECT_GT(claims.solved("lcp-pivot-search"), 2 * claims.solved("lcp-lemke")) << claims.text();
}

// A stack of contacts that all do the same: the search has many equal choices.
TEST(PivotingSolvers, MemoryIsASettingAndItsEndHasAName) {
  std::mt19937 generator(6);
  const ContactProblem problem =
      body_on_plane(face(36, generator), 0.5, vector({1, 0.3, -2, 0.1, 0.2, 0.5}));
  for (const char* spec :
       {"lcp-pivot-search(memory=1)", "lcp-lemke(memory=1)", "lcp-lemke-lexicographic(memory=1)"}) {
    const Result result = solve(spec, problem);
    EXPECT_EQ(result.status, Status::memory_limit) << spec;
    EXPECT_EQ(result.stop_reason, StopReason::memory_limit) << spec;
    EXPECT_NE(result.message.find("memory"), std::string::npos) << spec << result.message;
  }
  EXPECT_EQ(solve("lcp-pivot-search", problem).status, Status::converged);
}

TEST(PivotingSolvers, IterationAndTimeLimitsEndThem) {
  const ContactProblem problem = test::random_problem(3, 20, 30, 1);
  for (const std::string& spec : pivoting_solvers) {
    const Result few = solve(spec, problem, limits(1e-8, 5));
    EXPECT_EQ(few.status, Status::max_iterations) << spec;
    EXPECT_EQ(few.iterations, 5) << spec;
    EXPECT_LE(few.work.pivots, 5) << spec;
    Limits now = limits(1e-8);
    now.deadline = std::chrono::steady_clock::now();
    const Result late = solve(spec, problem, now);
    EXPECT_EQ(late.status, Status::time_limit) << spec;
    EXPECT_EQ(late.work.pivots, 0) << spec;
  }
}

TEST(PivotingSolvers, PivotsAreCounted) {
  const ContactProblem problem = test::random_problem(3, 10, 30, 2);
  for (const std::string& spec : pivoting_solvers) {
    const Result result = solve(spec, problem, limits(1e-8));
    EXPECT_GT(result.work.pivots, 10) << spec;
    EXPECT_LE(result.work.pivots, result.iterations) << spec;
    EXPECT_EQ(result.work.factorizations.cholesky, 0) << spec;
  }
}

TEST(PivotingSolvers, TwoStepsAnswerTheSame) {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    const ContactProblem random = test::random_problem(3, 5, 15, seed, 0.5);
    const ContactProblem problem(3, Vector::Constant(5, 0.05), test::local_form(random));
    const auto velocity = [&](const char* spec) {
      return problem.contact_velocity(solve(spec, problem, limits(1e-10)).r);
    };
    EXPECT_LT((velocity("lcp-pivot-search(two_step=false)") - velocity("lcp-pivot-search")).norm(),
              1e-8)
        << seed;
  }
}

TEST(PivotingSolvers, IndependentGroupsMayBeSolvedApart) {
  const ContactProblem one = test::random_problem(3, 3, 9, 4);
  Matrix W = Matrix::Zero(18, 18);
  W.topLeftCorner(9, 9) = W.bottomRightCorner(9, 9) = Matrix(one.local().W);
  Vector q(18), mu(6);
  q << one.local().q, -one.local().q;
  mu << one.mu(), one.mu();
  const ContactProblem problem(3, mu, LocalForm{sparse(W), q});
  const Result apart = solve("lcp-pivot-search(islands=true)", problem);
  EXPECT_EQ(apart.status, Status::converged);
  EXPECT_LE(residual(problem, apart.r, 8), 1e-5);
}

// Friction that the engines leave at the bounds of the first pass.
TEST(PivotingSolvers, DantzigsBoundsSettleAfterTheFirstPass) {
  int by_one = 0;
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    const ContactProblem problem = test::random_problem(3, 5, 15, seed);
    by_one += solve("lcp-dantzig(passes=1)", problem).status == Status::converged;
    EXPECT_EQ(solve("lcp-dantzig", problem).status, Status::converged) << seed;
  }
  EXPECT_LT(by_one, 20);
}

}  // namespace
}  // namespace frictionbench::solvers
