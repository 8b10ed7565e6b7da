#include "frictionbench/scenes/internal/wires.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "frictionbench/scenes/contacts.hpp"

namespace frictionbench::scenes {

namespace {

// Points of a core closer than this (m) are one: a point that near to a corner is the corner.
constexpr double same_place = 1e-6;

// A piece of a core: from + share * along, share in [0, 1].
struct Piece {
  Vector3 from, along;
  Vector3 at(double share) const { return from + share * along; }
};

// A ball has one piece, of no length.
std::vector<Piece> pieces(const Wire& wire) {
  const std::size_t corners = wire.corners.size();
  if (corners == 1) return {{wire.corners[0], Vector3::Zero()}};
  std::vector<Piece> all;
  for (std::size_t k = 0; k < corners - (wire.closed ? 0 : 1); ++k)
    all.push_back({wire.corners[k], wire.corners[(k + 1) % corners] - wire.corners[k]});
  return all;
}

// Moves to an end that is near enough.
double snapped(double share, const Piece& piece) {
  const double length = piece.along.norm();
  if (share * length <= same_place) return 0;
  return (1 - share) * length <= same_place ? 1 : share;
}

double projected(const Piece& piece, const Vector3& point) {
  const double square = piece.along.squaredNorm();
  return square == 0 ? 0 : piece.along.dot(point - piece.from) / square;
}

// Two points of pieces that face each other.
struct Meeting {
  double a, b;  // shares
  double distance;
};

Meeting meeting(const Piece& a, const Piece& b, double share_a, double share_b) {
  const double of_a = snapped(share_a, a), of_b = snapped(share_b, b);
  return {of_a, of_b, (a.at(of_a) - b.at(of_b)).norm()};
}

// An end of a piece with what is nearest to it on the other one.
struct EndMeeting {
  Meeting at;
  bool opposite;  // nearest even on the line through the other piece
};

// The ends of both pieces.
std::array<EndMeeting, 4> ends(const Piece& a, const Piece& b) {
  const auto facing = [](const Piece& other, double share) {
    const double length = other.along.norm();
    return share * length >= -same_place && (share - 1) * length <= same_place;
  };
  const auto of_a = [&](double end) -> EndMeeting {
    const double share = projected(b, a.at(end));
    return {meeting(a, b, end, std::clamp(share, 0.0, 1.0)), facing(b, share)};
  };
  const auto of_b = [&](double end) -> EndMeeting {
    const double share = projected(a, b.at(end));
    return {meeting(a, b, std::clamp(share, 0.0, 1.0), end), facing(a, share)};
  };
  return {of_a(0), of_a(1), of_b(0), of_b(1)};
}

// Of the angle between two pieces; 0 if one has no length.
double sine_squared(const Piece& a, const Piece& b) {
  const double squares = a.along.squaredNorm() * b.along.squaredNorm();
  return squares == 0 ? 0 : a.along.cross(b.along).squaredNorm() / squares;
}

// Whether pieces that are near touch along a line.
bool parallel(const Piece& a, const Piece& b) {
  return !a.along.isZero(0) && !b.along.isZero(0) &&
         sine_squared(a, b) <= max_box_angle * max_box_angle;
}

// Inside of both pieces, where the line between the points is at right angles to both, or else at an
// end of one of them.
Meeting nearest(const Piece& a, const Piece& b) {
  constexpr double round_off =
      1e-12;  // of parallel pieces, whose inner points are not nearer than their ends
  if (sine_squared(a, b) > round_off) {
    const Vector3 between = b.from - a.from, across = a.along.cross(b.along);
    const double share_a = between.cross(b.along).dot(across) / across.squaredNorm();
    const double share_b = between.cross(a.along).dot(across) / across.squaredNorm();
    if (share_a > 0 && share_a < 1 && share_b > 0 && share_b < 1)
      return meeting(a, b, share_a, share_b);
  }
  const auto all = ends(a, b);
  return std::min_element(all.begin(), all.end(),
                          [](const EndMeeting& x, const EndMeeting& y) {
                            return x.at.distance < y.at.distance - gap_round_off;
                          })
      ->at;
}

// The pieces of a wire that have the point, which may be a corner that two pieces share.
std::vector<std::size_t> pieces_at(std::size_t piece, double share, std::size_t count,
                                   bool closed) {
  std::vector<std::size_t> found = {piece};
  if (share == 1 && (closed || piece + 1 < count)) found.push_back((piece + 1) % count);
  if (share == 0 && (closed || piece > 0)) found.push_back((piece + count - 1) % count);
  return found;
}

// Facing points, each place once.
class Places {
 public:
  // Of surfaces at these distances from points of the cores, or of a core and a surface.
  void add(const Vector3& on_a, const Vector3& on_b, double radius_a, double radius_b,
           const Vector3& normal, double distance) {
    for (const auto& [other_a, other_b] : taken_)
      if ((other_a - on_a).norm() <= same_place && (other_b - on_b).norm() <= same_place) return;
    taken_.emplace_back(on_a, on_b);
    const double gap = distance - radius_a - radius_b;
    points_.push_back({on_b + (radius_b + gap / 2) * normal, normal, gap});
  }

