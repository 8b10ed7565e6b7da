#include "frictionbench/bench/run/internal/previous_answers.hpp"

#include <utility>

#include "frictionbench/fclib/reader.hpp"

namespace frictionbench::bench {

Vector PreviousAnswers::take(PairIndex before, const std::string& path,
                             const fclib::IdentifiedBlocks& now) {
  const auto found = answers_.find(before);
  if (found == answers_.end()) return {};
  const Vector r = std::move(found->second);
  answers_.erase(found);
  auto blocks = blocks_.find(before.first);
  if (blocks == blocks_.end()) {
    const fclib::ProblemFile file = fclib::read_problem(path);
    blocks = blocks_.emplace(before.first, fclib::IdentifiedBlocks(file)).first;
  }
  return fclib::impulse_of_same_blocks(blocks->second, r, now);
}

}  // namespace frictionbench::bench
