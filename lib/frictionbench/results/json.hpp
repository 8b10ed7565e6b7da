/// \file
/// The results document as JSON: one file, version inside, described by
/// results/results.schema.json.
#pragma once

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "frictionbench/results/document.hpp"

namespace frictionbench::results {

/// A results file that cannot be used. what() is one line: file, place, what is wrong.
class ResultsError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What is not measured, NaN or infinite becomes null.
nlohmann::json to_json(const Document& document);
nlohmann::json to_json(const Record& record);
nlohmann::json to_json(const ProblemEntry& problem);

/// \throws ResultsError if it is not a results document of this version.
Document document_from_json(const nlohmann::json& json);
Record record_from_json(const nlohmann::json& json);
ProblemEntry problem_from_json(const nlohmann::json& json);

/// \throws ResultsError naming the file if it cannot be read or is not a results document.
Document read_document(const std::string& path);

/// Writes beside `path`, then renames, so that a reader never sees half a document.
/// \throws ResultsError if the file cannot be written.
void write_document(const std::string& path, const Document& document);

}  // namespace frictionbench::results
