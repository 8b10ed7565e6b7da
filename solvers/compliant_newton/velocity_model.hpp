/// \file
/// The velocities that the primal Newton iteration works in.
#pragma once

#include <algorithm>
#include <memory>

#include "frictionbench/linalg/block_diagonal.hpp"
#include "frictionbench/linalg/work_counters.hpp"
#include "frictionbench/problem/contact_problem.hpp"

namespace frictionbench::solvers {

/// The sizes of the momentum balance A (v - v*) = J^T r, all scaled by diag(A)^-1/2
/// ([Castro22] (25)).
struct MomentumBalance {
  double residual = 0;  ///< ||A (v - v*) - J^T r||
  double momentum = 0;  ///< ||A v||
  double impulse = 0;   ///< ||J^T r||

  double size() const { return std::max(momentum, impulse); }
  double error() const { return residual == 0 ? 0 : residual / size(); }  ///< e_m, [Castro22] (32)
};

/// A Newton direction dv = -H^-1 (A (v - v*) - J^T r), with what the line search needs.
struct NewtonDirection {
  Vector state;      ///< change of the state
  Vector contact;    ///< J dv, m
  double slope;      ///< dv.A (v - v*)
  double curvature;  ///< dv.A dv
};

/// Velocities v with inertia A, free velocity v* and contact velocity u = J v + c, so that
/// W = J A^-1 J^T and q = J v* + c. A state represents a v, in coordinates of the model's own.
///
/// [Castro22] has u = J v and subtracts a stabilisation velocity v_hat; here there is no
/// stabilisation, and c takes the place of -v_hat.
class VelocityModel {
 public:
  virtual ~VelocityModel() = default;

  /// The state of v* + A^-1 J^T r. \param r m.
  virtual Vector state(const Vector& r) = 0;
  /// u, m.
  virtual Vector contact_velocity(const Vector& state) = 0;
  /// (v - v*).A (v - v*) / 2.
  virtual double momentum_cost(const Vector& state) = 0;
  /// The generalised velocity v of a state, n; empty without a global form.
  virtual Vector velocity(const Vector& state) const = 0;
  /// \param r m.
  virtual MomentumBalance balance(const Vector& state, const Vector& r) = 0;

  /// Factors H = A + J^T C C^T J. The pattern, that of all contacts active, is analysed
  /// once. \returns false if H is numerically not positive definite.
  [[nodiscard]] virtual bool factorize(const BlockDiagonal& C) = 0;
  /// With the H that was factored last. \param r the impulse at this state, m.
  virtual NewtonDirection direction(const Vector& state, const Vector& r) = 0;
  /// Whether M, or W where there is no M, is symmetric.
  virtual bool is_symmetric() const = 0;
  /// Moves the part of M, or of W, that is not symmetric to the right-hand side, evaluated at this
  /// state and impulse (m): a fixed point of this, with the problem solved in between, solves the
  /// problem with the matrix that the file states.
  virtual void carry_asymmetry(const Vector& state, const Vector& r) = 0;
  /// Condition number of the matrix that was factored last, at a cost cubic in its size.
  virtual double condition() const = 0;
};

/// The velocities of the global form where the problem has one: A is the symmetric part of M, J is
/// H^T and c is w; the state is v.
///
/// Otherwise those of the local form: A = I, v* = 0, c = q, and any J with J J^T = W_sym, the
/// symmetric part of W. J is never formed: v stays in the range of J^T, the state is the x in
/// v = J^T x, and everything follows from products with W_sym. The Newton system becomes
///
///     (I + C C^T W_sym) dx = r - x,
///     dx = d - C (I + C^T W_sym C)^-1 C^T W_sym d  with  d = r - x        (Woodbury),
///
/// whose symmetric matrix has the blocks of W and the eigenvalues of H, except for ones. It also
/// serves a global problem that is compliant itself, whose W has that compliance.
///
/// `work` and the problem must outlive it. \throws std::runtime_error if the symmetric part of M is
/// not positive definite.
std::unique_ptr<VelocityModel> make_velocity_model(const ContactProblem& problem,
                                                   WorkCounters& work);

}  // namespace frictionbench::solvers
