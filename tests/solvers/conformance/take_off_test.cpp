// Where a sliding body goes by the model of each registered solver: on the plane, or above it in
// the CCP. A new solver is tested here by being registered.

#include <gtest/gtest.h>

#include "frictionbench/solvers/register_all.hpp"
#include "lib/scenes/scene_support.hpp"
#include "support/registered_solvers.hpp"

namespace frictionbench {
namespace {

constexpr double mu = 0.4;

class TakeOff : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (!solver_.info().contacts || !solver_.info().three_dimensional) GTEST_SKIP();
    if (!solver_.info().dependable) GTEST_SKIP() << "it may have no answer";
  }

  bool relaxed() const { return solver_.info().model == ContactModel::ccp; }

  // A box that slides at 2 m/s along x, its lower face `height` above the plane.
  scenes::World sliding_box(double height) const {
    scenes::World world = scenes::test::make("sliding_box", {{"speed", "2"}, {"mu", "0.4"}}).world;
    world.contact_margin = 0.1;  // the distance at which contacts act is the question here
    world.bodies[0].position.z() += height;
    return world;
  }

  static double height(const scenes::World& world) { return world.bodies[0].position.z() - 0.1; }

  static double slip(const scenes::World& world) {
    return world.bodies[0].velocity.head<2>().norm();
  }

  // How far a height may be off: a compliant contact, whose solver returns the compliance or calls
  // its answer inaccurate, gives way by a share of it.
  static double give(const scenes::World& world, const Result& result) {
    const bool compliant = result.compliance.size() > 0 || result.status == Status::inaccurate;
    return compliant ? 0.15 * world.time_step * mu * slip(world) : 1e-9;
  }

  Result step(scenes::World& world) const {
    return scenes::step(world, *solver_.solver, scenes::test::precise(1e-10));
  }

  ConfiguredSolver solver_ = solvers::all_solvers().make(GetParam());
};

// [LeLidec24] (19) and Fig. 10, left: the CCP lifts a sliding body by h mu ||u_T|| in one step.
TEST_P(TakeOff, HeightAfterOneStep) {
  scenes::World world = sliding_box(0);
  const Result result = step(world);
  EXPECT_NEAR(height(world), relaxed() ? world.time_step * mu * slip(world) : 0.0,
              give(world, result));
  EXPECT_GT(slip(world), 1.0);
}

// L, section III-B, after (19): bodies interact at a distance of h mu ||u_T||, where the CCP holds
// a sliding one up for as long as it slides.
TEST_P(TakeOff, HoversAtTheInteractionDistance) {
  scenes::World world = sliding_box(0);
  const double h = world.time_step, weight = h * world.gravity.norm() * world.bodies[0].mass;
  world = sliding_box(h * mu * slip(world));
  for (int k = 0; k < 10; ++k) {
    const double before = height(world);
    const Result result = step(world);
    const double impulse = result.r.norm();
    if (!relaxed()) {
      EXPECT_LE(impulse, 1e-9);
      EXPECT_LT(height(world), before);
      return;
    }
    EXPECT_GT(impulse, 0.4 * weight);  // four contacts share it; that is half, and friction
    EXPECT_NEAR(height(world), h * mu * slip(world), give(world, result)) << k;
  }
}

// Farther away than it can fall within the step, nothing touches in any model.
TEST_P(TakeOff, NothingTouchesFromFarther) {
  scenes::World world = sliding_box(0);
  const double h = world.time_step;
  const double fall = h * h * world.gravity.norm();
  world = sliding_box(h * mu * slip(world) + 1.01 * fall);
  EXPECT_LE(step(world).r.norm(), 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Solvers, TakeOff, testing::ValuesIn(test::registered_names()),
                         test::solver_test_name);

}  // namespace
}  // namespace frictionbench
