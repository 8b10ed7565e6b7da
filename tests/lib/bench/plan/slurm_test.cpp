#include "frictionbench/bench/plan/slurm.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <stdexcept>

namespace frictionbench::bench {
namespace {

using results::Shard;
using testing::HasSubstr;
using testing::ThrowsMessage;

class Slurm : public testing::Test {
 protected:
  // What Slurm sets in the task `index` of --array=first-last:step.
  void array(int first, int last, int step, int tasks, int index) {
    set("ID", index), set("MIN", first), set("MAX", last), set("STEP", step), set("COUNT", tasks);
  }
  void set(const std::string& name, int value) {
    setenv(("SLURM_ARRAY_TASK_" + name).c_str(), std::to_string(value).c_str(), 1);
  }
  void SetUp() override { TearDown(); }
  void TearDown() override {
    for (const char* name : {"ID", "MIN", "MAX", "STEP", "COUNT"})
      unsetenv((std::string("SLURM_ARRAY_TASK_") + name).c_str());
  }
};

TEST_F(Slurm, TaskOfAnArrayIsAShard) {
  array(1, 8, 1, 8, 3);
  EXPECT_EQ(shard_from_slurm(), (Shard{3, 8}));
  array(0, 7, 1, 8, 0);
  EXPECT_EQ(shard_from_slurm(), (Shard{1, 8}));
  array(10, 40, 10, 4, 40);
  EXPECT_EQ(shard_from_slurm(), (Shard{4, 4}));
}

TEST_F(Slurm, OneTaskOfManyIsSubmittedAgain) {
  array(5, 5, 1, 1, 5);
  EXPECT_EQ(shard_from_slurm(8), (Shard{5, 8}));
  EXPECT_THAT([] { shard_from_slurm(4); },
              ThrowsMessage<std::invalid_argument>(HasSubstr("5, not")));
}

TEST_F(Slurm, GapsAndOtherPlacesAreRefused) {
  EXPECT_THAT([] { shard_from_slurm(); },
              ThrowsMessage<std::invalid_argument>(HasSubstr("not a task of a Slurm job array")));
  array(3, 7, 1, 2, 7);  // --array=3,7
  EXPECT_THAT([] { shard_from_slurm(); },
              ThrowsMessage<std::invalid_argument>(HasSubstr("slurm/n")));
}

}  // namespace
}  // namespace frictionbench::bench
