#include "frictionbench/base/atomic_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "support/temporary_folder.hpp"

namespace frictionbench {
namespace {

namespace fs = std::filesystem;

std::string content(const std::string& path) {
  std::ostringstream bytes;
  bytes << std::ifstream(path, std::ios::binary).rdbuf();
  return bytes.str();
}

class AtomicFileTest : public testing::Test {
 protected:
  auto files() const { return std::distance(fs::directory_iterator(folder_.path()), {}); }

  test::TemporaryFolder folder_;
  const std::string path_ = folder_.file("f");
};

TEST_F(AtomicFileTest, AppearsOnlyWhenComplete) {
  std::ofstream(path_) << "old";
  {
    AtomicFile abandoned(path_);
    abandoned.write(std::string(1 << 20, 'x'));
    EXPECT_EQ(content(path_), "old");
    EXPECT_EQ(files(), 2);
  }
  EXPECT_EQ(content(path_), "old");
  EXPECT_EQ(files(), 1);
  write_file(path_, "new");
  EXPECT_EQ(content(path_), "new");
  EXPECT_EQ(files(), 1);
}

TEST_F(AtomicFileTest, KeepsPermissionsAndLinks) {
  std::ofstream(path_) << "old";
  fs::permissions(path_, fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read);
  const fs::perms before = fs::status(path_).permissions();
  fs::create_symlink("f", folder_.file("link"));
  write_file(folder_.file("link"), "new");
  EXPECT_TRUE(fs::is_symlink(folder_.file("link")));
  EXPECT_EQ(content(path_), "new");
  EXPECT_EQ(fs::status(path_).permissions(), before);
}

TEST_F(AtomicFileTest, RefusesWhatIsThereIfAsked) {
  std::ofstream(path_) << "old";
  EXPECT_THAT([&] { write_file(path_, "new", Existing::refuse); },
              testing::ThrowsMessage<FileError>(path_ + ": already exists"));
  EXPECT_EQ(content(path_), "old");
}

TEST_F(AtomicFileTest, SaysWhatCannotBeWritten) {
  EXPECT_THAT(
      [] { write_file("/dev/full", "x"); },
      testing::ThrowsMessage<FileError>("/dev/full: cannot be written: No space left on device"));
  EXPECT_THAT([&] { write_file(folder_.path(), "x"); },
              testing::ThrowsMessage<FileError>(testing::HasSubstr(": cannot be written: ")));
  EXPECT_THAT([&] { write_file(folder_.file("no/such"), "x"); },
              testing::ThrowsMessage<FileError>(
                  testing::HasSubstr("/no/such: cannot be written: No such file or directory")));
}

TEST(AtomicFile, HyphenIsStandardOutput) {
  testing::internal::CaptureStdout();
  write_file("-", "to standard output");
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "to standard output");
  EXPECT_FALSE(fs::exists("-"));
}

}  // namespace
}  // namespace frictionbench
