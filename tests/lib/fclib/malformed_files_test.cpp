/// Every malformed file is refused with one line that says where and why, and nothing else happens.

#include "support/malformed_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "frictionbench/fclib/reader.hpp"
#include "support/temporary_folder.hpp"

namespace frictionbench::fclib {
namespace {

class MalformedFiles : public testing::TestWithParam<test::MalformedFile> {};

TEST_P(MalformedFiles, AreRefusedInOneLine) {
  const test::TemporaryFolder folder;
  const std::string path = folder.file(GetParam().name);
  GetParam().make(path);

  testing::internal::CaptureStderr();
  testing::internal::CaptureStdout();
  std::string message;
  try {
    read_problem(path);
  } catch (const FileError& error) {
    message = error.what();
  } catch (const std::exception& error) {
    ADD_FAILURE() << "not a FileError: " << error.what();
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");

  RecordProperty("message", message);
  ASSERT_NE(message, "") << "was read as if it were good";
  EXPECT_THAT(message, testing::StartsWith(path + ": "));
  for (const std::string& expected : GetParam().expected)
    EXPECT_THAT(message, testing::HasSubstr(expected));
  EXPECT_TRUE(std::ranges::none_of(message, [](unsigned char c) { return c < 0x20; })) << message;
}

INSTANTIATE_TEST_SUITE_P(All, MalformedFiles, testing::ValuesIn(test::malformed_files()),
                         [](const auto& test) {
                           return test.param.name.substr(0, test.param.name.find('.'));
                         });

class UnfitStates : public testing::TestWithParam<test::MalformedFile> {};

TEST_P(UnfitStates, AreNotedAndLeftOut) {
  const test::TemporaryFolder folder;
  const std::string path = folder.file(GetParam().name);
  GetParam().make(path);
  const ProblemFile file = read_problem(path);

  std::vector<State> states = file.guesses;
  states.push_back(file.solution.value());
  std::vector<std::string> misfits;
  std::size_t absent = 0;
  for (const State& state : states) {
    misfits.insert(misfits.end(), state.misfits.begin(), state.misfits.end());
    absent += !state.u + !state.r + (file.problem.global() && !state.v);
  }
  ASSERT_EQ(misfits.size(), 1u);
  for (const std::string& expected : GetParam().expected)
    EXPECT_THAT(misfits[0], testing::HasSubstr(expected));
  // Of all vectors, one is gone, unless it is the l of bilateral rows, of which there are none.
  const bool only_l = misfits[0].starts_with("/solution/l");
  EXPECT_EQ(absent, only_l ? 0u : 1u);
}

INSTANTIATE_TEST_SUITE_P(All, UnfitStates, testing::ValuesIn(test::files_with_unfit_states()),
                         [](const auto& test) {
                           return test.param.name.substr(0, test.param.name.find('.'));
                         });

TEST(MalformedFilesTable, HasManyDistinctEntries) {
  std::set<std::string> names;
  for (const auto& file : test::malformed_files()) names.insert(file.name);
  EXPECT_EQ(names.size(), test::malformed_files().size());
  EXPECT_GE(names.size(), 30u);
}

}  // namespace
}  // namespace frictionbench::fclib
