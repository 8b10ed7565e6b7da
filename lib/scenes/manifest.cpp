#include "frictionbench/scenes/manifest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <sstream>

#include "frictionbench/base/file_error.hpp"

namespace frictionbench::scenes {

namespace {

constexpr std::string_view header = "path,family,form,dimension,contacts,dofs,mu_min,mu_max,sha256";

// No cell holds a comma or a quote: names and values of parameters have none.
std::string line_of(const ManifestRow& row) {
  return fmt::format("{},{},{},{},{},{},{},{},{}", row.path, row.family,
                     row.form == ProblemForm::local ? "local" : "global", row.dimension,
                     row.contacts, row.dofs, row.mu_min, row.mu_max, row.sha256);
}

template <typename Integer>
bool parse(const std::string& text, Integer& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

bool parse_row(const std::string& line, ManifestRow& row) {
  std::vector<std::string> cells;
  std::istringstream stream(line + ",");
  for (std::string cell; std::getline(stream, cell, ',');) cells.push_back(cell);
  if (cells.size() != 9 || (cells[2] != "local" && cells[2] != "global")) return false;
  row.path = cells[0];
  row.family = cells[1];
  row.form = cells[2] == "local" ? ProblemForm::local : ProblemForm::global;
  row.mu_min = cells[6];
  row.mu_max = cells[7];
  row.sha256 = cells[8];
  return parse(cells[3], row.dimension) && parse(cells[4], row.contacts) &&
         parse(cells[5], row.dofs);
}

}  // namespace

std::vector<ManifestRow> read_manifest(const std::filesystem::path& path) {
  std::ifstream file(path);
  if (!file) throw FileError(path.string(), "", "cannot be read");
  std::string line;
  std::getline(file, line);
  if (line != header)
    throw FileError(path.string(), "line 1", fmt::format("should be '{}'", header));
  std::vector<ManifestRow> rows;
  for (int number = 2; std::getline(file, line); ++number) {
    ManifestRow row;
    if (!parse_row(line, row))
      throw FileError(path.string(), fmt::format("line {}", number),
                             "is not a row of a manifest");
    rows.push_back(row);
  }
  return rows;
}

void write_manifest(const std::filesystem::path& path, std::vector<ManifestRow> rows) {
  std::sort(rows.begin(), rows.end(),
            [](const ManifestRow& a, const ManifestRow& b) { return a.path < b.path; });
  const std::filesystem::path beside = path.string() + ".part";
  std::ofstream file(beside);
  file << header << '\n';
  for (const ManifestRow& row : rows) file << line_of(row) << '\n';
  file.close();
  std::error_code error;
  if (file) std::filesystem::rename(beside, path, error);
  if (!file || error) throw FileError(path.string(), "", "cannot be written");
}

}  // namespace frictionbench::scenes
