// Answers that are wrong by a few per cent, as mistakes in a solver make them: the default
// criterion refuses every one. Absolute residuals accept some, where a file's own scale is small.

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "frictionbench/criteria/verdict.hpp"
#include "lib/scenes/scene_support.hpp"
#include "support/joined_problems.hpp"
#include "support/problems.hpp"

namespace frictionbench {
namespace {

using scenes::test::NamedScene;

constexpr double tolerance = 1e-6;  // of the default criterion

bool is_solved(const ContactProblem& problem, const Vector& r, Scale scale = Scale::relative) {
  return judge(problem, r).solved(ContactModel::ncp, scale, tolerance);
}

Vector precise_answer(const ContactProblem& problem) {
  Limits limits = test::limits(1e-11, 200000);
  limits.units = units_of(Scale::relative, problem);
  const Result result = test::solve("ncp-admm", problem, limits);
  EXPECT_LE(judge(problem, result.r).ncp.relative, 1e-10) << result.message;
  return result.r;
}

ContactProblem problem_of(const NamedScene& scene) {
  const scenes::Snapshot snapshot = scenes::test::state(scene.name, scene.parameters);
  return scenes::local_problem(snapshot.world, snapshot.contacts);
}

// At rest, and held by friction where something pulls.
std::vector<NamedScene> resting_scenes() {
  return {{"stack", {{"boxes", "5"}}},
          {"stack", {{"boxes", "5"}, {"mass_ratio", "1000"}, {"pull", "0.5"}}},
          {"wall", {{"rows", "3"}, {"columns", "2"}}},
          {"pyramid", {{"levels", "3"}}},
          {"pushed_box", {{"push", "0.5"}, {"direction", "30"}}},
          {"pushed_box_2d", {{"push", "0.5"}}}};
}

std::vector<NamedScene> sliding_scenes() {
  return {{"stack", {{"boxes", "3"}, {"pull", "4"}}},
          {"pushed_box", {{"push", "2"}, {"direction", "30"}}},
          {"sliding_box", {{"direction", "20"}}},
          {"sliding_box", {{"spin", "3"}}}};
}

// A problem, its answer, and names for them.
class WrongAnswers : public testing::TestWithParam<NamedScene> {
 protected:
  WrongAnswers() : problem_(problem_of(GetParam())), r_(precise_answer(problem_)) {
    EXPECT_TRUE(is_solved(problem_, r_)) << "the right answer is accepted";
  }
  void expect_refused(const Vector& wrong, const char* what) const {
    EXPECT_FALSE(is_solved(problem_, wrong))
        << what << ": relative residual " << judge(problem_, wrong).ncp.relative;
  }
  Index dim() const { return problem_.dimension(); }
  auto impulse(Vector& r, Index i) const { return r.segment(dim() * i, dim()); }
  double normal(Index i) const { return r_[dim() * i]; }
  double friction(Index i) const { return r_.segment(dim() * i + 1, dim() - 1).norm(); }
  // The contact for which `size` is largest or, with a sign, smallest.
  Index most(const std::function<double(Index)>& size) const {
    Index best = 0;
    for (Index i = 1; i < problem_.contacts(); ++i)
      if (size(i) > size(best)) best = i;
    return best;
  }
  // The impulse that answers for free velocities other by `s`: its true velocities are those less s.
  Vector answer_with_velocity_added(const Vector& s) const {
    return precise_answer(problem_.with_velocity_added(s));
  }

