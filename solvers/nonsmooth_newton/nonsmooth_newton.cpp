#include "frictionbench/solvers/nonsmooth_newton/nonsmooth_newton.hpp"

#include <algorithm>
#include <cmath>

#include "frictionbench/math/largest_eigenvalue.hpp"
#include "frictionbench/math/one_contact.hpp"
#include "frictionbench/sets/natural_map.hpp"
#include "frictionbench/solvers/gauss_seidel/block_alone.hpp"

namespace frictionbench::solvers {

namespace {

// How l is adapted. A relief of 2 or 10 performs alike on real files; with none, ill-conditioned
// ones converge slowly.
constexpr double damping_relief = 4;
constexpr double damping_growth = 10;
constexpr double least_grown_damping = 1e-6;

// The factor of a contact that no impulse moves is arbitrary.
double inverse(double factor, double stiffness) { return factor / (stiffness > 0 ? stiffness : 1); }

template <int Dim>
VelocityFactors velocity_factors(FactorRule rule, double factor, const ContactSweeps<Dim>& rows,
                                 Index i, double alpha) {
  const ConeMatrix<Dim> W = rows.W(i) + alpha * ConeMatrix<Dim>::Identity();
  if (rule == FactorRule::spectral) {
    const double both = inverse(factor, largest_eigenvalue(W));
    return {both, both};
  }
  const Eigen::Matrix<double, Dim - 1, Dim - 1> tangent =
      W.template bottomRightCorner<Dim - 1, Dim - 1>();
  return {inverse(factor, W(0, 0)), inverse(factor, largest_eigenvalue(tangent))};
}
VelocityFactors velocity_factors(FactorRule, double factor, const BlockSweeps& rows, Index i,
                                 double alpha) {
  const double both = inverse(factor, rows.stiffness(i) + alpha);
  return {both, both};
}

// F of one block and its derivatives.
template <int Dim>
ContactEquation<Dim> block_equation(ContactFunction function, const ContactSweeps<Dim>& rows,
                                    Index i, const ConeVector<Dim>& r, const ConeVector<Dim>& u,
                                    const VelocityFactors& rho) {
  return contact_equation<Dim>(function, r, u, rows.mu(i), rho);
}
NaturalMap block_equation(ContactFunction, const BlockSweeps& rows, Index i, const BlockVector& r,
                          const BlockVector& u, const VelocityFactors& rho) {
  return NaturalMap(rows.set(i), rho.normal, r, u);
}

// The exact impulse of one block of W + alpha I. Blocks that no impulse moves are left to Newton's steps.
template <int Dim>
ConeVector<Dim> alone(const ContactSweeps<Dim>& rows, Index i, double alpha, const Vector& q,
                      const Vector& r) {
  const double mu = rows.mu(i);
  const ConeMatrix<Dim> W_ii = rows.W(i) + alpha * ConeMatrix<Dim>::Identity();
  const double least = mu > 0 ? W_ii.diagonal().minCoeff() : W_ii(0, 0);
  if (!(least > 0)) return rows.of(r, i);
  return solve_one_contact<Dim>(W_ii, rows.free_velocity(i, r, q), mu);
}
BlockVector alone(const BlockSweeps& rows, Index i, double alpha, const Vector& q,
                  const Vector& r) {
  const BlockMatrix W_ii =
      rows.W(i) + alpha * BlockMatrix::Identity(rows.W(i).rows(), rows.W(i).rows());
  return solve_alone(rows.set(i), W_ii, rows.stiffness(i) + alpha, rows.free_velocity(i, r, q),
                     rows.of(r, i));
}

}  // namespace

template <typename Rows>
NonsmoothNewton<Rows>::NonsmoothNewton(const NonsmoothNewtonSettings& settings, Solve& solve,
                                       const Rows& rows)
    : settings_(settings),
      solve_(solve),
      trials_(solve.work()),
      W_(solve.W()),
      rows_(rows),
      lu_(W_.row_scaled_lu()),
      rho_(static_cast<std::size_t>(rows.count())),
      F_(solve.unknowns()),
      A_(rows.shape()),
      B_(rows.shape()),
      shift_(rows.shape()),
      merits_(settings.memory),
      damping_(settings.damping) {}

template <typename Rows>
void NonsmoothNewton<Rows>::start(const Vector& start) {
  r_ = start;
  pose(0, start);
  sweep(settings_.start_sweeps);
  arrive();
  merits_.restart(merit_);
}

template <typename Rows>
void NonsmoothNewton<Rows>::pose_proximal_step(double alpha) {
  pose(alpha, r_);
  arrive();
  merits_.restart(merit_);
}

template <typename Rows>
void NonsmoothNewton<Rows>::pose(double alpha, const Vector& centre) {
  alpha_ = alpha;
  proximal_velocity_ = -alpha * centre;
  for (Index i = 0; i < rows_.count(); ++i)
    rho_[static_cast<std::size_t>(i)] =
        velocity_factors(settings_.rho, settings_.rho_factor, rows_, i, alpha);
}

template <typename Rows>
auto NonsmoothNewton<Rows>::equation(Index i, const Vector& r, const Vector& u) const {
  return block_equation(settings_.function, rows_, i, Segment(rows_.of(r, i)),
                        Segment(rows_.of(u, i)), rho_[static_cast<std::size_t>(i)]);
}

// Evaluates everything at r.
template <typename Rows>
void NonsmoothNewton<Rows>::arrive() {
  u_ = velocity(r_) + alpha_ * r_ + proximal_velocity_;
  for (Index i = 0; i < rows_.count(); ++i) {
    const auto here = equation(i, r_, u_);
    rows_.of(F_, i) = here.value;
    A_.block(i) = here.by_velocity;
    B_.block(i) = here.by_impulse;
  }
  merit_ = F_.squaredNorm() / 2;
}

template <typename Rows>
double NonsmoothNewton<Rows>::merit_at(const Vector& r, const Vector& u) const {
  double merit = 0;
  for (Index i = 0; i < rows_.count(); ++i) merit += equation(i, r, u).value.squaredNorm() / 2;
  return merit;
}

template <typename Rows>
double NonsmoothNewton<Rows>::mean_error(double merit) const {
  return std::sqrt(2 * merit / static_cast<double>(rows_.count()));
}

template <typename Rows>
double NonsmoothNewton<Rows>::ncp_error() const {
  return mean_error(merit_at(r_, u_ - alpha_ * r_ - proximal_velocity_));
}

template <typename Rows>
void NonsmoothNewton<Rows>::advance() {
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
  merits_.restart(merit_);
}

// \param damping beta. \returns the step that was taken; 0 for none.
template <typename Rows>
double NonsmoothNewton<Rows>::try_step(double damping) {
  for (Index i = 0; i < rows_.count(); ++i)
    shift_.block(i) = (alpha_ + damping) * A_.block(i) + B_.block(i);
  if (!lu_.factorize(A_, shift_)) return 0;
  Vector direction = -F_;
  lu_.solve_in_place(direction);
  return direction.allFinite() ? search(direction) : 0;
}

template <typename Rows>
double NonsmoothNewton<Rows>::search(const Vector& direction) {
  const Vector du = W_.times(direction) + alpha_ * direction;
  const double slope = F_.dot(A_.times(du) + B_.times(direction));
  if (!(slope < 0)) return 0;  // the damping has turned it uphill
  const double reference = merits_.largest();
  double step = 1;
  for (int k = 0; k <= settings_.halvings; ++k, step /= 2) {
    trials_.count();
    const double merit = merit_at(r_ + step * direction, u_ + step * du);
    if (merit <= reference + settings_.decrease * step * slope) {
      r_ += step * direction;
      arrive();
      merits_.add(merit_);
      return step;
    }
  }
  return 0;
}

template <typename Rows>
void NonsmoothNewton<Rows>::sweep(int sweeps) {
  const Vector q = solve_.q() + proximal_velocity_;
  for (int k = 0; k < sweeps && !solve_.time_is_up(); ++k)
    rows_.sweep([&](Index i) { rows_.of(r_, i) = alone(rows_, i, alpha_, q, r_); });
}

template <typename Rows>
Vector NonsmoothNewton<Rows>::impulse() const {
  return solve_.projected(r_);
}

template class NonsmoothNewton<ContactSweeps<2>>;
template class NonsmoothNewton<ContactSweeps<3>>;
template class NonsmoothNewton<BlockSweeps>;

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
  solve.with_sweeps([&]<typename Rows>(const Rows& rows) {
    NonsmoothNewton<Rows> newton(settings, solve, rows);
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
                   "Acary, Bremond, Huber, INRIA RR-9118 (2017), NSN-AC, NSN-NM, NSN-FB"},
       .every_set = true,
       .bilateral = Bilateral::block},
      ncp_newton_method);
}

}  // namespace frictionbench::solvers
