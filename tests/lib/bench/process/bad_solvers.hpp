/// \file
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "frictionbench/bench/run/runner.hpp"
#include "frictionbench/results/document/json.hpp"
#include "frictionbench/solvers/register_all.hpp"
#include "support/problem_folder.hpp"
#include "support/problems.hpp"
#include "support/scripted_solver.hpp"

namespace frictionbench::bench {

/// The answer to the problem of the tests, a contact that slides.
inline const Vector slide = test::vector({1, -0.5, 0});

inline Result solved() {
  Result result;
  result.status = Status::converged;
  result.r = slide;
  return result;
}

/// What of a record is the same in every run.
inline nlohmann::json lasting(const results::Record& record) {
  nlohmann::json json = results::to_json(record);
  for (const char* measured : {"time", "memory_peak", "hardware"}) json.erase(measured);
  return json;
}

/// A solver that misbehaves runs between two good ones.
class BadSolvers : public testing::Test {
 protected:
  BadSolvers() {
    folder_.write("A/slide.hdf5",
                  test::one_contact(test::vector({1, 1, 1}), test::vector({-1, 3, 0}), 0.5));
    options_.repeat_time = 0;
    options_.time_limit = 0.5;
  }

  results::Document run(const std::vector<ConfiguredSolver>& solvers) {
    RunObserver silent;
    const Plan plan = make_plan(folder_.problems(), solvers, {});
    return bench::run(plan, solvers, options_, silent).value();
  }

  /// The record of a solver that does `script`, after a look at its neighbours'.
  results::Record record_of(test::Script script) {
    const auto before = solvers::all_solvers().make("ncp-pgs");
    const auto after = solvers::all_solvers().make("ncp-admm");
    const auto alone = run({before, after});
    const auto beside = run({before, test::scripted("bad", std::move(script)), after});
    EXPECT_EQ(lasting(beside.records.at(0)), lasting(alone.records.at(0)));
    EXPECT_EQ(lasting(beside.records.at(2)), lasting(alone.records.at(1)));
    EXPECT_NO_THROW(results::to_json(beside).dump());
    return beside.records.at(1);
  }

  void expect_record(test::Script script, Status status, const std::string& message) {
    const auto record = record_of(std::move(script));
    EXPECT_EQ(name(record.status), name(status)) << record.message;
    EXPECT_THAT(record.message, testing::HasSubstr(message));
  }

  test::ProblemFolder folder_;
  RunOptions options_;
};

}  // namespace frictionbench::bench
