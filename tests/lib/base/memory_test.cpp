#include "frictionbench/base/memory.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "support/temporary_folder.hpp"

namespace frictionbench {
namespace {

TEST(MemoryLeft, IsLessThanTheMachineHas) {
  double total = 0;
  std::string name;
  std::ifstream("/proc/meminfo") >> name >> total;  // MemTotal comes first
  ASSERT_EQ(name, "MemTotal:");
  EXPECT_GT(memory_left(), 0);
  EXPECT_LT(memory_left(), 1024 * total);
}

TEST(MemoryLeft, KeepsToTheLimitOfTheProcess) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the address sanitizer needs all of the address space";
#endif
  const auto left = [](rlim_t limit) {
    const rlimit value{limit, limit};
    if (setrlimit(RLIMIT_AS, &value) != 0) return std::nan("");
    return memory_left();
  };
  constexpr rlim_t large = rlim_t{1} << 32, small = rlim_t{1} << 10;
  EXPECT_EXIT(std::exit(left(large) > 0 && left(large) < double{large} ? 0 : 1),
              testing::ExitedWithCode(0), "");
  EXPECT_EXIT(std::exit(left(small) == 0 ? 0 : 1), testing::ExitedWithCode(0), "")
      << "more is in use than the limit allows";
}

TEST(MemoryLeft, KeepsToTheLimitsOfControlGroups) {
  const test::TemporaryFolder folder;
  const auto write = [&](const std::string& name, const std::string& text) {
    std::filesystem::create_directories((folder.path() / name).parent_path());
    std::ofstream(folder.path() / name) << text << "\n";
  };
  const auto left = [&] { return left_of_group(folder.path(), "/jobs/7"); };
  EXPECT_TRUE(std::isinf(left())) << "there are no groups";
  write("jobs/7/memory.max", "max");
  write("jobs/7/memory.current", "1000");
  EXPECT_TRUE(std::isinf(left())) << "there is no limit";
  write("jobs/memory.max", "5000");
  write("jobs/memory.current", "3000");
  EXPECT_EQ(left(), 2000);
  write("jobs/memory.stat", "anon 2000\nfile 1000\ninactive_file 700\n");
  EXPECT_EQ(left(), 2700) << "files that are kept in memory can be dropped";
  write("jobs/7/memory.max", "1200");
  EXPECT_EQ(left(), 200);
  write("jobs/7/memory.current", "1300");
  EXPECT_EQ(left(), 0);
}

}  // namespace
}  // namespace frictionbench
