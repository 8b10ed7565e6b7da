#include "frictionbench/derivatives/solution_derivatives.hpp"

#include <fmt/format.h>

#include <Eigen/SparseLU>
#include <algorithm>
#include <stdexcept>

#include "frictionbench/criteria/verdict.hpp"
#include "frictionbench/derivatives/internal/set_law.hpp"
#include "frictionbench/math/friction_cone.hpp"
#include "frictionbench/math/sparse.hpp"

namespace frictionbench {

namespace {

// Added to the diagonal, relative to that of W: it makes the matrix of hyperstatic contacts regular, and
// refinement takes it out again, as in a proximal iteration.
constexpr double shift = 1e-10;
constexpr double refined = 1e-9;  // defect that needs no refinement
constexpr int most_refinements = 20;
constexpr double at_kink = 10;  // relative tolerances, as of the states in a verdict

// A contact at the solution. Directions have one entry in 2D.
struct Contact {
  ContactLaw law = ContactLaw::separated;
  bool is_at_kink = false;
  bool slips = false;  // its velocity tells the direction of sliding, otherwise its impulse
  double mu = 0, w = 0;
  double normal = 0, slip = 0;  // r_N, ||u_T||; 0 unless it slips
  Vector s, p;                  // of sliding; p is empty in 2D
};

Vector unit_or_first(const Vector& x) {
  const double length = x.norm();
  return length > 0 ? Vector(x / length) : Vector(Vector::Unit(x.size(), 0));
}

Contact contact_at(ContactModel model, double mu, double w, double tolerance, const Vector& r,
                   const Vector& u) {
  const Vector r_T = tangent_of(r), u_T = tangent_of(u);
  const double slip = u_T.norm();
  Contact contact;
  contact.mu = mu;
  contact.w = w;
  contact.slips = slip > tolerance;
  contact.slip = contact.slips ? slip : 0;
  if (w * r[0] <= tolerance) {
    const double opening = model == ContactModel::ccp ? u[0] - mu * slip : u[0];
    contact.is_at_kink = opening <= tolerance;
  } else {
    contact.normal = r[0];
    const bool is_inside = w * r_T.norm() < w * mu * r[0] - tolerance;
    const bool sticks = mu > 0 && !contact.slips;
    contact.law = sticks ? ContactLaw::sticking : ContactLaw::sliding;
    contact.is_at_kink = sticks && !is_inside;
  }
  contact.s = contact.slips ? unit_or_first(u_T) : unit_or_first(-r_T);
  if (r.size() == 3) contact.p = Eigen::Vector2d(-contact.s[1], contact.s[0]);
  return contact;
}

// The laws of all blocks: friction cones come first, then the other sets.
struct Laws {
  std::vector<Contact> contacts;
  std::vector<SetLaw> others;
};

// A du + B dr = C dmu for all blocks: the rows of ContactLaw and of SetLaw, each in units of an impulse.
struct Equations {
  Equations(ContactModel model, const Laws& laws, const ContactProblem& problem);

  SparseMatrix A, B;
  SparseMatrix S;  // of the shift
  Vector by_mu;    // C, one entry per row of a contact: the column is that of the row's contact
};

void add_block(Triplets& entries, Index first, const BlockMatrix& block) {
  for (Index a = 0; a < block.rows(); ++a)
    for (Index b = 0; b < block.cols(); ++b)
      if (block(a, b) != 0) entries.emplace_back(first + a, first + b, block(a, b));
}

Equations::Equations(ContactModel model, const Laws& laws, const ContactProblem& problem) {
  const std::vector<Contact>& contacts = laws.contacts;
  const Index m = problem.unknowns(), dim = problem.dimension();
  Triplets velocity, impulse, shifted;
  by_mu = Vector::Zero(dim * static_cast<Index>(contacts.size()));
  for (Index i = 0; i < static_cast<Index>(contacts.size()); ++i) {
    const Contact& contact = contacts[static_cast<std::size_t>(i)];
    const Index normal_row = dim * i;
    const auto along = [&](Triplets& entries, Index row, const Vector& direction, double factor) {
      for (Index k = 0; k < direction.size(); ++k)
        entries.emplace_back(row, normal_row + 1 + k, factor * direction[k]);
    };
    if (contact.law == ContactLaw::separated) {
      for (Index row = normal_row; row < normal_row + dim; ++row) impulse.emplace_back(row, row, 1);
      continue;
    }
    if (contact.law == ContactLaw::sticking) {
      for (Index row = normal_row; row < normal_row + dim; ++row) {
        velocity.emplace_back(row, row, 1 / contact.w);
        shifted.emplace_back(row, row, shift);
      }
      continue;
    }
    velocity.emplace_back(normal_row, normal_row, 1 / contact.w);
    shifted.emplace_back(normal_row, normal_row, shift);
    if (model == ContactModel::ccp) {
      along(velocity, normal_row, contact.s, -contact.mu / contact.w);
      by_mu[normal_row] = contact.slip / contact.w;
    }
    along(impulse, normal_row + 1, contact.s, 1);
    impulse.emplace_back(normal_row + 1, normal_row, contact.mu);
    // A contact without friction and slip has no side to which friction could pull.
    if (contact.mu > 0 || contact.slips) by_mu[normal_row + 1] = -contact.normal;
    if (dim == 2) continue;
    const double slip = contact.slip / contact.w, limit = contact.mu * contact.normal;
    const double held = slip + limit > 0 ? limit / (slip + limit) : 0;  // 1 at rest
    along(impulse, normal_row + 2, contact.p, 1 - held);
    along(velocity, normal_row + 2, contact.p, held / contact.w);
    along(shifted, normal_row + 2, contact.p, held * shift);
  }
  Index first = by_mu.size();
  for (const SetLaw& law : laws.others) {
    add_block(velocity, first, law.by_velocity());
    add_block(impulse, first, law.by_impulse());
    add_block(shifted, first, shift * law.projection());
    first += law.projection().rows();
  }
  A = assembled(m, m, velocity);
  B = assembled(m, m, impulse);
  S = assembled(m, m, shifted);
}

// The equations with u eliminated, (A W + B) dr = C dmu - A dq, factored.
class Linearization {
 public:
  // `work` must outlive it.
  Linearization(const ContactProblem& problem, ContactModel model, const Laws& laws,
                WorkCounters& work)
      : problem_(problem), equations_(model, laws, problem), work_(&work) {
    K_ = equations_.A * problem.local().W;
    K_ += ColumnMatrix(equations_.B);
    if (K_.rows() == 0) return;
    ++work.analyses;
    ++work.factorizations.lu;
    lu_.compute(K_ + ColumnMatrix(equations_.S));
    if (lu_.info() != Eigen::Success)
      throw std::runtime_error("derivatives: the matrix of the contacts' laws is singular");
  }

