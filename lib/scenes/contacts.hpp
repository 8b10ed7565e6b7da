/// \file
/// Analytic contact detection: every point, normal and gap in closed form.
#pragma once

#include <stdexcept>
#include <vector>

#include "frictionbench/scenes/world.hpp"

namespace frictionbench::scenes {

/// One contact point. A positive first component of the relative velocity at `point`,
/// u = C^T (velocity of a - velocity of b), opens the contact. An impulse r acts as C r on a and
/// -C r on b.
struct Contact {
  static constexpr int fixed = -1;  ///< stands for a plane or a fixture

  int a = 0;                            ///< body on the side the normal points to
  int b = fixed;                        ///< the other body, or `fixed`
  Vector3 point = Vector3::Zero();      ///< where the impulse acts, m
  Matrix3 frame = Matrix3::Identity();  ///< C: columns N, T1, T2, orthonormal and right-handed
  double gap = 0;                       ///< distance along N, m; negative if the surfaces overlap
  double mu = 0.5;                      ///< geometric mean of the coefficients of both surfaces
  /// From body b to the copy of it that a touches, m; zero unless the world is periodic.
  Vector3 shift = Vector3::Zero();
  /// Which of the planes and then of the fixtures, if b is `fixed`.
  int fixture = 0;
};

/// Thrown for configurations that the closed formulas do not cover.
class UnsupportedContact : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Largest angle (rad) between faces in contact for which box-box and wedge-wedge contacts are
/// computed, and between a wire and what it touches along a line rather than at a point.
inline constexpr double max_box_angle = 0.1;

/// Gaps below this (m) are rounding errors of touching bodies, and are set to zero.
inline constexpr double gap_round_off = 1e-12;

/// Smallest edge (m) of the overlap rectangle of two faces that still counts as touching.
inline constexpr double min_box_overlap = 1e-6;

/// Orthonormal right-handed frame with first column `normal` (unit). The tangents come from the
/// world axis x, or y where the normal is within 45 degrees of x. In 2D T1 is the normal turned by
/// +90 degrees and T2 = z.
Matrix3 contact_frame(const Vector3& normal, int dimension);

/// All contacts of the world, in an order that depends only on the order of planes and bodies: body
/// by body, first with the planes, then with the fixtures, then with the bodies before it (a is the later
/// body). Redundant ones are left out if `reduction` is positive (reduction.hpp).
///
/// A point becomes a contact if its gap is at most `contact_margin` now, or would be at the end of
/// a step with the free velocity v + h (g + F / m), so that bodies do not pass through each other.
///
/// Covered: ball-plane, ball-ball, box-plane and wedge-plane (each corner), ball-box and ball-wedge
/// (centre of the ball outside), and box-box if the two are rotated against each other by at most
/// max_box_angle. Two such boxes touch in the overlap of the pair of faces with the largest separation; its four
/// corners (two ends in 2D) are the contacts, and as many points between them as one of the boxes has
/// on its faces. They are exact for aligned boxes. For rotated ones
/// the gap under each corner is exact, and the outline of the overlap is off by up to edge length
/// times angle. Wedges touch each other in the same way, with their sides: two that face each other
/// within max_box_angle, whatever the angle between the bodies.
///
/// Capsules and rings, which are round about a core of straight pieces, touch each other, balls and boxes
/// where the distance from the core is smallest, which it may be at several places; and where a piece is
/// parallel to a piece or a face within max_box_angle, at both ends of the line along which they touch.
/// They touch planes below every end of a piece.
///
/// In a periodic world a body touches the copy of another whose centre is nearest. Fixtures have no
/// copies.
///
/// \throws UnsupportedContact for nearby boxes that are rotated further, wedges that touch otherwise,
///         a wedge near a box or a wire, a ball inside a box or wedge, a core that meets a box or another
///         core, and a body so large, beyond a sixth of the period in radius, that it might touch two
///         copies of another.
std::vector<Contact> detect_contacts(const World& world);

}  // namespace frictionbench::scenes
