#include <algorithm>
#include <optional>

#include "frictionbench/problem/blocks.hpp"
#include "frictionbench/solvers/admm/admm.hpp"
#include "frictionbench/solvers/admm/penalty.hpp"
#include "frictionbench/solvers/admm/safeguarded_acceleration.hpp"

namespace frictionbench::solvers {

namespace {

constexpr int stalled_after = 20;     // iterations without a change in double precision
constexpr double longest_hold = 1e9;  // iterations

std::optional<CholeskyBackend> backend_of(Factorization factorization) {
  switch (factorization) {
    case Factorization::automatic:
      return std::nullopt;
    case Factorization::dense:
      return CholeskyBackend::dense;
    case Factorization::simplicial:
      return CholeskyBackend::simplicial;
    case Factorization::supernodal:
      return CholeskyBackend::supernodal;
    case Factorization::dual:
      return CholeskyBackend::dual;
  }
  return std::nullopt;
}

double largest(const Vector& x) { return x.lpNorm<Eigen::Infinity>(); }

// y = P_K(x) and z = R (y - x): complementary by Moreau's decomposition.
struct Split {
  Vector y, z;
};

/// \tparam Blocks of the problem, as with_blocks() gives them.
template <typename Blocks>
class Iteration {
 public:
  Iteration(const AdmmSettings& settings, const Blocks& blocks, Solve& solve)
      : settings_(settings),
        blocks_(blocks),
        solve_(solve),
        W_(solve.W()),
        cholesky_(W_.preconditioner(backend_of(settings.factorization))),
        penalty_(penalty_for(settings, W_, cholesky_)),
        weight_(Vector::Ones(solve.unknowns())),
        acceleration_(settings),
        hold_(settings.hold),
        next_weights_(settings.weight_first) {}

  void run();

 private:
  Vector rho() const { return penalty_.rho() * weight_; }
  Split split(const Vector& x) const;
  Vector balance_force(const Split& now, const Vector& u) const;  // z - s(z) - u
  bool renew_weights(const Split& split);
  int penalty_direction(const Split& now, const Split& then, const Vector& step,
                        const Vector& u) const;
  bool adapt(int iteration, const Split& now, const Split& then, const Vector& step,
             const Vector& u);
  bool refactor();

  // Whether weights or rho may change at this iteration.
  bool change_due(int iteration) const { return iteration >= next_weights_ || since_ >= hold_; }

  const AdmmSettings& settings_;
  const Blocks blocks_;
  Solve& solve_;
  const DelassusOperator& W_;
  ShiftedCholesky cholesky_;
  Penalty penalty_;
  Vector weight_;  // rho_i / rho for every component, m
  SafeguardedAcceleration acceleration_;

