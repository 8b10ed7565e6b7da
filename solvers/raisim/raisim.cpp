#include "frictionbench/solvers/raisim/raisim.hpp"

#include <algorithm>
#include <utility>

#include "frictionbench/math/friction_cone.hpp"
#include "frictionbench/solvers/gauss_seidel/projected_gauss_seidel.hpp"
#include "frictionbench/solvers/raisim/raisim_contact.hpp"

namespace frictionbench::solvers {

void Raisim::Settings::describe(SettingFields& fields) {
  const Range share{0, 1, false, true};
  fields.add("alpha", alpha, share, "first relaxation factor", "ContactBench, RaisimSolver");
  fields.add("alpha_min", alpha_min, share, "relaxation factor that alpha decays to",
             "[LeLidec24] Alg. 5; ContactBench, RaisimSolver");
  fields.add("gamma", gamma, Range{0, 1}, "share of alpha - alpha_min that a sweep leaves",
             "[LeLidec24] Alg. 5; ContactBench, RaisimSolver");
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
    double alpha = settings_.alpha;
    double largest = 0;  // ||r* - r_i|| of the sweep so far
    const auto update = [&](const BlockRows<Dim>& rows, const Vector& q, double mu, Index i,
                            Vector& r) {
      auto r_i = r.segment<Dim>(Dim * i);
      const auto correction = (raisim_impulse<Dim>(rows.diagonal(i), rows.free_velocity(i, r, q),
                                                   mu, settings_.angle_tolerance) -
                               r_i)
                                  .eval();
      largest = std::max(largest, correction.norm());
      r_i += alpha * correction;
    };
    const auto stop = [&](const ConeResiduals& residuals, const Vector&, const Limits& bounds,
                          Result& result) {
      alpha = settings_.gamma * alpha + (1 - settings_.gamma) * settings_.alpha_min;
      const double correction = std::exchange(largest, 0);
      result.claimed["fixed_point"] = correction;
      if (stop_on_residuals(residuals, bounds, result)) return true;
      if (!(correction <= settings_.fixed_point_tolerance * result.r.lpNorm<Eigen::Infinity>()))
        return false;
      result.status = Status::inaccurate;
      result.fired = "fixed point";
      result.message = "RaiSim's own fixed point, which violates the NCP";
      return true;
    };
    const SweepSettings every_sweep;
    return projected_gauss_seidel<Dim>(ContactModel::ncp, problem, limits, guess.r, observer,
                                       every_sweep, update, stop);
  });
}

}  // namespace frictionbench::solvers