  Response forward(const Perturbation& direction) {
    Vector rhs = -(equations_.A * direction.q);
    for (Index row = 0; row < equations_.by_mu.size(); ++row)
      rhs[row] += equations_.by_mu[row] * direction.mu[row / problem_.dimension()];
    Response response;
    response.r = solve(
        rhs, response.defect, [&](const Vector& b) -> Vector { return lu_.solve(b); },
        [&](const Vector& x) -> Vector { return K_ * x; });
    response.u = problem_.local().W * response.r + direction.q;
    return response;
  }

  Gradient adjoint(const Vector& by_r, const Vector& by_u) {
    const Vector rhs = by_r + problem_.local().W.transpose() * by_u;
    Gradient gradient;
    const Vector multiplier = solve(
        rhs, gradient.defect, [&](const Vector& b) -> Vector { return lu_.transpose().solve(b); },
        [&](const Vector& x) -> Vector { return K_.transpose() * x; });
    gradient.q = by_u - equations_.A.transpose() * multiplier;
    gradient.mu = Vector::Zero(problem_.mu().size());
    for (Index row = 0; row < equations_.by_mu.size(); ++row)
      gradient.mu[row / problem_.dimension()] += equations_.by_mu[row] * multiplier[row];
    return gradient;
  }

 private:
  // Solves without the shift, by solves with it.
  template <typename Inverse, typename Times>
  Vector solve(const Vector& rhs, double& defect, const Inverse& inverse_times,
               const Times& times) {
    const double size = rhs.norm();
    if (size == 0) return Vector::Zero(rhs.size());
    ++work_->triangular_solves;
    Vector x = inverse_times(rhs);
    Vector left = rhs - times(x);
    for (int k = 0; k < most_refinements && left.norm() > refined * size; ++k) {
      ++work_->triangular_solves;
      const Vector better = x + inverse_times(left);
      const Vector still_left = rhs - times(better);
      if (!(still_left.norm() < left.norm() / 2)) break;
      x = better;
      left = still_left;
    }
    defect = left.norm() / size;
    return x;
  }

