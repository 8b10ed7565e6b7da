#include "frictionbench/scenes/data_set.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <map>
#include <set>

#include "frictionbench/base/sha256.hpp"
#include "frictionbench/fclib/reader.hpp"
#include "frictionbench/scenes/make_set.hpp"
#include "scene_support.hpp"
#include "support/temporary_folder.hpp"

namespace frictionbench::scenes::test {
namespace {

namespace fs = std::filesystem;
using frictionbench::test::TemporaryFolder;
using testing::HasSubstr;
using testing::ThrowsMessage;

const fs::path& shipped() {
  static const fs::path folder = fs::path(FRICTIONBENCH_SOURCE_DIR) / "datasets" / "default";
  return folder;
}

using datasets::DataSet;

DataSet description(const std::string& name) {
  return datasets::read_data_set(shipped().parent_path() / (name + ".json"));
}

std::set<std::string> files_under(const fs::path& folder) {
  std::set<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) files.insert(fs::relative(entry.path(), folder).generic_string());
  return files;
}

double difference(const SparseMatrix& a, const SparseMatrix& b) {
  return SparseMatrix(a - b).norm() / std::max(1e-300, b.norm());
}

double difference(const Vector& a, const Vector& b) {
  return (a - b).norm() / std::max(1.0, b.norm());
}

void expect_same_numbers(const ContactProblem& a, const ContactProblem& b) {
  constexpr double round_off = 1e-9;
  EXPECT_LE(difference(a.mu(), b.mu()), round_off);
  if (a.form() == ProblemForm::local) {
    EXPECT_LE(difference(a.local().W, b.local().W), round_off);
    EXPECT_LE(difference(a.local().q, b.local().q), round_off);
    return;
  }
  EXPECT_LE(difference(a.global()->M, b.global()->M), round_off);
  EXPECT_LE(difference(a.global()->H, b.global()->H), round_off);
  EXPECT_LE(difference(a.global()->f, b.global()->f), round_off);
  EXPECT_LE(difference(a.global()->w, b.global()->w), round_off);
}

TEST(ShippedDataSet, MatchesItsManifest) {
  std::map<std::string, datasets::SetFile> described;
  for (const datasets::SetFile& file : description("default").files) described[file.path] = file;
  std::set<std::string> listed = {manifest_name};
  std::uintmax_t bytes = 0;
  for (const ManifestRow& row : read_manifest(shipped() / manifest_name)) {
    const fs::path path = shipped() / row.path;
    listed.insert(row.path);
    ASSERT_TRUE(fs::exists(path)) << path;
    bytes += fs::file_size(path);
    EXPECT_EQ(sha256_of_file(path.string()), row.sha256) << path;
    EXPECT_EQ(described[row.path].sha256, row.sha256) << path;
    EXPECT_EQ(described[row.path].bytes, fs::file_size(path)) << path;
    EXPECT_EQ(described[row.path].contacts, row.contacts) << path;

    const ContactProblem problem = fclib::read_problem(path.string()).problem;
    EXPECT_EQ(problem.form(), row.form) << path;
    EXPECT_EQ(problem.dimension(), row.dimension) << path;
    EXPECT_EQ(problem.contacts(), row.contacts) << path;
    if (problem.global()) {
      EXPECT_EQ(problem.global()->f.size(), row.dofs) << path;
    }
    if (row.contacts == 0) continue;
    EXPECT_EQ(problem.mu().minCoeff(), std::stod(row.mu_min)) << path;
    EXPECT_EQ(problem.mu().maxCoeff(), std::stod(row.mu_max)) << path;
  }
  EXPECT_EQ(files_under(shipped()), listed);
  EXPECT_EQ(described.size() + 1, listed.size());
  EXPECT_LE(bytes, 3'000'000u);
}

TEST(ShippedDataSet, CoversAllRegimes) {
  const auto rows = read_manifest(shipped() / manifest_name);
  EXPECT_GE(rows.size(), 50u);
  std::map<std::string, int> count;
  for (const ManifestRow& row : rows) {
    ++count[row.form == ProblemForm::local ? "local" : "global"];
    ++count[row.dimension == 2 ? "2D" : "3D"];
    count["none"] += row.contacts == 0;
    count["large"] += row.contacts >= 200;
    count["frictionless"] += row.mu_max == "0";
    count["mixed"] += row.mu_min != row.mu_max;
    for (const char* ratio : {"10", "100", "1000", "10000"})
      count[ratio] += row.path.find(std::string("mass_ratio") + ratio + "-") != std::string::npos;
  }
  for (const char* kind : {"local", "global", "2D", "3D", "none", "large", "frictionless", "mixed",
                           "10", "100", "1000", "10000"})
    EXPECT_GE(count[kind], 1) << kind;
}

// The files are the same byte for byte with the compiler and processor flags of the release preset,
// and have the same numbers up to rounding with any others.
TEST(ShippedDataSet, IsReproducedByItsScenes) {
  const TemporaryFolder folder;
  std::vector<Recipe> recipes;
  for (const datasets::SceneRecipe& scene : description("default").scenes)
    recipes.push_back(recipe_of(scene));
  const auto rows = write_data_set(recipes, folder.path());
  EXPECT_EQ(files_under(folder.path()), files_under(shipped()));
  int different_bytes = 0;
  for (const ManifestRow& row : rows) {
    SCOPED_TRACE(row.path);
    const std::string committed = (shipped() / row.path).string();
    if (sha256_of_file(committed) == row.sha256) continue;
    ++different_bytes;
    expect_same_numbers(fclib::read_problem(folder.file(row.path)).problem,
                        fclib::read_problem(committed).problem);
  }
  RecordProperty("files_with_other_bytes", different_bytes);
}

// The whole sets take minutes: their smallest walls, pyramids, stacks, arches and vaults.
TEST(LargeDataSets, AreReproducedByTheirScenes) {
  struct Part {
    std::string set;
    std::set<std::pair<std::string, std::string>> first_parameters;
    std::size_t files;
  };
  const std::vector<Part> smallest = {
      {"big", {{"rows", "8"}, {"levels", "5"}, {"boxes", "200"}, {"voussoirs", "31"}}, 8},
      {"held-out", {{"rows", "20"}, {"levels", "7"}, {"boxes", "350"}, {"voussoirs", "45"}}, 4}};
  for (const Part& part : smallest) {
    SCOPED_TRACE(part.set);
    const DataSet set = description(part.set);
    datasets::Selection selection{part.set, &set, {}};
    for (const datasets::SetFile& file : set.files)
      if (part.first_parameters.contains(set.scenes[*file.scene].parameters.front()))
        selection.files.push_back(&file);
    ASSERT_EQ(selection.files.size(), part.files);
    const TemporaryFolder folder;
    std::vector<std::string> told;
    const auto tell = [&](const std::string& path) { told.push_back(path); };
    const MadeSet made = make_set(selection, folder.path() / "set", false, tell);
    EXPECT_EQ(made.made, part.files) << "for the processor options of the presets";
    EXPECT_THAT(made.different, testing::IsEmpty());
    EXPECT_EQ(told.size(), part.files);
    EXPECT_EQ(files_under(folder.path() / "set"), std::set<std::string>(told.begin(), told.end()));

    const MadeSet again = make_set(selection, folder.path() / "set", false, tell);
    EXPECT_EQ(again.made, 0u);
    EXPECT_EQ(again.already_there, part.files);
    EXPECT_EQ(told.size(), part.files);
  }
}

TEST(BigDataSet, CoversWhatSolversFailOn) {
  const DataSet set = description("big");
  std::map<std::string, int> count;
  for (const datasets::SetFile& file : set.files) {
    const bool global = file.path.find("-global-") != std::string::npos;
    EXPECT_EQ(global, *file.contacts > largest_local) << file.path;
    EXPECT_EQ(file.sha256.size(), 64u);
    ++count[file.path.substr(0, file.path.find('/'))];
    count["above 1000"] += *file.contacts > 1000;
    count["above 6000"] += *file.contacts > 6000;
    count["above 100 000"] += *file.contacts > 100000;
    count["frictionless"] += file.path.find("-mu0-") != std::string::npos;
    for (const char* ratio : {"30", "100", "1000", "10000"})
      count[ratio] += file.path.find(std::string("mass_ratio") + ratio + "-") != std::string::npos;
  }
  for (const char* kind :
       {"Wall", "Arch", "Pyramid", "Stack", "PackedSpheres", "PeriodicBox", "Chute", "above 1000",
        "above 6000", "above 100 000", "frictionless", "30", "100", "1000", "10000"})
    EXPECT_GE(count[kind], 1) << kind;
}

// It is to tell how good solvers are that were made on the other sets.
TEST(HeldOutDataSet, HasNoFileOfAnotherSet) {
  std::set<std::string> others;
  for (const char* name : {"default", "big"})
    for (const datasets::SetFile& file : description(name).files) others.insert(file.sha256);
  const DataSet set = description("held-out");
  EXPECT_GE(set.files.size(), 40u);
  for (const datasets::SetFile& file : set.files) {
    EXPECT_GT(*file.contacts, 0) << file.path;
    EXPECT_FALSE(others.contains(file.sha256)) << file.path;
  }
}

TEST(MakeSet, LeavesOutWhatIsDifferent) {
  DataSet set;
  set.name = "small";
  set.version = "1";
  set.title = "Boxes";
  set.scenes = {{"stack", {{"boxes", "1"}}, "both"}, {"disks_2d", {{"steps", "0"}}, "local"}};
  const TemporaryFolder folder;
  const auto nothing = [](const std::string&) {};
  const DataSet recorded = record_set(set, folder.path() / "recorded", false, nothing);
  ASSERT_EQ(recorded.files.size(), 3u);
  EXPECT_EQ(recorded.files[2].scene, 1u);
  EXPECT_EQ(recorded.files[2].contacts, 0);

  DataSet wrong = recorded;
  wrong.files[0].sha256 = std::string(64, '0');
  wrong.files.push_back({"Stack/none.hdf5", 1, std::string(64, '1'), 4, 0});
  datasets::Selection selection{"small", &wrong, {}};
  for (const datasets::SetFile& file : wrong.files) selection.files.push_back(&file);
  const MadeSet made = make_set(selection, folder.path() / "made", false, nothing);
  EXPECT_EQ(made.made, 2u);
  EXPECT_THAT(made.different, testing::ElementsAre(HasSubstr("instead of 0000"),
                                                   HasSubstr("makes no file of this name")));
  EXPECT_EQ(files_under(folder.path() / "made"),
            (std::set<std::string>{recorded.files[1].path, recorded.files[2].path}));

  const fs::path mine = folder.path() / "made" / recorded.files[0].path;
  std::ofstream(mine) << "mine";
  selection = {"small", &recorded, {&recorded.files[0]}};
  EXPECT_THAT(make_set(selection, folder.path() / "made", false, nothing).different,
              testing::ElementsAre(HasSubstr("is another file, which was left as it is")));
  EXPECT_EQ(fs::file_size(mine), 4u);
  EXPECT_EQ(make_set(selection, folder.path() / "made", true, nothing).made, 1u);
  EXPECT_EQ(sha256_of_file(mine.string()), recorded.files[0].sha256);
}

TEST(ShippedDataSet, LocalFilesAreReductionsOfGlobalOnes) {
  const auto rows = read_manifest(shipped() / manifest_name);
  std::map<std::string, ManifestRow> by_path;
  for (const ManifestRow& row : rows) by_path[row.path] = row;
  int pairs = 0;
  for (const ManifestRow& row : rows) {
    std::string twin = row.path;
    const auto at = twin.find("-local-");
    if (at == std::string::npos) continue;
    twin.replace(at, 7, "-global-");
    if (!by_path.count(twin)) continue;
    ++pairs;
    const ContactProblem local = fclib::read_problem((shipped() / row.path).string()).problem;
    const ContactProblem global = fclib::read_problem((shipped() / twin).string()).problem;
    EXPECT_LE(difference(local.local().W, global.local().W), 1e-12) << row.path;
    EXPECT_LE(difference(local.local().q, global.local().q), 1e-12) << row.path;
  }
  EXPECT_GE(pairs, 2);
}

TEST(MakeSet, WorksBesideTheFolder) {
  const TemporaryFolder folder;
  DataSet set;
  set.name = "small";
  set.version = "1";
  set.title = "Boxes";
  set.scenes = {{"stack", {{"boxes", "1"}}, "local"}, {"stack", {{"boxes", "2"}}, "local"}};
  const auto nothing = [](const std::string&) {};
  const DataSet recorded = record_set(set, folder.path() / "recorded", false, nothing);
  datasets::Selection selection{"small", &recorded, {}};
  for (const datasets::SetFile& file : recorded.files) selection.files.push_back(&file);
  const fs::path made = folder.path() / "made" / "";  // with a slash at its end
  std::vector<std::string> seen;
  make_set(selection, made, false, [&](const std::string&) {
    for (const auto& entry : fs::directory_iterator(made)) seen.push_back(entry.path().filename());
  });
  EXPECT_THAT(seen, testing::Each(testing::Eq("Stack")));
  EXPECT_GE(seen.size(), recorded.files.size());
}

TEST(DataSet, WritesNothingIfAFileExists) {
  const TemporaryFolder folder;
  const Recipe small{"stack", {{"boxes", "1"}}, Forms::local};
  const Recipe other{"stack", {{"boxes", "2"}}, Forms::local};
  write_data_set({small}, folder.path());
  const auto before = files_under(folder.path());
  EXPECT_THAT(
      [&] {
        write_data_set({other, small}, folder.path());
      },
      ThrowsMessage<FileError>(HasSubstr("already exists; nothing was written")));
  EXPECT_EQ(files_under(folder.path()), before);

  EXPECT_EQ(write_data_set({other, small}, folder.path(), true).size(), 2u);
  EXPECT_EQ(read_manifest(folder.path() / manifest_name).size(), 2u);
}

TEST(DataSet, ManifestKeepsTheRowsOfOtherFiles) {
  const TemporaryFolder folder;
  write_data_set({{"stack", {{"boxes", "1"}}, Forms::both}}, folder.path());
  write_data_set({{"disks_2d", {{"steps", "0"}}, Forms::local}}, folder.path());
  const auto rows = read_manifest(folder.path() / manifest_name);
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].path, "Disks2D/Disks2D-default-local-0-00000.hdf5");
  EXPECT_EQ(rows[0].mu_min, "");
  EXPECT_EQ(rows[1].form, ProblemForm::global);
  EXPECT_EQ(rows[1].dofs, 6);
}

