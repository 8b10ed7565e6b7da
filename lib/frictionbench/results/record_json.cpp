// One record to JSON and back.

#include "frictionbench/results/json.hpp"
#include "frictionbench/results/json_values.hpp"

namespace frictionbench::results {

namespace {

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
    solve = {{"min", time.solve->min},         {"median", time.solve->median},
             {"mean", time.solve->mean},       {"mad", time.solve->mad},
             {"samples", time.solve->samples}, {"values", time.solve->values}};
  return {{"read", time.read},
          {"assembly", time.assembly},
          {"setup", or_null(time.setup)},
          {"solve", solve},
          {"beside", time.beside}};
}

RecordTime time_from(const json& value) {
  RecordTime time;
  time.read = value.at("read");
  time.assembly = value.at("assembly");
  time.setup = optional_from<double>(value.at("setup"));
  if (const json& solve = value.at("solve"); !solve.is_null())
    time.solve = SampleSummary{solve.at("min"),     solve.at("median"),
                               solve.at("mean"),    solve.at("mad"),
                               solve.at("samples"), solve.value("values", std::vector<double>())};
  time.beside = value.value("beside", 0);
  return time;
}

json to_json(const HardwareCounts& counts) {
  return {{"instructions", or_null(counts.instructions)}, {"cycles", or_null(counts.cycles)}};
}

HardwareCounts hardware_from(const json& value) {
  return {optional_from<std::int64_t>(value.at("instructions")),
          optional_from<std::int64_t>(value.at("cycles"))};
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
          {"hardware", to_json(record.hardware)},
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
  if (value.contains("hardware")) record.hardware = hardware_from(value.at("hardware"));
  record.time = time_from(value.at("time"));
  record.memory_peak = optional_from<std::int64_t>(value.at("memory_peak"));
  record.history = history_from(value.at("history"));
  return record;
}

}  // namespace frictionbench::results
