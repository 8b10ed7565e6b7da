#include "frictionbench/fclib/writer.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "frictionbench/base/atomic_file.hpp"
#include "frictionbench/fclib/file_rows.hpp"
#include "frictionbench/fclib/internal/matrix_storage.hpp"
#include "frictionbench/fclib/internal/problem_group.hpp"
#include "frictionbench/fclib/reader.hpp"
#include "frictionbench/hdf5/internal/hdf5_write.hpp"

namespace frictionbench::fclib {
namespace {

/// Compressed, a short dataset would be longer than it is.
template <typename Values>
Packing packing_of(const Encoding& encoding, const Values& values) {
  constexpr std::size_t least = 512;  // numbers
  return static_cast<std::size_t>(values.size()) < least ? Packing::none : Packing{encoding.gzip};
}

void write_vector(const HdfGroup& group, const char* name, const Vector& values,
                  const Encoding& encoding = {}) {
  write_reals(group, name, {values.data(), static_cast<std::size_t>(values.size())},
              packing_of(encoding, values));
}

void write_matrix(const HdfGroup& parent, const char* name, const SparseMatrix& matrix,
                  const Encoding& encoding) {
  const StoredMatrix stored = to_storage(matrix, encoding.storage);
  const HdfGroup group = create_group(parent, name);
  write_integer(group, "nzmax", static_cast<int>(stored.x.size()));
  write_integer(group, "m", stored.rows);
  write_integer(group, "n", stored.cols);
  write_integer(group, "nz", stored.nz);
  write_integers(group, "p", stored.p, packing_of(encoding, stored.p));
  write_integers(group, "i", stored.i, packing_of(encoding, stored.i));
  write_reals(group, "x", stored.x, packing_of(encoding, stored.x));
}

void write_coefficients(const HdfGroup& vectors, const ContactProblem& problem,
                        const FileRows& rows) {
  if (!rows.rolling) return write_vector(vectors, "mu", problem.mu());
  std::vector<double> mu, mu_r;
  for (Index i = 0; problem.block_start(i) < rows.contacts; ++i) {
    const std::vector<double> both =
        problem.layout()->sets[static_cast<std::size_t>(i)]->parameters();
    mu.push_back(both[0]);
    mu_r.push_back(both[1]);
  }
  write_reals(vectors, "mu", mu);
  write_reals(vectors, "mu_r", mu_r);
}

HdfGroup write_local(const HdfGroup& root, const ContactProblem& problem, const FileRows& rows,
                     const Encoding& encoding) {
  HdfGroup group = create_group(root, group_of(ProblemForm::local, rows.rolling).name);
  write_integer(group, "spacedim", rows.of_contact);
  const LocalRows contacts = problem.local_rows(0, rows.contacts);
  const LocalRows bilateral = problem.local_rows(rows.contacts, rows.bilateral);
  write_matrix(group, "W", contacts.R, encoding);
  if (rows.bilateral > 0) {
    write_matrix(group, "V", bilateral.V, encoding);
    write_matrix(group, "R", bilateral.R, encoding);
  }
  const HdfGroup vectors = create_group(group, "vectors");
  write_vector(vectors, "q", contacts.s, encoding);
  write_coefficients(vectors, problem, rows);
  if (rows.bilateral > 0) write_vector(vectors, "s", bilateral.s, encoding);
  return group;
}

HdfGroup write_global(const HdfGroup& root, const ContactProblem& problem, const FileRows& rows,
                      const Encoding& encoding) {
  HdfGroup group = create_group(root, group_of(ProblemForm::global, rows.rolling).name);
  write_integer(group, "spacedim", rows.of_contact);
  const GlobalRows contacts = problem.global_rows(0, rows.contacts);
  const GlobalRows bilateral = problem.global_rows(rows.contacts, rows.bilateral);
  write_matrix(group, "M", problem.global()->M, encoding);
  write_matrix(group, "H", contacts.G, encoding);
  if (rows.bilateral > 0) write_matrix(group, "G", bilateral.G, encoding);
  const HdfGroup vectors = create_group(group, "vectors");
  write_vector(vectors, "f", problem.global()->f, encoding);
  write_vector(vectors, "w", contacts.b, encoding);
  write_coefficients(vectors, problem, rows);
  if (rows.bilateral > 0) write_vector(vectors, "b", bilateral.b, encoding);
  return group;
}

/// The rows of other sets, in the extension group.
void write_others(const HdfGroup& group, const ContactProblem& problem, const FileRows& rows,
                  const Encoding& encoding) {
  const Index first = rows.contacts + rows.bilateral;
  const HdfGroup vectors = create_group(group, "vectors");
  if (problem.global()) {
    const GlobalRows others = problem.global_rows(first, rows.others);
    write_matrix(group, "G", others.G, encoding);
    write_vector(vectors, "b", others.b, encoding);
    return;
  }
  const LocalRows others = problem.local_rows(first, rows.others);
  write_matrix(group, "V", others.V, encoding);
  write_matrix(group, "R", others.R, encoding);
  write_vector(vectors, "s", others.s, encoding);
}

// FCLIB has no place for it: other readers ignore the group.
void write_extension(const HdfGroup& root, const ProblemFile& file, const FileRows& rows,
                     const Encoding& encoding) {
  const ContactProblem& problem = file.problem;
  const bool named = must_name_sets(problem);
  if (problem.compliance().size() == 0 && !named && file.bodies.empty()) return;
  const HdfGroup group = create_group(root, extension_group);
  if (problem.compliance().size() > 0) write_vector(group, "compliance", problem.compliance());
  if (named) {
    std::string sets;
    for (Index i = 0; i < problem.blocks(); ++i)
      if (problem.block_start(i) >= rows.contacts)
        sets += problem.layout()->sets[static_cast<std::size_t>(i)]->text() + "\n";
    write_text(group, "sets", sets);
  }
  if (rows.others > 0) write_others(group, problem, rows, encoding);
  std::vector<int> bodies;
  for (const BlockIdentity& who : file.bodies)
    bodies.insert(bodies.end(), {who.first, who.second, who.feature});
  if (!bodies.empty()) write_integers(group, "bodies", bodies);
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

void write_impulse(const HdfGroup& group, const Vector& r, const FileRows& rows) {
  const Index m = rows.contacts + rows.bilateral + rows.others;
  if (r.size() != m)
    group.place().child("r").fail(fmt::format("has {} values, expected {}", r.size(), m));
  write_state_vector(group, "r", Vector(r.head(rows.contacts)), rows.contacts);
  if (rows.bilateral > 0)
    write_state_vector(group, "l", Vector(r.segment(rows.contacts, rows.bilateral)),
                       rows.bilateral);
  if (rows.others > 0)
    write_state_vector(group, "others", Vector(r.tail(rows.others)), rows.others);
}

void write_state(const HdfGroup& parent, const char* name, const State& state,
                 const ContactProblem& problem) {
  const HdfGroup group = create_group(parent, name);
  const FileRows rows = rows_in_file(problem);
  if (state.v && !problem.global())
    group.place().child("v").fail("a problem in local form has no generalised velocity");
  write_state_vector(group, "v", state.v, problem.global() ? problem.global()->f.size() : 0);
  write_state_vector(group, "u", state.u, rows.contacts);
  if (state.r) write_impulse(group, *state.r, rows);
}

void write_guesses(const HdfGroup& root, const std::vector<State>& guesses,
                   const ContactProblem& problem) {
  if (guesses.empty()) return;
  const HdfGroup group = create_group(root, "guesses");
  write_integer(group, "number_of_guesses", static_cast<int>(guesses.size()));
  for (std::size_t k = 0; k < guesses.size(); ++k)
    write_state(group, std::to_string(k + 1).c_str(), guesses[k], problem);
}

FileRows rows_of(const ContactProblem& problem, const std::string& path) {
  try {
    return rows_in_file(problem);
  } catch (const std::invalid_argument& error) {
    throw FileError(path, "", error.what());
  }
}

}  // namespace

void write_problem(const std::string& path, const ProblemFile& file, Storage storage) {
  write_problem(path, file, Encoding{.storage = storage});
}

void write_problem(const std::string& path, const ProblemFile& file, const Encoding& encoding) {
  AtomicFile output(path, encoding.existing);
  const HdfImage image(path);
  const HdfGroup& root = image.root();
  const ContactProblem& problem = file.problem;
  const FileRows rows = rows_of(problem, path);
  try {
    const HdfGroup group = problem.global() ? write_global(root, problem, rows, encoding)
                                            : write_local(root, problem, rows, encoding);
    write_extension(root, file, rows, encoding);
    write_info(group, file.info);
  } catch (const InvalidProblem& error) {
    throw FileError(path, error.piece(),
                    error.reason() +
                        "; the local form of a file has no place for that, the global "
                        "form has");
  }
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
