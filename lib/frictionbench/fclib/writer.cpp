#include "frictionbench/fclib/writer.hpp"

#include <fmt/format.h>

#include "frictionbench/base/atomic_file.hpp"
#include "frictionbench/fclib/internal/matrix_storage.hpp"
#include "frictionbench/fclib/reader.hpp"
#include "frictionbench/hdf5/internal/hdf5_write.hpp"

namespace frictionbench::fclib {
namespace {

void write_vector(const HdfGroup& group, const char* name, const Vector& values) {
  write_reals(group, name, {values.data(), static_cast<std::size_t>(values.size())});
}

void write_matrix(const HdfGroup& parent, const char* name, const SparseMatrix& matrix,
                  Storage storage) {
  const StoredMatrix stored = to_storage(matrix, storage);
  const HdfGroup group = create_group(parent, name);
  write_integer(group, "nzmax", static_cast<int>(stored.x.size()));
  write_integer(group, "m", stored.rows);
  write_integer(group, "n", stored.cols);
  write_integer(group, "nz", stored.nz);
  write_integers(group, "p", stored.p);
  write_integers(group, "i", stored.i);
  write_reals(group, "x", stored.x);
}

HdfGroup write_local(const HdfGroup& root, const ContactProblem& problem, Storage storage) {
  HdfGroup group = create_group(root, "fclib_local");
  write_integer(group, "spacedim", problem.dimension());
  write_matrix(group, "W", problem.rigid_W(), storage);
  const LocalBilateral* bilateral = problem.local_bilateral();
  if (bilateral) {
    write_matrix(group, "V", bilateral->V, storage);
    write_matrix(group, "R", bilateral->R, storage);
  }
  const HdfGroup vectors = create_group(group, "vectors");
  write_vector(vectors, "q", problem.local().q);
  write_vector(vectors, "mu", problem.mu());
  if (bilateral) write_vector(vectors, "s", bilateral->s);
  return group;
}

HdfGroup write_global(const HdfGroup& root, const ContactProblem& problem, Storage storage) {
  HdfGroup group = create_group(root, "fclib_global");
  write_integer(group, "spacedim", problem.dimension());
  write_matrix(group, "M", problem.global()->M, storage);
  write_matrix(group, "H", problem.global()->H, storage);
  const GlobalBilateral* bilateral = problem.global_bilateral();
  if (bilateral) write_matrix(group, "G", bilateral->G, storage);
  const HdfGroup vectors = create_group(group, "vectors");
  write_vector(vectors, "f", problem.global()->f);
  write_vector(vectors, "w", problem.global()->w);
  write_vector(vectors, "mu", problem.mu());
  if (bilateral) write_vector(vectors, "b", bilateral->b);
  return group;
}

// FCLIB has no place for it: other readers ignore the group.
void write_compliance(const HdfGroup& root, const ContactProblem& problem) {
  if (problem.compliance().size() == 0) return;
  write_vector(create_group(root, extension_group), "compliance", problem.compliance());
}

void write_info(const HdfGroup& problem, const Info& info) {
  const HdfGroup group = create_group(problem, "info");
  write_text(group, "title", info.title);
  write_text(group, "description", info.description);
  write_text(group, "math_info", info.math_info);
}

void write_state_vector(const HdfGroup& group, const char* name,
                        const std::optional<Vector>& values, Index size) {
  if (!values) return;
  const HdfPlace place = group.place().child(name);
  if (values->size() != size)
    place.fail(fmt::format("has {} values, expected {}", values->size(), size));
  if (!values->allFinite()) place.fail("has an entry that is not finite");
  write_vector(group, name, *values);
}

void write_state(const HdfGroup& parent, const char* name, const State& state,
                 const ContactProblem& problem) {
  const HdfGroup group = create_group(parent, name);
  if (state.v && !problem.global())
    group.place().child("v").fail("a problem in local form has no generalised velocity");
  write_state_vector(group, "v", state.v, problem.global() ? problem.global()->f.size() : 0);
  write_state_vector(group, "l", state.l, problem.bilateral_rows());
  write_state_vector(group, "u", state.u, problem.unknowns());
  write_state_vector(group, "r", state.r, problem.unknowns());
}

void write_guesses(const HdfGroup& root, const std::vector<State>& guesses,
                   const ContactProblem& problem) {
  if (guesses.empty()) return;
  const HdfGroup group = create_group(root, "guesses");
  write_integer(group, "number_of_guesses", static_cast<int>(guesses.size()));
  for (std::size_t k = 0; k < guesses.size(); ++k)
    write_state(group, std::to_string(k + 1).c_str(), guesses[k], problem);
}

}  // namespace

void write_problem(const std::string& path, const ProblemFile& file, Storage storage) {
  AtomicFile output(path, Existing::refuse);
  const HdfImage image(path);
  const HdfGroup& root = image.root();
  const ContactProblem& problem = file.problem;
  const HdfGroup group =
      problem.global() ? write_global(root, problem, storage) : write_local(root, problem, storage);
  write_compliance(root, problem);
  write_info(group, file.info);
  if (file.solution) write_state(root, "solution", *file.solution, problem);
  write_guesses(root, file.guesses, problem);
  output.write(image.bytes());
  output.commit();
}

void write_solution(const std::string& path, const State& solution, bool replace) {
  const ProblemFile file = read_problem(path);
  const HdfImage image(path, read_bytes(path));
  const HdfGroup& root = image.root();
  if (root.has("solution")) {
    if (!replace) root.place().child("solution").fail("already exists");
    if (H5Ldelete(root.id(), "solution", H5P_DEFAULT) < 0)
      root.place().child("solution").fail("cannot be replaced");
  }
  write_state(root, "solution", solution, file.problem);
  write_file(path, image.bytes());
}

}  // namespace frictionbench::fclib
