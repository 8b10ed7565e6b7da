#include "frictionbench/fclib/reader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <new>

#include "frictionbench/base/sha256.hpp"
#include "frictionbench/base/text.hpp"
#include "frictionbench/fclib/internal/matrix_storage.hpp"
#include "frictionbench/hdf5/internal/hdf5.hpp"

namespace frictionbench::fclib {
namespace {

constexpr const char* contact_rows = "spacedim times the number of values of vectors/mu";
constexpr const char* degrees_of_freedom = "number of values of vectors/f";

/// Name of the group that holds the problem.
const char* find_problem(const HdfGroup& root) {
  const std::array rolling{"fclib_local_rolling", "fclib_global_rolling"};
  const bool local = root.has("fclib_local");
  const bool global = root.has("fclib_global");
  if (local && global)
    root.place().fail("has both /fclib_local and /fclib_global, expected one problem per file");
  if (local) return "fclib_local";
  if (global) return "fclib_global";

  for (const char* name : rolling)
    if (root.has(name))
      root.place().child(name).fail(
          "rolling friction is not supported, expected /fclib_local or /fclib_global");
  std::vector<std::string> found = root.names();
  for (std::string& name : found) name = '/' + one_line(name);
  root.place().fail(
      fmt::format("no /fclib_local or /fclib_global, found {}",
                  found.empty() ? "nothing" : fmt::format("{}", fmt::join(found, ", "))));
}

int read_dimension(const HdfGroup& group) {
  const int dimension = group.integer("spacedim");
  if (dimension != 2 && dimension != 3)
    group.place().child("spacedim").fail(fmt::format("is {}, expected 2 or 3", dimension));
  return dimension;
}

Vector read_vector(const HdfGroup& group, const char* name, Index size, const char* meaning) {
  const HdfDataset data = group.dataset(name);
  data.expect_size(size, meaning);
  Vector values(size);
  data.read({values.data(), static_cast<std::size_t>(size)});
  return values;
}

/// Does the group have `name` with anything in it? A matrix without columns and a vector without
/// entries say the same as none.
bool has_columns(const HdfGroup& group, const char* name) {
  return group.has(name) && group.group(name).integer("n") != 0;
}
bool has_entries(const HdfGroup& group, const char* name) {
  return group.has(name) && group.dataset(name).size() != 0;
}

/// Pieces of the bilateral rows come together or not at all. \return whether they are there.
template <std::size_t n>
bool all_or_none(const HdfGroup& group, const std::array<std::pair<const char*, bool>, n>& pieces) {
  const auto there = [](const auto& piece) { return piece.second; };
  const auto present = std::ranges::find_if(pieces, there);
  const auto absent = std::ranges::find_if_not(pieces, there);
  if (present == pieces.end()) return false;
  if (absent != pieces.end())
    group.place()
        .child(absent->first)
        .fail(fmt::format("missing or empty, although {} is present",
                          group.place().child(present->first).path));
  return true;
}

bool has_local_bilateral(const HdfGroup& group, const HdfGroup& vectors) {
  return all_or_none(group, std::array{std::pair{"V", has_columns(group, "V")},
                                       std::pair{"R", has_columns(group, "R")},
                                       std::pair{"vectors/s", has_entries(vectors, "s")}});
}

bool has_global_bilateral(const HdfGroup& group, const HdfGroup& vectors) {
  return all_or_none(group, std::array{std::pair{"G", has_columns(group, "G")},
                                       std::pair{"vectors/b", has_entries(vectors, "b")}});
}

ContactProblem read_local(const HdfGroup& group) {
  const int dimension = read_dimension(group);
  const HdfGroup vectors = group.group("vectors");
  Vector mu = vectors.reals("mu");
  const ExpectedSize m{dimension * mu.size(), contact_rows};
  Vector q = read_vector(vectors, "q", m.value, m.meaning);
  std::optional<LocalBilateral> bilateral;
  if (has_local_bilateral(group, vectors)) {
    Vector s = vectors.reals("s");
    const ExpectedSize p{s.size(), "number of values of vectors/s"};
    // In braces, so that V is read and blamed first.
    bilateral.emplace(LocalBilateral{read_matrix(group.group("V"), m, p),
                                     read_matrix(group.group("R"), p, p), std::move(s)});
  }
  // Made in place: an Eigen 3.4 sparse matrix has no move constructor.
  return {dimension, std::move(mu), LocalForm{read_matrix(group.group("W"), m, m), std::move(q)},
          std::move(bilateral)};
}

ContactProblem read_global(const HdfGroup& group) {
  const int dimension = read_dimension(group);
  const HdfGroup vectors = group.group("vectors");
  Vector mu = vectors.reals("mu");
  Vector f = vectors.reals("f");
  const ExpectedSize m{dimension * mu.size(), contact_rows};
  const ExpectedSize n{f.size(), degrees_of_freedom};
  Vector w = read_vector(vectors, "w", m.value, m.meaning);
  std::optional<GlobalBilateral> bilateral;
  if (has_global_bilateral(group, vectors)) {
    Vector b = vectors.reals("b");
    const ExpectedSize p{b.size(), "number of values of vectors/b"};
    bilateral.emplace(GlobalBilateral{read_matrix(group.group("G"), n, p), std::move(b)});
  }
  return {dimension, std::move(mu),
          GlobalForm{read_matrix(group.group("M"), n, n), read_matrix(group.group("H"), n, m),
                     std::move(f), std::move(w)},
          std::move(bilateral)};
}

ContactProblem read_rigid(const HdfGroup& group, bool local) {
  try {
    return local ? read_local(group) : read_global(group);
  } catch (const InvalidProblem& invalid) {
    group.place().child(invalid.piece()).fail(invalid.reason());
  }
}

ContactProblem read_checked(const HdfGroup& root, const HdfGroup& group, bool local) {
  const ContactProblem rigid = read_rigid(group, local);
  if (!root.has(extension_group)) return rigid;
  const HdfGroup extension = root.group(extension_group);
  if (!extension.has("compliance")) return rigid;
  try {
    return rigid.with_compliance(
        read_vector(extension, "compliance", rigid.unknowns(), contact_rows));
  } catch (const InvalidProblem& invalid) {
    const HdfPlace& place = invalid.piece() == "compliance" ? extension.place() : group.place();
    place.child(invalid.piece()).fail(invalid.reason());
  }
}

Info read_info(const HdfGroup& group) {
  if (!group.has("info")) return {};
  const HdfGroup info = group.group("info");
  const auto text = [&](const char* name) { return info.has(name) ? info.text(name) : ""; };
  return {text("title"), text("description"), text("math_info")};
}

/// Why `values` of the length that the file has cannot be used; empty if they can.
std::string misfit(const Vector& values, const ExpectedSize& expected) {
  if (values.size() != expected.value)
    return fmt::format("has {} values, expected {} ({})", values.size(), expected.value,
                       expected.meaning);
  for (Index k = 0; k < values.size(); ++k)
    if (!std::isfinite(values[k]))
      return fmt::format("entry {} is {}; every entry must be finite", k, values[k]);
  return {};
}

/// A state only goes with the problem, which can be solved without it: a vector that does not fit
/// is noted and left out.
std::optional<Vector> read_state_vector(const HdfGroup& group, const char* name,
                                        const ExpectedSize& expected, State& state) {
  if (!group.has(name)) return std::nullopt;
  Vector values = group.reals(name);
  const std::string reason = misfit(values, expected);
  if (reason.empty()) return values;
  state.misfits.push_back(fmt::format("{}: {}", group.place().child(name).path, reason));
  return std::nullopt;
}

State read_state(const HdfGroup& group, const ContactProblem& problem) {
  const GlobalForm* global = problem.global();
  const ExpectedSize m{problem.unknowns(), contact_rows};
  const ExpectedSize p{problem.bilateral_rows(), "number of bilateral rows"};
  State state;
  if (global) state.v = read_state_vector(group, "v", {global->f.size(), "size of M"}, state);
  state.u = read_state_vector(group, "u", m, state);
  state.r = read_state_vector(group, "r", m, state);
  state.l = read_state_vector(group, "l", p, state);
  if (p.value == 0) state.l.reset();
  return state;
}

std::vector<State> read_guesses(const HdfGroup& group, const ContactProblem& problem) {
  const HdfPlace place = group.place().child("number_of_guesses");
  const int declared = group.integer("number_of_guesses");
  const std::vector<std::string> names = group.names();
  const auto numbered = std::ranges::count_if(names, [](const std::string& name) {
    return std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '9'; });
  });
  if (declared != numbered)
    place.fail(fmt::format("is {}, but the file has {} groups of guesses", declared, numbered));

