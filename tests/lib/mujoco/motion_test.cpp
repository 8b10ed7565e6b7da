#include "frictionbench/mujoco/motion.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <utility>

#include "frictionbench/base/file_error.hpp"
#include "frictionbench/simulation/simulation.hpp"
#include "frictionbench/solvers/register_all.hpp"
#include "model_support.hpp"

#ifdef FRICTIONBENCH_HAS_MUJOCO
#include <mujoco/mujoco.h>
#endif

namespace frictionbench::mujoco::test {
namespace {

using simulation::Frame;
using simulation::SimulationSettings;
using simulation::SimulationStep;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::ThrowsMessage;

constexpr double h = 0.01, g = 9.81;

using MotionTest = ModelTest;

// A model and the simulation that moves it.
class Moved {
 public:
  explicit Moved(const ModelSettings& settings, const std::string& solver = "ncp-hybrid",
                 const SimulationSettings& how = {.tolerance = 1e-10})
      : model_(make_motion(settings)),
        simulation_(*model_.motion, solvers::all_solvers().make(solver), how) {}

  SimulationStep step() { return simulation_.step(); }
  // Steps that are all solved. \returns the last.
  SimulationStep steps(int count) {
    SimulationStep last;
    for (int k = 0; k < count; ++k) {
      last = step();
      EXPECT_TRUE(last.solved) << "step " << last.step;
    }
    return last;
  }
  Frame frame() const { return simulation_.frame(); }
  Eigen::Vector3d position(std::size_t body = 0) const { return frame().bodies.at(body).position; }
  double time() const { return simulation_.time(); }
  const MovedModel& model() const { return model_; }

