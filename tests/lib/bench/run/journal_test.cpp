// Who may write a journal.

#include "frictionbench/bench/run/internal/journal.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "frictionbench/bench/run/runner.hpp"
#include "support/problem_folder.hpp"

namespace frictionbench::bench {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

const nlohmann::json identity = {{"seed", 1}};

std::string refusal_to_resume(const std::string& path) {
  try {
    Journal::resume(path, identity);
  } catch (const JournalError& error) {
    return error.what();
  }
  return "resumed";
}

TEST(Journal, OneRunAtATimeHasItOpen) {
  const test::ProblemFolder folder;
  const std::string path = folder.file("journal");
  {
    const Journal first = Journal::start(path, identity);
    EXPECT_THAT(refusal_to_resume(path),
                AllOf(StartsWith(path), HasSubstr("another run has this journal open")));
  }
  {
    const auto [second, contents] = Journal::resume(path, identity);
    EXPECT_FALSE(contents.repaired);
    EXPECT_THAT(refusal_to_resume(path), HasSubstr("another run has this journal open"));
  }
  EXPECT_EQ(refusal_to_resume(path), "resumed");
}

TEST(Journal, IsNotDeletedUnderARun) {
  const test::ProblemFolder folder;
  const std::string path = folder.file("journal");
  EXPECT_NO_THROW(discard_journal(path)) << "there is none";
  {
    const Journal first = Journal::start(path, identity);
    EXPECT_THROW(discard_journal(path), JournalError);
    EXPECT_TRUE(std::filesystem::exists(path));
  }
  discard_journal(path);
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(Journal, IsMissedWhereThereIsNone) {
  const test::ProblemFolder folder;
  EXPECT_THAT(refusal_to_resume(folder.file("journal")), EndsWith("no journal to resume from"));
}

}  // namespace
}  // namespace frictionbench::bench
