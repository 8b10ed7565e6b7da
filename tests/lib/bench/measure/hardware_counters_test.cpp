#include "frictionbench/bench/measure/internal/hardware_counters.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <nlohmann/json.hpp>

#include "frictionbench/bench/measure/measure.hpp"
#include "frictionbench/results/document/json.hpp"
#include "support/problems.hpp"
#include "support/scripted_solver.hpp"

namespace frictionbench::bench {
namespace {

using test::vector;

// Takes at least `steps` instructions.
void work(int steps) {
  for (volatile int k = 0; k < steps;) k = k + 1;
}

results::HardwareCounts counts_of(int steps) {
  HardwareCounters counters;
  counters.start();
  work(steps);
  return counters.stop();
}

// Record of a solver that works for `steps`.
results::Record measured(int steps) {
  const auto solver = test::scripted("worker", [steps](const auto&) {
    work(steps);
    Result result;
    result.status = Status::converged;
    result.r = vector({1, -0.5, 0});
    return result;
  });
  results::SolveSettings options;
  options.repeat_time = 0;
  return measure(test::one_contact(vector({1, 1, 1}), vector({-1, 3, 0}), 0.5), solver, options)
      .record;
}

constexpr const char* no_instructions =
    "the kernel counts no instructions here (perf_event_paranoid, or no performance monitoring "
    "unit)";

TEST(HardwareCounters, InstructionsGrowWithTheWork) {
  const auto little = counts_of(100'000);
  const auto much = counts_of(1'000'000);
  if (!little.instructions || !much.instructions) GTEST_SKIP() << no_instructions;
  EXPECT_GE(*little.instructions, 100'000);
  EXPECT_GE(*much.instructions, *little.instructions + 900'000);
}

TEST(HardwareCounters, StartCountsFromZero) {
  HardwareCounters counters;
  counters.start();
  work(1'000'000);
  const auto first = counters.stop();
  counters.start();
  const auto second = counters.stop();
  if (!first.instructions || !second.instructions) GTEST_SKIP() << no_instructions;
  EXPECT_LT(*second.instructions, 1'000'000);
}

TEST(HardwareCounters, CountIsAbsentOrPositive) {
  const auto counts = counts_of(100'000);
  EXPECT_GT(counts.instructions.value_or(1), 0);
  EXPECT_GT(counts.cycles.value_or(1), 0);
}

TEST(HardwareCounters, RecordHasThoseOfTheFirstSolve) {
  const auto record = measured(100'000);
  EXPECT_EQ(record.status, Status::converged);
  const nlohmann::json hardware = results::to_json(record)["hardware"];
  const auto counts = counts_of(100'000);
  EXPECT_EQ(hardware["instructions"].is_null(), !counts.instructions.has_value());
  EXPECT_EQ(hardware["cycles"].is_null(), !counts.cycles.has_value());
  if (!counts.instructions) GTEST_SKIP() << no_instructions;
  EXPECT_GE(hardware["instructions"], 100'000);
}

// Takes away the right to open another descriptor, as long as it lives.
class NoMoreDescriptors {
 public:
  NoMoreDescriptors() {
    getrlimit(RLIMIT_NOFILE, &before_);
    const rlimit none{0, before_.rlim_max};
    setrlimit(RLIMIT_NOFILE, &none);
  }
  ~NoMoreDescriptors() { setrlimit(RLIMIT_NOFILE, &before_); }
  NoMoreDescriptors(const NoMoreDescriptors&) = delete;
  NoMoreDescriptors& operator=(const NoMoreDescriptors&) = delete;

 private:
  rlimit before_{};
};

// A process without a descriptor to spare can open no counter.
TEST(HardwareCounters, RunGoesOnWithoutThem) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the sanitizer itself opens pipes, to see what memory can be read";
#endif
  const NoMoreDescriptors none;
  const auto counts = counts_of(1);
  EXPECT_FALSE(counts.instructions);
  EXPECT_FALSE(counts.cycles);
  const auto record = measured(1);
  EXPECT_EQ(record.status, Status::converged);
  EXPECT_EQ(results::to_json(record)["hardware"],
            (nlohmann::json{{"instructions", nullptr}, {"cycles", nullptr}}));
}

}  // namespace
}  // namespace frictionbench::bench
