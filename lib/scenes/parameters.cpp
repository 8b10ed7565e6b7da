#include "frictionbench/scenes/internal/families.hpp"

namespace frictionbench::scenes {

namespace {

Range between(double low, double high) { return {low, high, true, true}; }

}  // namespace

void CommonParameters::describe(SettingFields& fields) {
  fields.add("seed", seed, at_least(0), "random seed of the scene", "");
  fields.add("time_step", time_step, positive(), "time step h, s",
             "1e-3 to 1e-2 is common in robotics");
  fields.add("gravity", gravity, at_least(0), "gravitational acceleration, m/s^2", "");
  fields.add("mu", mu, at_least(0), "friction coefficient of all surfaces; 0 is frictionless", "");
  fields.add("mu_spread", mu_spread, between(0, 1),
             "each body's mu is drawn from mu (1 +- mu_spread)", "");
  fields.add("steps", steps, at_least(0), "number of time steps before the last snapshot", "");
  fields.add("snapshots", snapshots, at_least(1),
             "number of problems to write, evenly spaced over the steps and including the last",
             "");
  fields.add("reduce_contacts", reduce_contacts, at_least(0),
             "leave out contacts of two bodies within this distance of another one, m, and those "
             "inside of the contact area; 0 leaves out none",
             "[YamaneNakamura08] IV-C, where it is 1e-3");
}

void FaceParameters::describe(SettingFields& fields) {
  fields.add(
      "points", points, between(2, 100),
      "contact points along an edge of a face: 2 are its corners; 3 make 8 points of a face, "
      "5 make 16, which hold no more than 4",
      "corners");
  fields.add("points_inside", points_inside,
             "square grids of points on the faces, points * points, not only along the edges", "");
}

void BallParameters::describe(SettingFields& fields) {
  fields.add("ball_mass", ball_mass, at_least(0),
             "mass of a ball that hits the structure, kg; 0 for no ball",
             "[Carpentier24] Fig. 1: 1e3 kg");
  fields.add("ball_speed", ball_speed, at_least(0), "speed of the ball, m/s", "");
  fields.add("ball_radius", ball_radius, positive(), "radius of the ball, m", "");
}

void StackParameters::describe(SettingFields& fields) {
  fields.add("boxes", boxes, at_least(1), "number of cubes", "[Carpentier24] Fig. 1: 15");
  fields.add("edge", edge, positive(), "edge length of a cube, m", "[LeLidec24] Fig. 11");
  fields.add("mass", mass, positive(), "mass of the lowest cube, kg", "[Carpentier24] Fig. 1");
  fields.add(
      "mass_ratio", mass_ratio, positive(),
      "mass of the highest cube over that of the lowest; the others in geometric progression",
      "[Carpentier24] Fig. 1: 1e4");
  fields.add("offset", offset, at_least(0), "largest random offset of a cube along x and y, m", "");
  fields.add("pull", pull, at_least(0),
             "horizontal force on the lowest cube, in units of mu g times the mass of the stack",
             "");
  face.describe(fields);
  ball.describe(fields);
  CommonParameters::describe(fields);
}

void PushedBoxParameters::describe(SettingFields& fields) {
  fields.add("edge", edge, positive(), "edge length of the square base, m", "[LeLidec24] Fig. 11");
  fields.add("slenderness", slenderness, positive(), "height divided by edge", "1: a cube");
  fields.add("mass", mass, positive(), "mass of the box, kg", "[LeLidec24] Fig. 11");
  fields.add(
      "push", push, at_least(0),
      "horizontal force in units of the Coulomb limit mu m g (of m g if mu is 0): the box sticks "
      "below 1 and slides above",
      "");
  fields.add("push_growth", push_growth, any_number(), "growth of that force per second",
             "0; [LeLidec24] Fig. 11: push 0, growth 5.097, which is 20 N/s there");
  fields.add("push_height", push_height, between(0, 1),
             "height at which the force acts: 0 the base, 0.5 the centre of mass, 1 the top", "");
  fields.add("direction", direction, any_number(), "direction of the force, degrees from x (3D)",
             "");
  face.describe(fields);
  CommonParameters::describe(fields);
}

void SpringCylinderParameters::describe(SettingFields& fields) {
  fields.add("radius", radius, positive(), "radius of the cylinder, m", "[Castro22] VI-B");
  fields.add("mass", mass, positive(), "mass of the cylinder, kg", "[Castro22] VI-B");
  fields.add("spring_stiffness", spring_stiffness, positive(), "stiffness of the spring, N/m",
             "[Castro22] VI-B");
  fields.add("stretch", stretch, any_number(), "how far the spring is stretched at first, m",
             "[Castro22] VI-B");
  fields.add("sink", sink, at_least(0),
             "how far the cylinder stands in the ground at first, m; m g / k in equilibrium on "
             "contacts of stiffness k",
             "0: rigid contact");
  CommonParameters::describe(fields);
}

void SlidingBoxParameters::describe(SettingFields& fields) {
  fields.add("edge", edge, positive(), "edge length of the cube, m", "[LeLidec24] Fig. 11");
  fields.add("mass", mass, positive(), "mass of the cube, kg", "[LeLidec24] Fig. 11");
  fields.add("speed", speed, at_least(0), "initial speed along the plane, m/s", "");
  fields.add("direction", direction, any_number(),
             "direction of the initial velocity, degrees from x", "");
  fields.add("spin", spin, any_number(),
             "initial angular velocity about the normal of the plane, rad/s", "");
  fields.add(
      "slope", slope, {-90, 90, false, false},
      "angle by which the plane falls towards +x, degrees; a cube at rest sticks below atan(mu)",
      "");
  face.describe(fields);
  CommonParameters::describe(fields);
}

void WallParameters::describe(SettingFields& fields) {
  fields.add("rows", rows, at_least(1), "number of courses", "");
  fields.add(
      "columns", columns, at_least(1),
      "bricks in an even course; odd courses are shifted by half a brick and end in half bricks",
      "");
  fields.add("length", length, positive(), "length of a brick, m", "");
  fields.add("height", height, positive(), "height of a brick, m", "");
  fields.add("thickness", thickness, positive(), "thickness of a brick, m", "");
  fields.add("joint", joint, at_least(0), "width of the open joints between bricks of a course, m",
             "wider than the contact margin, so that bricks touch above and below only");
  fields.add("density", density, positive(), "density of the bricks, kg/m^3", "brick");
  fields.add("offset", offset, at_least(0),
             "largest random offset of a brick out of the plane of the wall, m", "");
  ball.describe(fields);
  CommonParameters::describe(fields);
}

void ArchParameters::describe(SettingFields& fields) {
  fields.add("voussoirs", voussoirs, at_least(2), "courses of stones from springing to springing",
             "");
  fields.add("columns", columns, at_least(1),
             "stones along the axis: 1 makes an arch, more a barrel vault, whose odd courses are "
             "shifted by half a stone and end in half stones",
             "");
  fields.add("radius", radius, positive(), "mean radius, m", "");
  fields.add("thickness", thickness, positive(), "thickness along the radius, m",
             "a half circle stands from 0.107 times the radius on");
  fields.add("width", width, positive(), "length of a stone along the axis, m", "");
  fields.add("opening", opening, {0, 180, false, true},
             "angle between the springings, degrees; 180 makes a half circle on level ground", "");
  fields.add("joint", joint, at_least(0), "width of the open joints between stones of a course, m",
             "wider than the contact margin, so that stones touch those of other courses only");
  fields.add("density", density, positive(), "density of the stones, kg/m^3", "brick");
  fields.add("offset", offset, at_least(0), "largest random offset of a stone along the axis, m",
             "");
  ball.describe(fields);
  CommonParameters::describe(fields);
}

void PyramidParameters::describe(SettingFields& fields) {
  fields.add("levels", levels, at_least(1),
             "number of levels; the lowest has as many cubes along each edge", "");
  fields.add("edge", edge, positive(), "edge length of a cube, m", "");
  fields.add("spacing", spacing, positive(),
             "distance between the centres of neighbouring cubes of a level, m", "");
  fields.add("mass", mass, positive(), "mass of a cube of the lowest level, kg", "");
  fields.add("mass_ratio", mass_ratio, positive(),
             "mass of the highest cube over that of the lowest; levels in geometric progression",
             "");
  fields.add("offset", offset, at_least(0), "largest random offset of a cube along x and y, m", "");
  CommonParameters::describe(fields);
}

void GrainParameters::describe(SettingFields& fields) {
  fields.add("grains", grains, at_least(1), "number of balls or disks", "");
  fields.add("radius", radius, positive(), "mean radius, m", "");
  fields.add("spread", spread, {0, 1, true, false}, "radii are drawn from radius (1 +- spread)",
             "");
  fields.add("density", density, positive(), "density, kg/m^3 (kg/m^2 for disks)", "water");
  fields.add("mass_ratio", mass_ratio, at_least(1),
             "densities are drawn from density * [1, mass_ratio], log-uniformly", "");
  fields.add("width", width, positive(), "width of the box, m; its floor is square", "");
  fields.add("damping", damping, at_least(0),
             "viscous drag per unit of mass, 1/s; nothing else stops rolling", "");
  CommonParameters::describe(fields);
}

void ChuteParameters::describe(SettingFields& fields) {
  fields.add("slope", slope, {0, 90, true, false}, "angle of the chute to the horizontal, degrees",
             "");
  GrainParameters::describe(fields);
}

void LinkParameters::describe(SettingFields& fields) {
  fields.add("link_radius", link_radius, positive(),
             "half the width of a link, to the middle of its wire, m", "");
  fields.add("link_stretch", link_stretch, at_least(0),
             "length of a link beyond its width, m; 0 makes round links", "");
  fields.add("wire", wire, positive(), "radius of the wire, m", "");
  fields.add(
      "sides", sides, between(4, 64),
      "sides of the polygon that a link is: its wire consists of straight pieces; a multiple "
      "of 4",
      "");
  fields.add("slack", slack, at_least(0), "play of each joint at time zero, m", "");
  fields.add("offset", offset, at_least(0), "largest random offset of a link along each axis, m",
             "");
  fields.add("density", density, positive(), "density of the wire, kg/m^3", "steel");
  fields.add("damping", damping, at_least(0), "viscous drag per unit of mass, 1/s", "");
  CommonParameters::describe(fields);
}

void ChainParameters::describe(SettingFields& fields) {
  fields.add("links", links, at_least(1), "links between the two that are fixed", "");
  fields.add("arc", arc, {0, 180, false, true},
             "angle by which the chain turns from end to end at time zero, degrees", "");
  LinkParameters::describe(fields);
}

void HoistParameters::describe(SettingFields& fields) {
  fields.add("links", links, at_least(1), "number of links", "[YamaneNakamura08] V-C: 25 joints");
  fields.add("rod_radius", rod_radius, positive(), "radius of the rod, m", "");
  fields.add("load", load, positive(),
             "mass of the last link on the loaded side over that of the others", "");
  fields.add(
      "pull", pull, at_least(0),
      "downward force on the other end, in units of the weight that hangs on the loaded side; "
      "a rope sticks up to about exp(pi mu)",
      "");
  LinkParameters::describe(fields);
}

void RingsParameters::describe(SettingFields& fields) {
  fields.add("chains", chains, at_least(1), "number of chains, each hung from the one before", "");
  fields.add("links", links, at_least(0), "links between the two rings of a chain",
             "[YamaneNakamura08] V-C: five joints");
  fields.add("ring_radius", ring_radius, positive(),
             "radius of a ring, from its centre to the middle of its wire, m", "");
  fields.add("arc", arc, between(0, 180),
             "angle by which the chains turn from their upper to their lower end at time zero, "
             "degrees; 0 hangs straight down",
             "");
  LinkParameters::describe(fields);
}

void NetParameters::describe(SettingFields& fields) {
  fields.add("nodes", nodes, at_least(1),
             "rings along each side of the net, joined by links to each other and to fixed rings "
             "around",
             "");
  fields.add("ring_radius", ring_radius, positive(),
             "radius of a ring, from its centre to the middle of its wire, m", "");
  fields.add("load", load,
             {{"ball", NetLoad::ball}, {"box", NetLoad::box}, {"rods", NetLoad::rods}},
             "what falls into the net: a ball, a cube, or five rods one above another",
             "[YamaneNakamura08] V-C: five cylinders");
  fields.add("load_mass", load_mass, positive(), "mass of all that falls, kg", "");
  fields.add("load_size", load_size, positive(),
             "radius of the ball, half an edge of the cube or half the length of a rod, m", "");
  fields.add("drop", drop, at_least(0), "height over the net from which it falls, m", "");
  LinkParameters::describe(fields);
}

}  // namespace frictionbench::scenes
