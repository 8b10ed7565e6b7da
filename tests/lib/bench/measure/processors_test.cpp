#include "frictionbench/bench/measure/internal/processors.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <stdexcept>

namespace frictionbench::bench {
namespace {

using testing::HasSubstr;
using testing::IsSubsetOf;
using testing::ThrowsMessage;

int count(const std::vector<int>& processors) { return static_cast<int>(processors.size()); }

// Other runs may hold claims of their own meanwhile, so only what no claim of others changes is
// asked for.
TEST(Processors, ClaimsDoNotOverlapWhileThereAreEnough) {
  const ProcessorClaim first(1), second(1);
  EXPECT_THAT(first.processors(), IsSubsetOf(available_processors()));
  EXPECT_EQ(second.processors().size(), 1u);
  if (first.shared() == 0 && second.shared() == 0) {
    EXPECT_NE(first.processors(), second.processors());
  }
}

TEST(Processors, SaysWhenItMustShare) {
  const ProcessorClaim all(count(available_processors()));
  const ProcessorClaim one_more(1);
  EXPECT_EQ(one_more.shared(), 1);
  EXPECT_THAT(one_more.processors(), IsSubsetOf(available_processors()));
}

TEST(Processors, AClaimEndsWithItsOwner) {
  const int all = count(available_processors());
  std::optional<ProcessorClaim> mine(std::in_place, all);
  const int of_others = mine->shared();
  EXPECT_EQ(ProcessorClaim(all).shared(), all);
  mine.reset();
  EXPECT_LE(ProcessorClaim(all).shared(), of_others + 1);  // another may have come meanwhile
}

TEST(Processors, NoMoreThanThereAre) {
  EXPECT_THAT([] { ProcessorClaim(100'000); },
              ThrowsMessage<std::invalid_argument>(HasSubstr("100000 jobs")));
}

}  // namespace
}  // namespace frictionbench::bench
