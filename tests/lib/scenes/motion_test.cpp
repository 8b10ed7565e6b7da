#include "frictionbench/scenes/motion.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "frictionbench/scenes/catalogue.hpp"
#include "frictionbench/scenes/same_contacts.hpp"
#include "frictionbench/simulation/simulation.hpp"
#include "frictionbench/solvers/register_all.hpp"

namespace frictionbench::scenes {
namespace {

constexpr double g = 9.81;

using simulation::SimulationSettings;
using simulation::SimulationStep;
using simulation::Starts;

ConfiguredSolver solver(const std::string& spec) { return solvers::all_solvers().make(spec); }

// A world and the simulation that moves it.
class Simulation {
 public:
  Simulation(World world, ConfiguredSolver by, const SimulationSettings& settings,
             const MotionSettings& motion = {})
      : motion_(std::move(world), motion), simulation_(motion_, std::move(by), settings) {}

  SimulationStep step() { return simulation_.step(); }
  double time() const { return simulation_.time(); }
  const World& world() const { return motion_.world(); }
  const Vector& impulse() const { return simulation_.impulse(); }

 private:
  WorldMotion motion_;
  simulation::Simulation simulation_;
};

World over_ground(double time_step) {
  World world;
  world.time_step = time_step;
  world.planes = {Plane{}};
  return world;
}

World sliding_cube(double time_step, double speed) {
  World world = over_ground(time_step);
  world.bodies = {make_box(Vector3::Constant(0.2), 2, {0, 0, 0.1})};
  world.bodies[0].velocity = {speed, 0, 0};
  return world;
}

World ball_at(double height, double time_step) {
  World world = over_ground(time_step);
  world.bodies = {make_sphere(0.1, 3, {0, 0, 0.1 + height})};
  return world;
}

// Where the cube is when friction mu has stopped it: v^2 / (2 mu g), and after how many seconds.
TEST(Simulation, ASlidingCubeStopsWhereItShould) {
  constexpr double speed = 1, mu = 0.5, exact = speed * speed / (2 * mu * g);
  std::vector<double> errors;
  for (const double h : {0.01, 0.005, 0.0025}) {
    Simulation simulation(sliding_cube(h, speed), solver("ncp-hybrid"), {.tolerance = 1e-10});
    double stop = 0;
    while (simulation.time() < 0.4) {
      const SimulationStep step = simulation.step();
      ASSERT_TRUE(step.solved) << step.step;
      EXPECT_EQ(step.contacts, 4);
      if (step.kinetic_energy > 1e-12) stop = step.time;
    }
    EXPECT_NEAR(stop, speed / (mu * g), h) << h;
    errors.push_back(std::abs(simulation.world().bodies[0].position.x() - exact));
    EXPECT_LT(errors.back(), h * speed);
  }
  EXPECT_LT(errors[2], errors[0] / 2) << "first order in h";
}

// A push that grows by F' a second moves the cube after t_0 = mu m g / F', at a speed of F' (t - t_0)^2 / (2 m).
TEST(Simulation, AGrowingPushMovesTheCubeWhenItShould) {
  constexpr double h = 0.001, growth = 20, mu = 0.5, mass = 2;
  World world = sliding_cube(h, 0);
  world.bodies[0].force_growth = {growth, 0, 0};
  Simulation simulation(world, solver("ncp-hybrid"), {.tolerance = 1e-10});
  const double start = mu * mass * g / growth;
  while (simulation.time() < 1) {
    ASSERT_TRUE(simulation.step().solved);
    const double since = std::max(0.0, simulation.time() - start);
    EXPECT_NEAR(simulation.world().bodies[0].velocity.x(), growth * since * since / (2 * mass),
                growth / mass * h);
  }
}

// Without friction nothing takes energy from the cube.
TEST(Simulation, EnergyIsKeptWithoutFriction) {
  World world = sliding_cube(0.005, 1);
  world.planes[0].mu = 0;
  Simulation simulation(world, solver("ncp-nsgs"), {.tolerance = 1e-12});
  const double before = kinetic_energy(world) + potential_energy(world);
  for (int step = 0; step < 100; ++step) {
    const SimulationStep made = simulation.step();
    EXPECT_NEAR(made.kinetic_energy + made.potential_energy, before, 1e-9 * before);
  }
}

// Each bounce leaves e^2 of the energy, up to what a step of the fall makes.
TEST(Simulation, RestitutionSetsTheHeightOfBounces) {
  constexpr double e = 0.6, height = 1, h = 0.0005;
  Simulation simulation(ball_at(height, h), solver("ncp-nsgs"), {}, {.restitution = e});
  std::vector<double> tops;
  double before = height + 1;
  bool rising = false;
  while (tops.size() < 3 && simulation.time() < 5) {
    simulation.step();
    const double now = simulation.world().bodies[0].position.z() - 0.1;
    if (rising && now < before) tops.push_back(before);
    rising = now > before;
    before = now;
  }
  ASSERT_EQ(tops.size(), 3u);
  double expected = height;
  for (const double top : tops) EXPECT_NEAR(top, expected *= e * e, 0.005);
}

World spring_cylinder(double mu, double time_step) {
  return find_family("spring_cylinder")
      .make({{"mu", std::to_string(mu)}, {"time_step", std::to_string(time_step)}})
      .world;
}

// [Castro22] Fig. 5: the midpoint rule keeps the energy of a spring and a mass, implicit Euler loses it,
// symplectic Euler keeps it in a band, and explicit Euler adds to it.
TEST(Simulation, SchemesKeepTheEnergyOfASpringAsTheyShould) {
  const auto energies = [](Scheme scheme) {
    Simulation simulation(spring_cylinder(0, 0.02), solver("ncp-nsgs"), {.tolerance = 1e-12},
                          {.scheme = scheme});
    std::vector<double> all;
    const double level = 0.5 * g * 0.05;  // of the potential at the ground
    for (int step = 0; step < 200; ++step) {
      const SimulationStep made = simulation.step();
      all.push_back((made.kinetic_energy + made.potential_energy - level) / 0.5);
    }
    return all;
  };
  for (const double energy : energies(Scheme::midpoint)) EXPECT_NEAR(energy, 1, 1e-9);
  EXPECT_LT(energies(Scheme::implicit).back(), 1e-3);
  EXPECT_GT(energies(Scheme::explicit_).back(), 10);
  const std::vector<double> symplectic = energies(Scheme::symplectic);
  const auto [low, high] = std::minmax_element(symplectic.begin(), symplectic.end());
  EXPECT_NEAR(*high - *low, 0.28, 0.03) << "the paper's band";
}

// [Castro22] Fig. 7: on rigid ground it rolls, as a mass of 3/2 m on the spring.
TEST(Simulation, ARollingCylinderIsOfTheOrderOfItsScheme) {
  const double omega = std::sqrt(100 / (1.5 * 0.5));
  const auto error = [&](Scheme scheme, double h) {
    Simulation simulation(spring_cylinder(1, h), solver("ncp-nsgs"), {.tolerance = 1e-12},
                          {.scheme = scheme});
    double largest = 0;
    while (simulation.time() < 1) {
      EXPECT_TRUE(simulation.step().solved);
      largest = std::max(largest, std::abs(simulation.world().bodies[0].position.x() -
                                           0.1 * std::cos(omega * simulation.time())));
    }
    return largest;
  };
  const auto order = [&](Scheme scheme) {
    return std::log2(error(scheme, 0.004) / error(scheme, 0.002));
  };
  EXPECT_NEAR(order(Scheme::symplectic), 1, 0.1);
  EXPECT_NEAR(order(Scheme::implicit), 1, 0.1);
  EXPECT_NEAR(order(Scheme::midpoint), 2, 0.1);
}

TEST(Simulation, WithoutRestitutionABallStaysOnTheGround) {
  Simulation simulation(ball_at(0.2, 0.005), solver("ncp-nsgs"), {});
  for (int step = 0; step < 200; ++step) simulation.step();
  EXPECT_NEAR(simulation.world().bodies[0].position.z(), 0.1, 1e-9);
  EXPECT_LT(kinetic_energy(simulation.world()), 1e-12);
}

// A spring carries the ball at an overlap of m g / k.
TEST(Simulation, SpringsCarryTheWeight) {
  constexpr double k = 2e4, mass = 3;
  for (const char* name : {"ncp-hybrid", "ccp-ipm"}) {
    Simulation simulation(ball_at(0, 0.005), solver(name), {},
                          {.stiffness = k, .relaxation_time = 0.02});
    SimulationStep last;
    for (int step = 0; step < 400; ++step) last = simulation.step();
    EXPECT_TRUE(last.solved);
    EXPECT_NEAR(last.overlap, mass * g / k, 1e-6) << name;
  }
}

// By that fraction or more, because bodies keep the speed at which they part.
TEST(Simulation, OverlapIsPushedApart) {
  const auto overlap_after_ten_steps = [](double fraction) {
    Simulation simulation(ball_at(-0.01, 0.005), solver("ncp-nsgs"), {.push_apart = fraction});
    for (int step = 0; step < 10; ++step) simulation.step();
    return simulation.step().overlap;
  };
  EXPECT_NEAR(overlap_after_ten_steps(0), 0.01, 1e-9);
  EXPECT_LE(overlap_after_ten_steps(0.2), 0.01 * std::pow(0.8, 10));
  EXPECT_GT(overlap_after_ten_steps(0.01), 0.005);
}

TEST(Simulation, AColdSolveBesideDoesNotChangeTheMotion) {
  const World world = sliding_cube(0.005, 1);
  Simulation warm(world, solver("ncp-pgs"), {}),
      both(world, solver("ncp-pgs"), {.start = Starts::both});
  Simulation cold(world, solver("ncp-pgs"), {.start = Starts::cold});
  int warm_iterations = 0, cold_iterations = 0;
  for (int step = 0; step < 20; ++step) {
    const SimulationStep of_warm = warm.step(), of_both = both.step(), of_cold = cold.step();
    EXPECT_EQ(of_warm.iterations, of_both.iterations);
    EXPECT_FALSE(of_warm.cold_iterations);
    ASSERT_TRUE(of_both.cold_iterations);
    EXPECT_TRUE(of_both.cold_solved.value());
    EXPECT_EQ(warm.impulse(), both.impulse());
    EXPECT_FALSE(of_cold.cold_iterations);
    warm_iterations += of_both.iterations;
    cold_iterations += *of_both.cold_iterations;
  }
  EXPECT_LT(warm_iterations, cold_iterations / 2) << "every step is nearly the one before";
}

TEST(Simulation, StepsThatAreNotSolvedAreSaidToBe) {
  Simulation simulation(sliding_cube(0.005, 1), solver("ncp-pgs"), {.max_iterations = 1});
  const SimulationStep step = simulation.step();
  EXPECT_FALSE(step.solved);
  EXPECT_EQ(step.status, Status::max_iterations);
  EXPECT_GT(step.residual, 1e-6);
}

TEST(Simulation, SettingsThatExcludeEachOtherAreRefused) {
  const World world = over_ground(0.01);
  for (const MotionSettings& settings :
       {MotionSettings{.restitution = 0.5, .stiffness = 1e4},
        MotionSettings{.relaxation_time = 0.1},
        MotionSettings{.scheme = Scheme::explicit_, .stiffness = 1e4}})
    EXPECT_THROW(WorldMotion(world, settings), std::invalid_argument);
  EXPECT_THROW(WorldMotion(world, {.stiffness = 1e4}).next(0.5), std::invalid_argument);
  EXPECT_THROW(Simulation(world, solver("ncp-pgs"), {.scale = Scale::force}),
               std::invalid_argument);
}

TEST(Simulation, AWorldWithoutContactsFalls) {
  Simulation simulation(ball_at(1, 0.01), solver("ncp-hybrid"), {});
  const SimulationStep step = simulation.step();
  EXPECT_EQ(step.contacts, 0);
  EXPECT_TRUE(step.solved);
  EXPECT_NEAR(simulation.world().bodies[0].velocity.z(), -g * 0.01, 1e-12);
}

TEST(SameContacts, AreFoundByBodiesAndNormals) {
  const auto contact = [](int a, int b, const Vector3& normal) {
    Contact made;
    made.a = a, made.b = b, made.frame = contact_frame(normal, 3);
    return made;
  };
  const Vector3 up = Vector3::UnitZ(), side = Vector3::UnitX();
  const std::vector<Contact> before = {contact(0, -1, up), contact(0, -1, up), contact(1, 0, up),
                                       contact(2, 1, side)};
  const std::vector<Contact> now = {contact(0, -1, up), contact(1, -1, up), contact(1, 0, side),
                                    contact(2, 1, side), contact(2, 1, side)};
  const Vector r = Vector::LinSpaced(12, 1, 12);
  Vector expected = Vector::Zero(15);
  expected.head(3) = r.head(3);
  expected.segment(9, 3) = r.tail(3);
  EXPECT_EQ(impulse_of_same_contacts(3, before, r, now), expected);
  EXPECT_EQ(impulse_of_same_contacts(3, {}, {}, now), Vector::Zero(15));
}

}  // namespace
}  // namespace frictionbench::scenes
