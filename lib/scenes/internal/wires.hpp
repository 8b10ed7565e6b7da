/// \file
/// Contacts of shapes that are round about a core of straight pieces: balls, capsules and rings.
///
/// Two of them touch where the distance of their cores is smallest, which it may be at several places:
/// two rings that hang in each other by corners touch at four. Such a place is a pair of points whose
/// distance does not shrink if either moves a little along its core. Pieces that are parallel up to
/// max_box_angle touch along a line, and have contacts at both of its ends, too.
#pragma once

#include <optional>
#include <vector>

#include "frictionbench/scenes/internal/shapes.hpp"

namespace frictionbench::scenes {

/// A core in any coordinates, and the radius about it.
struct Wire {
  std::vector<Vector3> corners;  ///< at least one
  bool closed = false;           ///< whether a piece joins the last corner to the first
  double radius = 0;             ///< m
};

/// The wire of a ball, capsule or ring, with its corners moved to x + axes corner; nothing for others.
std::optional<Wire> wire_of(const Shape& shape, const Matrix3& axes, const Vector3& x);

/// The points where two wires are at most `reach` (m) apart; normals point out of b.
/// \returns nothing if their cores meet.
std::optional<std::vector<FacingPoint>> facing_points(const Wire& a, const Wire& b, double reach);

/// The points where a wire, in the axes of the box, is at most `reach` (m) away from it; normals point
/// out of the box. A piece that is parallel to a face up to max_box_angle has contacts at both ends of
/// what is over the face.
/// \returns nothing if the core meets the box.
std::optional<std::vector<FacingPoint>> facing_points(const Wire& a, const Box& b, double reach);

}  // namespace frictionbench::scenes
