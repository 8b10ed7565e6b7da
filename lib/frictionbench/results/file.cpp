// Results documents on disk.

#include <filesystem>
#include <fstream>

#include "frictionbench/results/json.hpp"

namespace frictionbench::results {

Document read_document(const std::string& path) {
  if (std::filesystem::is_directory(path))
    throw ResultsError(path + ": is a folder, expected a results file");
  std::ifstream file(path);
  if (!file) throw ResultsError(path + ": cannot be opened");
  nlohmann::json value;
  try {
    value = nlohmann::json::parse(file);
  } catch (const nlohmann::json::exception&) {
    throw ResultsError(path + ": is not JSON, or is cut off");
  }
  try {
    return document_from_json(value);
  } catch (const ResultsError& error) {
    throw ResultsError(path + ": " + error.what());
  }
}

void write_document(const std::string& path, const Document& document) {
  const std::string temporary = path + ".part";
  {
    std::ofstream file(temporary);
    file << to_json(document).dump(1) << '\n';
    file.flush();
    if (!file) throw ResultsError(temporary + ": cannot be written; is the disk full?");
  }
  std::error_code failed;
  std::filesystem::rename(temporary, path, failed);
  if (failed) throw ResultsError(path + ": cannot be written: " + failed.message());
}

}  // namespace frictionbench::results
