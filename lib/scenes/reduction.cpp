#include "frictionbench/scenes/reduction.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace frictionbench::scenes {

namespace {

using Vector2 = Eigen::Vector2d;
using Group = std::vector<std::size_t>;  // positions in the list of contacts

// Points nearer to an edge of the hull than this (m) are on it.
constexpr double on_edge = 1e-9;

// A length in those units. Values that are meant to be equal differ by rounding, and the odd shift moves
// the border between two integers away from where they usually lie.
double coarse(double length) { return std::nearbyint(length / on_edge + 0.1234567891); }

bool same_bodies(const Contact& x, const Contact& y) {
  const auto bodies = [](const Contact& contact) {
    return std::tuple(contact.a, contact.b, contact.b == Contact::fixed ? contact.fixture : 0);
  };
  return bodies(x) == bodies(y);
}

bool same_side(const Contact& x, const Contact& y) {
  return same_bodies(x, y) && x.frame.col(0).cross(y.frame.col(0)).norm() <= max_box_angle &&
         x.frame.col(0).dot(y.frame.col(0)) > 0;
}

// Contacts that are compared with the first of their group.
template <typename Belongs>
std::vector<Group> grouped(const std::vector<Contact>& contacts, const Group& members,
                           Belongs&& belongs) {
  std::vector<Group> groups;
  for (const std::size_t k : members) {
    const auto group = std::find_if(groups.begin(), groups.end(), [&](const Group& g) {
      return belongs(contacts[g.front()], contacts[k]);
    });
    if (group == groups.end())
      groups.push_back({k});
    else
      group->push_back(k);
  }
  return groups;
}

// One of those that are within delta of each other, the deepest first.
Group without_near_ones(const std::vector<Contact>& contacts, Group group, double delta) {
  std::stable_sort(group.begin(), group.end(), [&](std::size_t x, std::size_t y) {
    return coarse(contacts[x].gap) < coarse(contacts[y].gap);
  });
  Group kept;
  for (const std::size_t k : group)
    if (std::none_of(kept.begin(), kept.end(), [&](std::size_t other) {
          return (contacts[k].point - contacts[other].point).norm() <= delta;
        }))
      kept.push_back(k);
  std::sort(kept.begin(), kept.end());
  return kept;
}

// Half of the hull, from the first to the last of the points, which are sorted by x; it turns left.
Group half_hull(const std::vector<Vector2>& points, const Group& sorted) {
  Group hull;
  for (const std::size_t k : sorted) {
    while (hull.size() >= 2) {
      const Vector2 edge = points[k] - points[hull[hull.size() - 2]];
      const Vector2 to_last = points[hull.back()] - points[hull[hull.size() - 2]];
      // The last corner is to the right of the line past it.
      if (edge.x() * to_last.y() - edge.y() * to_last.x() < -on_edge * edge.norm()) break;
      hull.pop_back();
    }
    hull.push_back(k);
  }
  return hull;
}

// The corners of the convex hull in the tangent plane of the first contact (Andrew's monotone chain).
Group hull_of(const std::vector<Contact>& contacts, const Group& group) {
  if (group.size() < 3) return group;
  const Contact& first = contacts[group.front()];
  std::vector<Vector2> points;
  Group order;
  for (const std::size_t k : group) {
    const Vector3 in_frame = first.frame.transpose() * (contacts[k].point - first.point);
    order.push_back(points.size());
    points.emplace_back(in_frame.y(), in_frame.z());
  }
  std::sort(order.begin(), order.end(), [&](std::size_t x, std::size_t y) {
    const double column_x = coarse(points[x].x()), column_y = coarse(points[y].x());
    return column_x != column_y ? column_x < column_y : points[x].y() < points[y].y();
  });
  Group hull = half_hull(points, order);
  std::reverse(order.begin(), order.end());
  const Group upper = half_hull(points, order);
  hull.insert(hull.end(), upper.begin(), upper.end());
  Group kept;
  for (const std::size_t k : hull) kept.push_back(group[k]);
  std::sort(kept.begin(), kept.end());
  kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
  return kept;
}

}  // namespace

std::vector<Contact> reduced(const std::vector<Contact>& contacts, double delta) {
  Group all(contacts.size());
  for (std::size_t k = 0; k < all.size(); ++k) all[k] = k;
  const auto coplanar = [delta](const Contact& x, const Contact& y) {
    return std::abs(x.frame.col(0).dot(y.point - x.point)) <= delta;
  };
  Group kept;
  for (const Group& side : grouped(contacts, all, same_side))
    for (const Group& area :
         grouped(contacts, without_near_ones(contacts, side, delta), coplanar)) {
      const Group corners = hull_of(contacts, area);
      kept.insert(kept.end(), corners.begin(), corners.end());
    }
  std::sort(kept.begin(), kept.end());
  std::vector<Contact> left;
  for (const std::size_t k : kept) left.push_back(contacts[k]);
  return left;
}

}  // namespace frictionbench::scenes
