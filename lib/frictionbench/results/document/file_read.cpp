// Results documents from disk.

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "frictionbench/results/document/internal/description.hpp"
#include "frictionbench/results/document/internal/version1.hpp"
#include "frictionbench/results/document/json.hpp"

namespace frictionbench::results {

namespace {

// Follows the parser: a member of the document, or an element of a list that is one, is taken over
// when it is complete, and the parser is told to forget it.
class DocumentReader {
 public:
  // What the parser is to keep of what it has just read.
  bool operator()(int depth, json::parse_event_t event, json& value) {
    using Event = json::parse_event_t;
    switch (event) {
      case Event::key:
        if (depth == 1) begin(value.get_ref<const std::string&>());
        return true;
      case Event::object_start:
        is_object_ = is_object_ || depth == 0;
        return true;
      case Event::array_start:
        in_list_ = in_list_ || depth == 1;
        return true;
      case Event::array_end:
        if (depth == 1) return in_list_ = false;
        [[fallthrough]];
      case Event::object_end:
      case Event::value:
        return !is_object_ || !take(depth, value);
    }
    return true;
  }

  // Members come in any order, so only now is it known whether this is a document at all; if it is
  // not, that is a better reason to refuse it than what its members look like.
  Document finish() {
    if (schema_ != schema_name) throw ResultsError("is not a frictionbench results document");
    if (version_ != schema_version && version_ != 1)
      throw ResultsError(fmt::format("has schema version {}; this program reads versions 1 and {}",
                                     version_.dump(), schema_version));
    if (failure_) throw ResultsError(described(*failure_));
    RequireAll require_all{seen_};
    describe(require_all, document_);
    if (version_ == 1)
      complete(document_);
    else
      check_references();
    return std::move(document_);
  }

 private:
  void check_references() const {
    const auto ids_of = [](const auto& entries) {
      std::set<std::string_view> ids;
      for (const auto& entry : entries) ids.insert(entry.id);
      return ids;
    };
    const auto problems = ids_of(document_.problems), solvers = ids_of(document_.solvers);
    const auto check = [](std::size_t k, const char* member, const std::string& id,
                          const std::set<std::string_view>& known) {
      if (!known.contains(id))
        throw ResultsError(
            fmt::format("records[{}].{}: '{}' is not in {}s", k, member, id, member));
    };
    for (std::size_t k = 0; k < document_.records.size(); ++k) {
      check(k, "problem", document_.records[k].problem, problems);
      check(k, "solver", document_.records[k].solver, solvers);
    }
  }

  // Every member must have been there.
  struct RequireAll {
    const std::set<std::string>& seen;

    void operator()(const char* name, const auto&, const Field&) const {
      if (!seen.contains(name)) throw ResultsError(fmt::format("has no member '{}'", name));
    }
    void derived(const char*, const auto&, const Field&) const {}
  };

  // Puts a value where the member of this name is.
  struct Placing {
    const std::string& name;
    const json& value;
    bool is_element;
    std::size_t index;

    template <typename T>
    void operator()(const char* member, T& into, const Field&) {
      if (name != member) return;
      if (is_element) throw WrongValue("expected no list");
      from_value(value, into);
    }
    template <typename T>
    void operator()(const char* member, std::vector<T>& into, const Field&) {
      if (name != member) return;
      if (!is_element) throw unexpected("a list", value);
      element_from_value(value, index, into.emplace_back());
    }
    void derived(const char*, const auto&, const Field&) {}
  };

  void begin(const std::string& member) {
    member_ = member;
    elements_ = 0;
    if (!seen_.insert(member).second && !failure_) fail(WrongValue("is there twice"));
  }

  // Whether the value was one to take over.
  bool take(int depth, json& value) {
    if (depth != (in_list_ ? 2 : 1)) return false;
    if (member_ == "schema") schema_ = value;
    if (member_ == "schema_version") version_ = value;
    if (failure_) return true;
    if (member_ == "run") update_run(value);
    if (member_ == "problems") update_problem(value);
    if (member_ == "solvers") update_solver(value);
    if (member_ == "records") update_record(value);
    try {
      Placing placing{member_, value, in_list_, elements_++};
      describe(placing, document_);
    } catch (const WrongValue& error) {
      fail(error);
    }
    return true;
  }

  void fail(const WrongValue& error) {
    failure_ = error;
    failure_->place = "." + member_ + error.place;
  }

  Document document_;
  json schema_, version_;
  std::optional<WrongValue> failure_;  // the first one
  std::set<std::string> seen_;         // members
  std::string member_;                 // the one under way
  std::size_t elements_ = 0;           // of it
  bool in_list_ = false;
  bool is_object_ = false;  // the document is
};

std::string syntax_error(const std::string& path, std::size_t byte) {
  std::error_code no_size;  // a pipe has none
  if (byte > std::filesystem::file_size(path, no_size)) return "is truncated or not JSON";
  return fmt::format("is not JSON at byte {}", byte);
}

Document parse(const std::string& path, std::ifstream& file) {
  DocumentReader reader;
  try {
    const json nothing_left = json::parse(file, std::ref(reader));
  } catch (const json::parse_error& error) {
    throw ResultsError(syntax_error(path, error.byte));
  } catch (const json::out_of_range&) {
    throw ResultsError("has a number that is out of range");
  }
  return reader.finish();
}

}  // namespace

Document read_document(const std::string& path) {
  if (std::filesystem::is_directory(path))
    throw ResultsError(path + ": is a folder, expected a results file");
  std::ifstream file(path);
  if (!file) throw ResultsError(path + ": cannot be opened");
  try {
    return parse(path, file);
  } catch (const ResultsError& error) {
    throw ResultsError(path + ": " + error.what());
  }
}

}  // namespace frictionbench::results
