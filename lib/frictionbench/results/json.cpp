#include "frictionbench/results/json.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>

namespace frictionbench::results {

using nlohmann::json;

namespace {

json number(double value) { return std::isfinite(value) ? json(value) : json(nullptr); }

template <typename T>
json or_null(const std::optional<T>& value) {
  return value ? json(*value) : json(nullptr);
}

json text_or_null(const std::string& text) { return text.empty() ? json(nullptr) : json(text); }

double number_from(const json& value) {
  return value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>();
}

template <typename T>
std::optional<T> optional_from(const json& value) {
  return value.is_null() ? std::nullopt : std::optional<T>(value.get<T>());
}

std::string text_from(const json& value) { return value.is_null() ? "" : value.get<std::string>(); }

std::string_view name_of(ProblemForm form) {
  return form == ProblemForm::local ? "local" : "global";
}

ContactModel model_from_name(const std::string& text) {
  for (const ContactModel model : {ContactModel::ncp, ContactModel::ccp, ContactModel::lcp})
    if (name(model) == text) return model;
  throw std::invalid_argument(fmt::format("unknown contact model '{}'", text));
}

json to_json(const ConeResiduals& residuals, const ProblemScale& scale) {
  return {{"primal", number(residuals.primal)},
          {"dual", number(residuals.dual)},
          {"complementarity", number(residuals.complementarity)},
          {"max", number(residuals.max())},
          {"scaled", number(residuals.scaled(scale))},
          {"worst_contact",
           residuals.worst_contact < 0 ? json(nullptr) : json(residuals.worst_contact)}};
}

ConeResiduals residuals_from(const json& value) {
  return {number_from(value.at("primal")), number_from(value.at("dual")),
          number_from(value.at("complementarity")),
          value.at("worst_contact").is_null() ? -1 : value.at("worst_contact").get<Index>()};
}

json to_json(const Verdict& verdict) {
  return {{"ncp", to_json(verdict.ncp, verdict.scale)},
          {"ccp", to_json(verdict.ccp, verdict.scale)},
          {"lcp", to_json(verdict.lcp, verdict.scale)},
          {"scale", {{"impulse", verdict.scale.impulse}, {"velocity", verdict.scale.velocity}}},
          {"natural_map", number(verdict.natural_map)},
          {"signorini",
           {{"product", number(verdict.signorini.product)},
            {"velocity", number(verdict.signorini.velocity)},
            {"impulse", number(verdict.signorini.impulse)}}},
          {"dissipation", number(verdict.dissipation)},
          {"momentum", verdict.momentum ? number(*verdict.momentum) : json(nullptr)}};
}

Verdict verdict_from(const json& value, const json& states, const json& impulse_norm) {
  Verdict verdict;
  verdict.ncp = residuals_from(value.at("ncp"));
  verdict.ccp = residuals_from(value.at("ccp"));
  verdict.lcp = residuals_from(value.at("lcp"));
  if (value.contains("scale"))  // the one member that version 1 leaves optional
    verdict.scale = {value.at("scale").at("impulse"), value.at("scale").at("velocity")};
  verdict.natural_map = number_from(value.at("natural_map"));
  const json& signorini = value.at("signorini");
  verdict.signorini = {number_from(signorini.at("product")), number_from(signorini.at("velocity")),
                       number_from(signorini.at("impulse"))};
  verdict.dissipation = number_from(value.at("dissipation"));
  verdict.momentum = optional_from<double>(value.at("momentum"));
  verdict.states = {states.at("sticking"), states.at("sliding"), states.at("separated")};
  verdict.impulse_norm = number_from(impulse_norm);
  return verdict;
}

json to_json(const WorkCounters& work) {
  return {{"factorizations", work.factorizations},
          {"analyses", work.analyses},
          {"triangular_solves", work.triangular_solves},
          {"products", work.products},
          {"sweeps", work.sweeps},
          {"pivots", work.pivots},
          {"line_search", work.line_search}};
}

WorkCounters work_from(const json& value) {
  WorkCounters work;
  work.factorizations = value.at("factorizations");
  work.analyses = value.at("analyses");
  work.triangular_solves = value.at("triangular_solves");
  work.products = value.at("products");
  work.sweeps = value.at("sweeps");
  work.pivots = value.at("pivots");
  work.line_search = value.at("line_search");
  return work;
}

json to_json(const RecordTime& time) {
  json solve = nullptr;
  if (time.solve)
    solve = {{"min", time.solve->min},
             {"median", time.solve->median},
             {"mean", time.solve->mean},
             {"mad", time.solve->mad},
             {"samples", time.solve->samples}};
  return {{"read", time.read},
          {"assembly", time.assembly},
          {"setup", or_null(time.setup)},
          {"solve", solve}};
}

RecordTime time_from(const json& value) {
  RecordTime time;
  time.read = value.at("read");
  time.assembly = value.at("assembly");
  time.setup = optional_from<double>(value.at("setup"));
  if (const json& solve = value.at("solve"); !solve.is_null())
    time.solve = SampleSummary{solve.at("min"), solve.at("median"), solve.at("mean"),
                               solve.at("mad"), solve.at("samples")};
  return time;
}

json to_json(const std::vector<Iterate>& history) {
  if (history.empty()) return nullptr;
  json rows = json::array();
  for (const Iterate& row : history)
    rows.push_back({{"iteration", row.iteration},
                    {"primal", number(row.residuals.primal)},
                    {"dual", number(row.residuals.dual)},
                    {"complementarity", number(row.residuals.complementarity)},
                    {"penalty", number(row.penalty)}});
  return rows;
}

std::vector<Iterate> history_from(const json& value) {
  std::vector<Iterate> history;
  if (value.is_null()) return history;
  for (const json& row : value) {
    Iterate& iterate = history.emplace_back();
    iterate.iteration = row.at("iteration");
    iterate.residuals.primal = number_from(row.at("primal"));
    iterate.residuals.dual = number_from(row.at("dual"));
    iterate.residuals.complementarity = number_from(row.at("complementarity"));
    iterate.penalty = number_from(row.at("penalty"));
  }
  return history;
}

json to_json(const RunInfo& run) {
  return {{"command", run.command},
          {"started", run.started},
          {"finished", run.finished},
          {"version", run.version},
          {"git", {{"revision", text_or_null(run.git_revision)}, {"dirty", run.git_dirty}}},
          {"criterion", name(run.criterion)},
          {"tolerance", run.tolerance},
          {"max_iterations", run.max_iterations},
          {"time_limit", run.time_limit},
          {"memory_limit", or_null(run.memory_limit)},
          {"repeat_time", run.repeat_time},
          {"seed", run.seed},
          {"jobs", run.jobs},
          {"shard", nullptr},
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
  run.git_dirty = value.at("git").at("dirty");
  run.criterion = criterion_from_name(value.at("criterion").get<std::string>());
  run.tolerance = value.at("tolerance");
  run.max_iterations = value.at("max_iterations");
  run.time_limit = value.at("time_limit");
  run.memory_limit = optional_from<std::int64_t>(value.at("memory_limit"));
  run.repeat_time = value.at("repeat_time");
  run.seed = value.at("seed");
  run.jobs = value.at("jobs");
  run.build = value.at("build");
  run.host = value.at("host");
  run.warnings = value.at("warnings");
  return run;
}

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

ProblemEntry problem_from(const json& value) {
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

}  // namespace

json to_json(const Record& record) {
  json claimed = json::object();
  for (const auto& [key, value] : record.claimed) claimed[key] = number(value);
  json states = nullptr;
  json impulse_norm = nullptr;
  if (record.verdict) {
    states = {{"sticking", record.verdict->states.sticking},
              {"sliding", record.verdict->states.sliding},
              {"separated", record.verdict->states.separated}};
    impulse_norm = number(record.verdict->impulse_norm);
  }
  return {{"problem", record.problem},
          {"solver", record.solver},
          {"status", name(record.status)},
          {"message", text_or_null(record.message)},
          {"fired", text_or_null(record.fired)},
          {"solved",
           {{"ncp", record.solved.ncp},
            {"ncp_scaled", record.solved.ncp_scaled},
            {"ccp", record.solved.ccp},
            {"ccp_scaled", record.solved.ccp_scaled},
            {"lcp", record.solved.lcp}}},
          {"verdict", record.verdict ? to_json(*record.verdict) : json(nullptr)},
          {"claimed", claimed},
          {"states", states},
          {"impulse_norm", impulse_norm},
          {"iterations", record.iterations},
          {"work", to_json(record.work)},
          {"time", to_json(record.time)},
          {"memory_peak", or_null(record.memory_peak)},
          {"history", to_json(record.history)}};
}

Record record_from_json(const json& value) {
  Record record;
  record.problem = value.at("problem");
  record.solver = value.at("solver");
  record.status = status_from_name(value.at("status").get<std::string>());
  record.message = text_from(value.at("message"));
  record.fired = text_from(value.at("fired"));
  const json& solved = value.at("solved");
  record.solved = {solved.at("ncp"), solved.at("ncp_scaled"), solved.at("ccp"),
                   solved.at("ccp_scaled"), solved.at("lcp")};
  if (!value.at("verdict").is_null())
    record.verdict =
        verdict_from(value.at("verdict"), value.at("states"), value.at("impulse_norm"));
  for (const auto& [key, claimed] : value.at("claimed").items())
    record.claimed[key] = number_from(claimed);
  record.iterations = value.at("iterations");
  record.work = work_from(value.at("work"));
  record.time = time_from(value.at("time"));
  record.memory_peak = optional_from<std::int64_t>(value.at("memory_peak"));
  record.history = history_from(value.at("history"));
  return record;
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
    document.problems.push_back(problem_from(problem));
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

Document read_document(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw ResultsError(path + ": cannot be opened");
  json value;
  try {
    value = json::parse(file);
  } catch (const json::exception&) {
    throw ResultsError(path + ": is not JSON, or is cut off");
  }
  try {
    return document_from_json(value);
  } catch (const ResultsError& error) {
    throw ResultsError(path + ": " + error.what());
  }
}

void write_document(const std::string& path, const Document& document) {
  const std::string temporary = path + ".part";
  {
    std::ofstream file(temporary);
    file << to_json(document).dump(1) << '\n';
    file.flush();
    if (!file) throw ResultsError(temporary + ": cannot be written; is the disk full?");
  }
  std::error_code failed;
  std::filesystem::rename(temporary, path, failed);
  if (failed) throw ResultsError(path + ": cannot be written: " + failed.message());
}

}  // namespace frictionbench::results
