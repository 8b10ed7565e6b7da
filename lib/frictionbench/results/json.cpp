#include "frictionbench/results/json.hpp"

#include <fmt/format.h>

#include "frictionbench/results/json_values.hpp"

namespace frictionbench::results {

namespace {

std::string_view name_of(ProblemForm form) {
  return form == ProblemForm::local ? "local" : "global";
}

ContactModel model_from_name(const std::string& text) {
  for (const ContactModel model : {ContactModel::ncp, ContactModel::ccp, ContactModel::lcp})
    if (name(model) == text) return model;
  throw std::invalid_argument(fmt::format("unknown contact model '{}'", text));
}

json plan_to_json(const RunInfo& run) {
  if (!run.shard) return nullptr;
  json plan = json::array();
  for (const PlannedProblem& problem : run.plan)
    plan.push_back(
        {{"id", problem.id}, {"path", problem.path}, {"sha256", text_or_null(problem.sha256)}});
  return plan;
}

json to_json(const RunInfo& run) {
  return {{"command", run.command},
          {"started", run.started},
          {"finished", run.finished},
          {"version", run.version},
          {"git",
           {{"revision", text_or_null(run.git_revision)},
            {"dirty", run.git_revision.empty() ? json(nullptr) : json(run.git_dirty)}}},
          {"criterion", name(run.criterion)},
          {"tolerance", run.tolerance},
          {"max_iterations", run.max_iterations},
          {"time_limit", run.time_limit},
          {"memory_limit", or_null(run.memory_limit)},
          {"repeat_time", run.repeat_time},
          {"seed", run.seed},
          {"jobs", run.jobs},
          {"shard", run.shard ? json(text(*run.shard)) : json(nullptr)},
          {"plan", plan_to_json(run)},
          {"shards", run.shards},
          {"build", run.build},
          {"host", run.host},
          {"warnings", run.warnings}};
}

RunInfo run_from(const json& value) {
  RunInfo run;
  run.command = value.at("command");
  run.started = value.at("started");
  run.finished = value.at("finished");
  run.version = value.at("version");
  run.git_revision = text_from(value.at("git").at("revision"));
  run.git_dirty = value.at("git").at("dirty") == true;
  run.criterion = criterion_from_name(value.at("criterion").get<std::string>());
  run.tolerance = value.at("tolerance");
  run.max_iterations = value.at("max_iterations");
  run.time_limit = value.at("time_limit");
  run.memory_limit = optional_from<std::int64_t>(value.at("memory_limit"));
  run.repeat_time = value.at("repeat_time");
  run.seed = value.at("seed");
  run.jobs = value.at("jobs");
  if (const json& shard = value.at("shard"); !shard.is_null()) {
    run.shard = shard_from_text(shard.get<std::string>());
    for (const json& problem : value.at("plan"))
      run.plan.push_back({problem.at("id"), problem.at("path"), text_from(problem.at("sha256"))});
  }
  if (value.contains("shards")) run.shards = value.at("shards");
  run.build = value.at("build");
  run.host = value.at("host");
  run.warnings = value.at("warnings");
  return run;
}

}  // namespace

json to_json(const ProblemEntry& problem) {
  return {{"id", problem.id},
          {"path", problem.path},
          {"sha256", problem.sha256},
          {"family", problem.family},
          {"form", name_of(problem.form)},
          {"dimension", problem.dimension},
          {"contacts", problem.contacts},
          {"unknowns", problem.unknowns},
          {"dofs", or_null(problem.dofs)},
          {"nonzeros", problem.nonzeros},
          {"asymmetry", problem.asymmetry},
          {"mu_min", problem.mu_min},
          {"mu_max", problem.mu_max},
          {"bilateral", problem.bilateral}};
}

ProblemEntry problem_from_json(const json& value) {
  ProblemEntry problem;
  problem.id = value.at("id");
  problem.path = value.at("path");
  problem.sha256 = value.at("sha256");
  problem.family = value.at("family");
  problem.form = value.at("form") == "local" ? ProblemForm::local : ProblemForm::global;
  problem.dimension = value.at("dimension");
  problem.contacts = value.at("contacts");
  problem.unknowns = value.at("unknowns");
  problem.dofs = optional_from<Index>(value.at("dofs"));
  problem.nonzeros = value.at("nonzeros");
  problem.asymmetry = value.at("asymmetry");
  problem.mu_min = value.at("mu_min");
  problem.mu_max = value.at("mu_max");
  problem.bilateral = value.at("bilateral");
  return problem;
}

json to_json(const Document& document) {
  json problems = json::array();
  for (const ProblemEntry& problem : document.problems) problems.push_back(to_json(problem));
  json solvers = json::array();
  for (const SolverEntry& solver : document.solvers)
    solvers.push_back({{"id", solver.id},
                       {"name", solver.name},
                       {"model", name(solver.model)},
                       {"settings", solver.settings}});
  json records = json::array();
  for (const Record& record : document.records) records.push_back(to_json(record));
  json unreadable = json::array();
  for (const Unreadable& file : document.unreadable)
    unreadable.push_back({{"path", file.path}, {"reason", file.reason}});
  return {{"schema", "frictionbench-results"},
          {"schema_version", schema_version},
          {"run", to_json(document.run)},
          {"problems", problems},
          {"solvers", solvers},
          {"records", records},
          {"unreadable", unreadable}};
}

Document document_from_json(const json& value) try {
  if (!value.is_object() || value.value("schema", "") != "frictionbench-results")
    throw ResultsError("is not a frictionbench results document");
  if (value.at("schema_version") != schema_version)
    throw ResultsError(fmt::format("has schema version {}; this program reads version {}",
                                   value.at("schema_version").dump(), schema_version));
  Document document;
  document.run = run_from(value.at("run"));
  for (const json& problem : value.at("problems"))
    document.problems.push_back(problem_from_json(problem));
  for (const json& solver : value.at("solvers"))
    document.solvers.push_back({solver.at("id"), solver.at("name"),
                                model_from_name(solver.at("model")), solver.at("settings")});
  for (const json& record : value.at("records"))
    document.records.push_back(record_from_json(record));
  for (const json& file : value.at("unreadable"))
    document.unreadable.push_back({file.at("path"), file.at("reason")});
  return document;
} catch (const json::exception& error) {
  throw ResultsError(fmt::format("is not a valid results document: {}", error.what()));
} catch (const std::invalid_argument& error) {
  throw ResultsError(fmt::format("is not a valid results document: {}", error.what()));
}

}  // namespace frictionbench::results
