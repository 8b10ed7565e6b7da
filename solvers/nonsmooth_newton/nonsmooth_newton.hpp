/// \file
/// The nonsmooth Newton iteration that ncp-newton and ncp-prox share.
#pragma once

#include <vector>

#include "frictionbench/linalg/counted.hpp"
#include "frictionbench/linalg/shifted_lu.hpp"
#include "frictionbench/solver/registry.hpp"
#include "frictionbench/solvers/nonsmooth_newton/contact_function.hpp"

namespace frictionbench::solvers {

/// How a contact's VelocityFactors are made from its W_ii.
enum class FactorRule {
  spectral,  ///< one for all directions, 1 / the largest eigenvalue of W_ii
  split,     ///< normal: 1 / W_NN; tangent: 1 / the largest eigenvalue of W_TT
};

/// describe() gives ranges and sources; most defaults were chosen on real files.
struct NonsmoothNewtonSettings {
  Scaling scaling = Scaling::contacts;
  ContactFunction function = ContactFunction::alart_curnier;
  FactorRule rho = FactorRule::spectral;
  double rho_factor = 10;  ///< multiplies the velocity factors of `rho`
  double damping = 1;      ///< l at the start and after sweeps
  int attempts = 4;        ///< largest number of matrices factored in an iteration
  double decrease =
      1e-4;          ///< share of the first-order decrease of ||F||^2 / 2 that a step must bring
  int memory = 10;   ///< values of ||F||^2 / 2 that the line search compares with; 1: monotone
  int halvings = 4;  ///< of a step before it is given up
  int start_sweeps = 50;   ///< before the first iteration
  int rescue_sweeps = 50;  ///< in place of an iteration that finds no step
  int patience = 200;      ///< iterations without a residual one per cent lower that end the solve

  void describe(SettingFields& fields);
};

/// Finds F(r, u) = 0 in every contact (contact_function.hpp), where u = W r + q + alpha (r - c):
/// the NCP if alpha = 0, otherwise the problem of a proximal step from c. With A = dF/du and
/// B = dF/dr, block diagonal, an iteration is
///
///     (A (W + (alpha + beta) I) + B) d = -F,     r <- r + t d
///
/// The damping beta = l min(1, e), e = ||F|| / sqrt(n_c), keeps the matrix regular where W is
/// singular and all contacts stick; it is the shift of a proximal step taken inexactly, and gone
/// where F = 0, so that convergence stays fast. l is adapted as Levenberg and Marquardt adapt
/// theirs: less after a full step, ten times as much where the matrix is singular or d allows no
/// step.
///
/// t = 1, 1/2, .. is the first to satisfy Armijo's condition on ||F||^2 / 2 relative to the largest
/// of the last `memory` values (Grippo, Lampariello, Lucidi, SIAM J. Numer. Anal. 23, 1986). Such
/// a search may climb, as it must to get past the kinks of F. If none of `attempts` matrices brings
/// a step, the iteration is `rescue_sweeps` sweeps of nonsmooth Gauss-Seidel (ncp-nsgs), wherever
/// they lead.
template <int Dim>
class NonsmoothNewton {
 public:
  /// Both must outlive it.
  NonsmoothNewton(const NonsmoothNewtonSettings& settings, Solve& solve);

  /// Poses the NCP and goes to r by `start_sweeps` sweeps from `start`. \param start m.
  void start(const Vector& start);

  /// The same from where it is.
  void restart() { start(Vector(r_)); }

  /// Poses the problem of a proximal step from where it is: c = r. \param alpha > 0.
  void pose_proximal_step(double alpha);

  /// One iteration, which factors at most `attempts` times.
  void advance();

  /// P_K(r), m.
  Vector impulse() const;
  /// W x + q, one product. \param x m.
  Vector velocity(const Vector& x) const { return rows_.velocity(x); }

  /// e = ||F|| / sqrt(n_c) of the problem posed, in the unit of an impulse.
  double error() const { return mean_error(merit_); }
  /// The same of the NCP.
  double ncp_error() const;

  int rescues() const { return rescues_; }  ///< iterations so far that were sweeps

 private:
  using Contact = ConeVector<Dim>;

  ContactEquation<Dim> equation(Index i, const Vector& r, const Vector& u) const;
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
  ContactSweeps<Dim> rows_;
  ShiftedLu lu_;

  double alpha_ = 0;
  Vector proximal_velocity_;  // -alpha c
  std::vector<VelocityFactors> rho_;

  Vector r_, u_, F_;
  BlockDiagonal A_, B_, shift_;
  double merit_ = 0;            // ||F||^2 / 2
  std::vector<double> merits_;  // the last of them
  double damping_;              // l
  int rescues_ = 0;
};

extern template class NonsmoothNewton<2>;
extern template class NonsmoothNewton<3>;

}  // namespace frictionbench::solvers
