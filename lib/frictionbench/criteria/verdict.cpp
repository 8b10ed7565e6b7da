#include "frictionbench/criteria/verdict.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <string>

#include "frictionbench/math/friction_pyramid.hpp"
#include "frictionbench/math/max_or_nan.hpp"
#include "frictionbench/problem/blocks.hpp"

namespace frictionbench {

namespace {

// The distance to the dual cone by Moreau.
ConeResiduals polyhedral_residuals(const RegularPyramid& pyramid, const Eigen::Vector3d& impulse,
                                   Eigen::Vector3d velocity, double mu) {
  velocity[0] += pyramid.correction(velocity, mu);
  return {(impulse - pyramid.project(impulse, mu)).norm(), pyramid.project(-velocity, mu).norm(),
          std::abs(impulse.dot(velocity))};
}

template <typename Segment>
ConeResiduals pyramid_residuals(const Segment& impulse, Segment velocity, double mu) {
  velocity[0] += pyramid_correction(velocity, mu);
  return {distance_to_pyramid(impulse, mu), distance_to_dual_pyramid(velocity, mu),
          std::abs(impulse.dot(velocity))};
}

// \param polyhedron of friction cones in the LCP, if it has other than four facets.
template <typename Blocks>
ConeResiduals residuals_of(ContactModel model, const ContactProblem& problem, const Blocks& blocks,
                           const std::optional<RegularPyramid>& polyhedron, VectorView r,
                           VectorView u, const ResidualUnits& units) {
  const Index friction_cones = problem.mu().size();
  return largest_residuals(blocks.count(), units, [&](Index i) -> ConeResiduals {
    const typename Blocks::Segment impulse = blocks.of(r, i);
    typename Blocks::Segment velocity = blocks.of(u, i);
    if (model == ContactModel::lcp && i < friction_cones) {
      const double mu = problem.mu()[i];
      return polyhedron
                 ? polyhedral_residuals(*polyhedron, r.segment<3>(3 * i), u.segment<3>(3 * i), mu)
                 : pyramid_residuals(impulse, velocity, mu);
    }
    if (model != ContactModel::ccp) velocity[0] += blocks.correction(i, velocity);
    return {blocks.distance(i, impulse), blocks.dual_distance(i, velocity),
            blocks.complementarity(i, impulse, velocity)};
  });
}

template <typename Blocks>
void judge_laws(const ContactProblem& problem, const Blocks& blocks, const Vector& r,
                const Vector& u, Verdict& verdict) {
  double natural_map_squared = 0;
  for (Index i = 0; i < blocks.count(); ++i) {
    const typename Blocks::Segment impulse = blocks.of(r, i);
    const typename Blocks::Segment velocity = blocks.of(u, i);
    const double correction = blocks.correction(i, velocity);
    typename Blocks::Segment modified = velocity;
    modified[0] += correction;

    natural_map_squared += (impulse - blocks.project(i, impulse - modified)).squaredNorm();
    if (!blocks.is_contact(i)) continue;

    auto& signorini = verdict.signorini;
    signorini.product = max_or_nan(std::abs(impulse[0] * velocity[0]), signorini.product);
    signorini.velocity = max_or_nan(-velocity[0], signorini.velocity);
    signorini.impulse = max_or_nan(-impulse[0], signorini.impulse);

    verdict.dissipation = max_or_nan(
        std::abs(tangent_dot(impulse, velocity) + correction * impulse[0]), verdict.dissipation);
  }
  verdict.natural_map =
      std::sqrt(natural_map_squared) / std::max(1.0, problem.free_velocity().norm());
}

// As the glossary of lib/frictionbench/README.md defines them.
template <typename Blocks>
void judge_contacts(const Blocks& blocks, const Vector& r, const Vector& u,
                    const ContactScales& scales, double tolerance, Verdict& verdict) {
  constexpr double at_rest = 10;            // relative tolerances
  constexpr double inside_cone = 1 - 1e-3;  // of mu r_N: no sliding
  constexpr double well_inside = 0.95;      // of mu r_N: no creep
  constexpr double loaded = 1e-2;           // of U_i / w_i
  const bool is_known = r.allFinite() && u.allFinite();
  verdict.creep = verdict.lift = is_known ? 0 : std::numeric_limits<double>::quiet_NaN();
  for (Index i = 0; i < blocks.count(); ++i) {
    if (!blocks.is_contact(i)) continue;
    const double U = scales.velocity[i];
    const auto impulse = blocks.of(r, i);
    const auto velocity = blocks.of(u, i);
    const double normal = impulse[0], normal_velocity = velocity[0];
    const double pressed = scales.velocity_per_impulse[i] * normal;
    const double friction = blocks.friction(i, impulse);
    const double slip = velocity.segment(1, blocks.friction_rows(i)).norm();
    const double limit = blocks.mu(i) * normal;

    if (pressed <= at_rest * tolerance * U)
      ++verdict.states.separated;
    else if (friction < inside_cone * limit || slip <= at_rest * tolerance * U)
      ++verdict.states.sticking;
    else
      ++verdict.states.sliding;

    if (pressed < loaded * U) continue;
    if (friction <= well_inside * limit) verdict.creep = max_or_nan(slip, verdict.creep);
    verdict.lift = max_or_nan(normal_velocity, verdict.lift);
  }
}

}  // namespace

void ConeResiduals::take_contact(Index contact, const ConeResiduals& own, double impulse_unit,
                                 double velocity_unit) {
  const ConeResiduals added{impulse_unit * own.primal, velocity_unit * own.dual,
                            impulse_unit * velocity_unit * own.complementarity};
  // Most contacts; not if there is a NaN.
  if (worst_contact >= 0 && added.primal <= primal && added.dual <= dual &&
      added.complementarity <= complementarity)
    return;
  const double before = worst_contact < 0 ? -1 : max();
  primal = max_or_nan(added.primal, primal);
  dual = max_or_nan(added.dual, dual);
  complementarity = max_or_nan(added.complementarity, complementarity);
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

ResidualUnits relative_units(const ContactScales& scales) {
  return {scales.velocity_per_impulse.cwiseQuotient(scales.velocity),
          scales.velocity.cwiseInverse()};
}

ResidualUnits units_of(Scale scale, const ContactProblem& problem,
                       std::optional<double> time_step) {
  const auto uniform = [&](double impulse, double velocity) -> ResidualUnits {
    return {Vector::Constant(problem.blocks(), impulse),
            Vector::Constant(problem.blocks(), velocity)};
  };
  switch (scale) {
    case Scale::relative:
      return relative_units(contact_scales(problem));
    case Scale::absolute:
      return {};
    case Scale::scaled: {
      const ProblemScale own = scale_of(problem);
      return uniform(1 / own.impulse, 1 / own.velocity);
    }
    case Scale::force:
      if (!time_step) throw std::invalid_argument("the scale force needs a time step");
      return uniform(1 / *time_step, 1);
  }
  throw std::logic_error("unknown scale");
}

ConeResiduals cone_residuals(ContactModel model, const ContactProblem& problem, VectorView r,
                             VectorView u, const ResidualUnits& units, int facets) {
  std::optional<RegularPyramid> polyhedron;
  if (model == ContactModel::lcp && facets != 4 && problem.dimension() == 3)
    polyhedron.emplace(facets);
  return with_blocks(problem, [&](const auto& blocks) {
    return residuals_of(model, problem, blocks, polyhedron, r, u, units);
  });
}

ModelResiduals model_residuals(ContactModel model, const ContactProblem& problem, const Vector& r,
                               const Vector& u, const ResidualUnits& relative, int facets) {
  return {cone_residuals(model, problem, r, u, {}, facets),
          cone_residuals(model, problem, r, u, relative, facets).max()};
}

const ModelResiduals& Verdict::residuals(ContactModel model) const {
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

double Verdict::residual(ContactModel model, Scale at) const {
  return residual(residuals(model), at);
}

double Verdict::residual(const ModelResiduals& own, Scale at) const {
  switch (at) {
    case Scale::relative:
      return own.relative;
    case Scale::absolute:
      return own.max();
    case Scale::scaled:
      return own.scaled(scale);
    case Scale::force:
      return time_step ? own.scaled({*time_step, 1}) : std::numeric_limits<double>::quiet_NaN();
  }
  throw std::logic_error("unknown scale");
}

bool Verdict::solved(ContactModel model, Scale at, double tolerance) const {
  return residual(model, at) <= tolerance;
}

Verdict judge(const ContactProblem& problem, const Vector& r, const JudgeOptions& options) {
  if (r.size() != problem.unknowns())
    throw std::invalid_argument("judge: the impulse has " + std::to_string(r.size()) +
                                " entries, expected " + std::to_string(problem.unknowns()));
  Verdict verdict;
  const Vector u = problem.contact_velocity(r);
  verdict.scale = scale_of(problem);
  verdict.time_step = options.time_step;
  const ContactScales scales = contact_scales(problem);
  const ResidualUnits relative = relative_units(scales);
  verdict.ncp = model_residuals(ContactModel::ncp, problem, r, u, relative);
  verdict.ccp = model_residuals(ContactModel::ccp, problem, r, u, relative);
  verdict.lcp = model_residuals(ContactModel::lcp, problem, r, u, relative, options.facets);
  with_blocks(problem, [&](const auto& blocks) {
    judge_laws(problem, blocks, r, u, verdict);
    judge_contacts(blocks, r, u, scales, options.tolerance, verdict);
  });
  verdict.impulse_norm = r.norm();
  return verdict;
}

double momentum_error(const ContactProblem& problem, const Vector& r, const Vector& v) {
  const GlobalForm& form = *problem.global();
  const Vector D = Vector(form.M.diagonal()).cwiseAbs().cwiseSqrt().cwiseInverse();
  const Vector momentum = form.M * v;
  const Vector impulse = form.H * r;
  const double residual = D.cwiseProduct(momentum - impulse - form.f).norm();
  const double size = std::max(D.cwiseProduct(momentum).norm(), D.cwiseProduct(impulse).norm());
  return residual == 0 ? 0 : residual / size;
}

double slackness_error(const ContactProblem& own, const Vector& r, const Vector& v) {
  const GlobalForm& form = *own.global();
  Vector g = form.w;
  g += form.H.transpose() * v;
  const Vector change = v - own.generalized_velocity(Vector::Zero(own.unknowns()));
  const Vector momentum = form.M * change;
  double cost = change.dot(momentum) / 2;
  if (own.compliance().size() > 0) {
    const Vector yielded = own.compliance().cwiseProduct(r);
    g += yielded;
    cost += r.dot(yielded) / 2;
  }
  double slackness = 0;
  with_blocks(own, [&](const auto& blocks) {
    for (Index i = 0; i < blocks.count(); ++i)
      slackness += std::abs(blocks.of(g, i).dot(blocks.of(r, i)));
  });
  return slackness == 0 ? 0 : slackness / (static_cast<double>(own.blocks()) * cost);
}

}  // namespace frictionbench