  ContactProblem problem_;
  Vector r_;
};

std::string label(const NamedScene& scene) {
  std::string text = scene.name;
  for (const auto& [name, value] : scene.parameters)
    text.append("_").append(name).append("_").append(value);
  for (char& letter : text)
    if (!std::isalnum(static_cast<unsigned char>(letter))) letter = '_';
  return text;
}
constexpr auto label_of = [](const auto& tested) { return label(tested.param); };

class WrongAtRest : public WrongAnswers {};
INSTANTIATE_TEST_SUITE_P(Scenes, WrongAtRest, testing::ValuesIn(resting_scenes()), label_of);

TEST_P(WrongAtRest, PressesWhileOpening) {
  const double U = problem_.local().q.lpNorm<Eigen::Infinity>();
  for (const double share : {1e-5, 1e-3, 0.05}) {
    Vector opening = Vector::Zero(problem_.unknowns());
    for (Index i = 0; i < problem_.contacts(); ++i) opening[dim() * i] = -share * U;
    expect_refused(answer_with_velocity_added(opening), "opens under load");
  }
}

TEST_P(WrongAtRest, VelocitiesOffByTwoPerCent) {
  for (const double share : {-0.02, 0.02})
    expect_refused(answer_with_velocity_added(share * problem_.local().q), "velocities off");
}

TEST_P(WrongAtRest, ImpulsesOffBySixPerCent) {
  for (const double factor : {0.94, 1.06}) expect_refused(factor * r_, "impulses off");
}

TEST_P(WrongAtRest, FrictionDroppedAtAContact) {
  const Index i = most([&](Index k) { return friction(k); });
  if (friction(i) < 1e-3 * normal(i)) GTEST_SKIP() << "nothing is held by friction here";
  Vector wrong = r_;
  impulse(wrong, i).tail(dim() - 1).setZero();
  expect_refused(wrong, "no friction");
}

TEST_P(WrongAtRest, NormalImpulsesSwapped) {
  const Index a = most([&](Index k) { return normal(k); });
  const Index b = most([&](Index k) { return -normal(k); });
  if (normal(b) > 0.99 * normal(a)) GTEST_SKIP() << "all are alike";
  Vector wrong = r_;
  std::swap(wrong[dim() * a], wrong[dim() * b]);
  expect_refused(wrong, "swapped");
}

TEST_P(WrongAtRest, ImpulseOfAContactZeroed) {
  for (Index i = 0; i < problem_.contacts(); ++i) {
    if (normal(i) < 1e-2 * normal(most([&](Index k) { return normal(k); }))) continue;
    Vector wrong = r_;
    impulse(wrong, i).setZero();
    expect_refused(wrong, "zeroed");
  }
}

TEST_P(WrongAtRest, NothingSolved) { expect_refused(0 * r_, "zero"); }

// Beside something that moves fast, and solved: it is another island with a scale of its own.
TEST_P(WrongAtRest, SlowIslandUnsolvedBesideAFastOne) {
  const ContactProblem fast = dim() == 2 ? problem_of({"pushed_box_2d", {{"push", "1.5"}}})
                                         : problem_of({"sliding_box", {{"speed", "2"}}});
  const double q = problem_.local().q.lpNorm<Eigen::Infinity>();
  const double speed = 50 * q / fast.local().q.lpNorm<Eigen::Infinity>();
  const ContactProblem faster(fast.dimension(), fast.mu(),
                              LocalForm{fast.local().W, speed * fast.local().q});
  const ContactProblem both = test::join({problem_, faster});
  Vector r(both.unknowns());
  r << r_, precise_answer(faster);
  EXPECT_TRUE(is_solved(both, r));
  for (const double share : {0.0, 0.98, 1.02}) {
    r.head(r_.size()) = share * r_;
    EXPECT_FALSE(is_solved(both, r)) << share;
  }
}

class WrongWhileSliding : public WrongAnswers {
 protected:
  // Contacts on the surface of their cones, with an impulse.
  std::vector<Index> sliding() const {
    std::vector<Index> found;
    const double largest = normal(most([&](Index k) { return normal(k); }));
    for (Index i = 0; i < problem_.contacts(); ++i)
      if (normal(i) > 1e-2 * largest && friction(i) > (1 - 1e-6) * problem_.mu()[i] * normal(i))
        found.push_back(i);
    EXPECT_FALSE(found.empty());
    return found;
  }
};
INSTANTIATE_TEST_SUITE_P(Scenes, WrongWhileSliding, testing::ValuesIn(sliding_scenes()), label_of);

TEST_P(WrongWhileSliding, FrictionTurnedByFiveDegrees) {
  const Eigen::Rotation2Dd turn(5 * std::acos(-1) / 180);
  Vector all = r_;
  for (const Index i : sliding()) {
    Vector one = r_;
    for (Vector* wrong : {&one, &all}) {
      const Eigen::Vector2d turned = turn * wrong->segment<2>(3 * i + 1);
      wrong->segment<2>(3 * i + 1) = turned;
    }
    expect_refused(one, "turned at a contact");
  }
  expect_refused(all, "turned everywhere");
}

TEST_P(WrongWhileSliding, SlightlyOutsideTheCone) {
  for (const Index i : sliding()) {
    Vector wrong = r_;
    impulse(wrong, i).tail(dim() - 1) *= 1 + 1e-3;
    expect_refused(wrong, "outside of its cone");
  }
}

TEST_P(WrongWhileSliding, FrictionDroppedAtAContact) {
  for (const Index i : sliding()) {
    Vector wrong = r_;
    impulse(wrong, i).tail(dim() - 1).setZero();
    expect_refused(wrong, "no friction");
  }
}

TEST_P(WrongWhileSliding, SolvedWithFivePerCentMoreFriction) {
  const ContactProblem rougher(problem_.dimension(), 1.05 * problem_.mu(),
                               test::local_form(problem_));
  expect_refused(precise_answer(rougher), "mu");
  const ContactProblem smoother(problem_.dimension(), 0.95 * problem_.mu(),
                                test::local_form(problem_));
  expect_refused(precise_answer(smoother), "mu");
}

TEST_P(WrongWhileSliding, SolvedAsTheConvexRelaxation) {
  Limits limits = test::limits(1e-10, 200000);
  limits.units = units_of(Scale::relative, problem_);
  expect_refused(test::solve("ccp-admm", problem_, limits).r, "ccp");
}

// Boxes of some grams, whose energies, F U, are about 1e-5 J: an absolute complementarity of 1e-6
// is a tenth of all there is.
class SmallScale : public testing::Test {
 protected:
  SmallScale()
      : problem_(problem_of({"stack", {{"boxes", "3"}, {"mass", "2e-3"}}})),
        r_(precise_answer(problem_)) {
    const ProblemScale scale = scale_of(problem_);
    EXPECT_LT(scale.impulse * scale.velocity, 1e-4);
  }
  // Accepted by absolute residuals, and nothing that anybody would call an answer.
  void expect_told_apart(const Vector& wrong) const {
    EXPECT_TRUE(is_solved(problem_, wrong, Scale::absolute)) << judge(problem_, wrong).ncp.max();
    EXPECT_FALSE(is_solved(problem_, wrong));
    EXPECT_GT(judge(problem_, wrong).ncp.relative, 1e-3);
  }

  ContactProblem problem_;
  Vector r_;
};

TEST_F(SmallScale, PressesWhileOpening) {
  Vector opening = Vector::Zero(problem_.unknowns());
  for (Index i = 0; i < problem_.contacts(); ++i)
    opening[3 * i] = -0.02 * problem_.local().q.lpNorm<Eigen::Infinity>();
  expect_told_apart(precise_answer(problem_.with_velocity_added(opening)));
}

TEST_F(SmallScale, VelocitiesOffByTwoPerCent) {
  expect_told_apart(precise_answer(problem_.with_velocity_added(0.02 * problem_.local().q)));
}

}  // namespace
}  // namespace frictionbench
