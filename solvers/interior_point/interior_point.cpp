#include "frictionbench/solvers/interior_point/interior_point.hpp"

#include <fmt/format.h>

#include <cmath>

#include "frictionbench/solver/stopping.hpp"
#include "frictionbench/solvers/interior_point/central_path.hpp"
#include "frictionbench/solvers/interior_point/newton_system.hpp"
#include "frictionbench/solvers/interior_point/slip.hpp"

namespace frictionbench::solvers {

namespace {

constexpr double short_step = 0.1;
constexpr int trapped_after = 3;  // short steps in turn
constexpr int most_polished = 5;  // iterations for the gap alone

template <int Dim>
class Iteration {
 public:
  Iteration(ContactModel model, const InteriorPointSettings& settings,
            const ContactProblem& problem, Result& result)
      : model_(model),
        settings_(settings),
        problem_(problem),
        W_(problem, result.work),
        system_(model == ContactModel::ncp ? NewtonSystem::Kind::unsymmetric
                                           : NewtonSystem::Kind::symmetric,
                problem, W_, result.work, settings.refinements),
        path_(problem.contacts()),
        JD_(Dim, problem.contacts()) {}

  void run(const Limits& limits, Observer& observer, Result& result);

 private:
  Vector impulse() const { return system_.cone_factors().cwiseProduct(path_.x()); }
  Vector residual(const Vector& u) const;
  Vector times_jacobian(const Vector& v) const;
  Vector velocity_step(const Vector& dx, const Vector& F) const;
  const BlockDiagonal& shift(const BlockDiagonal& D);
  bool advance(const Vector& u);
  bool is_precise(const Vector& r, const Vector& u) const;
  void settle(const Limits& limits, Result& result);

