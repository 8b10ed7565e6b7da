#include "frictionbench/datasets/registry.hpp"

#include <gmock/gmock.h>

#include <fstream>

#include "support/temporary_folder.hpp"

namespace frictionbench::datasets {
namespace {

using frictionbench::test::TemporaryFolder;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

DataSet two_folders() {
  DataSet set;
  set.name = "two";
  set.version = "1.0";
  set.title = "Two folders, \u00e4";
  set.references = {"A paper", "Another \"paper\""};
  set.addresses = {"https://example.org/files"};
  set.lfs = "https://example.org/lfs";
  set.files = {{"A/one.hdf5", 10, std::string(64, '1')},
               {"A/two.hdf5", 2000, std::string(64, '2'), 12},
               {"AB/three.hdf5", 30, std::string(64, '3'), 0}};
  return set;
}

std::vector<std::string> paths(const Selection& selection) {
  std::vector<std::string> all;
  for (const SetFile* file : selection.files) all.push_back(file->path);
  return all;
}

class RegistryTest : public testing::Test {
 protected:
  void write(const DataSet& set) { write_data_set_file(set, folder_.file(set.name + ".json")); }
  Registry registry() const { return Registry({folder_.path(), folder_.path() / "none"}); }
  TemporaryFolder folder_;
};

TEST_F(RegistryTest, ReadsWhatWasWritten) {
  DataSet set = two_folders();
  write(set);
  EXPECT_EQ(read_data_set(folder_.file("two.json")), set);

  DataSet made;
  made.name = "made";
  made.version = "2";
  made.title = "Made";
  made.folder = (folder_.path() / "made").string();
  made.scenes = {{"stack", {{"boxes", "2"}, {"mu", "0.3"}}, "both", "diag:0.1"}, {"wall"}};
  made.files = {{"a.hdf5", 1, std::string(64, 'a'), 4, 0},
                {"b.hdf5", 1, std::string(64, 'b'), 4, 1}};
  write(made);
  EXPECT_EQ(read_data_set(folder_.file("made.json")), made);
  EXPECT_EQ(registry().names(), (std::vector<std::string>{"made", "two"}));
}

TEST_F(RegistryTest, SelectsFoldersAndFiles) {
  write(two_folders());
  const Registry known = registry();
  const auto selected = [&](const std::string& name) { return paths(*select(known, name)); };
  EXPECT_EQ(selected("two").size(), 3u);
  EXPECT_THAT(selected("two/A"), ElementsAre("A/one.hdf5", "A/two.hdf5"));
  EXPECT_THAT(selected("two/AB/"), ElementsAre("AB/three.hdf5"));
  EXPECT_THAT(selected("two/A/two.hdf5"), ElementsAre("A/two.hdf5"));
  EXPECT_EQ(select(known, "three"), std::nullopt);
  EXPECT_EQ(select(known, "/two"), std::nullopt);
  EXPECT_THAT(
      [&] { select(known, "two/C"); },
      ThrowsMessage<std::invalid_argument>(HasSubstr("unknown folder of the data set two")));
  EXPECT_THAT(folders_of(*known.find("two")), ElementsAre("A", "AB"));
}

TEST_F(RegistryTest, KnowsFilesByTheirContent) {
  write(two_folders());
  const Registry known = registry();
  EXPECT_EQ(known.set_of(std::string(64, '2')), known.find("two"));
  EXPECT_EQ(known.file_of(std::string(64, '2'))->path, "A/two.hdf5");
  EXPECT_EQ(known.set_of(std::string(64, '9')), nullptr);
  EXPECT_EQ(find_file(known, std::string(64, '9')), std::nullopt);
}

TEST_F(RegistryTest, SaysHowToGetFiles) {
  DataSet set = two_folders();
  const Selection part{"two/A", &set, {}};
  EXPECT_EQ(how_to_get(part, 7'405'451), "`frictionbench fetch two/A` downloads them (7.4 MB)");
  set.addresses.clear();
  EXPECT_THAT(how_to_get(part, 1), HasSubstr("--from"));
  set.scenes = {{"wall"}};
  EXPECT_EQ(how_to_get(part, 999), "`frictionbench make two/A` makes them (999 B)");
}

TEST(SizeClasses, AreThoseOfReports) {
  using enum SizeClass;
  std::vector<SizeClass> classes;
  for (const int contacts : {0, 10, 11, 100, 101, 1000, 1001, 6000, 6001})
    classes.push_back(size_class(contacts));
  EXPECT_THAT(classes, ElementsAre(to_10, to_10, to_100, to_100, to_1000, to_1000, to_6000, to_6000,
                                   above_6000));
}

TEST(SizeText, RoundsToTwoDigitsOrMore) {
  std::vector<std::string> texts;
  for (const std::uint64_t bytes :
       {0ull, 999ull, 1000ull, 9949ull, 9950ull, 999499ull, 999500ull, 7884866739ull})
    texts.push_back(size_text(bytes));
  EXPECT_THAT(texts, ElementsAre("0 B", "999 B", "1.0 kB", "9.9 kB", "10 kB", "999 kB", "1.0 MB",
                                 "7.9 GB"));
}

}  // namespace
}  // namespace frictionbench::datasets