  ContactProblem problem_;
  Equations equations_;
  WorkCounters* work_;
  ColumnMatrix K_;
  Eigen::SparseLU<ColumnMatrix> lu_;
};

// What a contact at a kink does in a direction.
struct Outcome {
  bool keeps_law;
  ContactLaw other;  // that it would change to
};

Outcome outcome(ContactModel model, const Contact& contact, const Vector& dr, const Vector& du,
                double dmu) {
  const double impulse_along = contact.s.dot(tangent_of(dr));
  const double velocity_along = contact.s.dot(tangent_of(du));
  // The rate of what must not become negative, in units of an impulse.
  const auto kept_if = [&](double rate, ContactLaw other) -> Outcome {
    const double rounding =
        1e-9 * (dr.norm() + du.norm() / contact.w + contact.normal * std::abs(dmu));
    return {rate >= -rounding, other};
  };
  switch (contact.law) {
    case ContactLaw::separated: {
      const double closing =
          model == ContactModel::ccp ? contact.mu * velocity_along + contact.slip * dmu : 0;
      return kept_if((du[0] - closing) / contact.w, ContactLaw::sliding);
    }
    case ContactLaw::sticking:  // friction's reserve, mu r_N - ||r_T||
      return kept_if(contact.mu * dr[0] + contact.normal * dmu + impulse_along,
                     ContactLaw::sliding);
    case ContactLaw::sliding:
      if (contact.normal == 0) return kept_if(dr[0], ContactLaw::separated);
      return kept_if(velocity_along / contact.w, ContactLaw::sticking);
  }
  throw std::logic_error("unknown contact law");
}

}  // namespace

class SolutionDerivatives::Impl {
 public:
  Impl(const ContactProblem& given, ContactModel its_model, const Vector& r, double tolerance)
      : problem(given), model(its_model) {
    if (model == ContactModel::lcp)
      throw std::invalid_argument(
          "derivatives: those of the LCP are not known, only of NCP and CCP");
    const Vector u = problem.contact_velocity(r);
    const ContactScales scales = contact_scales(problem);
    const double residual = cone_residuals(model, problem, r, u, relative_units(scales)).max();
    if (!(residual <= tolerance))
      throw NoSolution(
          fmt::format("the relative {} residual of the impulse is {:.2e}, more than {:g}",
                      name(model), residual, tolerance));
    for (Index i = 0; i < problem.blocks(); ++i) {
      const Index first = problem.block_start(i), rows = problem.block_rows(i);
      const Vector r_i = r.segment(first, rows), u_i = u.segment(first, rows);
      const double w = scales.velocity_per_impulse[i];
      const double small = at_kink * tolerance * scales.velocity[i];
      if (i < problem.mu().size())
        laws.contacts.push_back(contact_at(model, problem.mu()[i], w, small, r_i, u_i));
      else
        laws.others.emplace_back(*problem.layout()->sets[static_cast<std::size_t>(i)], model, w,
                                 small, r_i, u_i);
    }
    base = std::make_unique<Linearization>(problem, model, laws, work);
  }

  ContactProblem problem;
  ContactModel model;
  Laws laws;
  WorkCounters work;
  std::unique_ptr<Linearization> base;
};

SolutionDerivatives::SolutionDerivatives(const ContactProblem& problem, ContactModel model,
                                         const Vector& r, double tolerance)
    : impl_(std::make_unique<Impl>(problem, model, r, tolerance)) {}
SolutionDerivatives::~SolutionDerivatives() = default;
SolutionDerivatives::SolutionDerivatives(SolutionDerivatives&&) noexcept = default;
SolutionDerivatives& SolutionDerivatives::operator=(SolutionDerivatives&&) noexcept = default;

std::vector<ContactLaw> SolutionDerivatives::laws() const {
  std::vector<ContactLaw> laws;
  for (const Contact& contact : impl_->laws.contacts) laws.push_back(contact.law);
  return laws;
}

std::vector<Index> SolutionDerivatives::kinks() const {
  std::vector<Index> found;
  Index i = 0;
  for (const Contact& contact : impl_->laws.contacts) {
    if (contact.is_at_kink) found.push_back(i);
    ++i;
  }
  for (const SetLaw& law : impl_->laws.others) {
    if (law.is_at_kink()) found.push_back(i);
    ++i;
  }
  return found;
}

Response SolutionDerivatives::forward(const Perturbation& direction) const {
  return impl_->base->forward(direction);
}

Response SolutionDerivatives::one_sided(const Perturbation& direction) const {
  constexpr int most_trials = 100;
  const Index dim = impl_->problem.dimension();
  Laws laws = impl_->laws;
  const Index contacts = impl_->problem.mu().size();
  Response response = forward(direction);
  for (int trial = 0; trial < most_trials; ++trial) {
    const bool only_first = trial >= most_trials / 2;  // in case all of them go round in circles
    bool keeps_laws = true;
    for (Index i = 0; i < contacts && (keeps_laws || !only_first); ++i) {
      Contact& contact = laws.contacts[static_cast<std::size_t>(i)];
      if (!contact.is_at_kink) continue;
      const Outcome found = outcome(impl_->model, contact, response.r.segment(dim * i, dim),
                                    response.u.segment(dim * i, dim), direction.mu[i]);
      if (found.keeps_law) continue;
      if (contact.law == ContactLaw::separated && !contact.slips && contact.mu > 0)
        throw std::runtime_error(
            fmt::format("derivatives: contact {} has neither impulse nor velocity", i));
      contact.law = found.other;
      keeps_laws = false;
    }
    Index i = contacts;
    for (SetLaw& law : laws.others) {
      if (!keeps_laws && only_first) break;
      const Index first = impl_->problem.block_start(i), rows = impl_->problem.block_rows(i);
      if (law.is_at_kink() &&
          law.follows(response.r.segment(first, rows), response.u.segment(first, rows)))
        keeps_laws = false;
      ++i;
    }
    if (keeps_laws) return response;
    response = Linearization(impl_->problem, impl_->model, laws, impl_->work).forward(direction);
  }
  throw std::runtime_error("derivatives: the blocks at kinks find no laws in this direction");
}

Gradient SolutionDerivatives::adjoint(const Vector& by_r, const Vector& by_u) const {
  return impl_->base->adjoint(by_r, by_u);
}

const WorkCounters& SolutionDerivatives::work() const { return impl_->work; }

}  // namespace frictionbench
