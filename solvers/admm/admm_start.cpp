#include "frictionbench/solvers/admm/admm_start.hpp"

#include "frictionbench/math/friction_cone.hpp"

namespace frictionbench::solvers {

namespace {

// û for the NCP, u for the CCP.
template <int Dim>
Eigen::Matrix<double, Dim, 1> model_velocity(ContactModel model, Eigen::Matrix<double, Dim, 1> u,
                                             double mu) {
  if (model == ContactModel::ncp) u[0] += de_saxce_correction(u, mu);
  return u;
}

}  // namespace

AdmmStart admm_start(Solve& solve, int sweeps) {
  const Vector guess = solve.start();
  AdmmStart start{guess, Vector::Zero(guess.size())};
  if (guess.isZero(0) && sweeps == 0) return start;
  start.y = solve.projected(guess);
  with_dimension(solve.problem().dimension(), [&](auto dim) {
    constexpr int Dim = dim();
    if (sweeps > 0) {
      const auto W = solve.sweeps<Dim>();
      for (int k = 0; k < sweeps; ++k)
        W.sweep([&](Index i) {
          const double trace = W.W(i).trace();
          if (!(trace > 0)) return;
          const auto v = model_velocity<Dim>(solve.model(), W.velocity(i, start.y), W.mu(i));
          auto y_i = start.y.segment<Dim>(Dim * i);
          y_i = project_on_cone((y_i - Dim / trace * v).eval(), W.mu(i));
        });
    }
    const Vector u = solve.W().velocity(start.y);
    for (Index i = 0; i < solve.contacts(); ++i)
      start.z.segment<Dim>(Dim * i) = project_on_dual_cone(
          model_velocity<Dim>(solve.model(), u.segment<Dim>(Dim * i), solve.mu(i)), solve.mu(i));
  });
  return start;
}

}  // namespace frictionbench::solvers
