#include <utility>

#include "frictionbench/linalg/counted.hpp"
#include "frictionbench/linalg/kkt_ldlt.hpp"
#include "frictionbench/solver/registry.hpp"

namespace frictionbench::solvers {

namespace {

enum class MuUnit { delassus, file };
enum class Route { kkt, delassus };

/// Bilateral rows alone by the proximal point algorithm on their multipliers l, [Carpentier24] (18) and
/// (19), which is Carpentier, Budhiraja, Mansard, RSS 2021:
///
///     [ M     H     ] [  v_k+1 ]   [ f             ]
///     [ H^T  -mu I  ] [ -l_k+1 ] = [ -w + mu l_k   ]
///
/// factorised once; or, with v eliminated, (W + mu I) l_k+1 = mu l_k - q with the damped Delassus matrix.
/// Where rows repeat each other (W singular) velocities and H l are unique, and l is what lies nearest to
/// the start. The part of u in a direction of eigenvalue s of W shrinks by mu / (mu + s) in an iteration.
/// Where rows contradict each other, v tends to the least-squares velocity, and l grows without bound.
///
/// Deviations from the papers:
/// 1. (19) prints -rho z^k on the right, which does not follow from (18); the sign here does.
/// 2. An iteration solves for the change of v and l, with what their equations lack on the right. That is
///    the same iteration and one of iterative refinement in one, so that a small mu costs no accuracy.
/// 3. The factorisation has the symmetric part of M, or W; what they lack on the right has all of it.
/// 4. A compliance R is on the diagonal, -(R + mu I), as in (8).
/// 5. The solve ends by the residuals of the problem, not by the change of l; one within the tolerance has
///    u = W l + q, not H^T v + w.
/// 6. The order of elimination is the best for sparsity that AMD finds, through all of the matrix. The
///    papers eliminate M from the leaves of the kinematic tree to its root, then W + mu I as a dense matrix.
struct KktProximal {
  double mu = 1e-6;
  MuUnit mu_unit = MuUnit::delassus;
  Route route = Route::kkt;
  int patience = 100;

  void describe(SettingFields& fields) {
    fields.add(
        "mu", mu, positive(),
        "proximal parameter in the unit that mu_unit says: a compliance that vanishes as the "
        "iteration converges, the faster the smaller it is",
        "[Carpentier24] section V-A: the proximal value eta");
    fields.add("mu_unit", mu_unit, {{"delassus", MuUnit::delassus}, {"file", MuUnit::file}},
               "delassus: mean diagonal of H^T diag(M)^-1 H + R, or of W + R if there is no global "
               "form, so that iterations do not depend on units; file: velocity per impulse in "
               "the units of the file, as the papers have it",
               "chosen here; file: [Carpentier24] (19)");
    fields.add("route", route, {{"kkt", Route::kkt}, {"delassus", Route::delassus}},
               "kkt: sparse LDL^T of the KKT matrix; delassus: Cholesky of W + mu I, which "
               "problems in local form get in any case",
               "kkt: Carpentier, Budhiraja, Mansard, RSS 2021");
    fields.add("patience", patience, at_least(1),
               "iterations that may pass without 1 % less residual; then the solve ends as "
               "stalled, as on rows that contradict each other",
               "chosen here");
  }
};

// The size of W, from its diagonal where M is taken as diagonal, or from W.
double mean_diagonal(const GlobalForm& form, const Vector& R) {
  double sum = R.sum();
  for (Index row = 0; row < form.H.rows(); ++row)
    if (const double mass = form.M.coeff(row, row); mass > 0)
      sum += form.H.row(row).squaredNorm() / mass;
  return sum / static_cast<double>(form.H.cols());
}

double in_file_units(const KktProximal& settings, double size) {
  return settings.mu * (settings.mu_unit == MuUnit::file || !(size > 0) ? 1 : size);
}

/// The iteration on the KKT matrix.
class KktSteps {
 public:
  KktSteps(const KktProximal& settings, Solve& solve)
      : solve_(solve),
        form_(*solve.problem().global()),
        R_(solve.problem().compliance().size() > 0 ? solve.problem().compliance()
                                                   : Vector::Zero(solve.unknowns())),
        M_(form_.M, solve.work().global_products),
        H_(form_.H, solve.work().global_products),
        ldlt_(form_, solve.work()),
        regular_(ldlt_.factorize(
            (R_.array() + in_file_units(settings, mean_diagonal(form_, R_))).matrix())),
        v_(Vector::Zero(form_.f.size())),
        right_(form_.f.size() + solve.unknowns()) {}

  bool is_regular() const { return regular_; }

  void start(const Vector& l) { right_ << form_.f + H_.times(l), -form_.w - R_.cwiseProduct(l); }
  /// One iteration. \returns u of the new l.
  Vector advance(Vector& l) {
    const Vector change = ldlt_.solve(right_);
    v_ += change.head(v_.size());
    l -= change.tail(l.size());
    const Vector u = H_.transposed_times(v_) + R_.cwiseProduct(l) + form_.w;
    right_ << form_.f + H_.times(l) - M_.times(v_), -u;
    return solve_.is_within_tolerance(solve_.residuals(l, u)) ? solve_.W().velocity(l) : u;
  }
  void finish() {
    if (solve_.is_within_tolerance(solve_.residuals())) solve_.return_velocity(std::move(v_));
  }

 private:
  Solve& solve_;
  const GlobalForm& form_;
  Vector R_;
  CountedMatrix M_, H_;
  KktLdlt ldlt_;
  bool regular_;
  Vector v_;
  Vector right_;  // what v and l lack of f and -w
};

/// The iteration on the damped Delassus matrix.
class DelassusSteps {
 public:
  DelassusSteps(const KktProximal& settings, Solve& solve)
      : solve_(solve),
        cholesky_(solve.W().factorization()),
        regular_(
            cholesky_.factorize(in_file_units(settings, solve.W().matrix().diagonal().mean()))) {}

  bool is_regular() const { return regular_; }

  void start(const Vector& l) { u_ = solve_.W().velocity(l); }
  Vector advance(Vector& l) {
    cholesky_.solve_in_place(u_);
    l -= u_;
    u_ = solve_.W().velocity(l);
    return u_;
  }
  void finish() {}

 private:
  Solve& solve_;
  ShiftedCholesky cholesky_;
  bool regular_;
  Vector u_;
};

template <typename Steps>
void iterate(const KktProximal& settings, Solve& solve) {
  Steps steps(settings, solve);
  if (!steps.is_regular())
    return solve.fail("the symmetric part of M, or W, is not positive definite");
  solve.stall_after(settings.patience);
  Vector l = solve.start();
  steps.start(l);
  while (solve.begin_iteration()) {
    const Vector u = steps.advance(l);
    if (solve.ends(l, u)) return steps.finish();
  }
}

void run(const KktProximal& settings, Solve& solve) {
  if (settings.route == Route::kkt && solve.problem().global())
    iterate<KktSteps>(settings, solve);
  else
    iterate<DelassusSteps>(settings, solve);
}

}  // namespace

RegisteredSolver kkt_proximal() {
  return solver_entry(
      {.name = "kkt-proximal",
       .model = ContactModel::ncp,
       .summary = "proximal KKT system of bilateral rows alone, one sparse LDL^T",
       .sources = {"Carpentier, Budhiraja, Mansard, Proximal and sparse resolution of constrained "
                   "dynamic equations, RSS 2021",
                   "[Carpentier24] sections II-A and II-D"},
       .contacts = false,
       .bilateral = Bilateral::block},
      run);
}

}  // namespace frictionbench::solvers
