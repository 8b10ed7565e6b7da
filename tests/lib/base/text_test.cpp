#include "frictionbench/base/text.hpp"

#include <gtest/gtest.h>

namespace frictionbench {
namespace {

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
