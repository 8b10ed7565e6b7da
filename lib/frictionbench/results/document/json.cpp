#include "frictionbench/results/document/json.hpp"

#include <fmt/format.h>

#include "frictionbench/base/atomic_file.hpp"
#include "frictionbench/results/document/internal/description.hpp"

namespace frictionbench::results {

namespace {

template <typename T>
T from_json(const json& value) {
  T result;
  try {
    from_value(value, result);
  } catch (const WrongValue& error) {
    throw ResultsError(described(error));
  }
  return result;
}

// Writes the members of a document as it is told of them, one problem, solver or record per line.
class DocumentWriter {
 public:
  explicit DocumentWriter(AtomicFile& file) : file_(file) {}

  template <typename T>
  void operator()(const char* name, const T& value, const Field&) {
    begin(name);
    file_.write(to_value(value).dump());
  }
  template <typename T>
  void operator()(const char* name, const std::vector<T>& list, const Field&) {
    begin(name);
    const char* separator = "[\n";
    for (const T& element : list) {
      file_.write(separator);
      file_.write(to_value(element).dump());
      separator = ",\n";
    }
    file_.write(list.empty() ? "[]" : "\n]");
  }
  template <typename T>
  void derived(const char* name, const T& value, const Field& field) {
    (*this)(name, value, field);
  }
  void finish() { file_.write("\n}\n"); }

 private:
  void begin(const char* name) {
    file_.write(first_ ? "{\n" : ",\n");
    file_.write(to_value(std::string(name)).dump() + ": ");
    first_ = false;
  }

  AtomicFile& file_;
  bool first_ = true;
};

}  // namespace

json to_json(const Document& document) { return to_value(document); }
json to_json(const ProblemEntry& problem) { return to_value(problem); }
json to_json(const Record& record) { return to_value(record); }
json verdict_json(const Record& record) {
  const json all = to_json(record);
  json verdict;
  for (const char* member : {"solved", "verdict", "states", "impulse_norm"})
    verdict[member] = all.at(member);
  verdict["solved"].erase("native");
  return verdict;
}

json to_json(const Vector& values) { return std::vector<double>(values.begin(), values.end()); }

ProblemEntry problem_from_json(const json& value) { return from_json<ProblemEntry>(value); }

Record record_from_json(const json& value) { return from_json<Record>(value); }

Vector vector_from_json(const json& value) {
  if (!value.is_array()) throw ResultsError("expected a list of numbers");
  Vector values(static_cast<Index>(value.size()));
  for (std::size_t k = 0; k < value.size(); ++k) {
    if (!value[k].is_number()) throw ResultsError(fmt::format("[{}]: expected a number", k));
    values[static_cast<Index>(k)] = value[k].get<double>();
  }
  return values;
}

json identity_of(const RunInfo& run, const std::vector<SolverEntry>& solvers) {
  json identity = agreed_fields(run, Agreement::run);
  identity["solvers"] = to_value(solvers);
  return identity;
}

void write_document(const std::string& path, const Document& document) {
  AtomicFile file(path);
  DocumentWriter writer(file);
  describe(writer, document);
  writer.finish();
  file.commit();
}

}  // namespace frictionbench::results
