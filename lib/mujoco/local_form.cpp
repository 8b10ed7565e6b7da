#include "frictionbench/mujoco/extraction.hpp"

namespace frictionbench::mujoco {

fclib::ProblemFile in_local_form(const fclib::ProblemFile& file) {
  fclib::ProblemFile local = file;
  const LocalView form = file.problem.local();
  local.problem = ContactProblem(file.problem.dimension(), file.problem.mu(),
                                 LocalForm{form.W, form.q}, file.problem.other_sets());
  for (fclib::State& guess : local.guesses) guess.v.reset();
  return local;
}

}  // namespace frictionbench::mujoco
