#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "frictionbench/base/suggestions.hpp"
#include "frictionbench/results/compare/internal/steps.hpp"
#include "frictionbench/results/document/internal/json_fields.hpp"

namespace frictionbench::results {

namespace {

// As a person would write it: without the quotes of JSON.
std::string plain(const json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

const SolverEntry& find_solver(const Document& document, const std::string& id,
                               std::string_view role) {
  std::vector<std::string> known;
  for (const SolverEntry& solver : document.solvers) {
    if (solver.id == id) return solver;
    known.push_back(solver.id);
  }
  throw std::invalid_argument(fmt::format("{}: {}", role, unknown_name("solver", id, known)));
}

using Settings = std::map<std::string, SettingValue>;

// "relaxation 1.0 -> 1.5, symmetric false -> (none)"
std::string changed_settings(const Settings& baseline, const Settings& candidate) {
  std::set<std::string> keys;
  for (const Settings* settings : {&baseline, &candidate})
    for (const auto& [key, unused] : *settings) keys.insert(key);
  const auto text = [](const Settings& settings, const std::string& key) {
    return settings.contains(key) ? to_value(settings.at(key)).dump() : "(none)";
  };
  std::vector<std::string> changes;
  for (const std::string& key : keys)
    if (text(baseline, key) != text(candidate, key))
      changes.push_back(fmt::format("{} {} -> {}", key, text(baseline, key), text(candidate, key)));
  return fmt::format("{}", fmt::join(changes, ", "));
}

SolverPairs chosen_solvers(const Document& baseline, const Document& candidate,
                           const ComparisonOptions& options) {
  SolverPairs pairs;
  for (const auto& [before, after] : options.solvers) {
    const auto pair = std::make_pair(&find_solver(baseline, before, "baseline"),
                                     &find_solver(candidate, after, "candidate"));
    if (std::find(pairs.begin(), pairs.end(), pair) == pairs.end()) pairs.push_back(pair);
  }
  return pairs;
}

}  // namespace

void check_same_conditions(const RunInfo& baseline, const RunInfo& candidate) {
  const RunSettings& settings = candidate;
  const json after = agreed_fields(settings, Agreement::results);
  const auto check = [&](const char* name, const auto& value, const Field& field) {
    if (field.agreement == Agreement::results && to_value(value) != after.at(name))
      throw NotComparable(fmt::format(
          "not comparable: {} is {} in the baseline and {} in the candidate",
          field.label ? field.label : name, plain(to_value(value)), plain(after.at(name))));
  };
  describe(check, part<RunSettings>(baseline));
}

std::vector<std::string> processors_of(const RunInfo& run) {
  std::set<std::string> found{run.host.cpu};
  for (const ShardRun& shard : run.shards) found.insert(shard.host.cpu);
  for (const JoinedRun& part : run.joined) found.insert(part.host.cpu);
  found.erase("");
  return {found.begin(), found.end()};
}

std::map<std::string, std::string> pair_problems(const Document& baseline,
                                                 const Document& candidate) {
  std::map<std::string, std::vector<std::string>> left;  // SHA-256 -> ids of the candidate
  for (const ProblemEntry& problem : candidate.problems) left[problem.sha256].push_back(problem.id);

  std::map<std::string, std::string> pairs;
  const auto take = [&](const ProblemEntry& problem, bool same_id) {
    const auto found = left.find(problem.sha256);
    if (found == left.end() || pairs.contains(problem.id)) return;
    auto& ids = found->second;
    const auto id = same_id ? std::find(ids.begin(), ids.end(), problem.id) : ids.begin();
    if (id == ids.end()) return;
    pairs[problem.id] = *id;
    ids.erase(id);
  };
  for (const bool same_id : {true, false})
    for (const ProblemEntry& problem : baseline.problems) take(problem, same_id);
  return pairs;
}

SolverPairs pair_solvers(const Document& baseline, const Document& candidate,
                         const ComparisonOptions& options, std::vector<std::string>& notes) {
  if (!options.solvers.empty()) return chosen_solvers(baseline, candidate, options);

  std::map<const SolverEntry*, const SolverEntry*> partners;
  std::set<const SolverEntry*> taken;
  const auto match = [&](auto belongs) {
    for (const SolverEntry& before : baseline.solvers)
      for (const SolverEntry& after : candidate.solvers)
        if (!partners.contains(&before) && !taken.contains(&after) && belongs(before, after)) {
          partners[&before] = &after;
          taken.insert(&after);
        }
  };
  match([](const SolverEntry& before, const SolverEntry& after) {
    return before.name == after.name && before.settings == after.settings;
  });
  match([&](const SolverEntry& before, const SolverEntry& after) {
    if (before.id != after.id) return false;
    notes.push_back(fmt::format("{}: compared although its defaults differ: {}", before.id,
                                changed_settings(before.settings, after.settings)));
    return true;
  });

  SolverPairs pairs;
  for (const SolverEntry& before : baseline.solvers)
    if (const auto found = partners.find(&before); found != partners.end())
      pairs.emplace_back(found->first, found->second);
  return pairs;
}

}  // namespace frictionbench::results
