#include "frictionbench/solvers/projected_gradient/ccp_spg.hpp"

#include <algorithm>
#include <utility>

#include "frictionbench/solver/registry.hpp"

namespace frictionbench::solvers {

namespace {

constexpr double sufficient_decrease = 1e-4;
constexpr double shortest_step = 1e-13, longest_step = 1e13;  // ChSolverBB

/// Spectral projected gradient for the CCP: Heyn, Anitescu, Tasora, Negrut, Int. J. Numer. Methods
/// Eng. 95 (2013); in Chrono as the Barzilai-Borwein solver, and cited by [Castro22]. See
/// SpectralGradient for the iteration. The preconditioner of the source, the mean diagonal entry of
/// a contact, is the equilibration `scaling=contacts`.
struct CcpSpg {
  SpectralGradient::Settings search;
  Scaling scaling = Scaling::contacts;

  void describe(SettingFields& fields) {
    fields.add(
        "memory", search.memory, at_least(0),
        "number of previous costs that the non-monotone line search compares with; 0 disables "
        "the line search",
        "Chrono, ChSolverBB: n_armijo");
    fields.add("max_backtracks", search.max_backtracks, at_least(0),
               "maximum number of times that a step is shortened; it is then accepted",
               "Chrono, ChSolverBB: max_armijo_backtrace");
    describe_scaling(fields, scaling);
  }
};

void run(const CcpSpg& settings, Solve& solve) {
  solve.use(settings.scaling);
  const ConvexQuadratic cones = cone_problem(solve);
  SpectralGradient method(cones, solve.start(), TrialSteps(solve.work()), settings.search);
  while (solve.begin_iteration()) {
    method.step();
    if (solve.ends(method.x(), method.gradient())) return;
  }
}

}  // namespace

SpectralGradient::SpectralGradient(const ConvexQuadratic& problem, const Vector& start,
                                   TrialSteps trials, const Settings& settings)
    : problem_(&problem),
      trials_(trials),
      settings_(settings),
      x_(start),
      costs_(std::max(settings.memory, 1)) {
  problem_->project(x_);
  gradient_ = problem_->gradient(x_);
  costs_.add(0);

  Vector moved = x_ - gradient_;
  problem_->project(moved);
  const double length = (moved - x_).lpNorm<Eigen::Infinity>();
  if (length > 0) alpha_ = std::clamp(1 / length, shortest_step, longest_step);
}

void SpectralGradient::step() {
  Vector moved = x_ - alpha_ * gradient_;
  problem_->project(moved);
  Vector moved_gradient = problem_->gradient(moved);
  const Vector d = moved - x_;
  const Vector Ad = moved_gradient - gradient_;
  const double slope = d.dot(gradient_);
  const double bend = d.dot(Ad);
  const auto change = [&](double lambda) { return lambda * (slope + lambda * bend / 2); };

  double lambda = 1;
  if (settings_.memory > 0) {
    const double highest = costs_.largest();
    for (int k = 0; k < settings_.max_backtracks &&
                    costs_.last() + change(lambda) > highest + sufficient_decrease * lambda * slope;
         ++k) {
      lambda = std::clamp(-slope / bend, 0.1 * lambda, 0.9 * lambda);
      trials_.count();
    }
  }
  costs_.add(costs_.last() + change(lambda));
  choose_step(d, Ad);
  if (lambda == 1) {
    x_ = std::move(moved);
    gradient_ = std::move(moved_gradient);
  } else {
    x_ += lambda * d;
    gradient_ += lambda * Ad;
  }
}

// Both quotients are the same for s = lambda d as for d.
void SpectralGradient::choose_step(const Vector& s, const Vector& y) {
  const double sy = s.dot(y);
  const double alpha = long_step_next_ ? s.squaredNorm() / sy : sy / y.squaredNorm();
  if (sy > 0) alpha_ = std::clamp(alpha, shortest_step, longest_step);
  long_step_next_ = !long_step_next_;
}

RegisteredSolver ccp_spg() {
  return solver_entry(
      {.name = "ccp-spg",
       .model = ContactModel::ccp,
       .summary = "spectral projected gradient with a non-monotone line search",
       .sources = {"Heyn, Anitescu, Tasora, Negrut, Int. J. Numer. Methods Eng. 95 "
                   "(2013)",
                   "Birgin, Martinez, Raydan, SIAM J. Optim. 10 (2000)", "Chrono, ChSolverBB"}},
      run);
}

}  // namespace frictionbench::solvers
