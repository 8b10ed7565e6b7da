/// \file
/// Rounds of a run: every pair is measured in the first, which makes its record; the later ones add
/// their times to it.
#pragma once

#include <cstdint>

#include "frictionbench/bench/process/internal/pair_process.hpp"
#include "frictionbench/results/document/document.hpp"

namespace frictionbench::bench {

/// Seed of the order of the pairs in a round. \param seed of the run. \param round from 1.
std::uint64_t seed_of_round(int seed, int round);

/// Adds the time of the first round to its record, unless there is nothing to repeat: no time, a
/// time that is the limit, or a solve that did not repeat itself.
void begin_rounds(results::Record& record);

/// How many rounds of a pair were finished, the first one included.
int finished_rounds(const results::Record& record);

/// Whether the pair is measured in this round: it has been in all rounds before it. A pair that
/// missed one takes part no more.
/// \param round from 2.
bool takes_part(const results::Record& record, int round);

/// Adds a later round to the record; one that differs from the first makes it `not_repeatable`.
/// \param round from 2.
void add_round(results::Record& record, int round, const RoundOutcome& outcome);

}  // namespace frictionbench::bench