  std::vector<State> guesses;
  for (int k = 1; k <= declared; ++k)
    guesses.push_back(read_state(group.group(std::to_string(k).c_str()), problem));
  return guesses;
}

}  // namespace

ProblemFile read_problem(const std::string& path) {
  try {
    std::vector<std::byte> content = read_bytes(path);
    std::string sha256 = sha256_of(content);
    const HdfFile file(path, std::move(content));
    const HdfGroup& root = file.root();
    const std::string name = find_problem(root);
    const HdfGroup group = root.group(name.c_str());
    ProblemFile result{read_checked(root, group, name == "fclib_local"),
                       read_info(group),
                       {},
                       {},
                       std::move(sha256)};
    if (root.has("solution")) result.solution = read_state(root.group("solution"), result.problem);
    if (root.has("guesses")) result.guesses = read_guesses(root.group("guesses"), result.problem);
    return result;
  } catch (const std::bad_alloc&) {
    throw FileError(one_line(path), "", "does not fit into memory");
  }
}

ProblemSizes inspect(const std::string& path) {
  const HdfFile file(path);
  const std::string name = find_problem(file.root());
  const HdfGroup group = file.root().group(name.c_str());
  const HdfGroup vectors = group.group("vectors");
  ProblemSizes sizes;
  sizes.form = name == "fclib_local" ? ProblemForm::local : ProblemForm::global;
  sizes.dimension = read_dimension(group);
  sizes.contacts = vectors.reals("mu").size();
  const ExpectedSize m{sizes.dimension * sizes.contacts, contact_rows};
  if (sizes.form == ProblemForm::local) {
    vectors.dataset("q").expect_size(m.value, m.meaning);
    sizes.nonzeros = stored_entries(group.group("W"), m, m);
    if (has_local_bilateral(group, vectors)) sizes.bilateral_rows = vectors.reals("s").size();
  } else {
    sizes.dofs = vectors.reals("f").size();
    vectors.dataset("w").expect_size(m.value, m.meaning);
    const ExpectedSize n{sizes.dofs, degrees_of_freedom};
    sizes.nonzeros =
        stored_entries(group.group("M"), n, n) + stored_entries(group.group("H"), n, m);
    if (has_global_bilateral(group, vectors)) sizes.bilateral_rows = vectors.reals("b").size();
  }
  return sizes;
}

}  // namespace frictionbench::fclib
