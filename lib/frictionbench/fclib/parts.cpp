#include "frictionbench/fclib/parts.hpp"

#include <algorithm>

#include "frictionbench/fclib/file_rows.hpp"
#include "frictionbench/math/components.hpp"
#include "frictionbench/problem/islands.hpp"
#include "frictionbench/problem/part.hpp"

namespace frictionbench::fclib {
namespace {

/// Whether no block that is left out acts on one of these.
bool stands_alone(const ContactProblem& problem, const std::vector<Index>& blocks) {
  for (const std::vector<Index>& island : members(islands(problem))) {
    const auto kept = std::ranges::count_if(
        island, [&](Index i) { return std::ranges::binary_search(blocks, i); });
    if (kept != 0 && kept != std::ssize(island)) return false;
  }
  return true;
}

/// A state of the part. \param dofs of v; null where v is left out.
State state_part(const State& whole, const ContactProblem& problem, const ContactProblem& part,
                 const std::vector<Index>& rows, const std::vector<Index>* dofs) {
  State state;
  if (whole.v && dofs) state.v = (*whole.v)(*dofs);
  if (whole.r) state.r = (*whole.r)(rows);
  if (whole.u) {
    // A file has the velocities of its contacts only, which come first.
    const auto end = std::ranges::lower_bound(rows, rows_in_file(problem).contacts);
    const std::vector<Index> contacts(rows.begin(), end);
    if (std::ssize(contacts) == rows_in_file(part).contacts) state.u = (*whole.u)(contacts);
  }
  return state;
}

}  // namespace

ProblemFile in_local_form(const ProblemFile& file) {
  if (file.problem.form() == ProblemForm::local) return file;
  const ContactProblem& problem = file.problem;
  ContactProblem local(problem.dimension(), problem.mu(),
                       LocalForm{problem.rigid_W(), problem.local().q}, problem.other_sets());
  if (problem.compliance().size() > 0) local = local.with_compliance(problem.compliance());
  ProblemFile result{std::move(local), file.info,   file.solution,
                     file.guesses,     file.sha256, file.bodies};
  if (result.solution) result.solution->v.reset();
  for (State& guess : result.guesses) guess.v.reset();
  return result;
}

ProblemFile part_of(const ProblemFile& file, const std::vector<Index>& blocks, Bodies bodies) {
  const ContactProblem& problem = file.problem;
  const std::vector<Index> rows = row_numbers(problem, blocks);
  const bool global = problem.form() == ProblemForm::global;
  Dofs dofs;
  if (global) dofs = dofs_of(problem, blocks, bodies);
  ProblemFile part{
      global ? global_part_of(problem, blocks, dofs.kept) : frictionbench::part_of(problem, blocks),
      file.info,
      {},
      {},
      file.sha256,
      {}};
  const std::vector<Index>* v = global && dofs.alone ? &dofs.kept : nullptr;
  if (file.solution && stands_alone(problem, blocks))
    part.solution = state_part(*file.solution, problem, part.problem, rows, v);
  for (const State& guess : file.guesses)
    part.guesses.push_back(state_part(guess, problem, part.problem, rows, v));
  if (!file.bodies.empty())
    for (const Index i : blocks) part.bodies.push_back(file.bodies[static_cast<std::size_t>(i)]);
  return part;
}

}  // namespace frictionbench::fclib
