/// \file
/// The scene families and their parameters.
///
/// A family is a parameter struct and a function that builds the world at time zero. The struct is
/// described once (see solver/settings.hpp); options, help, file names and texts in files are made
/// from that description. Values are in SI units, angles in degrees.
#pragma once

#include "frictionbench/scenes/world.hpp"
#include "frictionbench/solver/settings.hpp"

namespace frictionbench::scenes {

/// Parameters of all families.
struct CommonParameters {
  int seed = 1;
  double time_step = 0.005;
  double gravity = 9.81;
  double mu = 0.5;
  double mu_spread = 0;
  int steps = 0;
  int snapshots = 1;
  double reduce_contacts = 0;
  void describe(SettingFields& fields);
};

/// Contact points on the faces of boxes.
struct FaceParameters {
  int points = 2;
  bool points_inside = false;
  void describe(SettingFields& fields);
};

/// A ball that hits a structure of boxes.
struct BallParameters {
  double ball_mass = 0;
  double ball_speed = 5;
  double ball_radius = 0.1;
  void describe(SettingFields& fields);
};

/// A stack of cubes, the lightest at the bottom ([Carpentier24] Fig. 1, [LeLidec24] Fig. 13).
struct StackParameters : CommonParameters {
  int boxes = 5;
  double edge = 0.2;
  double mass = 1;
  double mass_ratio = 1;
  double offset = 0.01;
  double pull = 0;
  BallParameters ball;
  FaceParameters face;
  void describe(SettingFields& fields);
};
World stack(const StackParameters& parameters);

/// A box pushed along the ground ([LeLidec24] Figs. 11, 12).
struct PushedBoxParameters : CommonParameters {
  double edge = 0.2;
  double slenderness = 1;
  double mass = 1;
  double push = 0.5;
  double push_growth = 0;
  double push_height = 0.5;
  double direction = 0;
  FaceParameters face;
  void describe(SettingFields& fields);
};
World pushed_box(const PushedBoxParameters& parameters);
World pushed_box_2d(const PushedBoxParameters& parameters);

/// A box that slides on a plane, level or inclined ([LeLidec24] Figs. 9, 10).
struct SlidingBoxParameters : CommonParameters {
  double edge = 0.2;
  double mass = 1;
  double speed = 1;
  double direction = 0;
  double spin = 0;
  double slope = 0;
  FaceParameters face;
  void describe(SettingFields& fields);
};
World sliding_box(const SlidingBoxParameters& parameters);

/// A cylinder on the ground, pulled back by a spring ([Castro22] Fig. 4), in 2D.
struct SpringCylinderParameters : CommonParameters {
  SpringCylinderParameters() { mu = 1; }
  double radius = 0.05;
  double mass = 0.5;
  double spring_stiffness = 100;
  double stretch = 0.1;
  double sink = 0;
  void describe(SettingFields& fields);
};
World spring_cylinder(const SpringCylinderParameters& parameters);

/// A brick wall in running bond.
struct WallParameters : CommonParameters {
  int rows = 4;
  int columns = 4;
  double length = 0.4;
  double height = 0.2;
  double thickness = 0.2;
  double joint = 0.01;
  double density = 2000;
  double offset = 0.01;
  BallParameters ball;
  void describe(SettingFields& fields);
};
World wall(const WallParameters& parameters);

/// An arch of wedges between two springings, or a barrel vault in running bond.
struct ArchParameters : CommonParameters {
  int voussoirs = 15;
  int columns = 1;
  double radius = 2;
  double thickness = 0.4;
  double width = 0.4;
  double opening = 180;
  double joint = 0.01;
  double density = 2000;
  double offset = 0.002;
  BallParameters ball;
  void describe(SettingFields& fields);
};
World arch(const ArchParameters& parameters);

/// A pyramid of cubes over a square; each cube above the ground rests on four.
struct PyramidParameters : CommonParameters {
  int levels = 3;
  double edge = 0.3;
  double spacing = 0.33;
  double mass = 10;
  double mass_ratio = 1;
  double offset = 0.005;
  void describe(SettingFields& fields);
};
World pyramid(const PyramidParameters& parameters);

/// Grains dropped into an open box and settled by time stepping.
struct GrainParameters : CommonParameters {
  GrainParameters() {
    steps = 400;
    snapshots = 4;
  }
  int grains = 40;
  double radius = 0.05;
  double spread = 0.2;
  double density = 1000;
  double mass_ratio = 1;
  double width = 0.4;
  double damping = 2;
  void describe(SettingFields& fields);
};
World packed_spheres(const GrainParameters& parameters);
World periodic_box(const GrainParameters& parameters);
World disks_2d(const GrainParameters& parameters);

/// Grains dropped on an incline between two walls, down which they flow.
struct ChuteParameters : GrainParameters {
  double slope = 25;
  void describe(SettingFields& fields);
};
World chute(const ChuteParameters& parameters);

/// What scenes of chain links have in common.
struct LinkParameters : CommonParameters {
  LinkParameters() {
    time_step = 0.002;
    steps = 1000;
    snapshots = 4;
  }
  double link_radius = 0.015;
  double link_stretch = 0.03;
  double wire = 0.004;
  int sides = 8;
  double slack = 0.001;
  double offset = 0.0002;
  double density = 7800;
  double damping = 1;
  void describe(SettingFields& fields);
};

/// A chain between two fixed links.
struct ChainParameters : LinkParameters {
  int links = 12;
  double arc = 120;
  void describe(SettingFields& fields);
};
World chain(const ChainParameters& parameters);

/// A chain over a fixed rod, with a load on one side and a pull on the other ([YamaneNakamura08] Fig. 4
/// and Table III, "hoist").
struct HoistParameters : LinkParameters {
  HoistParameters() { steps = 400; }
  int links = 25;
  double rod_radius = 0.05;
  double load = 10;
  double pull = 4;
  void describe(SettingFields& fields);
};
World hoist(const HoistParameters& parameters);

/// Chains with larger rings at their ends, which hang in each other ([YamaneNakamura08] Fig. 4 and
/// Table III, "ring").
struct RingsParameters : LinkParameters {
  int chains = 4;
  int links = 4;
  double ring_radius = 0.04;
  double arc = 60;
  void describe(SettingFields& fields);
};
World rings(const RingsParameters& parameters);

/// What falls into a net.
enum class NetLoad { ball, box, rods };

/// A net of rings and links, fixed all around, into which something falls ([YamaneNakamura08] Fig. 4 and
/// Table III, "net").
struct NetParameters : LinkParameters {
  NetParameters() { slack = 0.004; }
  int nodes = 2;
  double ring_radius = 0.03;
  NetLoad load = NetLoad::ball;
  double load_mass = 1;
  double load_size = 0.08;
  double drop = 0.05;
  void describe(SettingFields& fields);
};
World net(const NetParameters& parameters);

}  // namespace frictionbench::scenes
