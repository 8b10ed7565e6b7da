#include "frictionbench/bench/run/internal/previous_answers.hpp"

#include <utility>

#include "frictionbench/fclib/reader.hpp"

namespace frictionbench::bench {

Vector PreviousAnswers::take(PairIndex before, const std::string& path, std::size_t problem) {
  const auto found = answers_.find(before);
  if (found == answers_.end()) return {};
  const Vector r = std::move(found->second);
  answers_.erase(found);
  const fclib::IdentifiedBlocks& now = blocks_.at(problem);
  const bool identified = !now.bodies.empty();  // otherwise only sizes matter
  return fclib::impulse_of_same_blocks(identified ? blocks_of(before.first, path) : now, r, now);
}

const fclib::IdentifiedBlocks& PreviousAnswers::blocks_of(std::size_t problem,
                                                          const std::string& path) {
  auto known = blocks_.find(problem);
  if (known == blocks_.end()) {
    const fclib::ProblemFile file = fclib::read_problem(path);
    known = blocks_.emplace(problem, fclib::IdentifiedBlocks(file)).first;
  }
  return known->second;
}

}  // namespace frictionbench::bench
