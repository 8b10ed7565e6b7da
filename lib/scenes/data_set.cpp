#include "frictionbench/scenes/data_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "frictionbench/base/sha256.hpp"
#include "frictionbench/fclib/writer.hpp"
#include "frictionbench/scenes/dynamics.hpp"
#include "frictionbench/scenes/manifest.hpp"

namespace frictionbench::scenes {

namespace {

namespace fs = std::filesystem;

constexpr const char* math_info =
    "Local: u = W r + q. Global: M v = H r + f, u = H^T v + w. NCP: K_mu contains r, orthogonal to "
    "u + (mu |u_T|, 0, 0) in its dual. Components (N, T1, T2), or (N, T) in 2D; u_N > 0 opens a "
    "contact, r in N s. w_N = max(gap, 0) / h; v is the velocity at the end of a semi-implicit "
    "Euler "
    "step.";

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

PlannedFile plan(const Scene& scene, const Snapshot& snapshot, ProblemForm form) {
  const World& world = snapshot.world;
  const bool local = form == ProblemForm::local;
  PlannedFile file{
      {},
      {local ? local_problem(world, snapshot.contacts) : global_problem(world, snapshot.contacts),
       info_of(scene, snapshot),
       std::nullopt,
       {}}};
  ManifestRow& row = file.row;
  row.family = scene.family;
  row.form = form;
  row.dimension = world.dimension;
  row.contacts = static_cast<Index>(snapshot.contacts.size());
  row.dofs = world.dofs();
  if (row.contacts > 0) {
    const Vector& mu = file.content.problem.mu();
    row.mu_min = fmt::format("{}", mu.minCoeff());
    row.mu_max = fmt::format("{}", mu.maxCoeff());
  }
  row.path = fmt::format("{0}/{0}-{1}-{2}-{3}-{4:05}.hdf5", scene.family, scene.variant,
                         local ? "local" : "global", row.contacts, snapshot.step);
  return file;
}

std::vector<PlannedFile> plan(const std::vector<Recipe>& recipes) {
  std::vector<PlannedFile> files;
  std::set<std::string> paths;
  for (const Recipe& recipe : recipes) {
    const Scene scene = find_family(recipe.scene).make(recipe.parameters);
    for (const Snapshot& snapshot : snapshots(scene))
      for (const ProblemForm form : {ProblemForm::local, ProblemForm::global}) {
        if (recipe.forms == (form == ProblemForm::local ? Forms::global : Forms::local)) continue;
        files.push_back(plan(scene, snapshot, form));
        if (!paths.insert(files.back().row.path).second)
          throw std::invalid_argument(
              fmt::format("{} would be written twice", files.back().row.path));
      }
  }
  return files;
}

}  // namespace

std::vector<ManifestRow> write_data_set(const std::vector<Recipe>& recipes, const fs::path& folder,
                                        bool overwrite) {
  std::vector<PlannedFile> files = plan(recipes);
  if (!overwrite)
    for (const PlannedFile& file : files)
      if (const fs::path path = folder / file.row.path; fs::exists(fs::symlink_status(path)))
        throw FileError(path.string(), "", "exists already; nothing was written");

  const fs::path manifest = folder / manifest_name;
  std::vector<ManifestRow> others;
  if (fs::exists(manifest)) others = read_manifest(manifest);

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
    std::erase_if(others, [&](const ManifestRow& row) { return row.path == file.row.path; });
  }
  others.insert(others.end(), rows.begin(), rows.end());
  write_manifest(manifest, std::move(others));
  return rows;
}

}  // namespace frictionbench::scenes
