#include "frictionbench/solver/scaled_solve.hpp"

#include "frictionbench/problem/scaling.hpp"
#include "frictionbench/solver/stopping.hpp"

namespace frictionbench {

void describe_scaling(SettingFields& fields, Scaling& scaling) {
  fields.add("scaling", scaling, {{"none", Scaling::none}, {"contacts", Scaling::contacts}},
             "contacts: solve with W_ii of mean 1 and q of size 1, by one factor a contact; the "
             "problem, its answers and its tolerances stay the same",
             "Jacobi equilibration, one number a contact");
}

Result solve_scaled(
    Scaling scaling, ContactModel model, const ContactProblem& problem, const Limits& limits,
    const InitialGuess& guess,
    const std::function<Result(const ContactProblem&, const InitialGuess&)>& solve) {
  if (scaling == Scaling::none) return solve(problem, guess);
  const ContactScaling units = ContactScaling::equilibrated(problem);
  Result result = solve(units.apply(problem), InitialGuess{units.impulse_to_scaled(guess.r)});
  result.r = units.impulse_to_original(result.r);
  if (result.status != Status::converged) return result;

  ++result.work.products;
  const ConeResiduals residuals =
      cone_residuals(model, problem, result.r, problem.contact_velocity(result.r));
  claim(residuals, result);
  if (!residuals.within(limits.tolerances)) {
    result.status = Status::inaccurate;
    result.message =
        "solved in scaled units, but rounding in those of the file exceeds the tolerance";
  }
  return result;
}

}  // namespace frictionbench
