/// \file
/// The results document as JSON: one file, version inside, described by
/// results/results.schema.json.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <stdexcept>
#include <string>

#include "frictionbench/results/document/document.hpp"

namespace frictionbench::results {

/// A results file that cannot be used. what() is one line: file, place, what is wrong.
class ResultsError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What is not measured, NaN or infinite becomes null.
nlohmann::json to_json(const Document& document);
nlohmann::json to_json(const ProblemEntry& problem);  ///< an item of `problems`
nlohmann::json to_json(const Record& record);         ///< an item of `records`
/// The members of a record that a verdict makes, without those on a solver's own model.
/// \pre the record has a verdict.
nlohmann::json verdict_json(const Record& record);
/// An impulse, with every digit.
nlohmann::json to_json(const Vector& values);

/// \throws ResultsError naming the member that is wrong.
ProblemEntry problem_from_json(const nlohmann::json& json);
Record record_from_json(const nlohmann::json& json);  ///< throws as problem_from_json()
/// \throws ResultsError unless it is a list of finite numbers.
Vector vector_from_json(const nlohmann::json& json);

/// Reads a document of this version or version 1, element by element, so that memory is what the
/// document needs. Unknown members are ignored; members may come in any order. \throws ResultsError
/// naming the file, and the member that is wrong, if it cannot be read or is not such a document.
Document read_document(const std::string& path);

/// Writes one problem, solver or record per line, through AtomicFile: a reader never sees half a
/// document, `-` is standard output. \throws FileError if the file cannot be written.
void write_document(const std::string& path, const Document& document);

/// In what a run that is resumed must agree with the one that began, by name: the program, settings of
/// the run, and solvers with theirs.
nlohmann::json identity_of(const RunInfo& run, const std::vector<SolverEntry>& solvers);

/// The JSON Schema of the document as text: what results/results.schema.json holds.
std::string results_schema();

}  // namespace frictionbench::results
