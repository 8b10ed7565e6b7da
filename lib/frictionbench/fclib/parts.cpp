#include "frictionbench/fclib/parts.hpp"

#include <algorithm>

#include "frictionbench/fclib/file_rows.hpp"
#include "frictionbench/math/components.hpp"
#include "frictionbench/math/sparse.hpp"
#include "frictionbench/problem/islands.hpp"
#include "frictionbench/problem/part.hpp"
#include "frictionbench/problem/reduction.hpp"

namespace frictionbench::fclib {
namespace {

constexpr Index left_out = -1;

/// Numbers of what is kept, in its order: left_out, or the place in the part.
std::vector<Index> places(const std::vector<Index>& kept, Index count) {
  std::vector<Index> place(static_cast<std::size_t>(count), left_out);
  for (std::size_t k = 0; k < kept.size(); ++k)
    place[static_cast<std::size_t>(kept[k])] = static_cast<Index>(k);
  return place;
}

std::vector<Index> row_numbers(const ContactProblem& problem, const std::vector<Index>& blocks) {
  std::vector<Index> rows;
  for (const Index i : blocks)
    for (Index row = problem.block_start(i); row < problem.block_start(i + 1); ++row)
      rows.push_back(row);
  return rows;
}

/// The degrees of freedom of a part of a global problem.
struct Dofs {
  std::vector<Index> kept;
  bool alone = true;  ///< whether no block that is left out acts on them
};
Dofs dofs_of(const GlobalForm& global, const std::vector<Index>& rows, Bodies bodies) {
  const Index n = global.M.rows();
  const std::vector<Index> place = places(rows, global.H.cols());
  const std::vector<Index> body = bodies_of(global.M);
  std::vector<bool> inside(static_cast<std::size_t>(n)), outside(static_cast<std::size_t>(n));
  for (Index row = 0; row < n; ++row)
    for (SparseMatrix::InnerIterator entry(global.H, row); entry; ++entry) {
      if (entry.value() == 0) continue;
      const auto touched = static_cast<std::size_t>(body[static_cast<std::size_t>(row)]);
      const bool kept = place[static_cast<std::size_t>(entry.col())] != left_out;
      (kept ? inside : outside)[touched] = true;
    }

  Dofs dofs;
  for (Index row = 0; row < n; ++row) {
    const auto k = static_cast<std::size_t>(body[static_cast<std::size_t>(row)]);
    if (bodies == Bodies::touched && !inside[k]) continue;
    dofs.kept.push_back(row);
    if (outside[k]) dofs.alone = false;
  }
  return dofs;
}

ContactProblem global_part(const ContactProblem& problem, const std::vector<Index>& blocks,
                           const std::vector<Index>& rows, const std::vector<Index>& dofs) {
  const GlobalForm& global = *problem.global();
  const auto first_other = std::ranges::lower_bound(blocks, problem.mu().size());
  ContactProblem part(problem.dimension(), blocks_of(problem.mu(), {blocks.begin(), first_other}),
                      GlobalForm{submatrix(global.M, dofs, dofs), submatrix(global.H, dofs, rows),
                                 global.f(dofs), global.w(rows)},
                      other_sets_of(problem, blocks));
  if (problem.compliance().size() == 0) return part;
  return part.with_compliance(problem.compliance()(rows));
}

/// Whether no block that is left out acts on one of these.
bool stands_alone(const ContactProblem& problem, const std::vector<Index>& blocks) {
  const std::vector<Index> place = places(blocks, problem.blocks());
  for (const std::vector<Index>& island : members(islands(problem))) {
    const auto kept = std::ranges::count_if(
        island, [&](Index i) { return place[static_cast<std::size_t>(i)] != left_out; });
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
  if (global) dofs = dofs_of(*problem.global(), rows, bodies);
  ProblemFile part{global ? global_part(problem, blocks, rows, dofs.kept)
                          : frictionbench::part_of(problem, blocks),
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