TEST(DataSet, RefusesAnInvalidManifest) {
  const TemporaryFolder folder;
  std::ofstream(folder.file(manifest_name)) << "something else\n";
  EXPECT_THAT(
      [&] {
        write_data_set({{"stack", {}, Forms::local}}, folder.path());
      },
      ThrowsMessage<FileError>(HasSubstr("line 1")));
  EXPECT_EQ(files_under(folder.path()).size(), 1u);
}

TEST(DataSet, OfCompliantProblems) {
  const Assignments one_box{{"boxes", "1"}};
  const TemporaryFolder folder;
  const auto rows = write_data_set({{"stack", one_box, Forms::both},
                                    {"stack", one_box, Forms::both, ComplianceRule{false, 0.001}},
                                    {"stack", one_box, Forms::both, ComplianceRule{true, 0.1}}},
                                   folder.path());
  int rigid = 0, same = 0, of_diagonal = 0;
  for (const ManifestRow& row : rows) {
    SCOPED_TRACE(row.path);
    const ContactProblem problem = fclib::read_problem((folder.path() / row.path).string()).problem;
    if (row.path.find("-R0.001-") != std::string::npos) {
      ++same;
      EXPECT_EQ(problem.compliance(), Vector(Vector::Constant(problem.unknowns(), 0.001)));
    } else if (row.path.find("-Rdiag0.1-") != std::string::npos) {
      ++of_diagonal;
      EXPECT_LE(difference(problem.compliance(), 0.1 * problem.rigid_W().diagonal()), 1e-14);
    } else {
      ++rigid;
      EXPECT_EQ(problem.compliance().size(), 0);
    }
  }
  EXPECT_EQ(same, rigid);
  EXPECT_EQ(of_diagonal, rigid);
  EXPECT_GE(rigid, 2);
}

}  // namespace
}  // namespace frictionbench::scenes::test
