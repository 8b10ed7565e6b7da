#include "frictionbench/bench/plan/problems.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "support/temporary_folder.hpp"

namespace frictionbench::bench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
namespace fs = std::filesystem;

class FindProblems : public testing::Test {
 protected:
  std::string touch(const std::string& name) {
    const fs::path path = folder_.path() / name;
    fs::create_directories(path.parent_path());
    std::ofstream file(path);
    return path.string();
  }
  std::vector<std::string> ids(const std::vector<std::string>& arguments,
                               const std::string& filter = "") {
    std::vector<std::string> result;
    for (const ProblemSource& source : find_problems(arguments, filter))
      result.push_back(source.id);
    return result;
  }
  std::string complaint(const std::vector<std::string>& arguments, const std::string& filter = "") {
    try {
      find_problems(arguments, filter);
    } catch (const SelectionError& error) {
      return error.what();
    }
    return "accepted";
  }
  std::string root() { return folder_.path().string(); }

  test::TemporaryFolder folder_;
};

TEST_F(FindProblems, SearchesFoldersInOrder) {
  touch("B/two.hdf5");
  touch("B/one.hdf5");
  touch("A/deep/three.h5");
  touch("A/notes.txt");
  EXPECT_THAT(ids({root()}), ElementsAre("deep/three", "B/one", "B/two"));
  EXPECT_EQ(find_problems({root()})[1].family, "B");
}

TEST_F(FindProblems, TakesAFileOnce) {
  const std::string file = touch("A/one.hdf5");
  EXPECT_THAT(ids({file, root(), root() + "/A/../A/one.hdf5"}), ElementsAre("A/one"));
}

TEST_F(FindProblems, IdsAreUnique) {
  touch("local/A/one.hdf5");
  touch("global/A/one.hdf5");
  touch("global/A/two.hdf5");
  EXPECT_THAT(ids({root()}), ElementsAre("global/A/one", "A/two", "local/A/one"));
}

TEST_F(FindProblems, ReadsLists) {
  touch("A/one.hdf5");
  touch("A/two.hdf5");
  std::ofstream(folder_.path() / "list.txt") << "# a comment\n\n  A/two.hdf5  \nA/one.hdf5\n";
  EXPECT_THAT(ids({"@" + root() + "/list.txt"}), ElementsAre("A/two", "A/one"));
}

TEST_F(FindProblems, Filters) {
  touch("A/one.hdf5");
  touch("B/two.hdf5");
  EXPECT_THAT(ids({root()}, "^B/"), ElementsAre("B/two"));
  EXPECT_THAT(ids({root()}, "one|two"), ElementsAre("A/one", "B/two"));
  EXPECT_THAT(ids({root()}, "none"), ElementsAre());
}

TEST_F(FindProblems, Complains) {
  EXPECT_THAT(complaint({root() + "/none"}), HasSubstr("no such file or folder"));
  EXPECT_THAT(complaint({root()}), HasSubstr("no *.hdf5 files"));
  EXPECT_THAT(complaint({"@" + root() + "/none"}), HasSubstr("cannot be read"));
  touch("A/one.hdf5");
  EXPECT_THAT(complaint({root()}, "("), HasSubstr("not a regular expression"));
  std::ofstream(folder_.path() / "list.txt") << "@list.txt\n";
  EXPECT_THAT(complaint({"@" + root() + "/list.txt"}), HasSubstr("cannot name another list"));
}

}  // namespace
}  // namespace frictionbench::bench
