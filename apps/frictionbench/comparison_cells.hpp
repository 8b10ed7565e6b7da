/// \file
/// The words and numbers that all reports of a comparison share.
#pragma once

#include <string>
#include <vector>

#include "comparison_report.hpp"

namespace frictionbench::app {

/// "3 pairs worse, 1 better, 240 the same, 0 lost, 0 new", and how many changed if any did.
std::string verdict_sentence(const results::ChangeCounts& counts);

/// "results.json (started 2026-01-31T23:59:59Z, revision 48a745a0c)"
std::string file_text(const ComparedFile& file);

/// How much a difference is: "+37 %", "x 12", "x 1.5 (1.4 to 1.6)", "residual 2.1e-03".
std::string amount_text(const results::PairComparison& pair, const results::Difference& difference);

/// Of the two documents: "solved" or a status, a count, a residual, a time.
std::string baseline_text(const results::PairComparison& pair,
                          const results::Difference& difference);
std::string candidate_text(const results::PairComparison& pair,
                           const results::Difference& difference);

/// A row of what changed, under `change_header`.
struct ChangeRow {
  results::Change change;
  std::vector<std::string> cells;
};
extern const std::vector<std::string> change_header;

/// A row for each pair that is not the same, worst first; one row for all pairs of a solver that is
/// lost or new as a whole.
std::vector<ChangeRow> change_rows(const results::Comparison& comparison);

/// How many pairs of each solver changed how, and by how much its counters did.
struct SolverTable {
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;
};
SolverTable solver_table(const results::Comparison& comparison);

}  // namespace frictionbench::app
