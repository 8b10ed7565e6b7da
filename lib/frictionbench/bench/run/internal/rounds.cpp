#include "frictionbench/bench/run/internal/rounds.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace frictionbench::bench {

std::uint64_t seed_of_round(int seed, int round) {
  return (static_cast<std::uint64_t>(seed) << 32) + static_cast<std::uint64_t>(round);
}

void begin_rounds(results::Record& record) {
  if (record.time.solve && record.status != Status::time_limit &&
      record.status != Status::not_repeatable)
    record.time.rounds = {record.time.solve->median};
}

int finished_rounds(const results::Record& record) {
  return std::max(1, static_cast<int>(record.time.rounds.size()));
}

bool takes_part(const results::Record& record, int round) {
  return static_cast<int>(record.time.rounds.size()) == round - 1 &&
         record.status != Status::not_repeatable;
}

void add_round(results::Record& record, int round, const RoundOutcome& outcome) {
  if (outcome.time) record.time.rounds.push_back(*outcome.time);
  if (outcome.change.empty()) return;
  record.status = Status::not_repeatable;
  record.message = fmt::format("round {}: {}", round, outcome.change);
}

}  // namespace frictionbench::bench
