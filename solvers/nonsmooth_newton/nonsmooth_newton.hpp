/// \file
/// The nonsmooth Newton iteration that ncp-newton and ncp-prox share, and ncp-newton itself.
#pragma once

#include <vector>

#include "frictionbench/linalg/counted.hpp"
#include "frictionbench/linalg/shifted_lu.hpp"
#include "frictionbench/math/recent_values.hpp"
#include "frictionbench/solver/registry.hpp"
#include "frictionbench/solvers/nonsmooth_newton/contact_function.hpp"

namespace frictionbench::solvers {

/// How a contact's VelocityFactors follow from its W_ii; see the setting `rho`.
enum class FactorRule { spectral, split };

/// describe() gives ranges and sources; most defaults were chosen on real files.
struct NonsmoothNewtonSettings {
  Scaling scaling = Scaling::contacts;
  ContactFunction function = ContactFunction::alart_curnier;
  FactorRule rho = FactorRule::spectral;
  double rho_factor = 10;  ///< multiplies the factors of `rho`
  double damping = 1;      ///< l at the start and after sweeps
  int attempts = 4;        ///< maximum number of factorisations per iteration
  double decrease = 1e-4;  ///< Armijo constant
  int memory = 10;         ///< values of ||F||^2 / 2 that the line search compares with
  int halvings = 4;        ///< maximum number of step halvings
  int start_sweeps = 50;   ///< before the first iteration
  int rescue_sweeps = 50;  ///< in place of an iteration without a step
  int patience = 200;      ///< iterations without a 1 % decrease of the residual that end the solve

  void describe(SettingFields& fields);
};

/// Finds F(r, u) = 0 in every contact (contact_function.hpp), where u = W r + q + alpha (r - c):
/// the NCP if alpha = 0, otherwise the problem of a proximal step from c. With A = dF/du and
/// B = dF/dr, block diagonal, an iteration is
///
///     (A (W + (alpha + beta) I) + B) d = -F,     r <- r + t d
///
/// The damping beta = l min(1, e), e = ||F|| / sqrt(n_c), keeps the matrix regular where W is
/// singular and all contacts stick; it acts like the shift of an inexact proximal step, and
/// vanishes with F, so that convergence stays fast. l is adapted as in Levenberg-Marquardt: smaller
/// after a full step, ten times larger if the matrix is singular or d allows no step.
///
/// t = 1, 1/2, .. is the first to satisfy Armijo's condition on ||F||^2 / 2 relative to the largest
/// of the last `memory` values (Grippo, Lampariello, Lucidi, SIAM J. Numer. Anal. 23, 1986). Such
/// a search may climb, as it must to get past the kinks of F. If none of `attempts` matrices yields
/// a step, the iteration is `rescue_sweeps` sweeps of nonsmooth Gauss-Seidel (ncp-nsgs), accepted
/// unconditionally.
///
/// Blocks of a problem that is not plain all have the natural map of their set (NaturalMap), whatever
/// `function` and `rho` say.
/// \tparam Rows what Solve::with_sweeps() gives.
template <typename Rows>
class NonsmoothNewton {
 public:
  /// The settings and the solve must outlive it.
  NonsmoothNewton(const NonsmoothNewtonSettings& settings, Solve& solve, const Rows& rows);

  /// Poses the NCP and computes r by `start_sweeps` sweeps from `start`. \param start m.
  void start(const Vector& start);

  /// The same from the current r.
  void restart() { start(Vector(r_)); }

  /// Poses the problem of a proximal step from the current r: c = r. \param alpha > 0.
  void pose_proximal_step(double alpha);

  /// One iteration, which factors at most `attempts` times.
  void advance();

  /// P_K(r), m.
  Vector impulse() const;
  /// W x + q, one product. \param x m.
  Vector velocity(const Vector& x) const { return rows_.velocity(x); }

  /// e = ||F|| / sqrt(n_c) of the problem posed, in the unit of an impulse.
  double error() const { return mean_error(merit_); }
  /// The same for the NCP.
  double ncp_error() const;

  int rescues() const { return rescues_; }  ///< iterations so far that were replaced by sweeps

 private:
  using Segment = typename Rows::Segment;
  using Block = typename Rows::Block;

  auto equation(Index i, const Vector& r, const Vector& u) const;
  double merit_at(const Vector& r, const Vector& u) const;
  double mean_error(double merit) const;
  void pose(double alpha, const Vector& centre);
  void arrive();
  double try_step(double damping);
  double search(const Vector& direction);
  void sweep(int sweeps);

  const NonsmoothNewtonSettings& settings_;
  const Solve& solve_;
  TrialSteps trials_;
  const DelassusOperator& W_;
  Rows rows_;
  ShiftedLu lu_;

  double alpha_ = 0;
  Vector proximal_velocity_;  // -alpha c
  std::vector<VelocityFactors> rho_;

  Vector r_, u_, F_;
  BlockDiagonal A_, B_, shift_;
  double merit_ = 0;  // ||F||^2 / 2
  RecentValues merits_;
  double damping_;  // l
  int rescues_ = 0;
};

extern template class NonsmoothNewton<ContactSweeps<2>>;
extern template class NonsmoothNewton<ContactSweeps<3>>;
extern template class NonsmoothNewton<BlockSweeps>;

/// Nonsmooth Newton method for the NCP, written as Alart and Curnier's equation or another with the
/// same roots (RR-9118, NSN-AC, NSN-NM and NSN-FB; in Siconos fc3d_nonsmooth_Newton_solvers.c), by
/// the iteration of NonsmoothNewton. Usually one LU factorisation per iteration.
///
/// Deviations from Siconos:
///
///  1. The problem is equilibrated contact by contact first; `scaling=none` disables it.
///  2. Sweeps of Gauss-Seidel find the neighbourhood that Newton's method needs. Siconos starts at
///     the guess, or from 50 iterations of an extragradient method (hybrid strategy VI_EG_NSN).
///  3. The matrix is damped. Siconos uses it undamped, even if it is singular, and leaves
///     regularity to the proximal method around it.
///  4. The line search is not monotone, and has few halvings. Siconos bisects for Goldstein and
///     Price's conditions (AC, NM) or Armijo's (FB), 100 times, and takes the full step if that
///     fails; here, sweeps follow.
///  5. What is judged, and returned, is P_K(r).
void ncp_newton_method(const NonsmoothNewtonSettings& settings, Solve& solve);

}  // namespace frictionbench::solvers
