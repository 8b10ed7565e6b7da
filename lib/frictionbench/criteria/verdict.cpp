#include "frictionbench/criteria/verdict.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "frictionbench/math/friction_cone.hpp"
#include "frictionbench/math/friction_pyramid.hpp"

namespace frictionbench {

namespace {

constexpr double separated_below = 1e-8;  // of the problem's impulse scale
constexpr double sticking_below = 1e-6;   // of its velocity scale

// std::max drops a NaN in its second argument; a residual must not.
double max_or_nan(double a, double b) { return std::isnan(a) || a > b ? a : b; }

template <int Dim>
ConeResiduals residuals_of(ContactModel model, const ContactProblem& problem, const Vector& r,
                           const Vector& u, const ResidualUnits& units) {
  return largest_residuals(problem.contacts(), units, [&](Index i) -> ConeResiduals {
    const double mu = problem.mu()[i];
    const Eigen::Matrix<double, Dim, 1> impulse = r.segment<Dim>(Dim * i);
    Eigen::Matrix<double, Dim, 1> velocity = u.segment<Dim>(Dim * i);
    if (model == ContactModel::lcp) {
      velocity[0] += pyramid_correction(velocity, mu);
      return {distance_to_pyramid(impulse, mu), distance_to_dual_pyramid(velocity, mu),
              std::abs(impulse.dot(velocity))};
    }
    if (model == ContactModel::ncp) velocity[0] += de_saxce_correction(velocity, mu);
    return {distance_to_cone(impulse, mu), distance_to_dual_cone(velocity, mu),
            std::abs(impulse.dot(velocity))};
  });
}

template <int Dim>
void judge_laws(const ContactProblem& problem, const Vector& r, const Vector& u, Verdict& verdict) {
  double natural_map_squared = 0;
  for (Index i = 0; i < problem.contacts(); ++i) {
    const double mu = problem.mu()[i];
    const Eigen::Matrix<double, Dim, 1> impulse = r.segment<Dim>(Dim * i);
    const Eigen::Matrix<double, Dim, 1> velocity = u.segment<Dim>(Dim * i);
    Eigen::Matrix<double, Dim, 1> modified = velocity;
    modified[0] += de_saxce_correction(velocity, mu);

    natural_map_squared += (impulse - project_on_cone(impulse - modified, mu)).squaredNorm();

    auto& signorini = verdict.signorini;
    signorini.product = max_or_nan(std::abs(impulse[0] * velocity[0]), signorini.product);
    signorini.velocity = max_or_nan(-velocity[0], signorini.velocity);
    signorini.impulse = max_or_nan(-impulse[0], signorini.impulse);

    const auto tangent_impulse = impulse.template tail<Dim - 1>();
    const auto slip = velocity.template tail<Dim - 1>();
    verdict.dissipation = max_or_nan(
        std::abs(tangent_impulse.dot(slip) + mu * impulse[0] * slip.norm()), verdict.dissipation);

    if (impulse.norm() < separated_below * verdict.scale.impulse)
      ++verdict.states.separated;
    else if (slip.norm() < sticking_below * verdict.scale.velocity)
      ++verdict.states.sticking;
    else
      ++verdict.states.sliding;
  }
  verdict.natural_map = std::sqrt(natural_map_squared) / std::max(1.0, problem.local().q.norm());
}

// [Castro22] (32) with the scaling D = diag(M)^-1/2 of [Castro22] (25).
double momentum_error(const ContactProblem& problem, const Vector& r) {
  const GlobalForm& form = *problem.global();
  const Vector v = problem.generalized_velocity(r);
  const Vector D = Vector(form.M.diagonal()).cwiseAbs().cwiseSqrt().cwiseInverse();
  const Vector momentum = form.M * v;
  const Vector impulse = form.H * r;
  const double residual = D.cwiseProduct(momentum - impulse - form.f).norm();
  const double size = std::max(D.cwiseProduct(momentum).norm(), D.cwiseProduct(impulse).norm());
  return residual == 0 ? 0 : residual / size;
}

}  // namespace

void ConeResiduals::take_contact(Index contact, const ConeResiduals& own, double impulse_unit,
                                 double velocity_unit) {
  const double before = worst_contact < 0 ? -1 : max();
  primal = max_or_nan(impulse_unit * own.primal, primal);
  dual = max_or_nan(velocity_unit * own.dual, dual);
  complementarity = max_or_nan(impulse_unit * velocity_unit * own.complementarity, complementarity);
  if (!(max() <= before)) worst_contact = contact;
}

ResidualUnits ResidualUnits::times(const ResidualUnits& other) const {
  if (impulse.size() == 0) return other;
  if (other.impulse.size() == 0) return *this;
  return {impulse.cwiseProduct(other.impulse), velocity.cwiseProduct(other.velocity)};
}

double ConeResiduals::max() const { return max_or_nan(max_or_nan(primal, dual), complementarity); }

double ConeResiduals::scaled(const ProblemScale& scale) const {
  return max_or_nan(max_or_nan(primal / scale.impulse, dual / scale.velocity),
                    complementarity / (scale.impulse * scale.velocity));
}

ResidualUnits units_of(Scale scale, const ContactProblem& problem) {
  if (scale == Scale::absolute) return {};
  const ProblemScale own = scale_of(problem);
  return {Vector::Constant(problem.contacts(), 1 / own.impulse),
          Vector::Constant(problem.contacts(), 1 / own.velocity)};
}

ConeResiduals cone_residuals(ContactModel model, const ContactProblem& problem, const Vector& r,
                             const Vector& u, const ResidualUnits& units) {
  return with_dimension(problem.dimension(),
                        [&](auto dim) { return residuals_of<dim()>(model, problem, r, u, units); });
}

const ConeResiduals& Verdict::residuals(ContactModel model) const {
  switch (model) {
    case ContactModel::ncp:
      return ncp;
    case ContactModel::ccp:
      return ccp;
    case ContactModel::lcp:
      return lcp;
  }
  throw std::logic_error("unknown contact model");
}

bool Verdict::solved(ContactModel model, Scale at, double tolerance) const {
  const ConeResiduals& own = residuals(model);
  return (at == Scale::absolute ? own.max() : own.scaled(scale)) <= tolerance;
}

Verdict judge(const ContactProblem& problem, const Vector& r) {
  if (r.size() != problem.unknowns())
    throw std::invalid_argument("judge: the impulse has " + std::to_string(r.size()) +
                                " entries, expected " + std::to_string(problem.unknowns()));
  Verdict verdict;
  const Vector u = problem.contact_velocity(r);
  verdict.scale = scale_of(problem);
  verdict.ncp = cone_residuals(ContactModel::ncp, problem, r, u);
  verdict.ccp = cone_residuals(ContactModel::ccp, problem, r, u);
  verdict.lcp = cone_residuals(ContactModel::lcp, problem, r, u);
  with_dimension(problem.dimension(), [&](auto dim) { judge_laws<dim()>(problem, r, u, verdict); });
  if (problem.global()) verdict.momentum = momentum_error(problem, r);
  verdict.impulse_norm = r.norm();
  return verdict;
}

ProblemScale scale_of(const ContactProblem& problem) {
  ProblemScale scale;
  const LocalView form = problem.local();
  if (form.q.size() == 0) return scale;
  const double largest = form.q.lpNorm<Eigen::Infinity>();
  if (largest > 0) scale.velocity = largest;
  // mean_i(trace(W_ii) / dim) is the mean of the whole diagonal
  const double mean_diagonal = Vector(form.W.diagonal()).mean();
  scale.impulse = scale.velocity / (mean_diagonal > 0 ? mean_diagonal : 1.0);
  return scale;
}

ContactModel judged_model(Criterion criterion, ContactModel native) {
  switch (criterion) {
    case Criterion::ncp:
      return ContactModel::ncp;
    case Criterion::ccp:
      return ContactModel::ccp;
    case Criterion::lcp:
      return ContactModel::lcp;
    case Criterion::native:
      return native;
  }
  throw std::logic_error("unknown criterion");
}

}  // namespace frictionbench
