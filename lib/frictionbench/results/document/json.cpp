#include "frictionbench/results/document/json.hpp"

#include <fmt/format.h>

#include "frictionbench/results/document/document_members.hpp"

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

}  // namespace

nlohmann::json to_json(const Document& document) { return to_value(document); }
nlohmann::json to_json(const RunInfo& run) { return to_value(run); }
nlohmann::json to_json(const SolverEntry& solver) { return to_value(solver); }
nlohmann::json to_json(const ProblemEntry& problem) { return to_value(problem); }
nlohmann::json to_json(const Record& record) { return to_value(record); }
nlohmann::json to_json(const Vector& values) {
  return std::vector<double>(values.begin(), values.end());
}

ProblemEntry problem_from_json(const nlohmann::json& value) {
  return from_json<ProblemEntry>(value);
}

Record record_from_json(const nlohmann::json& value) { return from_json<Record>(value); }

Vector vector_from_json(const nlohmann::json& value) {
  if (!value.is_array()) throw ResultsError("expected a list of numbers");
  Vector values(static_cast<Index>(value.size()));
  for (std::size_t k = 0; k < value.size(); ++k) {
    if (!value[k].is_number()) throw ResultsError(fmt::format("[{}]: expected a number", k));
    values[static_cast<Index>(k)] = value[k].get<double>();
  }
  return values;
}

}  // namespace frictionbench::results
