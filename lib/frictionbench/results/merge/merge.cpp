#include "frictionbench/results/merge/merge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "frictionbench/results/document/internal/description.hpp"
#include "frictionbench/results/merge/internal/difference.hpp"

namespace frictionbench::results {

namespace {

// What all shards of a run must agree in, without what the machine has a part in: an OpenBLAS with
// kernels for many processors (DYNAMIC_ARCH) names the kernel that it chose after its own name and
// version.
json agreed_in(RunInfo run) {
  std::string& blas = run.build.libraries.blas;
  if (blas.find("DYNAMIC_ARCH") != std::string::npos)
    blas = blas.substr(0, blas.find(' ', blas.find(' ') + 1));
  return agreed_fields(run, Agreement::run);
}

class ShardPair {
 public:
  ShardPair(const NamedDocument& a, const NamedDocument& b) : a_(a), b_(b) {}

  [[noreturn]] void refuse(const std::string& reason) const {
    throw MergeError(
        fmt::format("{} and {} do not belong to the same run: {}", a_.name, b_.name, reason));
  }

  void equal(const std::string& place, const json& a, const json& b) const {
    if (const auto found = difference(place, a, b)) refuse(found->text());
  }

  // `what`: "problem" or "solver".
  template <typename Entry>
  void same_ids(const char* what, const std::vector<Entry>& a, const std::vector<Entry>& b) const {
    const auto only_in = [&](const auto& these, const auto& others, const char* which) {
      for (const Entry& entry : these)
        if (std::none_of(others.begin(), others.end(),
                         [&](const Entry& other) { return other.id == entry.id; }))
          refuse(fmt::format("{} '{}' is only in the {}", what, entry.id, which));
    };
    if (std::equal(a.begin(), a.end(), b.begin(), b.end(),
                   [](const Entry& x, const Entry& y) { return x.id == y.id; }))
      return;
    only_in(a, b, "first");
    only_in(b, a, "second");
    refuse(fmt::format("their {}s are in a different order", what));
  }

  void same_file(const PlannedProblem& a, const PlannedProblem& b) const {
    if (a.sha256 == b.sha256) return;
    const auto file = [](const PlannedProblem& problem) {
      return problem.sha256.empty() ? problem.path + ", which could not be read,"
                                    : problem.path + " with SHA-256 " + problem.sha256;
    };
    refuse(fmt::format("problem '{}' is {} in the first and {} in the second", a.id, file(a),
                       file(b)));
  }

