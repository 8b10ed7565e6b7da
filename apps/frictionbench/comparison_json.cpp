// A comparison as JSON.

#include <nlohmann/json.hpp>

#include "comparison_report.hpp"

namespace frictionbench::app {

using nlohmann::json;

namespace {

json to_json(const ComparedFile& file) {
  const results::RunInfo& run = file.run;
  const bool known = !run.git_revision.empty();
  return {{"path", file.path},
          {"started", run.started},
          {"git",
           {{"revision", known ? json(run.git_revision) : json(nullptr)},
            {"dirty", run.git_dirty ? json(*run.git_dirty) : json(nullptr)}}}};
}

}  // namespace

std::string comparison_json(const ComparisonReport& report) {
  json comparisons = json::array();
  for (const auto& [file, comparison] : report.candidates) {
    comparisons.push_back(results::to_json(comparison));
    comparisons.back()["candidate"] = to_json(file);
  }
  const json document{{"schema", "frictionbench-comparison"},
                      {"schema_version", 1},
                      {"baseline", to_json(report.baseline)},
                      {"comparisons", comparisons}};
  // Names of files need not be UTF-8.
  return document.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace frictionbench::app
