#include "frictionbench/formats/dump.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "frictionbench/base/file_error.hpp"
#include "frictionbench/base/suggestions.hpp"
#include "frictionbench/base/text.hpp"
#include "frictionbench/formats/internal/words.hpp"
#include "frictionbench/math/sparse.hpp"
#include "frictionbench/sets/sets.hpp"

namespace frictionbench::formats {
namespace {

constexpr int version = 1;

struct Entry {
  int row;
  int col;
  double value;
};

// What the file has, as it stands there.
struct Sections {
  fclib::Info info;
  int dimension = 3;
  int contacts = 0;
  std::vector<SetPointer> sets;
  std::map<std::string, std::vector<Entry>, std::less<>> matrices;
  std::map<std::string, Vector, std::less<>> vectors;
  std::vector<fclib::BlockIdentity> bodies;
};

const std::vector<std::string> matrix_names{"W", "M", "H"};
const std::vector<std::string> vector_names{"mu", "q", "f", "w", "compliance", "r", "v"};

bool is_in(std::string_view name, const std::vector<std::string>& names) {
  return std::ranges::find(names, name) != names.end();
}

SetPointer read_set(Words& words) {
  std::string text(words.word("a set"));
  text += words.rest_of_line();
  try {
    return parse_set(text);
  } catch (const std::invalid_argument& error) {
    words.fail(error.what());
  }
}

void read_head(Words& words, Sections& sections) {
  for (const auto& [name, text] : {std::pair{"title", &sections.info.title},
                                   std::pair{"description", &sections.info.description}})
    if (words.peek() == name) {
      words.word(name);
      *text = valid_utf8(words.rest_of_line());
    }
  words.expect("dimension");
  sections.dimension = words.integer("a dimension");
  if (sections.dimension != 2 && sections.dimension != 3)
    words.fail(fmt::format("the dimension is {}, expected 2 or 3", sections.dimension));
  words.expect("contacts");
  sections.contacts = words.count("a number of contacts");
  if (words.peek() != "sets") return;
  words.word("sets");
  const int sets = words.count("a number of sets");
  words.rest_of_line();
  for (int k = 0; k < sets; ++k) sections.sets.push_back(read_set(words));
}

void read_section(Words& words, const std::string& name, Sections& sections) {
  std::vector<std::string> known = matrix_names;
  known.insert(known.end(), vector_names.begin(), vector_names.end());
  known.insert(known.end(), {"bodies", "end"});
  if (!is_in(name, known)) words.fail(unknown_name("section", one_line(name), known));
  if (sections.matrices.contains(name) || sections.vectors.contains(name) ||
      (name == "bodies" && !sections.bodies.empty()))
    words.fail(fmt::format("a second section {}", name));
  const int count = words.count("a number of entries");
  if (is_in(name, vector_names)) {
    sections.vectors[name] = words.reals(count, "an entry of " + name);
  } else if (name == "bodies") {
    for (int k = 0; k < count; ++k) {
      const std::vector<int> who = words.integers(3, "two bodies and a feature");
      sections.bodies.push_back({who[0], who[1], who[2]});
    }
  } else {
    std::vector<Entry>& entries = sections.matrices[name];
    for (int k = 0; k < count; ++k) {
      const int row = words.integer("a row");
      const int col = words.integer("a column");
      entries.push_back({row, col, words.real("an entry of " + name)});
    }
  }
}

Sections read_sections(Words& words) {
  words.expect("frictionbench");
  words.expect("problem");
  if (const int found = words.integer("a version"); found != version)
    words.fail(fmt::format("is version {} of the format, expected {}: this program is older", found,
                           version));
  Sections sections;
  read_head(words, sections);
  for (std::string name; (name = words.word("a section, or `end`")) != "end";)
    read_section(words, name, sections);
  if (!words.at_end()) {
    words.word("");
    words.fail("goes on behind `end`");
  }
  return sections;
}

// From sections to a problem.
class Assembly {
 public:
  Assembly(const Sections& sections, const std::string& path) : sections_(sections), path_(path) {
    rows_ = Index{sections.dimension} * sections.contacts;
    for (const SetPointer& set : sections.sets) rows_ += set->dimension();
  }

