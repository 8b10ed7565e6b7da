#include "frictionbench/scenes/internal/neighbours.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "frictionbench/scenes/contacts.hpp"
#include "frictionbench/scenes/internal/shapes.hpp"

namespace frictionbench::scenes {

namespace {

// A box with edges along the world's axes.
struct Bounds {
  Vector3 low, high;
};

// Bounds of all points that a body can touch within the step; generous, because what is found here
// is looked at again.
Bounds bounds(const World& world, const Body& body) {
  const double radius = extent(body.shape);
  const double speed = body.velocity.norm() + radius * body.angular_velocity.norm() +
                       world.time_step * (world.gravity.norm() + body.force.norm() / body.mass);
  const double reach = radius + world.contact_margin + 2 * world.time_step * speed;
  return {body.position.array() - reach, body.position.array() + reach};
}

// A body or a copy of it, and what it can touch.
struct Place {
  int body;
  Bounds bounds;
};

// Adds copies of the places that cross a border of the period along an axis. Two bodies that touch
// across it meet where one is copied.
void copy_across_borders(std::vector<Place>& places, int axis, double period) {
  const std::size_t originals = places.size();
  for (std::size_t k = 0; k < originals; ++k) {
    const auto copy = [&](double move) {
      places.push_back(places[k]);
      places.back().bounds.low[axis] += move;
      places.back().bounds.high[axis] += move;
    };
    if (places[k].bounds.low[axis] < -period / 2) copy(period);
    if (places[k].bounds.high[axis] > period / 2) copy(-period);
  }
}

// All bodies, and in a periodic world their copies, as seen from one period around the origin.
std::vector<Place> places_of(const World& world) {
  std::vector<Place> places;
  for (const Body& body : world.bodies) {
    places.push_back({static_cast<int>(places.size()), bounds(world, body)});
    for (Vector3* end : {&places.back().bounds.low, &places.back().bounds.high})
      if (!world.period.isZero(0)) *end -= whole_periods(world, body.position);
  }
  for (int axis = 0; axis < 3; ++axis) {
    const double period = world.period[axis];
    if (period == 0) continue;
    for (const Body& body : world.bodies)
      if (6 * extent(body.shape) > period)
        throw UnsupportedContact(
            fmt::format("a body of radius {} m is too large for a period of {} m: it must be at "
                        "most a sixth of it",
                        extent(body.shape), period));
    copy_across_borders(places, axis, period);
  }
  return places;
}

}  // namespace

Vector3 whole_periods(const World& world, const Vector3& distance) {
  Vector3 multiple = Vector3::Zero();
  for (int axis = 0; axis < 3; ++axis)
    if (const double period = world.period[axis]; period > 0)
      multiple[axis] = period * std::nearbyint(distance[axis] / period);
  return multiple;
}

// Of those that overlap in x (sweep and prune), those that overlap in y and z, too.
std::vector<std::vector<int>> neighbours_before(const World& world) {
  std::vector<Place> places = places_of(world);
  std::sort(places.begin(), places.end(),
            [](const Place& a, const Place& b) { return a.bounds.low.x() < b.bounds.low.x(); });
  std::vector<std::vector<int>> found(world.bodies.size());
  std::vector<const Place*> open;
  for (const Place& a : places) {
    std::erase_if(open, [&](const Place* b) { return b->bounds.high.x() < a.bounds.low.x(); });
    for (const Place* b : open)
      if (a.body != b->body && (a.bounds.low.array() <= b->bounds.high.array()).all() &&
          (b->bounds.low.array() <= a.bounds.high.array()).all())
        found[static_cast<std::size_t>(std::max(a.body, b->body))].push_back(
            std::min(a.body, b->body));
    open.push_back(&a);
  }
  for (std::vector<int>& before : found) {
    std::sort(before.begin(), before.end());
    before.erase(std::unique(before.begin(), before.end()), before.end());
  }
  return found;
}

}  // namespace frictionbench::scenes
