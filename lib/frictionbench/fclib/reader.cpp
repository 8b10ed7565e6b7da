#include "frictionbench/fclib/reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <new>
#include <sstream>
#include <string_view>
#include <tuple>

#include "frictionbench/base/sha256.hpp"
#include "frictionbench/base/text.hpp"
#include "frictionbench/fclib/file_rows.hpp"
#include "frictionbench/fclib/internal/matrix_storage.hpp"
#include "frictionbench/fclib/internal/problem_group.hpp"
#include "frictionbench/hdf5/internal/hdf5.hpp"
#include "frictionbench/sets/sets.hpp"

namespace frictionbench::fclib {
namespace {

constexpr const char* contact_rows = "spacedim times the number of values of vectors/mu";
constexpr const char* degrees_of_freedom = "number of values of vectors/f";

/// Rows of a contact.
int read_contact_size(const HdfGroup& group, bool rolling) {
  const int size = group.integer("spacedim");
  const HdfPlace place = group.place().child("spacedim");
  if (rolling && size != rolling_rows)
    place.fail(fmt::format("is {}, expected {} (N, T1, T2, R1, R2)", size, rolling_rows));
  if (!rolling && size != 2 && size != 3) place.fail(fmt::format("is {}, expected 2 or 3", size));
  return size;
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

bool has_local_rows(const HdfGroup& group, const HdfGroup& vectors) {
  return all_or_none(group, std::array{std::pair{"V", has_columns(group, "V")},
                                       std::pair{"R", has_columns(group, "R")},
                                       std::pair{"vectors/s", has_entries(vectors, "s")}});
}

bool has_global_rows(const HdfGroup& group, const HdfGroup& vectors) {
  return all_or_none(group, std::array{std::pair{"G", has_columns(group, "G")},
                                       std::pair{"vectors/b", has_entries(vectors, "b")}});
}

/// Rows behind the first m of a problem. \param group has V, R and vectors/s, or G and vectors/b.
/// \param meaning of m.
ContactProblem read_rows(const HdfGroup& group, const ContactProblem& problem, const char* meaning,
                         std::vector<SetPointer> sets) {
  const HdfGroup vectors = group.group("vectors");
  if (const GlobalForm* global = problem.global()) {
    const ExpectedSize n{global->f.size(), degrees_of_freedom};
    Vector b = vectors.reals("b");
    const ExpectedSize p{b.size(), "number of values of vectors/b"};
    return problem.with_rows(GlobalRows{read_matrix(group.group("G"), n, p), std::move(b)},
                             std::move(sets));
  }
  const ExpectedSize m{problem.unknowns(), meaning};
  Vector s = vectors.reals("s");
  const ExpectedSize p{s.size(), "number of values of vectors/s"};
  // In braces, so that V is read and blamed first.
  return problem.with_rows(LocalRows{read_matrix(group.group("V"), m, p),
                                     read_matrix(group.group("R"), p, p), std::move(s)},
                           std::move(sets));
}

/// The contacts of a file: their friction cones, or their rolling cones.
struct Contacts {
  int dimension;
  Vector mu;
  std::vector<SetPointer> sets;  // rolling cones
  Index rows;
};
Contacts read_contacts(const HdfGroup& group, bool rolling) {
  const int size = read_contact_size(group, rolling);
  const HdfGroup vectors = group.group("vectors");
  Vector mu = vectors.reals("mu");
  const Index rows = size * mu.size();
  if (!rolling) return {size, std::move(mu), {}, rows};
  const Vector mu_r = read_vector(vectors, "mu_r", mu.size(), "number of values of vectors/mu");
  std::vector<SetPointer> sets;
  for (Index i = 0; i < mu.size(); ++i) try {
      sets.push_back(rolling_cone(mu[i], mu_r[i]));
    } catch (const std::invalid_argument& error) {
      throw InvalidProblem("vectors/mu and mu_r", fmt::format("entry {}: {}", i, error.what()));
    }
  return {3, Vector(), std::move(sets), rows};
}

ContactProblem read_local(const HdfGroup& group, bool rolling) {
  Contacts contacts = read_contacts(group, rolling);
  const ExpectedSize m{contacts.rows, contact_rows};
  Vector q = read_vector(group.group("vectors"), "q", m.value, m.meaning);
  // Made in place: an Eigen 3.4 sparse matrix has no move constructor.
  return {contacts.dimension, std::move(contacts.mu),
          LocalForm{read_matrix(group.group("W"), m, m), std::move(q)}, std::move(contacts.sets)};
}

ContactProblem read_global(const HdfGroup& group, bool rolling) {
  Contacts contacts = read_contacts(group, rolling);
  const HdfGroup vectors = group.group("vectors");
  Vector f = vectors.reals("f");
  const ExpectedSize m{contacts.rows, contact_rows};
  const ExpectedSize n{f.size(), degrees_of_freedom};
  Vector w = read_vector(vectors, "w", m.value, m.meaning);
  return {contacts.dimension, std::move(contacts.mu),
          GlobalForm{read_matrix(group.group("M"), n, n), read_matrix(group.group("H"), n, m),
                     std::move(f), std::move(w)},
          std::move(contacts.sets)};
}

/// The sets of all rows behind the contacts, one per line.
std::vector<SetPointer> read_sets(const HdfGroup& extension) {
  const std::string text = extension.text("sets");
  std::vector<SetPointer> sets;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) try {
      sets.push_back(parse_set(line));
    } catch (const std::invalid_argument& error) {
      extension.place().child("sets").fail(
          fmt::format("line {}: {}", sets.size() + 1, error.what()));
    }
  return sets;
}

/// Splits sets behind `rows` rows. \returns those of the first rows.
std::vector<SetPointer> take_sets(std::vector<SetPointer>& sets, Index rows,
                                  const HdfGroup& extension) {
  Index taken = 0;
  auto end = sets.begin();
  for (; end != sets.end() && taken < rows; taken += (*end++)->dimension())
    if (!(*end)->is_whole_space())
      extension.place().child("sets").fail(
          fmt::format("line {}: is {}, expected equality: the problem has {} bilateral rows",
                      end - sets.begin() + 1, (*end)->text(), rows));
  if (taken != rows)
    extension.place().child("sets").fail(fmt::format(
        "its first sets have {} rows, expected {} (bilateral rows of the problem)", taken, rows));
  std::vector<SetPointer> first(sets.begin(), end);
  sets.erase(sets.begin(), end);
  return first;
}

/// All rows, without compliance.
ContactProblem read_rigid(const HdfGroup& root, const HdfGroup& group, const ProblemGroup& kind) {
  const bool local = kind.form == ProblemForm::local;
  const auto blamed_on = [](const HdfGroup& where, const auto& read) -> ContactProblem {
    try {
      return read();
    } catch (const InvalidProblem& invalid) {
      where.place().child(invalid.piece()).fail(invalid.reason());
    }
  };
  std::optional<HdfGroup> extension;
  if (root.has(extension_group)) extension.emplace(root.group(extension_group));
  std::vector<SetPointer> sets;
  if (extension && extension->has("sets")) sets = read_sets(*extension);

  std::optional<ContactProblem> problem = blamed_on(group, [&] {
    return local ? read_local(group, kind.rolling) : read_global(group, kind.rolling);
  });
  const auto add_rows = [&](const HdfGroup& where, const char* meaning,
                            std::vector<SetPointer> own) {
    problem = blamed_on(where, [&] { return read_rows(where, *problem, meaning, std::move(own)); });
  };
  const HdfGroup vectors = group.group("vectors");
  if (local ? has_local_rows(group, vectors) : has_global_rows(group, vectors)) {
    const Index rows = vectors.dataset(local ? "s" : "b").size();
    std::vector<SetPointer> own;
    if (!sets.empty()) own = take_sets(sets, rows, *extension);
    add_rows(group, contact_rows, std::move(own));
  }
  if (extension && extension->has("vectors")) {
    if (sets.empty())
      extension->place().child("sets").fail("names no sets for the rows of this group");
    add_rows(*extension, "rows of the problem before those of this group", std::move(sets));
  }
  return *problem;
}

ContactProblem read_checked(const HdfGroup& root, const HdfGroup& group, const ProblemGroup& kind) {
  const ContactProblem rigid = read_rigid(root, group, kind);
  if (!root.has(extension_group)) return rigid;
  const HdfGroup extension = root.group(extension_group);
  if (!extension.has("compliance")) return rigid;
  try {
    return rigid.with_compliance(
        read_vector(extension, "compliance", rigid.unknowns(), "rows of the problem"));
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

/// An impulse: `r` of contacts, `l` of bilateral rows and `others` of other rows, where there are any.
std::optional<Vector> read_impulse(const HdfGroup& group, const FileRows& rows, State& state) {
  Vector r(rows.contacts + rows.bilateral + rows.others);
  Index at = 0;
  for (const auto& [name, size, meaning] :
       {std::tuple{"r", rows.contacts, contact_rows},
        std::tuple{"l", rows.bilateral, "number of bilateral rows"},
        std::tuple{"others", rows.others, "rows of other sets"}}) {
    const std::optional<Vector> part = read_state_vector(group, name, {size, meaning}, state);
    if (size == 0 && std::string_view(name) != "r") continue;
    if (!part) return std::nullopt;
    r.segment(at, size) = *part;
    at += size;
  }
  return r;
}

State read_state(const HdfGroup& group, const ContactProblem& problem) {
  const GlobalForm* global = problem.global();
  const FileRows rows = rows_in_file(problem);
  State state;
  if (global) state.v = read_state_vector(group, "v", {global->f.size(), "size of M"}, state);
  state.u = read_state_vector(group, "u", {rows.contacts, contact_rows}, state);
  state.r = read_impulse(group, rows, state);
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

/// Nothing if the file does not say.
std::vector<BlockIdentity> read_bodies(const HdfGroup& root, Index blocks) {
  if (!root.has(extension_group)) return {};
  const HdfGroup extension = root.group(extension_group);
  if (!extension.has("bodies")) return {};
  const HdfDataset data = extension.dataset("bodies");
  data.expect_size(3 * blocks, "three for each block");
  std::vector<int> numbers(static_cast<std::size_t>(3 * blocks));
  data.read(std::span(numbers));
  std::vector<BlockIdentity> bodies;
  for (std::size_t k = 0; k < numbers.size(); k += 3)
    bodies.push_back({numbers[k], numbers[k + 1], numbers[k + 2]});
  return bodies;
}

}  // namespace

ProblemFile read_problem(const std::string& path) {
  try {
    std::vector<std::byte> content = read_bytes(path);
    std::string sha256 = sha256_of(content);
    const HdfFile file(path, std::move(content));
    const HdfGroup& root = file.root();
    const ProblemGroup& kind = find_problem(root);
    const HdfGroup group = root.group(kind.name);
    ProblemFile result{
        read_checked(root, group, kind), read_info(group), {}, {}, std::move(sha256)};
    if (root.has("solution")) result.solution = read_state(root.group("solution"), result.problem);
    result.bodies = read_bodies(root, result.problem.blocks());
    if (root.has("guesses")) result.guesses = read_guesses(root.group("guesses"), result.problem);
    return result;
  } catch (const std::bad_alloc&) {
    throw FileError(one_line(path), "", "does not fit into memory");
  }
}

ProblemSizes inspect(const std::string& path) {
  const HdfFile file(path);
  const ProblemGroup& kind = find_problem(file.root());
  const HdfGroup group = file.root().group(kind.name);
  const HdfGroup vectors = group.group("vectors");
  const int rows_of_contact = read_contact_size(group, kind.rolling);
  ProblemSizes sizes;
  sizes.form = kind.form;
  sizes.dimension = std::min(rows_of_contact, 3);
  sizes.contacts = vectors.reals("mu").size();
  const ExpectedSize m{rows_of_contact * sizes.contacts, contact_rows};
  if (sizes.form == ProblemForm::local) {
    vectors.dataset("q").expect_size(m.value, m.meaning);
    sizes.nonzeros = stored_entries(group.group("W"), m, m);
    if (has_local_rows(group, vectors)) sizes.bilateral_rows = vectors.reals("s").size();
  } else {
    sizes.dofs = vectors.reals("f").size();
    vectors.dataset("w").expect_size(m.value, m.meaning);
    const ExpectedSize n{sizes.dofs, degrees_of_freedom};
    sizes.nonzeros =
        stored_entries(group.group("M"), n, n) + stored_entries(group.group("H"), n, m);
    if (has_global_rows(group, vectors)) sizes.bilateral_rows = vectors.reals("b").size();
  }
  sizes.unknowns = m.value + sizes.bilateral_rows;
  if (!file.root().has(extension_group)) return sizes;
  const HdfGroup extension = file.root().group(extension_group);
  sizes.identified = extension.has("bodies");
  if (extension.has("vectors"))
    sizes.unknowns +=
        extension.group("vectors").reals(sizes.form == ProblemForm::local ? "s" : "b").size();
  return sizes;
}

}  // namespace frictionbench::fclib
