/// Files cut off or with a byte changed, anywhere: read, or refused with a FileError, and never
/// anything else.

#include <gtest/gtest.h>

#include <fstream>
#include <random>
#include <sstream>
#include <string>

#include "frictionbench/fclib/reader.hpp"
#include "frictionbench/fclib/writer.hpp"
#include "support/example_files.hpp"
#include "support/temporary_folder.hpp"

#if defined(__SANITIZE_ADDRESS__)
// HDF5 1.10.8 loses the memory of an object header that it finds damaged while it loads it.
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() { return "leak:libhdf5"; }
#endif

namespace frictionbench::fclib {
namespace {

std::string content(const std::string& path) {
  std::ostringstream bytes;
  bytes << std::ifstream(path, std::ios::binary).rdbuf();
  return bytes.str();
}

void write(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

/// \return whether the file was refused; any other exception fails the test.
bool refused(const std::string& path) {
  try {
    read_problem(path);
    return false;
  } catch (const FileError& error) {
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
    return true;
  }
}

class DamagedFiles : public testing::Test {
 protected:
  void SetUp() override {
    write_problem(folder_.file("local.hdf5"), test::good_local_file(3, true));
    write_problem(folder_.file("global.hdf5"), test::good_global_file(), Storage::triplet);
    testing::internal::CaptureStderr();
  }
  void TearDown() override { EXPECT_EQ(testing::internal::GetCapturedStderr(), ""); }

  test::TemporaryFolder folder_;
};

TEST_F(DamagedFiles, TruncatedAnywhereAreRefused) {
  for (const char* name : {"local.hdf5", "global.hdf5"}) {
    const std::string bytes = content(folder_.file(name));
    for (std::size_t k = 0; k < 50; ++k) {
      write(folder_.file("cut.hdf5"), bytes.substr(0, bytes.size() * k / 50));
      EXPECT_TRUE(refused(folder_.file("cut.hdf5"))) << name << " cut to " << k << "/50";
    }
    write(folder_.file("cut.hdf5"), bytes.substr(0, bytes.size() - 1));
    EXPECT_TRUE(refused(folder_.file("cut.hdf5")));
  }
}

TEST_F(DamagedFiles, WithChangedBytesAreReadOrRefused) {
  std::mt19937 random(20240607);
  int count = 0;
  for (const char* name : {"local.hdf5", "global.hdf5"}) {
    const std::string bytes = content(folder_.file(name));
    for (int k = 0; k < 300; ++k) {
      std::string damaged = bytes;
      const std::size_t at = random() % bytes.size();
      damaged[at] = static_cast<char>(damaged[at] ^ static_cast<char>(1 + random() % 255));
      write(folder_.file("flipped.hdf5"), damaged);
      SCOPED_TRACE(testing::Message() << name << " byte " << at);
      ASSERT_NO_THROW(count += refused(folder_.file("flipped.hdf5")));
    }
  }
  EXPECT_GT(count, 0);  // else the damage was none
}

}  // namespace
}  // namespace frictionbench::fclib