  int hold_;                // minimum number of iterations between changes of rho
  int since_ = 0;           // iterations since the last change of R
  int last_direction_ = 0;  // of the last change of rho
  double next_weights_;     // iteration of the next change of weights
};

template <typename Blocks>
Split Iteration<Blocks>::split(const Vector& x) const {
  Split split{Vector(x.size()), Vector(x.size())};
  for (Index i = 0; i < blocks_.count(); ++i) {
    const Index start = blocks_.start(i);
    const double rho_i = penalty_.rho() * weight_[start];
    const auto y_i = blocks_.project(i, blocks_.of(x, i));
    for (Index k = 0; k < blocks_.rows(i); ++k) {
      split.y[start + k] = y_i[k];
      split.z[start + k] = rho_i * (y_i[k] - x[start + k]);
    }
  }
  return split;
}

template <typename Blocks>
Vector Iteration<Blocks>::balance_force(const Split& now, const Vector& u) const {
  Vector b = now.z - u;
  if (solve_.model() == ContactModel::ncp) b -= corrections(solve_.problem(), now.z);
  return b;
}

// Weights by state: separated (y_i = 0), sticking (z_i = 0), sliding. \returns whether any changed.
template <typename Blocks>
bool Iteration<Blocks>::renew_weights(const Split& split) {
  if (settings_.contact_weight == 1) return false;
  bool changed = false;
  for (Index i = 0; i < blocks_.count(); ++i) {
    const bool separated = blocks_.of(split.y, i).isZero(0);
    const bool sticking = blocks_.of(split.z, i).isZero(0);
    const double weight = separated  ? settings_.contact_weight
                          : sticking ? 1 / settings_.contact_weight
                                     : 1;
    changed |= weight != weight_[blocks_.start(i)];
    blocks_.of(weight_, i).setConstant(weight);
  }
  return changed;
}

// The direction in which rho should change. \param step f - y. \param then the split of the plain
// next iterate.
template <typename Blocks>
int Iteration<Blocks>::penalty_direction(const Split& now, const Split& then, const Vector& step,
                                         const Vector& u) const {
  const Vector gap = now.y + step - then.y;  // f - y'
  const double dual = largest(rho().cwiseProduct(then.y - now.y));
  const auto absolute = [&] { return penalty_.direction(largest(gap), dual); };
  const auto relative = [&] {
    const double impulse = std::max(largest(now.y + step), largest(then.y));
    const double velocity = std::max(largest(then.z), largest(u - solve_.q()));
    // multiplied out, because either size may be zero
    return penalty_.direction(largest(gap) * velocity, dual * impulse);
  };
  const auto velocity = [&] { return penalty_.direction(largest(W_.times(gap)), dual); };

  switch (settings_.balance) {
    case Balance::absolute:
      return absolute();
    case Balance::relative:
      return relative();
    case Balance::velocity:
      return velocity();
    case Balance::agreed: {
      const int direction = relative();
      return direction != 0 && velocity() == direction ? direction : 0;
    }
  }
  return 0;
}

// Changes weights and rho if they are due. \returns whether R changed.
template <typename Blocks>
bool Iteration<Blocks>::adapt(int iteration, const Split& now, const Split& then,
                              const Vector& step, const Vector& u) {
  bool changed = false;
  if (iteration >= next_weights_) {
    next_weights_ = iteration * settings_.weight_growth;
    changed = renew_weights(then);
  }
  if (since_ < hold_) return changed;
  const int direction = penalty_direction(now, then, step, u);
  if (direction == 0) return changed;
  if (direction == -last_direction_)
    hold_ = static_cast<int>(std::min(hold_ * settings_.hysteresis, longest_hold));
  last_direction_ = direction;
  penalty_.move(direction);
  return true;
}

template <typename Blocks>
bool Iteration<Blocks>::refactor() {
  since_ = 0;
  const Vector R = rho();
  acceleration_.reset(R);
  return cholesky_.factorize(R);
}

template <typename Blocks>
void Iteration<Blocks>::run() {
  const AdmmStart start = admm_start(solve_, settings_.start_sweeps);
  const auto from = [this](const Vector& y, const Vector& z) -> Vector {
    return y - z.cwiseQuotient(rho());
  };
  Vector x = from(start.y, start.z);
  if (!start.y.isZero(0) && renew_weights(split(x))) x = from(start.y, start.z);
  constexpr const char* not_positive_definite = "W + R is not positive definite";
  if (!refactor()) return solve_.fail(not_positive_definite);

  int unchanged = 0;
  while (solve_.begin_iteration()) {
    const Split now = split(x);
    const Vector u = W_.velocity(now.y);
    solve_.report("rho", penalty_.rho());
    if (solve_.ends(now.y, u, penalty_.rho())) return;
    acceleration_.watch(solve_.residuals().max());

    Vector step = balance_force(now, u);
    cholesky_.solve_in_place(step);  // f - y
    const Vector g = settings_.relaxation * step;
    if (!acceleration_.accepts(g)) {
      x = acceleration_.plain();
      continue;
    }
    unchanged = largest(g) <= 1e-16 * largest(x) ? unchanged + 1 : 0;
    if (unchanged == stalled_after)
      return solve_.stall("the iterates no longer change in double precision");

    ++since_;
    Split then;  // of the plain next iterate, if weights or rho may change
    if (change_due(solve_.iteration()) &&
        adapt(solve_.iteration(), now, then = split(x + g), step, u)) {
      x = from(then.y, then.z);
      if (!refactor()) return solve_.fail(not_positive_definite);
    } else {
      x = acceleration_.next(x, g);
    }
  }
}

}  // namespace

void accelerated_admm(const AdmmSettings& settings, Solve& solve) {
  if (settings.factorization == Factorization::dual && !solve.problem().global())
    return solve.refuse(
        "factorization = dual needs the global form (M, H), and the file has only W");
  solve.use(settings.scaling);
  with_blocks(solve.problem(), [&]<typename Blocks>(const Blocks& blocks) {
    Iteration<Blocks>(settings, blocks, solve).run();
  });
}

}  // namespace frictionbench::solvers