  ContactModel model_;
  const InteriorPointSettings& settings_;
  const ContactProblem& problem_;
  DelassusOperator W_;
  NewtonSystem system_;
  CentralPath<Dim> path_;
  BlockDiagonal JD_;
  int short_steps_ = 0;  // in turn
};

// F. \param u W r + q.
template <int Dim>
Vector Iteration<Dim>::residual(const Vector& u) const {
  Vector F = system_.cone_factors().cwiseProduct(u) - path_.z();
  if (model_ == ContactModel::ncp)
    for (Index i = 0; i < problem_.contacts(); ++i)
      F[Dim * i] += slip<Dim>(path_.z().template segment<Dim>(Dim * i));
  return F;
}

template <int Dim>
Vector Iteration<Dim>::times_jacobian(const Vector& v) const {
  if (model_ == ContactModel::ccp) return v;
  Vector product(v.size());
  for (Index i = 0; i < problem_.contacts(); ++i)
    product.segment<Dim>(Dim * i) =
        slip_jacobian<Dim>(path_.z().template segment<Dim>(Dim * i)) * v.segment<Dim>(Dim * i);
  return product;
}

// The dz that takes the linearised F to zero, J dz = E W E dx + F. In exact arithmetic it is p - D
// dx, which rounding spoils where D is large; this one keeps F at the size of rounding.
template <int Dim>
Vector Iteration<Dim>::velocity_step(const Vector& dx, const Vector& F) const {
  const Vector& E = system_.cone_factors();
  Vector dz = F + E.cwiseProduct(W_.times(E.cwiseProduct(dx)));
  if (model_ == ContactModel::ccp) return dz;
  for (Index i = 0; i < problem_.contacts(); ++i) {
    auto dz_i = dz.segment<Dim>(Dim * i);
    dz_i = inverse_slip_jacobian<Dim>(path_.z().template segment<Dim>(Dim * i)) * dz_i.eval();
  }
  return dz;
}

// J D
template <int Dim>
const BlockDiagonal& Iteration<Dim>::shift(const BlockDiagonal& D) {
  if (model_ == ContactModel::ccp) return D;
  for (Index i = 0; i < problem_.contacts(); ++i)
    JD_.block(i) = slip_jacobian<Dim>(path_.z().template segment<Dim>(Dim * i)) * D.block(i);
  return JD_;
}

// One predictor and corrector. \returns false where the iterate is trapped at the boundary.
template <int Dim>
bool Iteration<Dim>::advance(const Vector& u) {
  const BlockDiagonal& D = path_.scale();
  if (!system_.factorize(shift(D))) return false;
  const Vector F = residual(u);

  Vector pull = -path_.z();
  Vector dx = system_.solve(times_jacobian(pull) - F);
  Vector dz = pull - D.times(dx);
  const double sigma = std::pow(1 - path_.largest_step(dx, dz, 1), 3);

  pull = path_.corrected_pull(dx, dz, sigma);
  dx = system_.solve(times_jacobian(pull) - F);
  dz = velocity_step(dx, F);
  if (!dx.allFinite() || !dz.allFinite()) return false;

  const double longest = 1 / settings_.boundary;
  const double step = settings_.boundary * path_.largest_step(dx, dz, longest);
  path_.move(step, dx, dz);
  short_steps_ = step < short_step ? short_steps_ + 1 : 0;
  return short_steps_ < trapped_after;
}

// Whether the gap is a small part of the cost.
template <int Dim>
bool Iteration<Dim>::is_precise(const Vector& r, const Vector& u) const {
  const double cost = r.dot(u + problem_.local().q) / 2;
  return path_.x().dot(path_.z()) <= settings_.gap * std::abs(cost);
}

// Inside the cones no contact is quite separated, nor quite at the Coulomb limit. P_L(x - z) is x
// where x and z are complementary, and ends at the boundary (Moreau): it is the answer if it is
// within the tolerances, as it need not be where x and z vanish both.
template <int Dim>
void Iteration<Dim>::settle(const Limits& limits, Result& result) {
  Vector x = path_.x() - path_.z();
  for (Index i = 0; i < problem_.contacts(); ++i) {
    auto x_i = x.segment<Dim>(Dim * i);
    x_i = project_on_cone(x_i, 1);
  }
  const Vector r = system_.cone_factors().cwiseProduct(x);
  const ConeResiduals residuals = cone_residuals(model_, problem_, r, W_.velocity(r));
  if (!residuals.within(limits.tolerances)) return;
  claim(residuals, result);
  result.r = r;
}

template <int Dim>
void Iteration<Dim>::run(const Limits& limits, Observer& observer, Result& result) {
  observer.setup_finished();

  int recentrings = 0;
  int polished = 0;
  ConeResiduals best;  // of result.r
  for (result.iterations = 1; result.iterations <= limits.max_iterations; ++result.iterations) {
    const Vector r = impulse();
    const Vector u = W_.velocity(r);
    const ConeResiduals residuals = cone_residuals(model_, problem_, r, u);
    observer.iterated({result.iterations, residuals});
    const bool solved = residuals.within(limits.tolerances);
    if (result.iterations == 1 || solved || (polished == 0 && residuals.max() < best.max())) {
      best = residuals;
      result.r = r;
    }
    if (solved && !is_precise(r, u) && polished < most_polished &&
        result.iterations < limits.max_iterations && !limits.time_is_up()) {
      ++polished;
    } else if (stop_on_residuals(best, limits, result)) {
      if (result.status == Status::converged) settle(limits, result);
      break;
    }
    if (advance(u)) continue;
    if (recentrings == settings_.recentrings) {
      result.status = Status::stalled;
      result.message = fmt::format("trapped at the boundary of the cones, after {} recentrings too",
                                   recentrings);
      break;
    }
    ++recentrings;
    short_steps_ = 0;
    path_.recentre(settings_.push);
  }
  if (result.iterations > limits.max_iterations) stop_at_iteration_limit(limits, result);
  result.claimed["gap"] = path_.gap();
  result.claimed["recentrings"] = recentrings;
}

}  // namespace

void InteriorPointSettings::describe(SettingFields& fields) {
  describe_scaling(fields, scaling);
  fields.add("boundary", boundary, open_interval(0, 1),
             "share of the way to the boundary of the cones that a step goes",
             "Vandenberghe 2010, section 7");
  fields.add("refinements", refinements, at_least(0),
             "steps of iterative refinement of a Newton direction, with W as the file states it",
             "CVXOPT has 1");
  fields.add("gap", gap, positive(),
             "gap x.z of an answer as a share of its cost |r.W r / 2 + r.q|, for which an answer "
             "within the tolerances is improved by up to five iterations",
             "ours: tolerances alone leave the cost of an answer wrong in any digit");
  fields.add("push", push, positive(),
             "how far a trapped iterate is pushed off the boundary, as a share of its length",
             "ours; of 0.03 to 0.2, about as good, and 1, worse, on real files");
  fields.add("recentrings", recentrings, at_least(0),
             "times that a trapped iterate is pushed off the boundary before the solve ends",
             "ours; 5 solve fewer real files");
}

Result interior_point(ContactModel model, const InteriorPointSettings& settings,
                      const ContactProblem& problem, const Limits& limits,
                      const InitialGuess& guess, Observer& observer) {
  return solve_scaled(
      settings.scaling, model, problem, limits, guess,
      [&](const ContactProblem& scaled, const InitialGuess&) {
        Result result;
        with_dimension(scaled.dimension(), [&](auto dim) {
          Iteration<dim()>(model, settings, scaled, result).run(limits, observer, result);
        });
        return result;
      });
}

}  // namespace frictionbench::solvers
