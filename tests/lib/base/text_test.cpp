#include "frictionbench/base/text.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>

namespace frictionbench {
namespace {

TEST(NumberIn, IsTheWholeText) {
  EXPECT_EQ(number_in<int>("-12"), -12);
  EXPECT_EQ(number_in<double>("-1.5e-3"), -1.5e-3);
  EXPECT_EQ(number_in<double>(".5"), 0.5);
  EXPECT_EQ(number_in<int>(std::string_view("123").substr(0, 2)), 12);  // and nothing behind it
  for (const char* text :
       {"", " ", "-", "+1", "--1", " 1", "1 ", "1\n", "1x", "x", "0x10", "1,5"}) {
    EXPECT_FALSE(number_in<int>(text)) << text;
    EXPECT_FALSE(number_in<double>(text)) << text;
  }
  EXPECT_FALSE(number_in<int>({}));
  EXPECT_FALSE(number_in<int>("1.0"));
  EXPECT_FALSE(number_in<int>("1e3"));
  EXPECT_FALSE(number_in<std::uint64_t>("-1"));
}

TEST(NumberIn, HasInfiniteNumbersAndNan) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(number_in<double>("inf"), infinity);
  EXPECT_EQ(number_in<double>("-Infinity"), -infinity);
  EXPECT_TRUE(std::isnan(number_in<double>("nan").value()));
  EXPECT_FALSE(number_in<int>("inf"));
}

TEST(NumberIn, FitsTheType) {
  EXPECT_EQ(number_in<int>("2147483647"), 2147483647);
  EXPECT_FALSE(number_in<int>("2147483648"));
  EXPECT_EQ(number_in<std::uint64_t>("18446744073709551615"),
            std::numeric_limits<std::uint64_t>::max());
  EXPECT_FALSE(number_in<std::uint64_t>("18446744073709551616"));
  EXPECT_FALSE(number_in<double>("1e999"));
  EXPECT_FALSE(number_in<double>("1e-999"));
}

TEST(Trimmed, HasNoBlanksAtItsEnds) {
  EXPECT_EQ(trimmed(" \t a\t b \t"), "a\t b");
  EXPECT_EQ(trimmed("a"), "a");
  EXPECT_EQ(trimmed(" \t"), "");
  EXPECT_EQ(trimmed(""), "");
  EXPECT_EQ(trimmed("\na\n"), "\na\n");
}

TEST(SolverText, IsOneLine) {
  EXPECT_EQ(solver_text(""), "");
  EXPECT_EQ(solver_text("one"), "one");
  EXPECT_EQ(solver_text("\none\n\ntwo\n"), "one; two");
  EXPECT_EQ(solver_text("a\tb\x1b"), "a?b?");
}

TEST(SolverText, IsValidUtf8) { EXPECT_EQ(solver_text("\xc3\xa9 \xe9"), "\xc3\xa9 \uFFFD"); }

TEST(SolverText, IsBounded) {
  const std::string longest(longest_solver_text, 'x');
  EXPECT_EQ(solver_text(longest), longest);
  EXPECT_EQ(solver_text(longest + "y"), longest + " ...");
}

}  // namespace
}  // namespace frictionbench
