#include "frictionbench/solvers/nonsmooth_newton/nonsmooth_newton.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "frictionbench/math/one_contact.hpp"

namespace frictionbench::solvers {

namespace {

// How l is adapted. A relief of 2 or 10 performs alike on real files; with none, ill-conditioned
// ones converge slowly.
constexpr double damping_relief = 4;
constexpr double damping_growth = 10;
constexpr double least_grown_damping = 1e-6;

template <typename Derived>
double largest_eigenvalue(const Eigen::MatrixBase<Derived>& block) {
  using Block = typename Derived::PlainObject;
  const Block symmetric = (block + block.transpose()) / 2;
  return Eigen::SelfAdjointEigenSolver<Block>(symmetric, Eigen::EigenvaluesOnly)
      .eigenvalues()
      .maxCoeff();
}

// The factor of a contact that no impulse moves is arbitrary.
template <int Dim>
VelocityFactors velocity_factors(FactorRule rule, double factor, const ConeMatrix<Dim>& W) {
  const auto inverse = [factor](double stiffness) {
    return factor / (stiffness > 0 ? stiffness : 1);
  };
  if (rule == FactorRule::spectral) {
    const double both = inverse(largest_eigenvalue(W));
    return {both, both};
  }
  const Eigen::Matrix<double, Dim - 1, Dim - 1> tangent =
      W.template bottomRightCorner<Dim - 1, Dim - 1>();
  return {inverse(W(0, 0)), inverse(largest_eigenvalue(tangent))};
}

}  // namespace

template <int Dim>
NonsmoothNewton<Dim>::NonsmoothNewton(const NonsmoothNewtonSettings& settings, Solve& solve)
    : settings_(settings),
      solve_(solve),
      trials_(solve.work()),
      W_(solve.W()),
      rows_(solve.sweeps<Dim>()),
      lu_(W_.matrix(), Dim, solve.work(), ShiftableMatrix::Pattern::whole_blocks),
      rho_(static_cast<std::size_t>(solve.contacts())),
      F_(solve.unknowns()),
      A_(Dim, solve.contacts()),
      B_(Dim, solve.contacts()),
      shift_(Dim, solve.contacts()),
      damping_(settings.damping) {}

template <int Dim>
void NonsmoothNewton<Dim>::start(const Vector& start) {
  r_ = start;
  pose(0, start);
  sweep(settings_.start_sweeps);
  arrive();
  merits_.assign(1, merit_);
}

template <int Dim>
void NonsmoothNewton<Dim>::pose_proximal_step(double alpha) {
  pose(alpha, r_);
  arrive();
  merits_.assign(1, merit_);
}

template <int Dim>
void NonsmoothNewton<Dim>::pose(double alpha, const Vector& centre) {
  alpha_ = alpha;
  proximal_velocity_ = -alpha * centre;
  for (Index i = 0; i < rows_.contacts(); ++i) {
    const ConeMatrix<Dim> W_ii = rows_.W(i) + alpha * ConeMatrix<Dim>::Identity();
    rho_[static_cast<std::size_t>(i)] =
        velocity_factors<Dim>(settings_.rho, settings_.rho_factor, W_ii);
  }
}

template <int Dim>
ContactEquation<Dim> NonsmoothNewton<Dim>::equation(Index i, const Vector& r,
                                                    const Vector& u) const {
  return contact_equation<Dim>(settings_.function, Contact(r.segment<Dim>(Dim * i)),
                               Contact(u.segment<Dim>(Dim * i)), rows_.mu(i),
                               rho_[static_cast<std::size_t>(i)]);
}

// Evaluates everything at r.
template <int Dim>
void NonsmoothNewton<Dim>::arrive() {
  u_ = velocity(r_) + alpha_ * r_ + proximal_velocity_;
  for (Index i = 0; i < rows_.contacts(); ++i) {
    const ContactEquation<Dim> here = equation(i, r_, u_);
    F_.segment<Dim>(Dim * i) = here.value;
    A_.block(i) = here.by_velocity;
    B_.block(i) = here.by_impulse;
  }
  merit_ = F_.squaredNorm() / 2;
}

template <int Dim>
double NonsmoothNewton<Dim>::merit_at(const Vector& r, const Vector& u) const {
  double merit = 0;
  for (Index i = 0; i < rows_.contacts(); ++i) merit += equation(i, r, u).value.squaredNorm() / 2;
  return merit;
}

template <int Dim>
double NonsmoothNewton<Dim>::mean_error(double merit) const {
  return std::sqrt(2 * merit / static_cast<double>(rows_.contacts()));
}

template <int Dim>
double NonsmoothNewton<Dim>::ncp_error() const {
  return mean_error(merit_at(r_, u_ - alpha_ * r_ - proximal_velocity_));
}

template <int Dim>
void NonsmoothNewton<Dim>::advance() {
  for (int attempt = 0; attempt < settings_.attempts; ++attempt) {
    const double step = try_step(damping_ * std::min(1.0, error()));
    if (step == 1) damping_ /= damping_relief;
    if (step > 0) return;
    damping_ = std::max(damping_growth * damping_, least_grown_damping);
  }
  damping_ = settings_.damping;
  sweep(settings_.rescue_sweeps);
  ++rescues_;
  arrive();
  merits_.assign(1, merit_);
}

// \param damping beta. \returns the step that was taken; 0 for none.
template <int Dim>
double NonsmoothNewton<Dim>::try_step(double damping) {
  for (Index i = 0; i < rows_.contacts(); ++i)
    shift_.block(i) = (alpha_ + damping) * A_.block(i) + B_.block(i);
  if (!lu_.factorize(A_, shift_)) return 0;
  Vector direction = -F_;
  lu_.solve_in_place(direction);
  return direction.allFinite() ? search(direction) : 0;
}

template <int Dim>
double NonsmoothNewton<Dim>::search(const Vector& direction) {
  const Vector du = W_.times(direction) + alpha_ * direction;
  const double slope = F_.dot(A_.times(du) + B_.times(direction));
  if (!(slope < 0)) return 0;  // the damping has turned it uphill
  const double reference = *std::max_element(merits_.begin(), merits_.end());
  double step = 1;
  for (int k = 0; k <= settings_.halvings; ++k, step /= 2) {
    trials_.count();
    const double merit = merit_at(r_ + step * direction, u_ + step * du);
    if (merit <= reference + settings_.decrease * step * slope) {
      r_ += step * direction;
      arrive();
      if (merits_.size() == static_cast<std::size_t>(settings_.memory))
        merits_.erase(merits_.begin());
      merits_.push_back(merit_);
      return step;
    }
  }
  return 0;
}

// Contacts that no impulse moves are left to Newton's steps.
template <int Dim>
void NonsmoothNewton<Dim>::sweep(int sweeps) {
  const Vector q = solve_.q() + proximal_velocity_;
  for (int k = 0; k < sweeps; ++k)
    rows_.sweep([&](Index i) {
      const double mu = rows_.mu(i);
      const ConeMatrix<Dim> W_ii = rows_.W(i) + alpha_ * ConeMatrix<Dim>::Identity();
      const double least = mu > 0 ? W_ii.diagonal().minCoeff() : W_ii(0, 0);
      if (least > 0)
        r_.segment<Dim>(Dim * i) = solve_one_contact<Dim>(W_ii, rows_.free_velocity(i, r_, q), mu);
    });
}

template <int Dim>
Vector NonsmoothNewton<Dim>::impulse() const {
  return solve_.projected(r_);
}

template class NonsmoothNewton<2>;
template class NonsmoothNewton<3>;

void NonsmoothNewtonSettings::describe(SettingFields& fields) {
  describe_scaling(fields, scaling);
  fields.add("function", function,
             {{"alart_curnier", ContactFunction::alart_curnier},
              {"natural_map", ContactFunction::natural_map},
              {"fischer_burmeister", ContactFunction::fischer_burmeister}},
             "the equation F(r, u) = 0 of a contact", "INRIA RR-9118: NSN-AC, NSN-NM, NSN-FB");
  fields.add(
      "rho", rho, {{"spectral", FactorRule::spectral}, {"split", FactorRule::split}},
      "scaling of u in F(r, u); spectral: 1 / lambda_max(W_ii) for all directions; split: 1 / W_NN "
      "(normal) and 1 / lambda_max(W_TT) (tangential), of which only alart_curnier uses both and "
      "the others the tangential one",
      "Siconos: spectral; on real files split performs alike");
  fields.add("rho_factor", rho_factor, positive(), "the scaling of u is multiplied by this",
             "measured on real files, 1 to 30; Siconos: 1, which takes twice the factorisations");
  fields.add("damping", damping, at_least(0),
             "initial shift of W in the Newton matrix (and after sweeps), as a multiple of min(1, "
             "||F|| / sqrt(n_c))",
             "measured on real files: 0.1 to 10 perform alike; with 0, a sixth more stay unsolved; "
             "ncp-prox: 1e-3, because alpha damps too");
  fields.add(
      "attempts", attempts, at_least(1),
      "maximum number of factorisations per iteration; damping grows tenfold each time",
      "measured: with 1, fewer real files are solved; ncp-prox: 6, starting from less damping");
  fields.add("decrease", decrease, open_interval(0, 1),
             "Armijo constant: fraction of the predicted decrease of ||F||^2 / 2 that a step must "
             "achieve",
             "Siconos, FBLSA (Facchinei and Pang, section 9.1)");
  fields.add(
      "memory", memory, at_least(1),
      "number of previous values of ||F||^2 / 2, of which the largest is the reference of the "
      "line search; 1: monotone",
      "Grippo, Lampariello, Lucidi (1986); a monotone search takes three times the "
      "factorisations on real files");
  fields.add("halvings", halvings, at_least(0),
             "maximum number of step halvings in the line search",
             "measured: 10 allow steps that are too short to get past kinks; Siconos: 100");
  fields.add("start_sweeps", start_sweeps, at_least(0),
             "number of nonsmooth Gauss-Seidel sweeps before the first iteration",
             "measured: with 0, real files take three times as long");
  fields.add("rescue_sweeps", rescue_sweeps, at_least(1),
             "number of sweeps that replace an iteration in which no step is found",
             "measured: rarely needed; 10 perform alike");
  fields.add(
      "patience", patience, at_least(1),
      "the solve ends `stalled` after this many iterations without a 1 % decrease of the residual",
      "measured: 100 ends a few solves on real files too early");
}

void ncp_newton_method(const NonsmoothNewtonSettings& settings, Solve& solve) {
  solve.use(settings.scaling);
  solve.stall_after(settings.patience);
  with_dimension(solve.problem().dimension(), [&](auto dim) {
    NonsmoothNewton<dim()> newton(settings, solve);
    newton.start(solve.start());
    while (solve.begin_iteration()) {
      if (solve.iteration() > 1) newton.advance();
      solve.report("rescues", newton.rescues());
      const Vector r = newton.impulse();
      if (solve.ends(r, newton.velocity(r))) return;
    }
  });
}

RegisteredSolver ncp_newton() {
  return solver_entry(
      {.name = "ncp-newton",
       .model = ContactModel::ncp,
       .summary = "damped nonsmooth Newton on the Alart-Curnier, natural map or Fischer-Burmeister "
                  "equations",
       .sources = {"Alart, Curnier, Comput. Methods Appl. Mech. Eng. 92 (1991)",
                   "Acary, Bremond, Huber, INRIA RR-9118 (2017), NSN-AC, NSN-NM, NSN-FB"}},
      ncp_newton_method);
}

}  // namespace frictionbench::solvers
