// What a world looks like.

#include "frictionbench/scenes/internal/shapes.hpp"
#include "frictionbench/scenes/motion.hpp"

namespace frictionbench::scenes {

namespace {

simulation::Shape shape_of(const Body& body, int dimension) {
  if (const auto* sphere = std::get_if<Sphere>(&body.shape))
    return simulation::Ball{sphere->radius};
  if (const double radius = round_radius(body.shape); radius > 0) {
    simulation::Tube tube{core(body.shape), radius};
    if (std::holds_alternative<Ring>(body.shape)) tube.core.push_back(tube.core.front());
    return tube;
  }
  // Corners of boxes and wedges are in the same order.
  simulation::Polyhedron solid = simulation::box(Vector3::Ones());
  solid.corners = corners(body.shape, dimension);
  if (dimension == 2) solid.faces = {{0, 1, 3, 2}};
  return solid;
}

simulation::Pose pose_of(const Body& body) { return {body.position, body.rotation}; }

}  // namespace

simulation::Frame WorldMotion::frame() const {
  simulation::Frame frame;
  const int dimension = frame.dimension = world_.dimension;
  for (const Body& body : world_.bodies) {
    frame.solids.push_back(
        {shape_of(body, dimension), pose_of(body), static_cast<int>(frame.bodies.size())});
    frame.bodies.push_back(pose_of(body));
  }
  for (const Body& fixture : world_.fixtures)
    frame.solids.push_back({shape_of(fixture, dimension), pose_of(fixture)});
  for (const Plane& plane : world_.planes) frame.planes.push_back({plane.normal, plane.offset});
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const Contact& contact = contacts_[i];
    const auto r = impulse_.segment(dimension * static_cast<Index>(i), dimension);
    frame.impulses.push_back(
        {contact.a, contact.b, contact.point, contact.frame.leftCols(dimension) * r});
  }
  return frame;
}

}  // namespace frictionbench::scenes
