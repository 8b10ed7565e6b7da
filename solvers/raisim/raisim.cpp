#include "raisim/raisim.hpp"

#include <algorithm>

#include "frictionbench/linalg/delassus_operator.hpp"
#include "frictionbench/math/friction_cone.hpp"
#include "frictionbench/solver/stopping.hpp"
#include "raisim/raisim_contact.hpp"

namespace frictionbench::solvers {

namespace {

// A sweep of L Alg. 5. \returns the largest ||r* - r_i||.
template <int Dim>
double sweep(const BlockRows<Dim>& rows, const ContactProblem& problem, double alpha,
             double angle_tolerance, Vector& r) {
  double largest = 0;
  for (Index i = 0; i < rows.contacts(); ++i) {
    const auto& W_ii = rows.diagonal(i);
    auto r_i = r.segment<Dim>(Dim * i);
    const auto free_velocity =
        (rows.row_times(i, r) + problem.local().q.segment<Dim>(Dim * i) - W_ii * r_i).eval();
    const auto correction =
        (raisim_impulse<Dim>(W_ii, free_velocity, problem.mu()[i], angle_tolerance) - r_i).eval();
    largest = std::max(largest, correction.norm());
    r_i += alpha * correction;
  }
  return largest;
}

}  // namespace

void Raisim::Settings::describe(SettingFields& fields) {
  const Range share{0, 1, false, true};
  fields.add("alpha", alpha, share, "first relaxation factor", "ContactBench, RaisimSolver");
  fields.add("alpha_min", alpha_min, share, "relaxation factor that alpha decays to",
             "L Alg. 5; ContactBench, RaisimSolver");
  fields.add("gamma", gamma, Range{0, 1}, "share of alpha - alpha_min that a sweep leaves",
             "L Alg. 5; ContactBench, RaisimSolver");
  fields.add("angle_tolerance", angle_tolerance, positive(),
             "where the bisection over the angle of a sliding impulse stops, rad",
             "finer than any tolerance in use; ContactBench: 1e-6 on the impulse");
  fields.add("fixed_point_tolerance", fixed_point_tolerance, at_least(0),
             "corrections below this share of ||r||_inf end the solve; 0: never",
             "close to rounding, so that the NCP test comes first; above angle_tolerance, whose "
             "noise is in the corrections");
}

SolverInfo Raisim::info() {
  SolverInfo info;
  info.name = "raisim";
  info.summary = "RaiSim's per-contact bisection: Signorini, but not maximum dissipation";
  info.model = ContactModel::ncp;
  info.exact = false;
  info.sources = {"Le Lidec et al., Contact Models in Robotics (L), section III-C, Alg. 5",
                  "Hwangbo, Lee, Hutter, IEEE RA-L 3 (2018)"};
  return info;
}

Result Raisim::run(const ContactProblem& problem, const Limits& limits, const InitialGuess& guess,
                   Observer& observer) const {
  return with_dimension(problem.dimension(), [&](auto dim) {
    constexpr int Dim = dim();
    Result result;
    result.r = guess.r;
    const DelassusOperator W(problem, result.work);
    const BlockRows<Dim> rows = W.block_rows<Dim>();
    double alpha = settings_.alpha;
    observer.setup_finished();

    for (result.iterations = 1; result.iterations <= limits.max_iterations; ++result.iterations) {
      const double correction = sweep(rows, problem, alpha, settings_.angle_tolerance, result.r);
      alpha = settings_.gamma * alpha + (1 - settings_.gamma) * settings_.alpha_min;
      ++result.work.sweeps;
      result.claimed["fixed_point"] = correction;

      const Vector u = W.velocity(result.r);
      const ConeResiduals residuals = cone_residuals(ContactModel::ncp, problem, result.r, u);
      observer.iterated({result.iterations, residuals});
      if (stop_on_residuals(residuals, limits, result)) return result;
      if (correction <= settings_.fixed_point_tolerance * result.r.lpNorm<Eigen::Infinity>()) {
        result.status = Status::inaccurate;
        result.fired = "fixed point";
        result.message = "RaiSim's own fixed point, which violates the NCP";
        return result;
      }
    }
    stop_at_iteration_limit(limits, result);
    return result;
  });
}

}  // namespace frictionbench::solvers
