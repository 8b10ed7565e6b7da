#include "frictionbench/solvers/admm/admm_start.hpp"

#include "frictionbench/math/friction_cone.hpp"

namespace frictionbench::solvers {

namespace {

// The velocity that complementarity is asked of: û for the NCP, u for the CCP.
template <int Dim>
Eigen::Matrix<double, Dim, 1> model_velocity(ContactModel model, Eigen::Matrix<double, Dim, 1> u,
                                             double mu) {
  if (model == ContactModel::ncp) u[0] += de_saxce_correction(u, mu);
  return u;
}

template <int Dim>
void sweep(ContactModel model, const ContactProblem& problem, const BlockRows<Dim>& rows,
           Vector& y) {
  const Vector& q = problem.local().q;
  for (Index i = 0; i < problem.contacts(); ++i) {
    const double trace = rows.diagonal(i).trace();
    if (!(trace > 0)) continue;
    const double mu = problem.mu()[i];
    const Eigen::Matrix<double, Dim, 1> u = rows.row_times(i, y) + q.segment<Dim>(Dim * i);
    auto y_i = y.segment<Dim>(Dim * i);
    y_i = project_on_cone((y_i - Dim / trace * model_velocity<Dim>(model, u, mu)).eval(), mu);
  }
}

}  // namespace

AdmmStart admm_start(ContactModel model, const ContactProblem& problem, const DelassusOperator& W,
                     const Vector& guess, int sweeps, WorkCounters& work) {
  AdmmStart start{guess, Vector::Zero(guess.size())};
  if (guess.isZero(0) && sweeps == 0) return start;
  with_dimension(problem.dimension(), [&](auto dim) {
    constexpr int Dim = dim();
    for (Index i = 0; i < problem.contacts(); ++i) {
      auto y_i = start.y.segment<Dim>(Dim * i);
      y_i = project_on_cone(y_i.eval(), problem.mu()[i]);
    }
    if (sweeps > 0) {
      const BlockRows<Dim> rows = W.block_rows<Dim>();
      for (int k = 0; k < sweeps; ++k) sweep(model, problem, rows, start.y);
      work.sweeps += sweeps;
    }
    const Vector u = W.velocity(start.y);
    for (Index i = 0; i < problem.contacts(); ++i) {
      const double mu = problem.mu()[i];
      start.z.segment<Dim>(Dim * i) =
          project_on_dual_cone(model_velocity<Dim>(model, u.segment<Dim>(Dim * i), mu), mu);
    }
  });
  return start;
}

}  // namespace frictionbench::solvers
