/// \file
/// The impulse that a solve starts from.
#pragma once

#include <string>

#include "frictionbench/fclib/problem_file.hpp"
#include "frictionbench/results/document/run_settings.hpp"
#include "frictionbench/solver/solver.hpp"

namespace frictionbench::bench {

struct StartPoint {
  results::Start start = results::Start::zero;
  Vector impulse;         ///< empty for a start at zero
  std::string previous;   ///< id of the problem whose answer it is; empty if it is none
  std::string shortfall;  ///< why it is zero although another start was wanted; empty if it is not
};

/// What a problem file has to start from: its first guess, its solution, or zero if it has none
/// that fits the problem. \param wanted zero, guess or solution.
StartPoint start_from_file(const fclib::ProblemFile& file, results::Start wanted);

}  // namespace frictionbench::bench
