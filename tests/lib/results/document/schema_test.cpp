// The JSON Schema that ships is the one that the descriptions give.

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "frictionbench/results/document/json.hpp"

namespace frictionbench::results {
namespace {

TEST(ResultsSchema, InTheRepositoryIsTheOneOfTheProgram) {
  std::ifstream file(FRICTIONBENCH_SOURCE_DIR "/results/results.schema.json");
  std::ostringstream committed;
  committed << file.rdbuf();
  EXPECT_EQ(committed.str(), results_schema())
      << "to update it: frictionbench list schema > results/results.schema.json";
}

}  // namespace
}  // namespace frictionbench::results
