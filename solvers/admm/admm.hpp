/// \file
/// ncp-admm and ccp-admm: settings, their common start, and the two algorithms that `variant`
/// chooses from.
#pragma once

#include "frictionbench/linalg/shifted_cholesky.hpp"
#include "frictionbench/math/anderson_acceleration.hpp"
#include "frictionbench/solver/registry.hpp"

namespace frictionbench::solvers {

// Choices of the settings below; describe() says what each means.
enum class AdmmVariant { accelerated, rss2024 };
enum class PenaltyRule { spectral, linear, constant };
enum class StrongConvexity { eta, smallest_eigenvalue };
enum class StoppingTest { admm, verified };
enum class Balance { absolute, relative, velocity, agreed };
enum class Factorization { automatic, dense, simplicial, supernodal, dual };

/// The first block is that of [Carpentier24]; the second belongs to the accelerated variant, and
/// the preset variant=rss2024 makes all of it neutral. describe() gives ranges and sources.
struct AdmmSettings {
  AdmmVariant variant = AdmmVariant::accelerated;

  PenaltyRule rho_update = PenaltyRule::spectral;
  double p_initial = 0.25;  ///< initial exponent p in rho = sqrt(m L) kappa^p
  double p_inc = 0.05;      ///< spectral: increment of p
  double p_dec = 0.05;      ///< spectral: decrement of p
  double rho_initial = 0;   ///< initial penalty, in the unit of W; 0: from p_initial by (45)
  double tau_inc = 2;       ///< linear: factor by which rho grows
  double tau_dec = 2;       ///< linear: factor by which rho shrinks
  double alpha = 10;        ///< ratio of the residuals above which rho changes
  double eta = 1e-6;        ///< m in (45), and the proximal term as published; unit of W
  StrongConvexity strong_convexity = StrongConvexity::eta;  ///< what m in (45) is
  int power_iterations = 20;  ///< to estimate L, the largest eigenvalue in (45)
  StoppingTest stop = StoppingTest::verified;

  Scaling scaling = Scaling::contacts;
  double relaxation = 1;  ///< f is replaced by y + relaxation (f - y)
  int start_sweeps = 50;  ///< Gauss-Seidel sweeps for the initial y, z and weights
  Balance balance = Balance::agreed;
  int hold = 40;               ///< minimum number of iterations between changes of rho
  double hysteresis = 2;       ///< growth of hold when rho reverses direction
  double contact_weight = 30;  ///< rho_i / rho of a separating contact; inverse of a sticking one's
  int weight_first = 40;       ///< iteration of the first update of the weights
  double weight_growth = 3;    ///< ratio between the iterations of successive updates
  int anderson = 20;           ///< memory of the Anderson acceleration; 0: none
  AndersonAcceleration::Type anderson_type = AndersonAcceleration::Type::two;
  double safeguard = 2;  ///< growth of the residual that rejects an accelerated iterate
  double ray = 0.02;     ///< relative change of the residual below which steps double; 0: never
  int patience = 100;    ///< iterations in which the best residual must halve; 0: no limit
  Factorization factorization = Factorization::automatic;

  /// The paper's values: what variant=rss2024 stands for.
  static AdmmSettings rss2024();

  void describe(SettingFields& fields);

  /// \throws std::invalid_argument for settings that the chosen variant does not have.
  void validate() const;
};

/// Where an ADMM starts: an impulse in the cone and its dual variable.
struct AdmmStart {
  Vector y;  ///< in K, m
  /// In K^*, m: v + P_K(-v) for v = û (NCP) or u (CCP) at y; zero for y = 0 without sweeps. Of sets that
  /// are not cones a guess.
  Vector z;
};

/// Projects the start of the solve on the cone and improves it by sweeps of block projected
/// Gauss-Seidel,
///
///     r_i <- P_K(r_i - dim / trace(W_ii) v_i)      v_i is the newest û_i (NCP) or u_i (CCP)
///
/// which [LeLidec24] Algs. 2 and 6 share, except for how the step is split. Contacts whose block
/// has trace 0 keep their start. In a problem that is not plain the largest eigenvalue of W_ii takes the
/// place of the mean one, trace / dim.
AdmmStart admm_start(Solve& solve, int sweeps);

/// [Carpentier24] Alg. 1 as published, with s_k = Γ(z_{k-1}) for the NCP and s = 0 for the CCP,
/// which makes it the convex subproblem (28a) alone, or [LeLidec24] Alg. 3 with a proximal term and
/// the penalty rules of [Carpentier24]:
///
///     f_k = -(W + (eta + rho) I)^-1 (q + s_k - eta f_{k-1} - rho y_{k-1} - z_{k-1})
///     y_k = P_K(f_k - z_{k-1} / rho),   z_k = z_{k-1} - rho (f_k - y_k)
///
/// rho is updated by (46) or (44) after every iteration. The answer is y_k.
///
/// Choices where the paper leaves room:
///  1. The initial rho is (45) at m = eta, L = lambda_max(W) + eta by power iteration, p = 0.2.
///     After (45), m is the smallest eigenvalue, which is eta wherever contacts are hyperstatic;
///     `strong_convexity=smallest_eigenvalue` estimates it.
///  2. W of a real file is not quite symmetric; its symmetric part is factored, which is the
///     problem that the method solves.
///  3. The paper stops on the residuals (40)-(42) of the ADMM itself. They bound the error of f_k,
///     not of the answer y_k at u = W y_k + q: on real files most solves that satisfy them fail the
///     verdict. So once (43) holds, the residuals of the answer are tested as well
///     (`stop=verified`); the iterates are the same. `stop=admm` is the paper's test alone.
void proximal_admm(const AdmmSettings& settings, Solve& solve);

/// The ADMM of [Carpentier24], extended for files whose units, masses and numbers of contacts
/// differ widely: Alg. 1 in the residual form, for s(z) = Γ(z) (NCP) or 0 (CCP), with a penalty per
/// contact, R = diag(rho_i):
///
///     y = P_K(x),  z = R (y - x),  u = W y + q
///     f = y - (F + R)^-1 (u + s(z) - z),     F the symmetric part of W
///     x <- x + relaxation (f - y)
///
/// For F = W, R = rho I and eta = 0 these are the iterates of (37)-(39) and (36c), with x = y - z /
/// rho (Douglas and Rachford's variable). Deviations from the paper, each with its setting:
///
///  1. `scaling`: the problem is equilibrated by one factor per contact (ContactScaling).
///  2. The residual u is that of W as the file states it; only the matrix that divides it is
///     symmetric. So the asymmetric part of W is carried on the right-hand side, at no cost.
///  3. R > 0 does the work of the proximal term eta, which is left out; eta is only the m in (45).
///  4. `contact_weight`: separating contacts need a large rho_i (it forces f_i = 0), sticking ones
///     a small one (f_i is free). Weights follow the contacts' states, at growing intervals.
///  5. `balance`, `hold`, `hysteresis`: what rho reacts to, and how often.
///  6. `start_sweeps`: the first y, z and weights come from a few Gauss-Seidel sweeps.
///  7. `anderson`, `ray`, `patience`: SafeguardedAcceleration.
///  8. The stopping test uses the model's residuals of the answer y at u, in every iteration.
///
/// Ends as stalled when iterates no longer change in double precision.
void accelerated_admm(const AdmmSettings& settings, Solve& solve);

}  // namespace frictionbench::solvers
