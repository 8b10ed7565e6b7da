#include "frictionbench/solvers/interior_point/interior_point.hpp"

#include <fmt/format.h>

#include <cmath>

#include "frictionbench/solvers/interior_point/central_path.hpp"
#include "frictionbench/solvers/interior_point/newton_system.hpp"

namespace frictionbench::solvers {

namespace {

constexpr double short_step = 0.1;
constexpr int trapped_after = 3;  // short steps in a row
constexpr int most_polished = 5;  // iterations that only reduce the gap

template <int Dim>
class Iteration {
 public:
  Iteration(const InteriorPointSettings& settings, Solve& solve)
      : settings_(settings),
        solve_(solve),
        model_(solve.model()),
        W_(solve.W()),
        system_(model_ == ContactModel::ncp ? NewtonSystem<Dim>::Kind::unsymmetric
                                            : NewtonSystem<Dim>::Kind::symmetric,
                solve, settings.refinements),
        path_(solve.contacts()) {}

  void run();

 private:
  Vector impulse() const { return system_.cone_factors().cwiseProduct(path_.x()); }
  Vector residual(const Vector& u) const;
  BlockDiagonal jacobian() const;
  bool advance(const Vector& u);
  bool is_precise(const Vector& r, const Vector& u) const;
  void settle(const Vector& r, const ConeResiduals& residuals);

  const InteriorPointSettings& settings_;
  Solve& solve_;
  ContactModel model_;
  const DelassusOperator& W_;
  NewtonSystem<Dim> system_;
  CentralPath<Dim> path_;
  int short_steps_ = 0;  // in a row
};

// F. \param u W r + q.
template <int Dim>
Vector Iteration<Dim>::residual(const Vector& u) const {
  Vector F = system_.cone_factors().cwiseProduct(u) - path_.z();
  if (model_ == ContactModel::ncp)
    for (Index i = 0; i < solve_.contacts(); ++i)
      F[Dim * i] += slip<Dim>(path_.z().template segment<Dim>(Dim * i));
  return F;
}

// J.
template <int Dim>
BlockDiagonal Iteration<Dim>::jacobian() const {
  BlockDiagonal J(Dim, solve_.contacts());
  for (Index i = 0; i < solve_.contacts(); ++i) {
    if (model_ == ContactModel::ncp)
      J.block(i) = slip_jacobian<Dim>(path_.z().template segment<Dim>(Dim * i));
    else
      J.block(i).setIdentity();
  }
  return J;
}

// One predictor and corrector. \returns false if the iterate is trapped at the boundary.
template <int Dim>
bool Iteration<Dim>::advance(const Vector& u) {
  const BlockDiagonal& D = path_.scale();
  if (!system_.factorize(jacobian(), D)) return false;
  const Vector F = residual(u);
  const auto predictor = system_.direction(path_, F, -path_.z());
  const double sigma = std::pow(1 - path_.largest_step(predictor.dx, predictor.dz, 1), 3);
  const auto [dx, dz] =
      system_.direction(path_, F, path_.corrected_target(predictor.dx, predictor.dz, sigma));
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
  const double cost = r.dot(u + solve_.q()) / 2;
  return path_.x().dot(path_.z()) <= settings_.gap * std::abs(cost);
}

// Ends as solved by r, or by E P_L(x - z) if that is within the tolerance too. Inside the cones no
// contact is exactly separated or at the Coulomb limit; P_L(x - z) is on the boundary, and equals x
// if x and z are complementary (Moreau).
template <int Dim>
void Iteration<Dim>::settle(const Vector& r, const ConeResiduals& residuals) {
  Vector x = path_.x() - path_.z();
  for (Index i = 0; i < solve_.contacts(); ++i) {
    auto x_i = x.segment<Dim>(Dim * i);
    x_i = project_on_cone(x_i, 1);
  }
  const Vector settled = system_.cone_factors().cwiseProduct(x);
  const ConeResiduals own = solve_.residuals(settled, W_.velocity(settled));
  if (solve_.is_within_tolerance(own))
    solve_.converge(settled, own);
  else
    solve_.converge(r, residuals);
}

template <int Dim>
void Iteration<Dim>::run() {
  int recentrings = 0;
  int polished = 0;
  Vector solution;  // the last iterate within the tolerance
  ConeResiduals of_solution;
  while (solve_.begin_iteration()) {
    solve_.report("gap", path_.gap());
    solve_.report("recentrings", recentrings);
    const Vector r = impulse();
    const Vector u = W_.velocity(r);
    const ConeResiduals residuals = solve_.judge(r, u);
    const bool solved = solve_.is_within_tolerance(residuals);
    if (solved) {
      solution = r;
      of_solution = residuals;
    }
    if (solved && !is_precise(r, u) && polished < most_polished && !solve_.is_last_iteration() &&
        !solve_.time_is_up())
      ++polished;
    else if (solution.size() > 0)
      return settle(solution, of_solution);
    else if (solve_.ends())
      return;
    if (advance(u)) continue;
    if (recentrings == settings_.recentrings)
      return solve_.stall(
          fmt::format("trapped at the boundary of the cones after {} recentrings", recentrings));
    ++recentrings;
    short_steps_ = 0;
    path_.recentre(settings_.push);
  }
}

}  // namespace

void InteriorPointSettings::describe(SettingFields& fields) {
  describe_scaling(fields, scaling);
  fields.add("boundary", boundary, open_interval(0, 1),
             "fraction of the step to the boundary of the cones that is taken",
             "Vandenberghe (2010), section 7");
  fields.add(
      "refinements", refinements, at_least(0),
      "maximum number of steps of iterative refinement of each Newton direction, with W as the "
      "file states it",
      "CVXOPT: 1");
  fields.add(
      "gap", gap, positive(),
      "once the residuals are within the tolerances, up to five more iterations reduce the gap "
      "x.z to this fraction of the cost |r.W r / 2 + r.q|",
      "measured: residual tolerances alone do not bound the error of the cost");
  fields.add(
      "push", push, positive(),
      "when an iterate is trapped, it is pushed off the boundary by this fraction of its length",
      "measured on real files: 0.03 to 0.2 perform alike, 1 is worse");
  fields.add("recentrings", recentrings, at_least(0),
             "maximum number of times that a trapped iterate is pushed off the boundary",
             "measured on real files: 5 solve fewer");
}

void interior_point(const InteriorPointSettings& settings, Solve& solve) {
  solve.use(settings.scaling);
  with_dimension(solve.problem().dimension(),
                 [&](auto dim) { Iteration<dim()>(settings, solve).run(); });
}

RegisteredSolver ccp_ipm() {
  return solver_entry(
      {.name = "ccp-ipm",
       .model = ContactModel::ccp,
       .summary = "primal-dual interior point, Nesterov-Todd scaling, Mehrotra's corrector",
       .sources = {"Vandenberghe, The CVXOPT linear and quadratic cone program solvers, 2010",
                   "Alizadeh, Goldfarb, Second-order cone programming, Math. Program. 95 (2003)"}},
      interior_point);
}

RegisteredSolver ncp_ipm() {
  return solver_entry(
      {.name = "ncp-ipm",
       .model = ContactModel::ncp,
       .summary = "primal-dual interior point with the De Saxcé correction in the Newton system",
       .sources = {"Howell et al., Dojo, arXiv 2203.00806, 2022",
                   "Acary, Armand, Nguyen, Shpakovych, HAL hal-03913568, 2022",
                   "Siconos, gfc3d_ipm_snm.c"}},
      interior_point);
}

}  // namespace frictionbench::solvers
