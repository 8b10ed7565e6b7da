#include "frictionbench/math/components.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace frictionbench {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Components, AreNumberedInTheOrderOfTheirFirstNodes) {
  Components components(6);
  components.join(5, 1);
  components.join(4, 3);
  components.join(3, 5);
  EXPECT_EQ(components.numbers(), (std::vector<Index>{0, 1, 2, 1, 1, 1}));
  EXPECT_TRUE(Components(0).numbers().empty());
}

TEST(Components, HaveTheirNodesInOrder) {
  EXPECT_THAT(members({0, 1, 2, 1, 1, 0}),
              ElementsAre(ElementsAre(0, 5), ElementsAre(1, 3, 4), ElementsAre(2)));
  EXPECT_THAT(members({}), IsEmpty());
}

}  // namespace
}  // namespace frictionbench
