// A cube at rest on an inclined plane: by Coulomb's law it sticks if mu >= tan(angle), and otherwise slides
// with g (sin - mu cos). Every solver of the NCP is asked on both sides of the threshold, 1e-6 from it in mu.
// A cube that slides by delta there violates complementarity by 1e-6 delta only, and points of the central path
// are away from an answer on the edge of its cone by the square root of the gap, so that the tolerance is the
// square of the accuracy that is asked for.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "frictionbench/solvers/register_all.hpp"
#include "lib/scenes/scene_support.hpp"
#include "support/registered_solvers.hpp"

namespace frictionbench {
namespace {

// First-order methods come to an answer on the edge of its cone by smaller and smaller steps: a million sweeps of
// some, which take seconds.
constexpr int most_iterations = 1'000'000;

class Slope : public testing::TestWithParam<std::string> {
 protected:
  // How far the speed may be off. ncp-ipm is trapped at 15 degrees, before its gap is small enough. At 45 degrees
  // ncp-nsgs comes to rest where rounding in its contacts' own solutions, of the order of its square root, keeps it.
  double accuracy() const {
    if (GetParam() == "ncp-ipm") return 3e-6;
    return GetParam() == "ncp-nsgs" ? 1.5e-6 : 2e-7;
  }

  // Speed down the slope after a step from rest, in units of h g.
  double relative_speed(double degrees, double mu) const {
    scenes::World world = scenes::test::make("sliding_box", {{"speed", "0"},
                                                             {"slope", fmt::to_string(degrees)},
                                                             {"mu", fmt::format("{:.17g}", mu)}})
                              .world;
    scenes::step(world, *solver_.solver, test::limits(1e-18, most_iterations));
    return world.bodies[0].velocity.norm() / (world.time_step * world.gravity.norm());
  }

  ConfiguredSolver solver_ = solvers::all_solvers().make(GetParam());
};

TEST_P(Slope, SticksAndSlidesOnEitherSideOfTheAngleOfFriction) {
  constexpr double margin = 1e-6;
  for (const double degrees : {5, 15, 25, 35, 45}) {
    SCOPED_TRACE(degrees);
    const double angle = degrees * std::numbers::pi / 180, threshold = std::tan(angle);
    EXPECT_NEAR(relative_speed(degrees, threshold + margin), 0, accuracy());
    // sin - mu cos = margin cos at mu = tan - margin.
    EXPECT_NEAR(relative_speed(degrees, threshold - margin), margin * std::cos(angle), accuracy());
  }
}

INSTANTIATE_TEST_SUITE_P(Solvers, Slope,
                         testing::ValuesIn(test::exact_solvers_of(ContactModel::ncp)),
                         test::solver_test_name);

}  // namespace
}  // namespace frictionbench