 private:
  MovedModel model_;
  simulation::Simulation simulation_;
};

// The ball falls, rolls on in the air about a fixed axis, and loses m g^2 h^2 / 2 of energy a step, as
// semi-implicit Euler steps have it.
TEST_F(MotionTest, AFallingBall) {
  ModelSettings ball = simulation(
      "<option timestep='0.01'/><worldbody><body pos='0 0 5'><freejoint/><geom size='0.1' "
      "mass='2'/>"
      "</body></worldbody><keyframe><key name='thrown' qpos='0 0 5 1 0 0 0' qvel='1 2 3 4 0 0'/>"
      "</keyframe>");
  ball.keyframe = "thrown";
  Moved moved(ball);
  const double start = 2 * g * 5 + 2 * 14 / 2.0 + 0.4 * 2 * 0.01 * 16 / 2;
  for (int n = 1; n <= 50; ++n) {
    const SimulationStep step = moved.step();
    EXPECT_EQ(step.contacts, 0);
    EXPECT_NEAR(step.kinetic_energy + step.potential_energy, start - n * g * g * h * h, 1e-9);
    const simulation::Pose pose = moved.frame().bodies[0];
    EXPECT_NEAR(pose.position.x(), n * h, 1e-12);
    EXPECT_NEAR(pose.position.y(), 2 * n * h, 1e-12);
    EXPECT_NEAR(pose.position.z(), 5 + 3 * n * h - g * h * h * n * (n + 1) / 2, 1e-12);
    const Eigen::Quaterniond turned(Eigen::AngleAxisd(4 * n * h, Eigen::Vector3d::UnitX()));
    EXPECT_LT(pose.rotation.angularDistance(turned), 1e-7);
  }
}

// x stops after v / (mu g), at v^2 / (2 mu g) up to h v; in each step by what a step can tell.
TEST_F(MotionTest, ASlidingCube) {
  ModelSettings cube = simulation(
      "<option timestep='0.01'/><worldbody><geom type='plane' size='9 9 1' friction='0.3 0 0'/>"
      "<body pos='0 0 0.0999'><freejoint/><geom type='box' size='0.1 0.1 0.1' mass='3' "
      "friction='0.3 0 0'/></body></worldbody><keyframe><key qpos='0 0 0.0999 1 0 0 0' "
      "qvel='2 0 0 0 0 0'/></keyframe>");
  cube.keyframe = "0";
  for (const char* solver : {"ncp-hybrid", "ncp-nsgs"}) {
    Moved moved(cube, solver);
    double x = 0, v = 2;
    for (int n = 0; n < 80; ++n) {
      const SimulationStep step = moved.step();
      ASSERT_TRUE(step.solved) << solver << " " << step.step;
      EXPECT_EQ(step.contacts, 4);
      v = std::max(0.0, v - 0.3 * g * h);
      x += h * v;
      EXPECT_NEAR(moved.position().x(), x, 1e-8);
      EXPECT_NEAR(moved.position().z(), 0.0999, 1e-8);
      EXPECT_NEAR(step.kinetic_energy, 3 * v * v / 2, 1e-7);
      EXPECT_NEAR(step.overlap, 1e-4, 1e-8);
    }
    EXPECT_NEAR(x, 4 / (2 * 0.3 * g), 2 * h);
    // The ground carries it: the impulses are those on the cube.
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();
    for (const simulation::ContactImpulse& contact : moved.frame().impulses) {
      EXPECT_EQ(contact.first, 0);
      EXPECT_EQ(contact.second, simulation::Solid::fixed);
      EXPECT_NEAR(contact.point.z(), 0, 1e-3);
      sum += contact.impulse;
    }
    EXPECT_NEAR(sum.z(), 3 * g * h, 1e-7);
  }
}

// Two balls of 1 and 3 kg that hit each other off centre, with friction and without gravity.
TEST_F(MotionTest, MomentumIsKeptAndEnergyIsNotMade) {
  ModelSettings balls = simulation(
      "<option timestep='0.01' gravity='0 0 0'/><worldbody><body><freejoint/><geom size='0.1' "
      "mass='1'/></body><body pos='0.5 0.05 0.02'><freejoint/><geom size='0.1' mass='3'/></body>"
      "</worldbody><keyframe><key qpos='0 0 0 1 0 0 0 0.5 0.05 0.02 1 0 0 0' "
      "qvel='2 0 0 0 0 5 -1 0 0 1 0 0'/></keyframe>");
  balls.keyframe = "0";
  Moved moved(balls);
  Index hits = 0;
  double energy = 1e9;
  for (int n = 0; n < 40; ++n) {
    const Frame before = moved.frame();
    const SimulationStep step = moved.steps(1);
    const Frame after = moved.frame();
    const auto shift = [&](std::size_t k) -> Eigen::Vector3d {
      return after.bodies[k].position - before.bodies[k].position;
    };
    EXPECT_LT((shift(0) + 3 * shift(1) - h * Eigen::Vector3d(-1, 0, 0)).norm(), 1e-12) << n;
    EXPECT_LT(step.kinetic_energy, energy * (1 + 1e-12)) << n;
    energy = step.kinetic_energy;
    hits += step.contacts;
  }
  EXPECT_GT(hits, 0);
  EXPECT_LT(energy, 3.5) << "3.55 J at the start";
}

// A ball on an arm of length 1 that a connect holds at the origin.
constexpr const char* pendulum =
    "<worldbody><body name='bob' pos='0.6 0 -0.8'><freejoint/><geom size='0.2' mass='1.5'/></body>"
    "</worldbody><equality><connect body1='bob' anchor='-0.6 0 0.8'/></equality>";

// The exact angle after a time, by Runge-Kutta's method with short steps.
double exact_angle(double angle, double time) {
  const double inertia = 1 + 0.4 * 0.04, dt = 1e-4;
  const auto turn = [&](double a) { return -g / inertia * std::sin(a); };
  double speed = 0;
  for (int k = 0; k < static_cast<int>(std::lround(time / dt)); ++k) {
    const double a1 = turn(angle), s1 = speed;
    const double a2 = turn(angle + dt / 2 * s1), s2 = speed + dt / 2 * a1;
    const double a3 = turn(angle + dt / 2 * s2), s3 = speed + dt / 2 * a2;
    const double a4 = turn(angle + dt * s3), s4 = speed + dt * a3;
    angle += dt / 6 * (s1 + 2 * s2 + 2 * s3 + s4);
    speed += dt / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
  return angle;
}

TEST_F(MotionTest, APendulumOnAnEquality) {
  const double exact = exact_angle(std::atan2(0.6, 0.8), 1);
  const auto end = [&](double time_step, double push_apart) {
    ModelSettings settings = simulation(pendulum);
    settings.time_step = time_step;
    Moved moved(settings, "ncp-hybrid", {.tolerance = 1e-10, .push_apart = push_apart});
    const SimulationStep last = moved.steps(static_cast<int>(std::lround(1 / time_step)));
    EXPECT_EQ(last.contacts, 0);
    EXPECT_EQ(last.other_blocks, 1);
    const Eigen::Vector3d at = moved.position();
    EXPECT_NEAR(at.y(), 0, 1e-9);
    return std::pair(std::atan2(at.x(), -at.z()), at.norm() - 1);
  };
  const auto [coarse, coarse_length] = end(0.004, 0);
  const auto [fine, fine_length] = end(0.002, 0);
  EXPECT_NEAR(fine, exact, 0.02);
  EXPECT_NEAR((coarse - exact) / (fine - exact), 2, 0.3) << "of first order";
  EXPECT_NEAR(coarse_length / fine_length, 2, 0.3) << "it opens by O(h)";
  const auto [held, length] = end(0.002, 0.5);
  EXPECT_LT(std::abs(length), fine_length / 20);
  EXPECT_NEAR(held, exact, 0.02);
}

// (m + h d) v+ = m v + h F, with the limit at 0.5; the force follows the activation, which lags behind.
TEST_F(MotionTest, ASlideWithDampingAnActivationAndALimit) {
  ModelSettings slide = simulation(
      "<option timestep='0.01' gravity='0 0 0'/><worldbody><body><joint name='x' type='slide' "
      "axis='1 0 0' damping='4' limited='true' range='-1 0.5' margin='2'/><geom size='0.1' "
      "mass='2'/>"
      "</body></worldbody><actuator><general joint='x' dyntype='filter' dynprm='0.1' gainprm='30'/>"
      "</actuator>");
  slide.control = write("control.txt", "0 1\n");
  Moved moved(slide);
  double x = 0, v = 0, activation = 0;
  for (int n = 0; n < 100; ++n) {
    const SimulationStep step = moved.steps(1);
    EXPECT_EQ(step.other_blocks, 2) << "both limits are within the margin";
    v = std::min((2 * v + h * (30 * activation - 4 * v) + h * 4 * v) / (2 + h * 4), (0.5 - x) / h);
    activation += h * (1 - activation) / 0.1;
    x += h * v;
    EXPECT_NEAR(moved.position().x(), x, 1e-8) << n;
  }
  EXPECT_NEAR(x, 0.5, 1e-8);
}

// After steps by MuJoCo, the problem is the one that is extracted there.
TEST_F(MotionTest, TheProblemIsTheExtractedOne) {
  Simulation chain = simulation(
      "<default><joint axis='0 1 0' damping='0.1' stiffness='2' armature='0.01'/></default>"
      "<worldbody><geom type='plane' size='5 5 1'/><body pos='0 0 0.35'><joint name='first' "
      "limited='true' range='-0.5 0.5' frictionloss='0.2'/><geom type='capsule' "
      "fromto='0 0 0 0.3 0 0' size='0.03'/><body pos='0.3 0 0'><joint/><geom type='capsule' "
      "fromto='0 0 0 0.3 0 0' size='0.03' condim='4'/></body></body><body pos='0.6 0.2 0.05'>"
      "<freejoint/><geom type='box' size='0.05 0.05 0.05'/></body></worldbody>"
      "<actuator><motor joint='first' gear='3'/></actuator>",
      301);
  chain.control = "random:3";
  chain.every = 100;
  bool touched = false;
  for (const Step& step : steps_of(chain)) {
    const MovedModel model = make_motion(chain, step.number);
    const simulation::StepProblem next = model.motion->next(0);
    const GlobalForm &expected = *step.file.problem.global(), &form = *next.problem.global();
    EXPECT_EQ(Matrix(form.M), Matrix(expected.M)) << step.number;
    EXPECT_EQ(Matrix(form.H), Matrix(expected.H)) << step.number;
    EXPECT_EQ(form.f, expected.f) << step.number;
    EXPECT_EQ(form.w, expected.w) << step.number;
    EXPECT_EQ(sets_of(next.problem), sets_of(step.file.problem));
    touched = touched || next.contacts > 0;
  }
  EXPECT_TRUE(touched);
}

constexpr const char* resting_box =
    "<option timestep='0.01'/><worldbody><geom type='plane' size='9 9 1'/><body pos='0 0 0.09'>"
    "<freejoint/><geom type='box' size='0.1 0.1 0.1' mass='5'/></body></worldbody>";

TEST_F(MotionTest, AStepStartsFromTheImpulsesBefore) {
  const MovedModel box = make_motion(simulation(resting_box));
  const simulation::StepProblem first = box.motion->next(0);
  EXPECT_EQ(first.start, Vector::Zero(12));
  EXPECT_EQ(first.contacts, 4);
  EXPECT_NEAR(first.overlap, 0.01, 1e-12);
  Vector r = Vector::Zero(12);
  for (Index i = 0; i < 4; ++i) r[3 * i] = 5 * g * h / 4;
  box.motion->move(r);
  EXPECT_EQ(box.motion->next(0).start, r);
}

TEST_F(MotionTest, OverlapIsPushedApart) {
  const MovedModel box = make_motion(simulation(resting_box));
  const GlobalForm form = *box.motion->next(0.25).problem.global();
  for (Index i = 0; i < 4; ++i) EXPECT_NEAR(form.w[3 * i], -0.25 * 0.01 / h, 1e-10);
  EXPECT_EQ(box.motion->next(0).problem.global()->w, Vector::Zero(12));

  Moved kept(simulation(resting_box)),
      pushed(simulation(resting_box), "ncp-hybrid", {.push_apart = 0.2});
  EXPECT_NEAR(kept.steps(20).overlap, 0.01, 1e-9);
  EXPECT_NEAR(pushed.steps(20).overlap, 0.01 * std::pow(0.8, 19), 1e-8);
  EXPECT_NEAR(pushed.position().z(), 0.1 - 0.01 * std::pow(0.8, 20), 1e-8);
}

TEST_F(MotionTest, WhatCannotBeMovedIsSaidAndNothingMoves) {
  const ModelSettings settings = simulation(resting_box);
  const MovedModel box = make_motion(settings);
  box.motion->next(0);
  EXPECT_THAT([&] { box.motion->move(Vector::Constant(12, 1e300)); },
              ThrowsMessage<FileError>(HasSubstr("model.xml: step 0: the simulation is unstable")));
  EXPECT_EQ(box.motion->frame().bodies[0].position.z(), 0.09);

  const ModelSettings rock = simulation("<worldbody><geom size='1'/></worldbody>");
  const MovedModel still = make_motion(rock);
  EXPECT_EQ(still.motion->frame().solids.size(), 1U);
  EXPECT_THAT([&] { still.motion->next(0); },
              ThrowsMessage<FileError>(HasSubstr("model.xml: the model has no joints")));

  Simulation full = simulation(std::string("<size nconmax='2' njmax='100'/>") + resting_box);
  const MovedModel model = make_motion(full);
  EXPECT_THAT([&] { model.motion->next(0); },
              ThrowsMessage<FileError>(HasSubstr("model.xml: step 0: more contacts")));

  // It falls to its limit, which the solver does not take.
  Moved limited(
      simulation("<option timestep='0.01'/><worldbody><body><joint type='slide' range='0 1' "
                 "limited='true'/><geom size='0.1'/></body></worldbody>"),
      "lcp-lemke");
  limited.steps(1);
  EXPECT_THAT([&] { limited.step(); },
              ThrowsMessage<std::runtime_error>(
                  AllOf(HasSubstr("lcp-lemke takes friction cones"), Not(HasSubstr("\n")))));
  EXPECT_EQ(limited.time(), h);
}

TEST_F(MotionTest, ModelsThatCannotBeRead) {
  ModelSettings settings;
  settings.model = write("broken.mjb", "not a model");
  EXPECT_THAT([&] { make_motion(settings); },
              ThrowsMessage<FileError>(
                  AllOf(HasSubstr("broken.mjb: not a model: "), Not(HasSubstr("\n")))));
  settings.model = "nowhere.mjb";
  EXPECT_THAT([&] { make_motion(settings); },
              ThrowsMessage<FileError>(HasSubstr("nowhere.mjb: no such file")));
}

#ifdef FRICTIONBENCH_HAS_MUJOCO
TEST_F(MotionTest, CompiledModelsAreTheSame) {
  const ModelSettings source = simulation(resting_box);
  ModelSettings compiled;
  compiled.model = write("model.mjb", "");
  mjModel* const model = mj_loadXML(source.model.c_str(), nullptr, nullptr, 0);
  mj_saveModel(model, compiled.model.c_str(), nullptr, 0);
  mj_deleteModel(model);
  const GlobalForm expected = *make_motion(source).motion->next(0).problem.global();
  const GlobalForm form = *make_motion(compiled).motion->next(0).problem.global();
  EXPECT_EQ(Matrix(form.M), Matrix(expected.M));
  EXPECT_EQ(Matrix(form.H), Matrix(expected.H));
  EXPECT_EQ(form.f, expected.f);
}
#endif

// What frames show: geoms that collide, and others only of bodies that have none of these.
TEST_F(MotionTest, WhatAModelLooksLike) {
  const MovedModel model = make_motion(simulation(
      "<asset><mesh name='tent' vertex='0 0 0  2 0 0  0 2 0  0 0 2'/>"
      "<hfield name='hills' nrow='2' ncol='2' size='3 4 0.5 0.25'/></asset><worldbody>"
      "<geom type='plane' pos='0 0 -1' size='1 1 1'/><geom type='hfield' hfield='hills'/>"
      "<body name='all' pos='0 0 5'><freejoint/><geom type='sphere' size='0.1'/>"
      "<geom type='capsule' size='0.1 0.2'/><geom type='cylinder' size='0.3 0.4'/>"
      "<geom type='ellipsoid' size='0.1 0.2 0.3'/><geom type='box' size='1 2 3'/>"
      "<geom type='mesh' mesh='tent'/><geom size='9' contype='0' conaffinity='0'/>"
      "<body name='shell' pos='1 0 0'><geom size='0.7' contype='0' conaffinity='0'/>"
      "<geom size='0.8' contype='0' conaffinity='0' rgba='0 0 0 0'/></body></body></worldbody>"));
  EXPECT_THAT(model.bodies, testing::ElementsAre("all", "shell"));
  const Frame frame = model.motion->frame();
  EXPECT_EQ(frame.bodies.size(), 2U);
  EXPECT_EQ(frame.bodies[1].position, Eigen::Vector3d(1, 0, 5));
  ASSERT_EQ(frame.planes.size(), 1U);
  EXPECT_EQ(frame.planes[0].offset, -1);
  ASSERT_EQ(frame.solids.size(), 8U);
  EXPECT_EQ(frame.solids[0].body, simulation::Solid::fixed);
  const auto span_of = [&](std::size_t k) {
    const auto& corners = std::get<simulation::Polyhedron>(frame.solids[k].shape).corners;
    Eigen::Vector3d low = corners[0], high = corners[0];
    for (const Eigen::Vector3d& corner : corners)
      low = low.cwiseMin(corner), high = high.cwiseMax(corner);
    return std::pair(low, high);
  };
  EXPECT_EQ(span_of(0).first, Eigen::Vector3d(-3, -4, -0.25));
  EXPECT_EQ(span_of(0).second, Eigen::Vector3d(3, 4, 0.5));
  EXPECT_EQ(std::get<simulation::Ball>(frame.solids[1].shape).radius, 0.1);
  EXPECT_EQ(std::get<simulation::Tube>(frame.solids[2].shape).core[1],
            0.2 * Eigen::Vector3d::UnitZ());
  EXPECT_EQ(std::get<simulation::Cylinder>(frame.solids[3].shape).half_length, 0.4);
  EXPECT_EQ(std::get<simulation::Ellipsoid>(frame.solids[4].shape).radii,
            Eigen::Vector3d(0.1, 0.2, 0.3));
  EXPECT_EQ(span_of(5).second, Eigen::Vector3d(1, 2, 3));
  EXPECT_EQ(std::get<simulation::Ball>(frame.solids[7].shape).radius, 0.7);
  EXPECT_EQ(frame.solids[7].body, 1);
  // The box around the mesh, wherever MuJoCo has put its axes, holds all corners.
  const auto [low, high] = span_of(6);
  for (const Eigen::Vector3d& corner : {Eigen::Vector3d(0, 0, 5), Eigen::Vector3d(2, 0, 5),
                                        Eigen::Vector3d(0, 2, 5), Eigen::Vector3d(0, 0, 7)}) {
    const simulation::Pose& pose = frame.solids[6].pose;
    const Eigen::Vector3d own = pose.rotation.conjugate() * (corner - pose.position);
    EXPECT_TRUE(((own - low).array() > -1e-6).all() && ((high - own).array() > -1e-6).all());
  }
}

}  // namespace
}  // namespace frictionbench::mujoco::test
