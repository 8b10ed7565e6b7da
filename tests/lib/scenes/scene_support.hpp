/// \file
/// Helpers for the tests of scenes.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "frictionbench/scenes/catalogue.hpp"
#include "frictionbench/scenes/dynamics.hpp"
#include "support/limits.hpp"
#include "support/registered_solvers.hpp"

namespace frictionbench::scenes::test {

/// A sample of scenes: every family, at rest, in motion and with impacts.
struct NamedScene {
  std::string name;
  Assignments parameters;
};
inline std::vector<NamedScene> sample_scenes() {
  return {
      {"stack", {{"mass_ratio", "100"}, {"ball_mass", "10"}}},
      {"pushed_box", {{"push", "2"}, {"direction", "30"}}},
      {"pushed_box_2d", {{"push", "0.9"}, {"slenderness", "3"}, {"push_height", "1"}}},
      {"sliding_box", {{"spin", "3"}}},
      {"wall", {{"ball_mass", "20"}, {"mu_spread", "0.3"}}},
      {"arch", {{"voussoirs", "9"}, {"columns", "2"}, {"ball_mass", "20"}}},
      {"pyramid", {}},
      {"packed_spheres", {{"grains", "25"}, {"width", "0.3"}, {"steps", "80"}, {"snapshots", "1"}}},
      {"periodic_box", {{"grains", "25"}, {"steps", "80"}, {"snapshots", "1"}}},
      {"chain", {{"links", "5"}, {"steps", "80"}, {"snapshots", "1"}}},
      {"hoist", {{"links", "15"}, {"steps", "60"}, {"snapshots", "1"}}},
      {"rings", {{"chains", "2"}, {"steps", "80"}, {"snapshots", "1"}}},
      {"net", {{"load", "box"}, {"steps", "150"}, {"snapshots", "1"}}},
      {"disks_2d", {{"grains", "25"}, {"steps", "80"}, {"snapshots", "1"}}}};
}

inline Scene make(const std::string& name, const Assignments& parameters = {}) {
  return find_family(name).make(parameters);
}

/// The last snapshot.
inline Snapshot state(const std::string& name, const Assignments& parameters = {}) {
  return snapshots(make(name, parameters)).back();
}

inline Limits precise(double tolerance = 1e-8) {
  return frictionbench::test::limits(tolerance, 100000);
}

/// The impulse that solves the problem to `tolerance`, checked by the verdict.
inline Vector solved_impulse(const ContactProblem& problem, double tolerance = 1e-8) {
  const Result result = frictionbench::test::solve("ncp-admm", problem, precise(tolerance));
  EXPECT_LE(judge(problem, result.r).ncp.max(), tolerance) << result.message;
  return result.r;
}

/// One step with a real solver, whose answer is checked. \returns the impulse.
inline Vector solved_step(World& world, double tolerance = 1e-9) {
  const ContactProblem problem = global_problem(world, detect_contacts(world));
  const Result result = step(world, *frictionbench::test::solver("ncp-admm"), precise(tolerance));
  EXPECT_LE(judge(problem, result.r).ncp.max(), tolerance) << result.message;
  return result.r;
}

/// Impulse of contact i in the world frame.
inline Vector3 world_impulse(const World& world, const Contact& contact, const Vector& r,
                             std::size_t i) {
  Vector3 local = Vector3::Zero();
  local.head(world.dimension) = r.segment(world.dimension * static_cast<Index>(i), world.dimension);
  return contact.frame * local;
}

}  // namespace frictionbench::scenes::test
