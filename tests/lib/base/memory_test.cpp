#include "frictionbench/base/memory.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cmath>
#include <cstdlib>
#include <fstream>

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

}  // namespace
}  // namespace frictionbench
