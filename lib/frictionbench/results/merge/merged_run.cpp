#include <algorithm>

#include "frictionbench/results/merge/internal/shards.hpp"

namespace frictionbench::results {

namespace {

using Shards = std::vector<NamedDocument>;

const RunInfo& run_of(const NamedDocument& shard) { return shard.document.run; }

// The command of the whole run: without `--shard WHICH` or `--shard=WHICH`.
std::vector<std::string> without_shard(const std::vector<std::string>& command) {
  std::vector<std::string> kept;
  for (std::size_t k = 0; k < command.size(); ++k) {
    if (command[k] == "--shard")
      ++k;
    else if (!command[k].starts_with("--shard="))
      kept.push_back(command[k]);
  }
  return kept;
}

const std::string& cpu(const NamedDocument& shard) { return run_of(shard).host.cpu; }

bool on_one_processor_model(const Shards& shards) {
  return std::all_of(shards.begin(), shards.end(),
                     [&](const NamedDocument& shard) { return cpu(shard) == cpu(shards.front()); });
}

// The first shard's; of different machines, what they have in common, and null for the rest.
Host merged_host(const Shards& shards) {
  Host host = run_of(shards.front()).host;
  if (on_one_processor_model(shards)) return host;
  const auto keep_common = [&](auto member) {
    for (const NamedDocument& shard : shards)
      if (run_of(shard).host.*member != host.*member) host.*member = {};
  };
  keep_common(&Host::cpu);
  keep_common(&Host::cores);
  keep_common(&Host::memory);
  keep_common(&Host::kernel);
  keep_common(&Host::governor);
  keep_common(&Host::load_average);
  return host;
}

std::string processors_warning(const Shards& shards) {
  std::string names;
  for (const NamedDocument& shard : shards) {
    const std::string name = cpu(shard).empty() ? "unknown" : cpu(shard);
    if (names.find("'" + name + "'") == std::string::npos)
      names += (names.empty() ? "'" : ", '") + name + "'";
  }
  return "the shards ran on different processors (" + names +
         "): times in this document are from different machines";
}

// What every shard warns of once, the rest with the shard that it is from.
std::vector<std::string> merged_warnings(const Shards& shards) {
  const auto warns = [](const NamedDocument& shard, const std::string& warning) {
    return std::find(run_of(shard).warnings.begin(), run_of(shard).warnings.end(), warning) !=
           run_of(shard).warnings.end();
  };
  std::vector<std::string> common, own;
  for (const NamedDocument& shard : shards)
    for (const std::string& warning : run_of(shard).warnings) {
      const bool shared =
          std::all_of(shards.begin(), shards.end(),
                      [&](const NamedDocument& other) { return warns(other, warning); });
      if (!shared)
        own.push_back("shard " + text(*run_of(shard).shard) + ": " + warning);
      else if (&shard == &shards.front())
        common.push_back(warning);
    }
  common.insert(common.end(), own.begin(), own.end());
  if (!on_one_processor_model(shards)) common.push_back(processors_warning(shards));
  return common;
}

}  // namespace

RunInfo merged_run(const Shards& shards) {
  RunInfo run = run_of(shards.front());
  run.command = without_shard(run.command);
  run.host = merged_host(shards);
  run.warnings = merged_warnings(shards);
  run.shard.reset();
  run.plan.clear();
  for (const NamedDocument& shard : shards) {
    // ISO 8601 in UTC sorts as text.
    run.started = std::min(run.started, run_of(shard).started);
    run.finished = std::max(run.finished, run_of(shard).finished);
    run.jobs = std::max(run.jobs, run_of(shard).jobs);
    const RunInfo& made = run_of(shard);
    run.shards.push_back(
        {*made.shard, made.command, made.started, made.finished, made.host, made.warnings});
  }
  return run;
}

}  // namespace frictionbench::results
