// Results documents on disk.

#include <filesystem>
#include <fstream>

#include "frictionbench/results/json.hpp"

namespace frictionbench::results {

Document read_document(const std::string& path) {
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

namespace {

// Where a document grows until it is whole.
std::string part_of(const std::string& path) { return path + ".part"; }

}  // namespace

void check_writable(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::absolute(path).parent_path();
  if (!std::filesystem::is_directory(folder))
    throw ResultsError(path + ": cannot be written: there is no folder " + folder.string());
  if (std::filesystem::is_directory(path))
    throw ResultsError(path + ": cannot be written: it is a folder");
  const std::string temporary = part_of(path);
  if (!std::ofstream(temporary)) throw ResultsError(temporary + ": cannot be written");
  std::filesystem::remove(temporary);
}

void write_document(const std::string& path, const Document& document) {
  const std::string temporary = part_of(path);
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
