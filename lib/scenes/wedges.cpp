#include "frictionbench/scenes/internal/wedges.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "frictionbench/scenes/contacts.hpp"

namespace frictionbench::scenes {

namespace {

// A flat face: a rectangle with axes along the prism and up the face, where that matters.
struct Face {
  Vector3 centre, outward;
  std::array<Vector3, 2> axes;
  std::array<double, 2> half;

  double distance(const Vector3& point) const { return outward.dot(point - centre); }
};

Face side(const Wedge& wedge, double sign) {
  const double slope = (wedge.upper - wedge.lower) / wedge.height;
  const double length = std::sqrt(1 + slope * slope);
  return {{sign * (wedge.lower + wedge.upper) / 2, 0, (wedge.above() - wedge.below()) / 2},
          Vector3(sign, 0, -slope) / length,
          {Vector3::UnitY(), Vector3(sign * slope, 0, 1) / length},
          {wedge.half_width, wedge.height * length / 2}};
}

Face moved(const Face& face, const Matrix3& axes, const Vector3& centre) {
  return {centre + axes * face.centre,
          axes * face.outward,
          {axes * face.axes[0], axes * face.axes[1]},
          face.half};
}

// The largest distance by which one of the wedge's faces has all points in front of it; not positive
// if none does.
double separation(const Wedge& wedge, const std::vector<Vector3>& points) {
  const Face left = side(wedge, -1), right = side(wedge, 1);
  std::array<double, 6> nearest;
  nearest.fill(std::numeric_limits<double>::infinity());
  for (const Vector3& point : points) {
    const std::array<double, 6> distances = {
        left.distance(point),          right.distance(point),     point.y() - wedge.half_width,
        -point.y() - wedge.half_width, point.z() - wedge.above(), -point.z() - wedge.below()};
    for (std::size_t k = 0; k < nearest.size(); ++k)
      nearest[k] = std::min(nearest[k], distances[k]);
  }
  return *std::max_element(nearest.begin(), nearest.end());
}

bool apart(const Wedge& a, const Wedge& b, const Matrix3& axes_a, const Vector3& centre_a,
           double reach) {
  std::vector<Vector3> of_a = corners(a, 3), of_b = corners(b, 3);
  for (Vector3& corner : of_a) corner = centre_a + axes_a * corner;
  for (Vector3& corner : of_b) corner = axes_a.transpose() * (corner - centre_a);
  return separation(b, of_a) > reach || separation(a, of_b) > reach;
}

// Whether two faces are parallel and look at each other, and run along the same line, up to
// max_box_angle.
bool facing(const Face& a, const Face& b) {
  return a.outward.dot(b.outward) < 0 && a.outward.cross(b.outward).norm() <= max_box_angle &&
         a.axes[0].cross(b.axes[0]).norm() <= max_box_angle;
}

// Like box on box (contacts.cpp): exact gaps at the corners of the overlap, measured along the
// normal of b.
std::vector<FacingPoint> overlap(const Face& a, const Face& b) {
  std::array<double, 2> low, high;
  for (std::size_t k = 0; k < 2; ++k) {
    const double centre = b.axes[k].dot(a.centre - b.centre);
    low[k] = std::max(centre - a.half[k], -b.half[k]);
    high[k] = std::min(centre + a.half[k], b.half[k]);
    if (high[k] - low[k] < min_box_overlap) return {};
  }
  std::vector<FacingPoint> points;
  for (int corner = 0; corner < 4; ++corner) {
    const Vector3 point = b.centre + ((corner & 1) ? high[0] : low[0]) * b.axes[0] +
                          ((corner & 2) ? high[1] : low[1]) * b.axes[1];
    const double gap = -a.distance(point) / a.outward.dot(b.outward);
    points.push_back({point + gap / 2 * b.outward, b.outward, gap});
  }
  return points;
}

}  // namespace

std::optional<std::vector<FacingPoint>> facing_points(const Wedge& a, const Wedge& b,
                                                      const Matrix3& axes_a,
                                                      const Vector3& centre_a, double reach) {
  if (apart(a, b, axes_a, centre_a, reach)) return std::vector<FacingPoint>{};
  // Of thin wedges the far sides are nearly parallel, too; the near ones are those that overlap least.
  std::optional<std::pair<Face, Face>> nearest;
  double largest = -std::numeric_limits<double>::infinity();
  for (const double sign_b : {-1.0, 1.0})
    for (const double sign_a : {-1.0, 1.0}) {
      const Face of_b = side(b, sign_b);
      const Face of_a = moved(side(a, sign_a), axes_a, centre_a);
      const double distance = of_b.distance(of_a.centre);
      if (!facing(of_a, of_b) || distance <= largest) continue;
      largest = distance;
      nearest = {of_a, of_b};
    }
  if (!nearest) return std::nullopt;
  return overlap(nearest->first, nearest->second);
}

}  // namespace frictionbench::scenes
