#include "frictionbench/scenes/data_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "frictionbench/base/atomic_file.hpp"
#include "frictionbench/base/file_error.hpp"
#include "frictionbench/base/sha256.hpp"
#include "frictionbench/base/text.hpp"
#include "frictionbench/fclib/writer.hpp"
#include "frictionbench/scenes/dynamics.hpp"

namespace frictionbench::scenes {

namespace {

namespace fs = std::filesystem;

constexpr const char* math_info =
    "Local: u = W r + q. Global: M v = H r + f, u = H^T v + w. NCP: K_mu contains r, orthogonal to "
    "u + (mu |u_T|, 0, 0) in its dual. Components (N, T1, T2), or (N, T) in 2D; u_N > 0 opens a "
    "contact, r in N s. w_N = max(gap, 0) / h; v is the velocity at the end of a semi-implicit "
    "Euler step.";

struct PlannedFile {
  ManifestRow row;
  fclib::ProblemFile content;
};

fclib::Info info_of(const Scene& scene, const Snapshot& snapshot) {
  return {fmt::format("{}, {}", scene.family, scene.variant),
          fmt::format("frictionbench generate {}: {}. State after {} steps of {} s; {} bodies, {} "
                      "contacts; SI units.",
                      scene.command, scene.summary, snapshot.step, snapshot.world.time_step,
                      snapshot.world.bodies.size(), snapshot.contacts.size()),
          math_info};
}

// "-R0.001" or "-Rdiag0.001".
std::string suffix(const std::optional<ComplianceRule>& compliance) {
  if (!compliance) return {};
  return fmt::format("-R{}{}", compliance->of_diagonal ? "diag" : "", compliance->value);
}

PlannedFile plan(const Scene& scene, const Snapshot& snapshot, ProblemForm form,
                 const std::optional<ComplianceRule>& compliance) {
  const World& world = snapshot.world;
  const bool local = form == ProblemForm::local;
  PlannedFile file{
      {},
      {local ? local_problem(world, snapshot.contacts) : global_problem(world, snapshot.contacts),
       info_of(scene, snapshot),
       std::nullopt,
       {}}};
  ContactProblem& problem = file.content.problem;
  if (compliance) problem = with_compliance(problem, *compliance);
  ManifestRow& row = file.row;
  row = manifest_row(problem);
  row.family = scene.family;
  row.dofs = world.dofs();
  row.path = fmt::format("{0}/{0}-{1}-{2}-{3}-{4:05}.hdf5", scene.family,
                         scene.variant + suffix(compliance), local ? "local" : "global",
                         row.contacts, snapshot.step);
  return file;
}

bool writes(Forms forms, ProblemForm form, const Snapshot& snapshot) {
  const bool local = form == ProblemForm::local;
  if (forms == Forms::by_size)
    return local == (static_cast<Index>(snapshot.contacts.size()) <= largest_local);
  return forms == Forms::both || forms == (local ? Forms::local : Forms::global);
}

std::vector<PlannedFile> plan(const std::vector<Recipe>& recipes) {
  std::vector<PlannedFile> files;
  std::set<std::string> paths;
  for (const Recipe& recipe : recipes) {
    const Scene scene = find_family(recipe.scene).make(recipe.parameters);
    for (const Snapshot& snapshot : snapshots(scene))
      for (const ProblemForm form : {ProblemForm::local, ProblemForm::global}) {
        if (!writes(recipe.forms, form, snapshot)) continue;
        files.push_back(plan(scene, snapshot, form, recipe.compliance));
        if (!paths.insert(files.back().row.path).second)
          throw std::invalid_argument(
              fmt::format("{} would be written twice", files.back().row.path));
      }
  }
  return files;
}

constexpr std::string_view manifest_header =
    "path,family,form,dimension,contacts,dofs,mu_min,mu_max,sha256";

// Cells need no quoting: names and values of parameters contain neither commas nor quotes.
std::string line_of(const ManifestRow& row) {
  return fmt::format("{},{},{},{},{},{},{},{},{}", row.path, row.family,
                     row.form == ProblemForm::local ? "local" : "global", row.dimension,
                     row.contacts, row.dofs, row.mu_min, row.mu_max, row.sha256);
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
  const auto dimension = number_in<int>(cells[3]);
  const auto contacts = number_in<Index>(cells[4]), dofs = number_in<Index>(cells[5]);
  if (!dimension || !contacts || !dofs) return false;
  row.dimension = *dimension;
  row.contacts = *contacts;
  row.dofs = *dofs;
  return true;
}

// Rows in the order of paths.
void write_manifest(const fs::path& path, std::vector<ManifestRow> rows) {
  std::sort(rows.begin(), rows.end(),
            [](const ManifestRow& a, const ManifestRow& b) { return a.path < b.path; });
  std::string text = fmt::format("{}\n", manifest_header);
  for (const ManifestRow& row : rows) text += line_of(row) + '\n';
  write_file(path.string(), text);
}

}  // namespace

std::vector<ManifestRow> read_manifest(const fs::path& path) {
  std::ifstream file(path);
  if (!file) throw FileError(path.string(), "", "cannot be read");
  std::string line;
  std::getline(file, line);
  if (line != manifest_header)
    throw FileError(path.string(), "line 1", fmt::format("should be '{}'", manifest_header));
  std::vector<ManifestRow> rows;
  for (int number = 2; std::getline(file, line); ++number) {
    ManifestRow row;
    if (!parse_row(line, row))
      throw FileError(path.string(), fmt::format("line {}", number),
                      "is not a valid row of a manifest");
    rows.push_back(row);
  }
  return rows;
}

ManifestRow manifest_row(const ContactProblem& problem) {
  ManifestRow row;
  row.form = problem.form();
  row.dimension = problem.dimension();
  row.contacts = problem.contacts();
  std::vector<double> mu(problem.mu().begin(), problem.mu().end());
  for (const SetPointer& set : problem.other_sets())
    if (set->mu()) mu.push_back(*set->mu());
  if (mu.empty()) return row;
  const auto [least, most] = std::ranges::minmax(mu);
  row.mu_min = fmt::format("{}", least);
  row.mu_max = fmt::format("{}", most);
  return row;
}

void update_manifest(const fs::path& folder, const std::vector<ManifestRow>& rows,
                     std::set<std::string> removed) {
  const fs::path manifest = folder / manifest_name;
  std::vector<ManifestRow> all;
  if (fs::exists(manifest)) all = read_manifest(manifest);
  for (const ManifestRow& row : rows) removed.insert(row.path);
  std::erase_if(all, [&](const ManifestRow& row) { return removed.contains(row.path); });
  all.insert(all.end(), rows.begin(), rows.end());
  write_manifest(manifest, std::move(all));
}

std::vector<ManifestRow> write_data_set(const std::vector<Recipe>& recipes, const fs::path& folder,
                                        bool overwrite) {
  std::vector<PlannedFile> files = plan(recipes);
  if (!overwrite)
    for (const PlannedFile& file : files)
      if (const fs::path path = folder / file.row.path; fs::exists(fs::symlink_status(path)))
        throw FileError(
            path.string(), "",
            "already exists; nothing was written; choose another folder or use --force");

  const fs::path manifest = folder / manifest_name;
  if (fs::exists(manifest)) read_manifest(manifest);  // refuse an invalid one before the work

  std::vector<ManifestRow> rows;
  for (PlannedFile& file : files) {
    const fs::path path = folder / file.row.path;
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    if (error) throw FileError(path.parent_path().string(), "", error.message());
    if (overwrite) fs::remove(path, error);
    const bool local = file.row.form == ProblemForm::local;
    fclib::write_problem(path.string(), file.content,
                         local ? fclib::Storage::compressed_rows : fclib::Storage::triplet);
    file.row.sha256 = sha256_of_file(path.string());
    rows.push_back(file.row);
  }
  update_manifest(folder, rows);
  return rows;
}

}  // namespace frictionbench::scenes