 private:
  const NamedDocument& a_;
  const NamedDocument& b_;
};

// \throws MergeError unless it is a shard.
void require_shard(const NamedDocument& shard) {
  if (shard.document.run.shard) return;
  if (!shard.document.run.shards.empty())
    throw MergeError(shard.name + ": is merged already; give its shards instead");
  throw MergeError(shard.name +
                   ": is a whole run, not a shard; `frictionbench run --shard i/n` makes shards");
}

// \throws MergeError naming the first thing in which the runs of two shards differ besides their
// number, machine and times.
void require_same_run(const NamedDocument& a, const NamedDocument& b) {
  const ShardPair pair(a, b);
  const RunInfo& run_a = a.document.run;
  const RunInfo& run_b = b.document.run;
  if (run_a.shard->count != run_b.shard->count)
    pair.refuse(fmt::format("the first is shard {}, the second shard {}", text(*run_a.shard),
                            text(*run_b.shard)));
  if (run_a.shard == run_b.shard) pair.refuse(fmt::format("both are shard {}", text(*run_a.shard)));

  const json agreed_a = agreed_in(run_a), agreed_b = agreed_in(run_b);
  for (const auto& [member, value] : agreed_a.items())
    pair.equal(member, value, agreed_b.at(member));

  pair.same_ids("problem", run_a.plan, run_b.plan);
  for (std::size_t p = 0; p < run_a.plan.size(); ++p) pair.same_file(run_a.plan[p], run_b.plan[p]);

  pair.same_ids("solver", a.document.solvers, b.document.solvers);
  for (std::size_t s = 0; s < a.document.solvers.size(); ++s)
    pair.equal(a.document.solvers[s].id, to_value(a.document.solvers[s]),
               to_value(b.document.solvers[s]));
}

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

// How the merged document was made. \param shards of one run, by their numbers; at least one.
RunInfo merged_run(const Shards& shards) {
  RunInfo run = run_of(shards.front());
  run.command = without_shard(run.command);
  run.host = merged_host(shards);
  run.warnings = merged_warnings(shards);
  run.shard.reset();
  run.impulses.reset();
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

// A piece of the document, and the file that it is from.
template <typename T>
struct Piece {
  T value;
  std::string file;
};

// The pieces of the whole run by their place in its plan.
class Merging {
 public:
  /// \param whole any shard: all have the same plan and solvers.
  explicit Merging(const Document& whole)
      : plan_(whole.run.plan),
        solvers_(whole.solvers),
        entries_(plan_.size()),
        unreadable_(plan_.size()),
        records_(plan_.size() * solvers_.size()) {
    for (std::size_t s = 0; s < solvers_.size(); ++s) solver_places_[solvers_[s].id] = s;
  }

  void take(NamedDocument& shard) {
    std::map<std::string, std::size_t> ids, paths;
    const std::vector<PlannedProblem>& plan = shard.document.run.plan;  // with its own paths
    for (std::size_t p = 0; p < plan.size(); ++p) ids[plan[p].id] = paths[plan[p].path] = p;

    for (ProblemEntry& entry : shard.document.problems)
      take(entry, place(ids, entry.id, "problem", shard), shard);
    for (Unreadable& file : shard.document.unreadable)
      take(file, place(paths, file.path, "unreadable file", shard), shard);
    for (Record& record : shard.document.records)
      take(record, place(ids, record.problem, "problem", shard),
           place(solver_places_, record.solver, "solver", shard), shard);
  }

  Merged finish(const RunInfo& run) {
    Merged merged;
    merged.document.run = run;
    merged.document.solvers = solvers_;
    for (std::size_t p = 0; p < plan_.size(); ++p) {
      if (unreadable_[p])
        finish_unreadable(p, merged);
      else
        finish_problem(p, merged);
    }
    return merged;
  }

 private:
  using Places = std::map<std::string, std::size_t>;

  static std::size_t place(const Places& places, const std::string& key, const char* what,
                           const NamedDocument& shard) {
    const auto found = places.find(key);
    if (found == places.end())
      throw MergeError(
          fmt::format("{}: {} '{}' is not in the plan of its run", shard.name, what, key));
    return found->second;
  }

  void take(ProblemEntry& entry, std::size_t p, const NamedDocument& shard) {
    if (entry.sha256 != plan_[p].sha256)
      throw MergeError(fmt::format("{}: problem '{}' has SHA-256 {}, and {} in the plan of its run",
                                   shard.name, entry.id, entry.sha256, plan_[p].sha256));
    entry.path = plan_[p].path;
    if (!entries_[p]) entries_[p] = std::move(entry);
  }

  void take(Unreadable& file, std::size_t p, const NamedDocument& shard) {
    file.path = plan_[p].path;
    if (!unreadable_[p]) unreadable_[p] = {std::move(file), shard.name};
  }

  void take(Record& record, std::size_t p, std::size_t s, const NamedDocument& shard) {
    auto& piece = records_[p * solvers_.size() + s];
    if (piece)
      throw MergeError(fmt::format("{} and {} both have a record of {} on {}", piece->file,
                                   shard.name, record.solver, record.problem));
    piece = {std::move(record), shard.name};
  }

  void finish_unreadable(std::size_t p, Merged& merged) {
    for (std::size_t s = 0; s < solvers_.size(); ++s)
      if (const auto& piece = records_[p * solvers_.size() + s])
        throw MergeError(fmt::format("problem '{}' is unreadable in {} and has a record in {}",
                                     plan_[p].id, unreadable_[p]->file, piece->file));
    merged.document.unreadable.push_back(std::move(unreadable_[p]->value));
  }

  void finish_problem(std::size_t p, Merged& merged) {
    if (entries_[p]) merged.document.problems.push_back(std::move(*entries_[p]));
    for (std::size_t s = 0; s < solvers_.size(); ++s) {
      ++merged.pairs;
      auto& piece = records_[p * solvers_.size() + s];
      if (piece)
        merged.document.records.push_back(std::move(piece->value));
      else
        merged.missing.push_back({plan_[p].id, solvers_[s].id});
    }
  }

  std::vector<PlannedProblem> plan_;
  std::vector<SolverEntry> solvers_;
  Places solver_places_;
  std::vector<std::optional<ProblemEntry>> entries_;
  std::vector<std::optional<Piece<Unreadable>>> unreadable_;
  std::vector<std::optional<Piece<Record>>> records_;
};

std::vector<Shard> absent_from(const std::vector<NamedDocument>& shards) {
  const int count = shards.front().document.run.shard->count;
  std::vector<Shard> absent;
  for (int number = 1; number <= count; ++number)
    if (std::none_of(shards.begin(), shards.end(), [&](const NamedDocument& shard) {
          return shard.document.run.shard->number == number;
        }))
      absent.push_back({number, count});
  return absent;
}

}  // namespace

std::string Merged::shortfall() const {
  if (missing.empty()) return "";
  const std::string pairs_missing = fmt::format("{} of {} pairs {} missing", missing.size(), pairs,
                                                missing.size() == 1 ? "is" : "are");
  if (!document.run.joined.empty()) return pairs_missing;
  if (absent.empty()) return pairs_missing + " though every shard was given";
  std::string names;
  for (const Shard& shard : absent) names += (names.empty() ? "" : ", ") + text(shard);
  return fmt::format("{}: shard{} {} not given", pairs_missing, absent.size() == 1 ? "" : "s",
                     names + (absent.size() == 1 ? " was" : " were"));
}

Merged merge(std::vector<NamedDocument> shards) {
  if (shards.empty()) throw MergeError("nothing to merge");
  for (const NamedDocument& shard : shards) require_shard(shard);
  std::stable_sort(shards.begin(), shards.end(), [](const auto& a, const auto& b) {
    return a.document.run.shard->number < b.document.run.shard->number;
  });
  for (std::size_t k = 1; k < shards.size(); ++k) require_same_run(shards[k - 1], shards[k]);

  const RunInfo run = merged_run(shards);
  Merging merging(shards.front().document);
  for (NamedDocument& shard : shards) merging.take(shard);
  Merged merged = merging.finish(run);
  merged.absent = absent_from(shards);
  if (!merged.missing.empty()) merged.document.run.warnings.push_back(merged.shortfall());
  return merged;
}

}  // namespace frictionbench::results