  fclib::ProblemFile file() const {
    fclib::ProblemFile file{compliant(rigid()), sections_.info, {}, {}};
    fclib::State guess;
    if (has("r")) guess.r = vector("r", rows_, rows_meaning);
    if (has("v")) {
      if (!file.problem.global()) fail("v", "is there, but a local problem has none");
      guess.v = vector("v", file.problem.global()->f.size(), "the length of f");
    }
    if (guess.r) drop_unless_finite("r", guess.r, guess);
    if (guess.v) drop_unless_finite("v", guess.v, guess);
    if (guess.r || guess.v || !guess.misfits.empty()) file.guesses.push_back(std::move(guess));
    if (!sections_.bodies.empty()) {
      if (std::ssize(sections_.bodies) != file.problem.blocks())
        fail("bodies", fmt::format("has {} entries, expected {} (contacts and sets)",
                                   sections_.bodies.size(), file.problem.blocks()));
      file.bodies = sections_.bodies;
    }
    return file;
  }

 private:
  static constexpr const char* rows_meaning = "dimension times contacts, and rows of sets";

  [[noreturn]] void fail(const std::string& section, const std::string& reason) const {
    throw FileError(one_line(path_), "section " + section, reason);
  }
  bool has(const char* name) const { return sections_.vectors.contains(name); }

  Vector vector(const char* name, Index size, const char* meaning) const {
    const auto found = sections_.vectors.find(name);
    if (found == sections_.vectors.end()) fail(name, "is missing");
    if (found->second.size() != size)
      fail(name,
           fmt::format("has {} entries, expected {} ({})", found->second.size(), size, meaning));
    return found->second;
  }

  // A solver that fails may leave anything.
  static void drop_unless_finite(const char* name, std::optional<Vector>& x, fclib::State& guess) {
    for (Index k = 0; k < x->size(); ++k)
      if (const double value = (*x)[k]; !std::isfinite(value)) {
        guess.misfits.push_back(fmt::format("section {}: entry {} is {}", name, k, value));
        return x.reset();
      }
  }

  SparseMatrix matrix(const char* name, Index rows, Index cols) const {
    const auto found = sections_.matrices.find(name);
    if (found == sections_.matrices.end()) fail(name, "is missing");
    Triplets triplets;
    for (const auto& [row, col, value] : found->second) {
      if (row < 0 || row >= rows || col < 0 || col >= cols)
        fail(name, fmt::format("has an entry in row {}, column {}, but {} rows and {} columns", row,
                               col, rows, cols));
      triplets.emplace_back(row, col, value);
    }
    return assembled(rows, cols, triplets);
  }

  ContactProblem rigid() const {
    Vector mu = vector("mu", sections_.contacts, "contacts");
    const bool local = sections_.matrices.contains("W");
    if (local == sections_.matrices.contains("M"))
      fail("W", local ? "is there, and so is M: expected one of the two forms"
                      : "is missing, and so is M: expected one of them");
    if (local)
      return {sections_.dimension, std::move(mu),
              LocalForm{matrix("W", rows_, rows_), vector("q", rows_, rows_meaning)},
              sections_.sets};
    const auto f = sections_.vectors.find("f");
    if (f == sections_.vectors.end()) fail("f", "is missing");
    const Index n = f->second.size();
    return {sections_.dimension, std::move(mu),
            GlobalForm{matrix("M", n, n), matrix("H", n, rows_), f->second,
                       vector("w", rows_, rows_meaning)},
            sections_.sets};
  }

  ContactProblem compliant(ContactProblem problem) const {
    if (!has("compliance")) return problem;
    return problem.with_compliance(vector("compliance", rows_, rows_meaning));
  }

  const Sections& sections_;
  const std::string& path_;
  Index rows_ = 0;
};

}  // namespace

fclib::ProblemFile read_dump(const std::string& path, std::string_view text) {
  Words words(path, text);
  const Sections sections = read_sections(words);
  try {
    return Assembly(sections, path).file();
  } catch (const InvalidProblem& invalid) {
    // "vectors/q" and "W/x" are sections q and W.
    std::string piece = invalid.piece();
    if (piece.starts_with("vectors/")) piece.erase(0, piece.find('/') + 1);
    piece = piece.substr(0, piece.find('/'));
    throw FileError(one_line(path), "section " + piece, invalid.reason());
  }
}

}  // namespace frictionbench::formats
