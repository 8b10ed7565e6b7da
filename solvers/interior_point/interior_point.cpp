#include "frictionbench/solvers/interior_point/interior_point.hpp"

#include <fmt/format.h>

#include <cmath>

#include "frictionbench/solvers/interior_point/newton_system.hpp"

namespace frictionbench::solvers {

namespace {

constexpr double short_step = 0.1;
constexpr int trapped_after = 3;  // short steps in a row
constexpr int most_polished = 5;  // iterations that only reduce the gap

template <typename Coordinates>
class Iteration {
 public:
  Iteration(const Coordinates& coordinates, const InteriorPointSettings& settings, Solve& solve)
      : coordinates_(coordinates),
        settings_(settings),
        solve_(solve),
        model_(solve.model()),
        W_(solve.W()),
        system_(coordinates,
                model_ == ContactModel::ncp ? System::Kind::unsymmetric : System::Kind::symmetric,
                solve, settings.refinements),
        path_(coordinates.cones()),
        y_(coordinates.nearest(path_.x(), Vector::Zero(solve.unknowns()))) {}

  void run();

 private:
  static constexpr int rows = Coordinates::cone_rows;
  using System = NewtonSystem<Coordinates>;

  Vector residual(const Vector& u) const;
  BlockDiagonal jacobian() const;
  bool advance(const Vector& u);
  bool is_precise(const Vector& r, const Vector& u) const;
  bool settles(const Vector& r, const ConeResiduals& residuals);

  const Coordinates& coordinates_;
  const InteriorPointSettings& settings_;
  Solve& solve_;
  ContactModel model_;
  const DelassusOperator& W_;
  System system_;
  CentralPath<rows> path_;
  Vector y_;
  int short_steps_ = 0;  // in a row
};

// F. \param u W r + q.
template <typename Coordinates>
Vector Iteration<Coordinates>::residual(const Vector& u) const {
  Vector F = coordinates_.scale().cwiseProduct(u) - coordinates_.from_cones(path_.z());
  if (model_ == ContactModel::ncp)
    for (Index i = 0; i < coordinates_.cones().count(); ++i)
      F[coordinates_.normal(i)] += slip<rows>(path_.part(path_.z(), i));
  return F;
}

// J.
template <typename Coordinates>
BlockDiagonal Iteration<Coordinates>::jacobian() const {
  BlockDiagonal J(coordinates_.cones());
  for (Index i = 0; i < J.blocks(); ++i) {
    if (model_ == ContactModel::ncp)
      J.block(i) = slip_jacobian<rows>(path_.part(path_.z(), i));
    else
      J.block(i).setIdentity();
  }
  return J;
}

// One predictor and corrector. \returns false if the iterate is trapped at the boundary.
template <typename Coordinates>
bool Iteration<Coordinates>::advance(const Vector& u) {
  const BlockDiagonal& D = path_.scale();
  if (!system_.factorize(jacobian(), D)) return false;
  const Vector F = residual(u), slack = coordinates_.slack_error(y_, path_.x());
  const auto predictor = system_.direction(path_, F, -path_.z(), slack);
  const double sigma = std::pow(1 - path_.largest_step(predictor.dx, predictor.dz, 1), 3);
  const auto found =
      system_.direction(path_, F, path_.corrected_target(predictor.dx, predictor.dz, sigma), slack);
  if (!found.is_finite()) return false;

  const double longest = 1 / settings_.boundary;
  const double step = settings_.boundary * path_.largest_step(found.dx, found.dz, longest);
  y_ += path_.move(step, found.dx, found.dz) * found.dy;
  short_steps_ = step < short_step ? short_steps_ + 1 : 0;
  return short_steps_ < trapped_after;
}

// Whether the gap is a small part of the cost.
template <typename Coordinates>
bool Iteration<Coordinates>::is_precise(const Vector& r, const Vector& u) const {
  const double cost = r.dot(u + solve_.q()) / 2;
  return path_.x().dot(path_.z()) <= settings_.gap * std::abs(cost);
}

// Ends as solved by r, or by the impulse of P_L(x - z) if that is within the tolerance too. Inside the
// cones no contact is exactly separated or at the Coulomb limit; P_L(x - z) is on the boundary, and
// equals x if x and z are complementary (Moreau). \returns false where the answer holds in scaled units only.
template <typename Coordinates>
bool Iteration<Coordinates>::settles(const Vector& r, const ConeResiduals& residuals) {
  Vector x = path_.x() - path_.z();
  for (Index i = 0; i < coordinates_.cones().count(); ++i)
    path_.part(x, i) = project_on_cone(ConeVector<rows>(path_.part(x, i)), 1);
  const Vector settled = coordinates_.member(x, y_);
  const ConeResiduals own = solve_.residuals(settled, W_.velocity(settled));
  return (solve_.is_within_tolerance(own) && solve_.converge(settled, own)) ||
         solve_.converge(r, residuals);
}

template <typename Coordinates>
void Iteration<Coordinates>::run() {
  int recentrings = 0;
  int polished = 0;
  Vector solution;  // the last iterate within the tolerance
  ConeResiduals of_solution;
  while (solve_.begin_iteration()) {
    solve_.report("gap", path_.gap());
    solve_.report("recentrings", recentrings);
    const Vector r = coordinates_.impulse(y_);
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
    else if (solution.size() > 0) {
      if (settles(solution, of_solution)) return;
      solution.resize(0);
      polished = 0;
    } else if (solve_.ends())
      return;
    if (advance(u)) continue;
    if (recentrings == settings_.recentrings)
      return solve_.stall(
          fmt::format("trapped at the boundary of the cones after {} recentrings", recentrings));
    ++recentrings;
    short_steps_ = 0;
    path_.recentre(settings_.push);
    y_ = coordinates_.nearest(path_.x(), y_);
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
      "file states it; they end where one does not halve what is missing",
      "measured on PrimitiveSoup: factors through the global form need up to 8; CVXOPT: 1");
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
  with_cones(solve,
             [&](const auto& coordinates) { Iteration(coordinates, settings, solve).run(); });
}

RegisteredSolver ccp_ipm() {
  return solver_entry(
      {.name = "ccp-ipm",
       .model = ContactModel::ccp,
       .summary = "primal-dual interior point, Nesterov-Todd scaling, Mehrotra's corrector",
       .sources = {"Vandenberghe, The CVXOPT linear and quadratic cone program solvers, 2010",
                   "Alizadeh, Goldfarb, Second-order cone programming, Math. Program. 95 (2003)"},
       .every_set = true},
      interior_point);
}

RegisteredSolver ncp_ipm() {
  return solver_entry(
      {.name = "ncp-ipm",
       .model = ContactModel::ncp,
       .summary = "primal-dual interior point with the De Saxcé correction in the Newton system",
       .sources = {"Howell et al., Dojo, arXiv 2203.00806, 2022",
                   "Acary, Armand, Nguyen, Shpakovych, HAL hal-03913568, 2022",
                   "Siconos, gfc3d_ipm_snm.c"},
       .every_set = true},
      interior_point);
}

}  // namespace frictionbench::solvers
