#include "frictionbench/bench/measure/start_point.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace frictionbench::bench {

namespace {

// Of the impulse, if the file has one: only that is started from.
std::string misfit_of_impulse(const fclib::State& state) {
  const auto of_impulse = [](const std::string& misfit) {
    return misfit.find("/r: ") != std::string::npos;
  };
  const auto found = std::find_if(state.misfits.begin(), state.misfits.end(), of_impulse);
  return found == state.misfits.end() ? "" : *found;
}

}  // namespace

StartPoint start_from_file(const fclib::ProblemFile& file, results::Start wanted) {
  const fclib::State* state = nullptr;
  if (wanted == results::Start::guess && !file.guesses.empty()) state = &file.guesses.front();
  if (wanted == results::Start::solution && file.solution) state = &*file.solution;
  if (state && state->r) return {wanted, *state->r, {}, {}};

  StartPoint zero;
  if (wanted == results::Start::zero) return zero;
  if (state) zero.shortfall = misfit_of_impulse(*state);
  if (zero.shortfall.empty())
    zero.shortfall =
        fmt::format("the file has no {}{}", state ? "impulse in its " : "", name(wanted));
  return zero;
}

}  // namespace frictionbench::bench
