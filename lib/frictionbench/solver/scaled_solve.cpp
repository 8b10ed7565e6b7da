#include "frictionbench/solver/scaled_solve.hpp"

#include "frictionbench/problem/scaling.hpp"

namespace frictionbench {

void describe_scaling(SettingFields& fields, Scaling& scaling) {
  fields.add("scaling", scaling, {{"none", Scaling::none}, {"contacts", Scaling::contacts}},
             "contacts: solve with W_ii of mean 1 and q of size 1, by one factor a contact; the "
             "problem, its answers and its tolerances stay the same",
             "Jacobi equilibration, one number a contact");
}

Result solve_scaled(
    Scaling scaling, const ContactProblem& problem, const InitialGuess& guess,
    const std::function<Result(const ContactProblem&, const InitialGuess&)>& solve) {
  if (scaling == Scaling::none) return solve(problem, guess);
  const ContactScaling units = ContactScaling::equilibrated(problem);
  Result result = solve(units.apply(problem), InitialGuess{units.impulse_to_scaled(guess.r)});
  result.r = units.impulse_to_original(result.r);
  return result;
}

}  // namespace frictionbench
