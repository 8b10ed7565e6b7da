/// \file
/// Where points are on the paper.
#pragma once

#include <array>
#include <limits>
#include <span>
#include <vector>

#include "frictionbench/simulation/frame.hpp"

namespace frictionbench::simulation {

using Vector2 = Eigen::Vector2d;  ///< pixels, to the right and down

inline constexpr double picture_width = 800, picture_margin = 24;  ///< pixels

/// Whether a plane is one that bodies lie on.
inline bool is_ground(const Plane& plane) { return plane.normal.z() > 0.7; }

/// A parallel projection from a fixed side, fitted to what is to be seen.
class Camera {
 public:
  /// \param frames of one simulation, at least one.
  explicit Camera(std::span<const Frame> frames);

  double height() const { return height_; }            ///< of the picture, pixels
  double scale() const { return scale_; }              ///< pixels per metre
  double strongest() const { return strongest_; }      ///< the largest impulse, N s
  const Vector3& towards() const { return towards_; }  ///< the viewer; a unit vector
  double depth(const Vector3& point) const { return point.dot(towards_); }  ///< larger is nearer
  Vector2 operator()(const Vector3& point) const;  ///< where it is on the paper
  double light(const Vector3& normal) const;       ///< brightness of a face, 0 to 1

  /// Whether a plane is one that is seen behind bodies.
  bool is_wall(const Plane& plane) const {
    return !is_ground(plane) && plane.normal.dot(towards_) > 0;
  }
  /// The rectangle of a level plane under all that is seen.
  std::array<Vector3, 4> ground(const Plane& plane) const;
  /// The polygon of a plane within the box around all that is seen; empty where it does not meet it.
  std::vector<Vector3> wall(const Plane& plane) const;

 private:
  Vector2 projected(const Vector3& point) const { return {point.dot(right_), point.dot(up_)}; }
  void see(const Vector3& point, double reach);
  void see(const Frame& frame);

  static constexpr double infinity = std::numeric_limits<double>::infinity();
  Vector3 towards_, right_, up_;  // the viewer; to the right and upwards on the paper
  Vector2 low_ = Vector2::Constant(infinity), high_ = Vector2::Constant(-infinity);
  Vector3 box_low_ = Vector3::Constant(infinity), box_high_ = Vector3::Constant(-infinity);
  double scale_ = 1, height_ = picture_width, left_ = 0;
  double strongest_ = 0;
};

}  // namespace frictionbench::simulation
