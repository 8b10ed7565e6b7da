#include "frictionbench/results/document/internal/version1.hpp"

#include <map>

#include "frictionbench/results/document/internal/json_fields.hpp"
#include "frictionbench/solver/former_names.hpp"

namespace frictionbench::results {

namespace {

// Gives a member its present name.
void rename(json& object, const char* former, const char* current) {
  if (!object.contains(former) || object.contains(current)) return;
  object[current] = std::move(object[former]);
  object.erase(former);
}

// Adds what earlier documents did not have.
void add_missing(json& object, const json& members) {
  for (const auto& [name, value] : members.items())
    if (!object.contains(name)) object[name] = value;
}

void update_id(json& object, const char* member) {
  if (object.contains(member) && object[member].is_string())
    object[member] = current_solver_id(object[member].get<std::string>());
}

// The test and the stage that ended a solve: `fired` was the name of either.
std::pair<StopReason, std::string> end_of(const std::string& fired, Status status) {
  static const std::map<std::string, StopReason> tests{
      {"residuals", StopReason::residuals},
      {"absolute", StopReason::residuals},
      {"no contacts", StopReason::no_contacts},
      {"momentum", StopReason::momentum},
      {"polyhedral residuals", StopReason::polyhedral_residuals},
      {"fixed point", StopReason::fixed_point}};
  static const std::map<Status, StopReason> ends{
      {Status::max_iterations, StopReason::iteration_limit},
      {Status::time_limit, StopReason::time_limit},
      {Status::stalled, StopReason::no_progress}};
  if (fired.empty()) {
    const auto end = ends.find(status);
    return {end == ends.end() ? StopReason::none : end->second, ""};
  }
  const auto test = tests.find(fired);
  if (test != tests.end()) return {test->second, ""};
  return {StopReason::residuals, fired};
}

void update_stop_reason(json& record) {
  const auto text = [&](const char* member) {
    return record.contains(member) && record[member].is_string() ? record[member].get<std::string>()
                                                                 : std::string();
  };
  Status status = Status::error;  // an unknown one is refused when the record is read
  for (const auto& known : describe(Status{}).values)
    if (known.name == text("status")) status = known.value;
  const auto [reason, stage] = end_of(text("fired"), status);
  record["stop_reason"] = name(reason);
  record["stage"] = stage.empty() ? json() : json(stage);
  record.erase("fired");
}

// From {"ncp": true, "ncp_scaled": true, ...}; complete() adds the scaled lcp and native.
void update_solved(json& solved) {
  if (!solved.is_object()) return;
  json updated;
  for (const char* model : {"ncp", "ccp", "lcp"}) {
    if (!solved.contains(model) || solved[model].is_object()) return;
    const json absolute = solved[model].is_null() ? json(false) : solved[model];
    updated[model] = {{"relative", false},
                      {"absolute", absolute},
                      {"scaled", solved.value(std::string(model) + "_scaled", false)},
                      {"force", nullptr}};
  }
  updated["native"] = {// see complete()
                       {"relative", false},
                       {"absolute", false},
                       {"scaled", false},
                       {"force", nullptr}};
  solved = std::move(updated);
}

}  // namespace

void update_run(json& run) {
  if (!run.is_object() || run.contains("scale")) return;
  if (run.contains("criterion") && run["criterion"].is_string()) {
    std::string criterion = run["criterion"];
    const bool scaled = criterion.ends_with("_scaled");
    if (scaled) criterion.resize(criterion.size() - std::string("_scaled").size());
    run["criterion"] = criterion;
    run["scale"] = scaled ? "scaled" : "absolute";
  }
  add_missing(run, {{"warm_start", "zero"},
                    {"sequence", false},
                    {"facets", 4},
                    {"time_step", nullptr},
                    {"compliance", nullptr},
                    {"plan", nullptr},
                    {"shards", nullptr},
                    {"history", false},
                    {"condition", false}});
}

void update_solver(json& solver) {
  if (!solver.is_object()) return;
  update_id(solver, "id");
  update_id(solver, "name");
  add_missing(solver, {{"exact", nullptr}});
}

void update_problem(json& problem) {
  if (!problem.is_object()) return;
  add_missing(problem, {{"compliance_min", 0}, {"compliance_max", 0}, {"islands", nullptr}});
}

void update_record(json& record) {
  if (!record.is_object()) return;
  update_id(record, "solver");
  if (!record.contains("claimed")) return;
  rename(record, "claimed", "reported");
  update_stop_reason(record);
  if (record.contains("solved")) update_solved(record["solved"]);
  add_missing(record, {{"start", "zero"},
                       {"previous", nullptr},
                       {"hardware", {{"instructions", nullptr}, {"cycles", nullptr}}}});
  if (record["iterations"].is_null()) record["iterations"] = 0;
  if (record["work"].is_null()) record["work"] = to_value(WorkCounters{});
  if (json& work = record["work"]; work.is_object() && work.contains("factorizations"))
    if (json& count = work["factorizations"]; !count.is_object())
      count = {{"cholesky", 0}, {"lu", 0}, {"ldlt", 0}, {"unspecified", count}};
  if (json& time = record["time"]; time.is_object()) {
    rename(time, "beside", "concurrent_pairs");
    add_missing(time, {{"concurrent_pairs", 0}, {"cholesky", nullptr}, {"rounds", nullptr}});
    if (time.contains("solve") && time["solve"].is_object())
      add_missing(time["solve"], {{"values", json::array()}});
  }
  add_missing(record, {{"own_model", nullptr}, {"impulse_sha256", nullptr}});
  if (json& verdict = record["verdict"]; verdict.is_object()) {
    add_missing(verdict, {{"scale", {{"impulse", 1}, {"velocity", 1}}},
                          {"creep", nullptr},
                          {"lift", nullptr},
                          {"time_step", nullptr}});
    for (const char* model : {"ncp", "ccp", "lcp"})
      if (json& residuals = verdict[model]; residuals.is_object()) {
        add_missing(residuals, {{"relative", nullptr}});
        residuals.erase("scaled");  // of a scale that may not be there
      }
  }
}

void complete(Document& document) {
  for (Record& record : document.records) {
    Solved& solved = record.solved;
    if (record.verdict)
      solved.lcp.scaled =
          record.verdict->solved(ContactModel::lcp, Scale::scaled, document.run.tolerance);
    for (const SolverEntry& solver : document.solvers)
      if (solver.id == record.solver)
        solved.native = solver.model == ContactModel::ncp   ? solved.ncp
                        : solver.model == ContactModel::ccp ? solved.ccp
                                                            : solved.lcp;
  }
}

}  // namespace frictionbench::results
