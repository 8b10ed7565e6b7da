#include <gmock/gmock.h>

#include <Eigen/Cholesky>

#include "frictionbench/base/file_error.hpp"
#include "frictionbench/fclib/parts.hpp"
#include "model_support.hpp"

namespace frictionbench::mujoco::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::ThrowsMessage;

constexpr double h = 0.01;

using ExtractionTest = ModelTest;

// A mass of 2 on a slide without gravity, and a motor that pushes it.
constexpr const char* slide =
    "<option timestep='0.01' gravity='0 0 0'/><worldbody><body><joint name='x' type='slide' "
    "axis='1 0 "
    "0'/><geom size='0.1' mass='2'/></body></worldbody><actuator><motor joint='x' ctrlrange='-3 3' "
    "ctrllimited='true'/></actuator>";

// The force of the motor in each step.
std::vector<double> forces(const std::vector<Step>& steps) {
  std::vector<double> forces;
  double f = 0;
  for (const Step& step : steps) {
    forces.push_back((step.file.problem.global()->f[0] - f) / h);
    f = step.file.problem.global()->f[0];
  }
  return forces;
}

TEST_F(ExtractionTest, ChosenStepsAndWhatTheyAre) {
  Simulation chosen = simulation(slide, 10);
  chosen.every = 4;
  chosen.time_step = 0.02;
  std::vector<int> numbers;
  const Extract extract = mujoco::extract(chosen, [&](const Step& step) {
    numbers.push_back(step.number);
    EXPECT_THAT(step.file.info.description, HasSubstr("steps of 0.02 s; 1 degrees of freedom"));
  });
  EXPECT_THAT(numbers, testing::ElementsAre(0, 4, 8));
  EXPECT_EQ(extract.name, "model");
  EXPECT_EQ(extract.dofs, 1);
  EXPECT_EQ(extract.actuators, 1);
  EXPECT_EQ(extract.steps, 3);
  EXPECT_EQ(extract.time_step, 0.02);
  EXPECT_TRUE(extract.blocks.empty());
  EXPECT_TRUE(extract.notes.empty());
}

TEST_F(ExtractionTest, ControlsOfAFile) {
  Simulation pushed = simulation(slide, 5);
  pushed.control = write("control.txt", "# time, force\n0.01 1\n\n0.03 2 # later\n");
  const std::vector<double> expected{1, 1, 1.5, 2, 2}, found = forces(steps_of(pushed));
  for (std::size_t k = 0; k < expected.size(); ++k) EXPECT_NEAR(found[k], expected[k], 1e-12) << k;
}

TEST_F(ExtractionTest, RandomControlsAreInRangeAndRepeatable) {
  Simulation shaken = simulation(slide, 20);
  shaken.control = "random:7";
  const std::vector<double> found = forces(steps_of(shaken));
  EXPECT_EQ(found, forces(steps_of(shaken)));
  EXPECT_THAT(found, testing::Each(AllOf(testing::Ge(-3), testing::Le(3))));
  EXPECT_NEAR(found[1], found[4], 1e-9);  // held for 50 ms
  EXPECT_GT(std::abs(found[4] - found[5]), 1e-3);
  shaken.control = "random:8";
  EXPECT_NE(found, forces(steps_of(shaken)));
}

TEST_F(ExtractionTest, OtherIntegratorsAreReplaced) {
  for (const char* integrator : {"RK4", "implicit"}) {
    Simulation other =
        simulation(std::string("<option integrator='") + integrator + "'/>" + slide, 3);
    const Extract extract = mujoco::extract(other, [](const Step& step) {
      EXPECT_THAT(step.file.info.description, HasSubstr("semi-implicit Euler steps instead"));
    });
    ASSERT_EQ(extract.notes.size(), 1U);
  }
}

// A chain of two links over the ground, with damping, springs, a limit, dry friction and a loop: momentum
// is balanced by MuJoCo's own forces, and W and q are those of M, H, f and w.
TEST_F(ExtractionTest, BalanceAndLocalForm) {
  Simulation chain = simulation(
      "<default><joint axis='0 1 0' damping='0.1' stiffness='2' "
      "armature='0.01'/></default><worldbody>"
      "<geom type='plane' size='5 5 1'/><body pos='0 0 0.35'><joint limited='true' range='-0.5 "
      "0.5' "
      "frictionloss='0.2'/><geom type='capsule' fromto='0 0 0 0.3 0 0' size='0.03'/><body pos='0.3 "
      "0 "
      "0'><joint/><geom type='capsule' fromto='0 0 0 0.3 0 0' size='0.03' condim='4'/><site "
      "name='end' pos='0.3 0 0'/></body></body><body pos='0.6 0.2 0.05'><freejoint/><geom "
      "type='box' "
      "size='0.05 0.05 0.05'/></body></worldbody>",
      400);
  bool contacts = false, limits = false;
  const Extract extract = mujoco::extract(chain, [&](const Step& step) {
    const ContactProblem& problem = step.file.problem;
    for (const SetPointer& set : problem.other_sets()) {
      contacts = contacts || set->kind() == "elliptic";
      limits = limits || set->text() == "interval(0,inf)";
    }
    if (step.number % 50 != 0) return;
    const GlobalForm& form = *problem.global();
    const Matrix H = form.H;
    const Eigen::LLT<Matrix> M((Matrix(form.M)));
    const fclib::ProblemFile local = fclib::in_local_form(step.file);
    EXPECT_EQ(local.problem.form(), ProblemForm::local);
    EXPECT_EQ(sets_of(local.problem), sets_of(problem));
    EXPECT_EQ(local.bodies, step.file.bodies);
    EXPECT_TRUE(Matrix(local.problem.local().W).isApprox(H.transpose() * M.solve(H), 1e-10));
    const Vector q = H.transpose() * M.solve(form.f) + form.w;
    EXPECT_LT((local.problem.local().q - q).norm(), 1e-10 * (1 + q.norm()));
  });
  EXPECT_LT(extract.balance.error, 1e-12);
  EXPECT_TRUE(contacts);
  EXPECT_TRUE(limits);
}

