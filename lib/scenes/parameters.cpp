#include "frictionbench/scenes/families.hpp"

namespace frictionbench::scenes {

namespace {

Range between(double low, double high) { return {low, high, true, true}; }

}  // namespace

void CommonParameters::describe(SettingFields& fields) {
  fields.add("seed", seed, at_least(0), "of all random numbers of the scene", "");
  fields.add("time_step", time_step, positive(), "h, s", "1e-3 to 1e-2 is common in robotics");
  fields.add("gravity", gravity, at_least(0), "m/s^2", "");
  fields.add("mu", mu, at_least(0), "friction coefficient of all surfaces; 0 is frictionless", "");
  fields.add("mu_spread", mu_spread, between(0, 1),
             "mu of each body is drawn from mu (1 +- spread)", "");
  fields.add("steps", steps, at_least(0), "time steps made before the last snapshot", "");
  fields.add("snapshots", snapshots, at_least(1),
             "problems written, evenly spaced over the steps, the last one included", "");
}

void BallParameters::describe(SettingFields& fields) {
  fields.add("ball_mass", ball_mass, at_least(0), "of a ball about to hit, kg; 0 for no ball",
             "[Carpentier24] Fig. 1 has 1e3 kg");
  fields.add("ball_speed", ball_speed, at_least(0), "m/s", "");
  fields.add("ball_radius", ball_radius, positive(), "m", "");
}

void StackParameters::describe(SettingFields& fields) {
  fields.add("boxes", boxes, at_least(1), "number of cubes", "[Carpentier24] Fig. 1 has 15");
  fields.add("edge", edge, positive(), "of a cube, m", "[LeLidec24] Fig. 11");
  fields.add("mass", mass, positive(), "of the lowest cube, kg", "[Carpentier24] Fig. 1");
  fields.add("mass_ratio", mass_ratio, positive(),
             "highest to lowest cube, masses in geometric progression", "1e4 in [Carpentier24] Fig. 1");
  fields.add("offset", offset, at_least(0), "largest random shift of a cube along x and y, m", "");
  fields.add("pull", pull, at_least(0),
             "horizontal force on the lowest cube, in units of mu g times the mass of the stack",
             "");
  ball.describe(fields);
  CommonParameters::describe(fields);
}

void PushedBoxParameters::describe(SettingFields& fields) {
  fields.add("edge", edge, positive(), "of the square base, m", "[LeLidec24] Fig. 11");
  fields.add("slenderness", slenderness, positive(), "height over edge", "1 is a cube");
  fields.add("mass", mass, positive(), "kg", "[LeLidec24] Fig. 11");
  fields.add("push", push, at_least(0),
             "horizontal force in units of the Coulomb limit mu m g: sticks below 1, slides above; "
             "without friction or gravity the unit is m g or 0",
             "");
  fields.add("push_height", push_height, between(0, 1),
             "where the force acts: 0 at the base, 0.5 at the centre of mass, 1 at the top", "");
  fields.add("direction", direction, any_number(), "of the force, degrees from x (3D)", "");
  CommonParameters::describe(fields);
}

void SlidingBoxParameters::describe(SettingFields& fields) {
  fields.add("edge", edge, positive(), "of the cube, m", "[LeLidec24] Fig. 11");
  fields.add("mass", mass, positive(), "kg", "[LeLidec24] Fig. 11");
  fields.add("speed", speed, at_least(0), "initial velocity along the plane, m/s", "");
  fields.add("direction", direction, any_number(), "of that velocity, degrees from x", "");
  fields.add("spin", spin, any_number(), "initial turn about the normal of the plane, rad/s", "");
  fields.add("slope", slope, {-90, 90, false, false},
             "of the plane, falling towards +x, degrees: at rest it sticks below atan(mu)", "");
  CommonParameters::describe(fields);
}

void WallParameters::describe(SettingFields& fields) {
  fields.add("rows", rows, at_least(1), "courses of bricks", "");
  fields.add("columns", columns, at_least(1),
             "bricks in an even course; odd ones are shifted by half a brick and end in halves",
             "");
  fields.add("length", length, positive(), "of a brick, m", "");
  fields.add("height", height, positive(), "of a brick, m", "");
  fields.add("thickness", thickness, positive(), "of a brick, m", "");
  fields.add("joint", joint, at_least(0), "open joint between bricks of a course, m",
             "wider than the contact margin, so that bricks touch above and below only");
  fields.add("density", density, positive(), "kg/m^3", "brick");
  fields.add("offset", offset, at_least(0), "largest random shift out of the plane of the wall, m",
             "");
  ball.describe(fields);
  CommonParameters::describe(fields);
}

void PyramidParameters::describe(SettingFields& fields) {
  fields.add("levels", levels, at_least(1), "cubes along an edge of the lowest level", "");
  fields.add("edge", edge, positive(), "of a cube, m", "");
  fields.add("spacing", spacing, positive(), "between centres of cubes of a level, m", "");
  fields.add("mass", mass, positive(), "of a cube of the lowest level, kg", "");
  fields.add("mass_ratio", mass_ratio, positive(),
             "highest to lowest cube, levels in geometric progression", "");
  fields.add("offset", offset, at_least(0), "largest random shift of a cube along x and y, m", "");
  CommonParameters::describe(fields);
}

void GrainParameters::describe(SettingFields& fields) {
  fields.add("grains", grains, at_least(1), "number of balls or disks", "");
  fields.add("radius", radius, positive(), "mean radius, m", "");
  fields.add("spread", spread, {0, 1, true, false}, "radii are drawn from radius (1 +- spread)",
             "");
  fields.add("density", density, positive(), "kg/m^3 (kg/m^2 for disks)", "water");
  fields.add("mass_ratio", mass_ratio, at_least(1),
             "densities are drawn from density * [1, mass_ratio], log-uniformly", "");
  fields.add("width", width, positive(), "of the open box with a square floor, m", "");
  fields.add("damping", damping, at_least(0),
             "viscous drag a unit of mass, 1/s: balls roll, and only drag stops that", "");
  CommonParameters::describe(fields);
}

}  // namespace frictionbench::scenes
