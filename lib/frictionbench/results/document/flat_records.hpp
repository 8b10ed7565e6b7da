/// \file
/// Records as rows of one table, for data frames and spreadsheets.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "frictionbench/results/document/document.hpp"

namespace frictionbench::results {

/// The values in an item of a list of the document by dotted names, `time.solve.median`, in the order
/// of the schema. Objects are taken apart; lists, and objects whose members the schema does not name
/// (`reported`, `settings`), are values. They are the same for every document.
/// \param list "problems", "solvers" or "records".
std::vector<std::string> value_names(const std::string& list);

/// The value of a dotted name; null where the item has none. \param item as JSON.
nlohmann::json value_at(const nlohmann::json& item, const std::string& name);

/// Values under names, all rows as long as `columns`.
struct FlatTable {
  std::vector<std::string> columns;               ///< names
  std::vector<std::vector<nlohmann::json>> rows;  ///< null: not measured or not defined
};

/// One row per record, in the order of the document: `run.NAME` for the single values of the run,
/// `problem.NAME` and `solver.NAME` for what the document says of its problem and solver, `solved` and
/// `residual` under the run's criterion and scale, then the values of the record itself.
FlatTable flat_records(const Document& document);

}  // namespace frictionbench::results
