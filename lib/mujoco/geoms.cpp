#include "frictionbench/mujoco/internal/geoms.hpp"

#include <vector>

namespace frictionbench::mujoco {

namespace {

using simulation::Vector3;

bool collides(const mjModel& model, int geom) {
  return model.geom_contype[geom] != 0 || model.geom_conaffinity[geom] != 0;
}

// Whether each geom is drawn: where a body has geoms that collide, its others only hide them.
std::vector<bool> drawn_geoms(const mjModel& model) {
  std::vector<bool> body_collides(static_cast<std::size_t>(model.nbody));
  for (int geom = 0; geom < model.ngeom; ++geom)
    if (collides(model, geom))
      body_collides[static_cast<std::size_t>(model.geom_bodyid[geom])] = true;
  std::vector<bool> drawn;
  for (int geom = 0; geom < model.ngeom; ++geom) {
    const bool others = body_collides[static_cast<std::size_t>(model.geom_bodyid[geom])];
    drawn.push_back(collides(model, geom) || (!others && model.geom_rgba[4 * geom + 3] > 0));
  }
  return drawn;
}

simulation::Polyhedron box_around_mesh(const mjModel& model, int mesh) {
  Vector3 low = Vector3::Zero(), high = Vector3::Zero();
  for (int k = 0; k < model.mesh_vertnum[mesh]; ++k) {
    const float* const vertex = model.mesh_vert + 3 * (model.mesh_vertadr[mesh] + k);
    const Vector3 point = Eigen::Map<const Eigen::Vector3f>(vertex).cast<double>();
    low = k == 0 ? point : low.cwiseMin(point);
    high = k == 0 ? point : high.cwiseMax(point);
  }
  return simulation::box((high - low) / 2, (high + low) / 2);
}

simulation::Polyhedron box_around_heights(const mjModel& model, int field) {
  const double* const size = model.hfield_size + 4 * field;  // half x, half y, top, depth below 0
  return simulation::box({size[0], size[1], (size[2] + size[3]) / 2},
                         Vector3(0, 0, (size[2] - size[3]) / 2));
}

// Of any geom but a plane.
simulation::Shape shape_of(const mjModel& model, int geom) {
  const Vector3 size = Eigen::Map<const Vector3>(model.geom_size + 3 * geom);
  switch (model.geom_type[geom]) {
    case mjGEOM_SPHERE:
      return simulation::Ball{size[0]};
    case mjGEOM_CAPSULE:
      return simulation::Tube{{-size[1] * Vector3::UnitZ(), size[1] * Vector3::UnitZ()}, size[0]};
    case mjGEOM_CYLINDER:
      return simulation::Cylinder{size[0], size[1]};
    case mjGEOM_ELLIPSOID:
      return simulation::Ellipsoid{size};
    case mjGEOM_MESH:
      return box_around_mesh(model, model.geom_dataid[geom]);
    case mjGEOM_HFIELD:
      return box_around_heights(model, model.geom_dataid[geom]);
    default:
      return simulation::box(size);
  }
}

simulation::Pose pose_of_geom(const mjData& data, int geom) {
  using Rows = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;
  const Eigen::Map<const Rows> axes(data.geom_xmat + 9 * geom);
  return {Eigen::Map<const Vector3>(data.geom_xpos + 3 * geom),
          Eigen::Quaterniond(Eigen::Matrix3d(axes))};
}

}  // namespace

simulation::Frame frame_of(const mjModel& model, const mjData& data) {
  simulation::Frame frame;
  for (int body = 1; body < model.nbody; ++body) {
    const double* const q = data.xquat + 4 * body;
    frame.bodies.push_back({Eigen::Map<const Vector3>(data.xpos + 3 * body),
                            Eigen::Quaterniond(q[0], q[1], q[2], q[3])});
  }
  const std::vector<bool> drawn = drawn_geoms(model);
  for (int geom = 0; geom < model.ngeom; ++geom) {
    if (!drawn[static_cast<std::size_t>(geom)]) continue;
    const simulation::Pose pose = pose_of_geom(data, geom);
    const int body = model.geom_bodyid[geom];
    const bool moves = model.body_weldid[body] != 0;
    if (model.geom_type[geom] == mjGEOM_PLANE) {
      const Vector3 normal = pose.rotation * Vector3::UnitZ();
      frame.planes.push_back({normal, normal.dot(pose.position)});
    } else {
      frame.solids.push_back(
          {shape_of(model, geom), pose, moves ? number_of(body) : simulation::Solid::fixed});
    }
  }
  return frame;
}

}  // namespace frictionbench::mujoco