  std::vector<FacingPoint> take() { return std::move(points_); }

 private:
  std::vector<std::pair<Vector3, Vector3>> taken_;
  std::vector<FacingPoint> points_;
};

// The nearest point of a box to a piece. The slope of the squared distance along the piece grows, and is
// linear between the places where the piece crosses the planes of the faces.
double nearest_share(const Piece& piece, const Box& box) {
  const auto slope = [&](double share) {
    const Vector3 point = piece.at(share);
    return piece.along.dot(point - nearest_point(box, point));
  };
  std::vector<double> kinks = {0, 1};
  for (int axis = 0; axis < 3; ++axis) {
    if (piece.along[axis] == 0) continue;
    for (const double face : {-box.half_extents[axis], box.half_extents[axis]})
      if (const double share = (face - piece.from[axis]) / piece.along[axis];
          share > 0 && share < 1)
        kinks.push_back(share);
  }
  std::sort(kinks.begin(), kinks.end());
  double before = slope(0);
  if (before >= 0) return 0;
  for (std::size_t k = 1; k < kinks.size(); ++k) {
    const double after = slope(kinks[k]);
    if (after >= 0) return kinks[k - 1] + (kinks[k] - kinks[k - 1]) * before / (before - after);
    before = after;
  }
  return 1;
}

// The face that a point outside of the box is over: its axis, or -1 over an edge or corner.
int face_below(const Vector3& point, const Box& box) {
  int face = -1;
  for (int axis = 0; axis < 3; ++axis) {
    if (std::abs(point[axis]) <= box.half_extents[axis]) continue;
    if (face >= 0) return -1;
    face = axis;
  }
  return face;
}

// The part of a piece over a face, as shares.
std::pair<double, double> over_face(const Piece& piece, const Box& box, int face) {
  double low = 0, high = 1;
  for (int axis = 0; axis < 3; ++axis) {
    if (axis == face || piece.along[axis] == 0) continue;
    const double first = (-box.half_extents[axis] - piece.from[axis]) / piece.along[axis];
    const double last = (box.half_extents[axis] - piece.from[axis]) / piece.along[axis];
    low = std::max(low, std::min(first, last));
    high = std::min(high, std::max(first, last));
  }
  return {low, high};
}

}  // namespace

std::optional<Wire> wire_of(const Shape& shape, const Matrix3& axes, const Vector3& x) {
  Wire wire{core(shape), std::holds_alternative<Ring>(shape), round_radius(shape)};
  if (wire.corners.empty()) return std::nullopt;
  for (Vector3& corner : wire.corners) corner = x + axes * corner;
  return wire;
}

std::optional<std::vector<FacingPoint>> facing_points(const Wire& a, const Wire& b, double reach) {
  const std::vector<Piece> of_a = pieces(a), of_b = pieces(b);
  const double close = reach + a.radius + b.radius;
  std::vector<Meeting> nearest_of;  // all pairs; of those that are not close a lower bound
  for (const Piece& piece_a : of_a)
    for (const Piece& piece_b : of_b) {
      const double least = (piece_a.at(0.5) - piece_b.at(0.5)).norm() -
                           (piece_a.along.norm() + piece_b.along.norm()) / 2;
      nearest_of.push_back(least > close ? Meeting{0, 0, least} : nearest(piece_a, piece_b));
    }
  const auto distance = [&](std::size_t i, std::size_t j) {
    return nearest_of[i * of_b.size() + j].distance;
  };
  // Not so at a corner from where the distance shrinks along the next piece.
  const auto is_smallest = [&](std::size_t i, std::size_t j, const Meeting& at) {
    for (const std::size_t k : pieces_at(i, at.a, of_a.size(), a.closed))
      for (const std::size_t l : pieces_at(j, at.b, of_b.size(), b.closed))
        if (distance(k, l) < at.distance - gap_round_off) return false;
    return true;
  };

  Places places;
  for (std::size_t i = 0; i < of_a.size(); ++i)
    for (std::size_t j = 0; j < of_b.size(); ++j) {
      const auto add = [&](const Meeting& at) {
        if (at.distance > close) return;
        const Vector3 on_a = of_a[i].at(at.a), on_b = of_b[j].at(at.b);
        places.add(on_a, on_b, a.radius, b.radius, (on_a - on_b) / at.distance, at.distance);
      };
      const Meeting& closest = nearest_of[i * of_b.size() + j];
      if (closest.distance == 0) return std::nullopt;
      if (closest.distance > close) continue;
      if (is_smallest(i, j, closest)) add(closest);
      if (!parallel(of_a[i], of_b[j])) continue;
      for (const EndMeeting& end : ends(of_a[i], of_b[j]))
        if (end.opposite) add(end.at);
    }
  return places.take();
}

std::optional<std::vector<FacingPoint>> facing_points(const Wire& a, const Box& b, double reach) {
  const std::vector<Piece> of_a = pieces(a);
  std::vector<double> shares, distances;
  for (const Piece& piece : of_a) {
    shares.push_back(snapped(nearest_share(piece, b), piece));
    const Vector3 point = piece.at(shares.back());
    distances.push_back((point - nearest_point(b, point)).norm());
    if (distances.back() == 0) return std::nullopt;
  }

  Places places;
  for (std::size_t i = 0; i < of_a.size(); ++i) {
    const Piece& piece = of_a[i];
    if (distances[i] - a.radius > reach) continue;
    const Vector3 point = piece.at(shares[i]), below = nearest_point(b, point);
    bool smallest = true;
    for (const std::size_t k : pieces_at(i, shares[i], of_a.size(), a.closed))
      smallest = smallest && distances[k] >= distances[i] - gap_round_off;
    if (smallest)
      places.add(point, below, a.radius, 0, (point - below) / distances[i], distances[i]);

    const int face = face_below(point, b);
    if (face < 0 || std::abs(piece.along[face]) > max_box_angle * piece.along.norm()) continue;
    const auto [low, high] = over_face(piece, b, face);
    for (const double end : {low, high}) {
      const Vector3 over = piece.at(end), on_face = nearest_point(b, over);
      const double height = std::abs(over[face]) - b.half_extents[face];
      const Vector3 outward = std::copysign(1.0, over[face]) * Vector3::Unit(face);
      if (height - a.radius <= reach) places.add(over, on_face, a.radius, 0, outward, height);
    }
  }
  return places.take();
}

}  // namespace frictionbench::scenes
