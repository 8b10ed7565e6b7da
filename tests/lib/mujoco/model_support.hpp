/// \file
/// Small models in MuJoCo's format.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "frictionbench/mujoco/extraction.hpp"
#include "frictionbench/sets/sets.hpp"
#include "support/temporary_folder.hpp"

namespace frictionbench::mujoco::test {

/// Tests that simulate; skipped without MuJoCo.
class ModelTest : public testing::Test {
 protected:
  void SetUp() override {
    if (version().empty()) GTEST_SKIP() << "built without MuJoCo";
  }

  /// Writes a file. \returns its path.
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_.file(name)) << text;
    return folder_.file(name);
  }

  /// A simulation of `steps` steps, all of which are extracted, of a model with these elements in
  /// <mujoco>. Angles are in radians.
  Simulation simulation(const std::string& elements, int steps = 1) const {
    Simulation made;
    made.model = write("model.xml", "<mujoco><compiler angle='radian'/>" + elements + "</mujoco>");
    made.steps = steps;
    made.every = 1;
    return made;
  }

  static std::vector<Step> steps_of(const Simulation& simulation) {
    std::vector<Step> steps;
    extract(simulation, [&](Step step) { steps.push_back(std::move(step)); });
    return steps;
  }
  /// The first step.
  static Step step_of(const Simulation& simulation) { return steps_of(simulation).at(0); }

 private:
  frictionbench::test::TemporaryFolder folder_;
};

/// The texts of the sets of all blocks.
inline std::vector<std::string> sets_of(const ContactProblem& problem) {
  std::vector<std::string> texts;
  for (const double mu : problem.mu()) texts.push_back(friction_cone(mu)->text());
  for (const SetPointer& set : problem.other_sets()) texts.push_back(set->text());
  return texts;
}

}  // namespace frictionbench::mujoco::test
