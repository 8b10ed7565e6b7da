/// \file
/// A point near the central path of the NCP, and the equations there.
#pragma once

#include <limits>

#include "frictionbench/solvers/interior_point/cone_series.hpp"
#include "frictionbench/solvers/interior_point/newton_system.hpp"
#include "frictionbench/solvers/interior_point/path_series.hpp"

namespace frictionbench::solvers {

enum class Correction { norm, smooth };  ///< De Saxcé's, s(z): ||z_1||, or smooth_slip()

/// A point (y, x, z, tau) near a central path in cone coordinates,
///
///     F = E (W (E y + c) + q) + eps tau y + A^T (w s(z) e - z) = 0,     x = A y + b,     x o z = tau e
///
/// with w = 1 - tau / tau_0 and s = ||z_1||, which is what û has, or smooth_slip(). The path starts
/// at tau = tau_0, in the one central point of the CCP there, and ends at tau = 0, in the NCP; with
/// tau_0 = infinity it is the central path of the NCP. eps tau makes it exist where contacts can
/// press against each other without limit.
///
/// A point is near the path if
///
///     max_i ||lambda_i o lambda_i - tau e|| / tau < 1/4   and   max_i ||N_i F_i|| < sqrt(tau) / 40
///
/// and the same for N_i^-1 times the error of x, with the scaling N of CentralPath, which measures the
/// error of a small z finely. (Where A is not I, F_i stands for the shortest vector f with A^T f = F; in
/// rows without a cone N = I.) An infeasible
/// method, which lets F and tau shrink together, meets points at which the Newton
/// matrix is singular long before an answer; from near the path, tau can fall by a factor. An F
/// that is not small enough for that counts as 0 as far as it may be rounding.
///
/// Directions are changes of x, z, tau and y, one after the other: 2 p + 1 + m. From assess() until it moves,
/// a point knows its errors; directions are those of the matrix factored last.
///
/// \tparam Coordinates FrictionCoordinates or ConicCoordinates.
template <typename Coordinates>
class PathPoint {
  static constexpr int rows = Coordinates::cone_rows;
  static constexpr int refinements = 8;  // of a direction

 public:
  using System = NewtonSystem<Coordinates>;
  using Path = CentralPath<rows>;

  static constexpr double largest_reduction = 0.999;  ///< of tau that advance() trusts, as a share

  struct Place {
    Path path;  ///< x and z
    Vector y;   ///< m
    double tau;
    double relaxed_at;  ///< tau_0
  };

  /// x = z = e, y = 0 and tau = 1 on the path of the NCP. Both must outlive it. \param regularization eps.
  PathPoint(const Coordinates& coordinates, Solve& solve, double regularization);

  /// \name Where it is
  /// @{
  const Place& place() const { return place_; }
  void go_to(Place place) { place_ = std::move(place); }  ///< where place() was
  double tau() const { return place_.tau; }
  const Path& path() const { return place_.path; }
  Vector impulse() const { return coordinates_.impulse(place_.y); }  ///< m
  /// @}

  /// \name Moves
  /// @{
  /// x = z = e, on the path from the CCP at tau_0 = tau.
  void begin_relaxation(double tau);
  /// x o z = tau e with x - z = x(r) - z(r), where x(r) belongs to r (m) and z(r) to û.
  void enter(const Vector& r, double tau, Correction correction);
  void change_tau(double tau) { place_.tau = tau; }
  void correct_by(Correction correction) { correction_ = correction; }
  void leave_relaxation() { place_.relaxed_at = std::numeric_limits<double>::infinity(); }
  /// As far along a direction, tau left out, as it stays in the cones. \param step the part to go, at
  /// most, in (0, 1].
  void move(double step, const Vector& dx, const Vector& dz, const Vector& dy);
  /// The whole of a direction. \returns false, without having moved, if that leads out of the cones, or
  /// changes tau further than is trusted.
  [[nodiscard]] bool advance(const Vector& direction);
  /// @}

  /// \name What assess() finds
  /// @{
  void assess();
  const Vector& r() const { return r_; }  ///< impulse, m
  const Vector& u() const { return u_; }  ///< its velocity, m
  double distance() const;                ///< from the path; below 1 is near, NaN is not
  bool is_near() const { return distance() < 1; }
  /// @}

  /// \name Directions
  /// @{
  /// Factors the matrix of Newton's method. \param rho added to J in each cone; empty for none.
  /// \returns false if it cannot be factored.
  [[nodiscard]] bool factorize(const Vector& rho = {});
  int determinant_sign() const { return system_.determinant_sign(); }

  /// To F = 0 and to a product x o z that is linearised. \param p as in dz = p - D dx, p.
  typename System::Direction towards(const Vector& p) {
    return system_.direction(place_.path, F_, p, slack_);
  }
  Vector newton();   ///< to the path at this tau
  Vector tangent();  ///< of length 1, with the orientation that the determinant gives

  /// In coordinates in which a cone's change by its own size has length 1, and one of tau; without
  /// y: 2 p + 1.
  Vector scaled(const Vector& direction) const;

  /// The path from here by the arclength, as a series to order 8. What the point lacks falls with
  /// 1 - a / reach, but not on a way so short that it would be steep. \param along tangent().
  PathSeries expand(const Vector& along, double reach);
  /// @}

 private:
  double weight() const { return 1 - place_.tau / place_.relaxed_at; }  // w
  double slip_of(Index i) const;
  ConeMatrix<rows> jacobian(Index i) const;  // I - w ds/dz
  void measure();
  struct Direction {
    Vector all;     // as newton() has it
    Vector scaled;  // as scaled() has it
  };
  Direction direction(const Vector& lacking, const Vector& p, double dtau,
                      const Vector& slack = {});
  Direction to_path();

  const Coordinates& coordinates_;
  Index rows_of_cones_;  // p
  Solve& solve_;
  double regularization_;
  System system_;
  Place place_;
  Correction correction_ = Correction::norm;

  Vector r_, u_, F_;
  Vector slack_;  // A y + b - x, p, or empty where x is y
  const BlockDiagonal* D_ = nullptr;
  double deviation_ = 0, infeasibility_ = 0;
};

extern template class PathPoint<FrictionCoordinates<2>>;
extern template class PathPoint<FrictionCoordinates<3>>;
extern template class PathPoint<ConicCoordinates>;

}  // namespace frictionbench::solvers