// The same motion with all of its constraints and with contacts alone: the problems have the same M and
// contacts, and with MuJoCo's impulses at the joints the one has the loads of the other.
TEST_F(ExtractionTest, ContactsOnly) {
  Simulation finger = simulation(
      "<worldbody><geom type='plane' size='5 5 1'/><body pos='0 0 0.2'><joint axis='0 1 0' "
      "range='-0.1 0.6' limited='true' frictionloss='0.3'/><geom type='capsule' fromto='0 0 0 0.3 "
      "0 "
      "0' size='0.03'/><body pos='0.3 0 0'><joint axis='0 1 0' frictionloss='0.1'/><geom "
      "type='capsule' fromto='0 0 0 0.3 0 0' size='0.03' condim='4'/></body></body></worldbody>",
      300);
  const std::vector<Step> whole = steps_of(finger);
  finger.contacts_only = true;
  const std::vector<Step> contacts = steps_of(finger);
  ASSERT_EQ(contacts.size(), whole.size());
  Index touching = 0, left_out = 0;
  for (std::size_t k = 0; k + 1 < whole.size(); ++k) {
    EXPECT_LT(contacts[k].balance.error, 1e-12);
    const GlobalForm& all = *whole[k].file.problem.global();
    const GlobalForm& few = *contacts[k].file.problem.global();
    EXPECT_EQ(Matrix(few.M), Matrix(all.M));
    for (const SetPointer& set : contacts[k].file.problem.other_sets())
      EXPECT_EQ(set->kind(), "elliptic");
    EXPECT_THAT(contacts[k].file.info.description, HasSubstr("--contacts-only"));
    // The velocities after a step are those before the next: M v+ = H r + f holds in both.
    const Vector& after = *whole[k + 1].file.guesses[0].v;
    const Vector at_joints = few.f - all.f;
    touching += few.H.cols();
    left_out += all.H.cols() - few.H.cols();
    if (few.H.cols() == 0) {
      EXPECT_LT((few.M * after - few.f).norm(), 1e-12 * (1 + few.f.norm())) << k;
    }
    if (all.H.cols() == few.H.cols()) {
      EXPECT_EQ(at_joints.norm(), 0) << k;
    }
  }
  EXPECT_GT(touching, 0);
  EXPECT_GT(left_out, 0);
}

TEST_F(ExtractionTest, Refusals) {
  const auto refused = [&](const Simulation& simulation, const auto& message) {
    EXPECT_THAT([&] { steps_of(simulation); },
                ThrowsMessage<std::runtime_error>(AllOf(message, Not(HasSubstr("\n")))));
  };
  Simulation wrong = simulation("<worldbody><bodi/></worldbody>");
  refused(wrong, AllOf(HasSubstr("model.xml: not a model: "), HasSubstr("bodi")));
  wrong.model = "/nowhere/none.xml";
  refused(wrong, HasSubstr("none.xml: no such file"));

  Simulation right = simulation(slide);
  right.keyframe = "start";
  refused(right, HasSubstr("model.xml: no keyframe 'start'; there are none"));
  right.keyframe = "";
  right.control = "nowhere.txt";
  refused(right, HasSubstr("nowhere.txt: cannot be read"));
  const auto control = [&](const std::string& text) {
    right.control = write("control.txt", text);
    return right;
  };
  refused(control("0 1\n0.1\n"), HasSubstr("control.txt: line 2: has 1 numbers, expected 2"));
  refused(control("0 1\n0 2\n"), HasSubstr("control.txt: line 2: time 0 is not later than 0"));
  refused(control("0 one\n"), HasSubstr("control.txt: line 1: 'one' is not a number"));
  refused(control("0 inf\n"), HasSubstr("control.txt: line 1: has a number that is not finite"));
  refused(control("# nothing\n"), HasSubstr("control.txt: has no line of numbers"));
  right.control = "random:x";
  EXPECT_THROW(steps_of(right), std::invalid_argument);

  Simulation unstable = simulation(
      "<worldbody><body><joint type='slide' stiffness='1e12'/><geom size='0.1'/></body></worldbody>"
      "<keyframe><key qpos='1'/></keyframe>",
      1000);
  unstable.keyframe = "0";
  refused(unstable, AllOf(HasSubstr("model.xml: step "), HasSubstr("unstable")));
  refused(
      simulation("<size nconmax='1' njmax='100'/><worldbody><geom type='plane' size='1 1 1'/><body "
                 "pos='0 0 0.1'><freejoint/><geom type='box' size='0.1 0.1 0.1'/></body>"
                 "</worldbody>",
                 10),
      HasSubstr("raise nconmax (now 1)"));
}

}  // namespace
}  // namespace frictionbench::mujoco::test
