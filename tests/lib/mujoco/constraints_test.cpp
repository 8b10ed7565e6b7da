#include <gmock/gmock.h>

#include <cmath>
#include <map>
#include <utility>

#include "model_support.hpp"

namespace frictionbench::mujoco::test {
namespace {

using testing::ElementsAre;

constexpr double h = 0.01, g = 9.81;

using ConstraintsTest = ModelTest;

// A ball of radius 0.1 and mass 2, its lowest point `gap` above the ground.
std::string ball(double gap, const std::string& attributes) {
  return "<option timestep='0.01'/><worldbody><geom type='plane' size='1 1 1' condim='1' "
         "friction='0.1 0 0'/><body pos='0 0 " +
         std::to_string(0.1 + gap) +
         "'><freejoint/><geom type='sphere' size='0.1' mass='2' margin='0.02' " + attributes +
         "/></body></worldbody>";
}

TEST_F(ConstraintsTest, ABallAboveThePlane) {
  const Step step = step_of(simulation(ball(0.005, "condim='3' friction='0.7 0 0'")));
  const ContactProblem& problem = step.file.problem;
  const GlobalForm& form = *problem.global();
  EXPECT_THAT(sets_of(problem), ElementsAre("friction(0.7)"));
  const double inertia = 0.4 * 2 * 0.1 * 0.1;
  Vector diagonal(6);
  diagonal << 2, 2, 2, inertia, inertia, inertia;
  EXPECT_TRUE(Matrix(form.M).isApprox(Matrix(diagonal.asDiagonal()), 1e-12));
  Vector f = Vector::Zero(6);
  f[2] = -2 * g * h;
  EXPECT_TRUE(form.f.isApprox(f, 1e-12));
  EXPECT_NEAR(form.w[0], 0.005 / h, 1e-9);
  EXPECT_EQ(form.w.tail(2), Vector::Zero(2));
  const auto u = [&](Index dof) -> Vector { return form.H.transpose() * Vector::Unit(6, dof); };
  EXPECT_TRUE(u(2).isApprox(Vector::Unit(3, 0), 1e-12));  // upwards opens
  EXPECT_NEAR(u(0).tail(2).norm(), 1, 1e-12);
  EXPECT_NEAR(u(3).tail(2).norm(), 0.1 + 0.005 / 2,
              1e-12);  // the point is in the middle of the gap
  EXPECT_NEAR(u(5).norm(), 0, 1e-12);
  EXPECT_TRUE(step.file.guesses.empty());
}

TEST_F(ConstraintsTest, OverlapIsNotCorrected) {
  EXPECT_EQ(step_of(simulation(ball(-0.005, ""))).file.problem.global()->w, Vector::Zero(3));
}

TEST_F(ConstraintsTest, NumberOfRowsOfAContact) {
  const std::string friction = " friction='0.7 0.005 0.001'";
  const auto sets = [&](const std::string& condim) {
    return sets_of(step_of(simulation(ball(0, "condim='" + condim + "'" + friction))).file.problem);
  };
  EXPECT_THAT(sets("1"), ElementsAre("friction(0)"));
  EXPECT_THAT(sets("3"), ElementsAre("friction(0.7)"));
  EXPECT_THAT(sets("4"), ElementsAre("elliptic(0.7,0.7,0.005)"));
  EXPECT_THAT(sets("6"), ElementsAre("elliptic(0.7,0.7,0.005,0.001,0.001)"));
}

TEST_F(ConstraintsTest, SpinAndRolling) {
  const Step step = step_of(simulation(ball(0, "condim='6' friction='0.7 0.005 0.001'")));
  const SparseMatrix& H = step.file.problem.global()->H;
  const Vector spin = H.transpose() * Vector::Unit(6, 5);
  EXPECT_TRUE(spin.isApprox(Vector::Unit(6, 3), 1e-12));
  const Vector rolling = H.transpose() * Vector::Unit(6, 3);
  EXPECT_NEAR(rolling.tail(2).norm(), 1, 1e-12);
  EXPECT_NEAR(rolling[3], 0, 1e-12);
}

TEST_F(ConstraintsTest, PairsWithTwoCoefficients) {
  const std::string pair =
      "<contact><pair geom1='ground' geom2='ball' condim='3' friction='0.5 0.2 0 0 0'/></contact>";
  const std::string world =
      "<worldbody><geom name='ground' type='plane' size='1 1 1'/><body pos='0 0 0.099'><freejoint/>"
      "<geom name='ball' type='sphere' size='0.1'/></body></worldbody>";
  EXPECT_THAT(sets_of(step_of(simulation(world + pair)).file.problem),
              ElementsAre("elliptic(0.5,0.2)"));
}

// Both cones have the same contacts; only MuJoCo's own forces differ.
TEST_F(ConstraintsTest, PyramidsBecomeCones) {
  const auto extracted = [&](const std::string& cone) {
    return steps_of(simulation(
        "<option cone='" + cone + "'/>" + ball(-1e-4, "condim='6' friction='0.7 0.005 0.001'"), 2));
  };
  const std::vector<Step> pyramids = extracted("pyramidal"), cones = extracted("elliptic");
  EXPECT_EQ(sets_of(pyramids[0].file.problem), sets_of(cones[0].file.problem));
  EXPECT_EQ(Matrix(pyramids[0].file.problem.global()->H),
            Matrix(cones[0].file.problem.global()->H));
  EXPECT_LT(pyramids[0].balance.error, 1e-12);
  EXPECT_LT(cones[0].balance.error, 1e-12);
}

TEST_F(ConstraintsTest, APendulumAtItsLimit) {
  Simulation pendulum = simulation(
      "<option timestep='0.01'/><worldbody><body><joint type='hinge' axis='0 1 0' range='-0.4 0.4' "
      "limited='true' armature='0.2' damping='0.5' frictionloss='0.5'/><inertial pos='0 0 -1' "
      "mass='3' diaginertia='0.1 0.1 0.1'/></body></worldbody>"
      "<keyframe><key name='swing' qpos='0.5' qvel='1.5'/></keyframe>");
  pendulum.keyframe = "swing";
  const Step step = step_of(pendulum);
  const GlobalForm& form = *step.file.problem.global();
  const double M = 3 + 0.1 + 0.2 + h * 0.5;
  EXPECT_NEAR(form.M.coeff(0, 0), M, 1e-12);
  EXPECT_NEAR(form.f[0], M * 1.5 - h * (0.5 * 1.5 + 3 * g * std::sin(0.5)), 1e-12);
  EXPECT_THAT(sets_of(step.file.problem), ElementsAre("interval(-0.005,0.005)", "interval(0,inf)"));
  EXPECT_EQ(Matrix(form.H), (Matrix(1, 2) << 1, -1).finished());
  EXPECT_EQ(form.w, Vector::Zero(2));
  EXPECT_NE(step.file.bodies[0], step.file.bodies[1]);
}

TEST_F(ConstraintsTest, LimitsWithAMargin) {
  const Step step = step_of(
      simulation("<option timestep='0.01'/><worldbody><body><joint type='slide' range='-0.02 0.03' "
                 "limited='true' margin='0.1'/><geom size='0.1'/></body></worldbody>"));
  const GlobalForm& form = *step.file.problem.global();
  EXPECT_EQ(Matrix(form.H), (Matrix(1, 2) << 1, -1).finished());
  EXPECT_NEAR(form.w[0], 2, 1e-12);
  EXPECT_NEAR(form.w[1], 3, 1e-12);
  EXPECT_NE(step.file.bodies[0].feature, step.file.bodies[1].feature);
}

// Two balls in the air that move as one have no velocity in any row of an equality.
TEST_F(ConstraintsTest, Equalities) {
  const std::string balls =
      "<option gravity='0 0 0'/><worldbody><body name='a'><freejoint/><geom size='0.1'/></body>"
      "<body name='b' pos='1 0 0'><freejoint/><geom size='0.1'/></body></worldbody><equality>";
  for (const auto& [element, set] :
       {std::pair("connect anchor='0.5 0 0'", "equality(3)"), std::pair("weld", "equality(6)")}) {
    const Step step =
        step_of(simulation(balls + "<" + element + " body1='a' body2='b'/></equality>"));
    EXPECT_THAT(sets_of(step.file.problem), ElementsAre(set));
    const SparseMatrix& H = step.file.problem.global()->H;
    EXPECT_GT(H.norm(), 1);
    for (Index k = 0; k < 3; ++k)
      EXPECT_LT((H.transpose() * (Vector::Unit(12, k) + Vector::Unit(12, 6 + k))).norm(), 1e-12);
  }
}

TEST_F(ConstraintsTest, CouplingsAndTendons) {
  const Step step = step_of(simulation(
      "<option timestep='0.01'/><worldbody><body><joint name='a' type='slide'/><geom size='0.1'/>"
      "</body><body pos='0 0 1'><joint name='b' type='slide'/><geom size='0.1'/></body></worldbody>"
      "<tendon><fixed name='sum' limited='true' range='-0.05 1' margin='0.2' frictionloss='3'>"
      "<joint joint='a' coef='1'/><joint joint='b' coef='2'/></fixed></tendon>"
      "<equality><joint joint1='a' joint2='b' polycoef='0 4 0 0 0'/><tendon tendon1='sum'/>"
      "</equality>"));
  EXPECT_THAT(sets_of(step.file.problem),
              ElementsAre("equality(1)", "equality(1)", "interval(-0.03,0.03)", "interval(0,inf)"));
  const GlobalForm& form = *step.file.problem.global();
  EXPECT_EQ(Matrix(form.H), (Matrix(2, 4) << 1, 1, 1, 1, -4, 2, 2, 2).finished());
  EXPECT_NEAR(form.w[3], 5, 1e-12);
}

// A box that slides: each contact is at one corner, and keeps its name as long as it is there.
TEST_F(ConstraintsTest, ContactsKeepTheirNames) {
  Simulation sliding = simulation(
      "<option timestep='0.01' gravity='1.5 0.1 -9.81'/><worldbody><geom type='plane' size='9 9 1' "
      "friction='0.1 0 0'/><body pos='0 0 0.0999'><freejoint/><geom type='box' size='0.1 0.1 0.1' "
      "friction='0.1 0 0' mass='5' margin='0.01'/></body></worldbody>",
      300);
  std::map<int, std::pair<bool, bool>> corners;
  int closings = 0;
  bool open = false;
  for (const Step& step : steps_of(sliding)) {
    const SparseMatrix& H = step.file.problem.global()->H;
    // MuJoCo lifts what slides, so that the contacts open and close all the time.
    const auto contacts = static_cast<Index>(step.file.bodies.size());
    closings += contacts > 0 && open;
    open = contacts == 0;
    for (Index i = 0; i < contacts; ++i) {
      const fclib::BlockIdentity& who = step.file.bodies[static_cast<std::size_t>(i)];
      EXPECT_EQ(who.first, 0);
      EXPECT_EQ(who.second, 1);
      // Velocities of the corner by rotations about the box's own axes x and y.
      const std::pair<bool, bool> corner(H.coeff(3, 3 * i) > 0, H.coeff(4, 3 * i) > 0);
      const auto [known, is_new] = corners.try_emplace(who.feature, corner);
      EXPECT_EQ(known->second, corner) << step.number;
    }
  }
  EXPECT_GT(closings, 10);
  EXPECT_EQ(corners.size(), 4U);
}

// The impulses of MuJoCo's step before carry the box, and so they are the guess of the next step.
TEST_F(ConstraintsTest, TheGuessIsTheImpulseBefore) {
  const std::vector<Step> steps = steps_of(simulation(
      "<option timestep='0.01'/><worldbody><geom type='plane' size='9 9 1'/><body pos='0 0 0.0999'>"
      "<freejoint/><geom type='box' size='0.1 0.1 0.1' mass='5'/></body></worldbody>",
      200));
  EXPECT_TRUE(steps.front().file.guesses.empty());
  const fclib::ProblemFile& last = steps.back().file;
  ASSERT_EQ(last.guesses.size(), 1U);
  ASSERT_EQ(last.problem.unknowns(), 12);
  const Vector& r = last.guesses[0].r.value();
  EXPECT_NEAR(r[0] + r[3] + r[6] + r[9], 5 * g * h, 0.01 * 5 * g * h);
  const GlobalForm& form = *last.problem.global();
  const Vector& v = last.guesses[0].v.value();
  EXPECT_LT((form.M * v + h * g * 5 * Vector::Unit(6, 2) * -1 - form.f).norm(), 1e-9);
  EXPECT_EQ(last.guesses[0].u.value(), form.H.transpose() * v + form.w);
}

}  // namespace
}  // namespace frictionbench::mujoco::test
