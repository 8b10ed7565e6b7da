#include "frictionbench/results/merge/join.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "frictionbench/results/document/internal/description.hpp"
#include "frictionbench/results/merge/internal/difference.hpp"

namespace frictionbench::results {

namespace {

[[noreturn]] void refuse(const std::string& a, const std::string& b, const std::string& reason) {
  throw MergeError(fmt::format("{} and {} cannot be joined: {}", a, b, reason));
}

// How the parts of a document were made.
std::vector<JoinedRun> parts_of(const Document& document) {
  const RunInfo& run = document.run;
  if (!run.joined.empty()) return run.joined;
  JoinedRun part{run.command, run.started, run.finished, run.version, run.git_revision,
                 run.build,   run.host,    run.warnings, {}};
  for (const SolverEntry& solver : document.solvers) part.solvers.push_back(solver.id);
  return {part};
}

// A list of the joined document, and where each of its ids was first.
template <typename Entry>
struct Ordered {
  std::vector<Entry> entries;
  std::map<std::string, std::pair<std::size_t, std::string>> places;  // position, file

  // Adds an entry unless it is there. `same` throws if the two differ.
  template <typename Same>
  void add(const Entry& entry, const std::string& file, const Same& same) {
    const auto [place, is_new] = places.try_emplace(entry.id, entries.size(), file);
    if (is_new)
      entries.push_back(entry);
    else
      same(entries[place->second.first], place->second.second);
  }
};

class Joining {
 public:
  void take(const NamedDocument& part) {
    for (const ProblemEntry& problem : part.document.problems)
      problems_.add(problem, part.name, [&](const ProblemEntry& known, const std::string& file) {
        if (known.sha256 != problem.sha256)
          refuse(file, part.name,
                 fmt::format("problem '{}' has SHA-256 {} in the first and {} in the second",
                             problem.id, known.sha256, problem.sha256));
      });
    for (const SolverEntry& solver : part.document.solvers)
      solvers_.add(solver, part.name, [&](const SolverEntry& known, const std::string& file) {
        if (const auto found = difference(solver.id, to_value(known), to_value(solver)))
          refuse(file, part.name, found->text());
      });
    for (const Record& record : part.document.records) {
      const auto [place, is_new] =
          records_.try_emplace({record.problem, record.solver}, record, part.name);
      if (!is_new)
        refuse(place->second.second, part.name,
               fmt::format("both have a record of {} on {}", record.solver, record.problem));
    }
    for (const Unreadable& file : part.document.unreadable)
      if (paths_.insert(file.path).second) unreadable_.push_back(file);
  }

  Merged finish(RunInfo run) {
    Merged joined;
    joined.document.run = std::move(run);
    for (const Unreadable& file : unreadable_)
      for (const ProblemEntry& problem : problems_.entries)
        if (problem.path == file.path)
          throw MergeError(
              fmt::format("{}: is unreadable in one of the files and has records in "
                          "another",
                          file.path));
    for (const ProblemEntry& problem : problems_.entries)
      for (const SolverEntry& solver : solvers_.entries) {
        ++joined.pairs;
        const auto record = records_.find({problem.id, solver.id});
        if (record == records_.end())
          joined.missing.push_back({problem.id, solver.id});
        else
          joined.document.records.push_back(std::move(record->second.first));
      }
    joined.document.problems = std::move(problems_.entries);
    joined.document.solvers = std::move(solvers_.entries);
    joined.document.unreadable = std::move(unreadable_);
    return joined;
  }

 private:
  Ordered<ProblemEntry> problems_;
  Ordered<SolverEntry> solvers_;
  std::map<std::pair<std::string, std::string>, std::pair<Record, std::string>> records_;
  std::vector<Unreadable> unreadable_;
  std::set<std::string> paths_;
};

RunInfo joined_run(const std::vector<NamedDocument>& documents) {
  RunInfo run = documents.front().document.run;
  run.impulses.reset();
  run.joined.clear();
  for (const auto& [name, document] : documents) {
    run.started = std::min(run.started, document.run.started);  // ISO 8601 in UTC sorts as text
    run.finished = std::max(run.finished, document.run.finished);
    for (const JoinedRun& part : parts_of(document)) run.joined.push_back(part);
    for (const std::string& warning : document.run.warnings)
      if (std::find(run.warnings.begin(), run.warnings.end(), warning) == run.warnings.end())
        run.warnings.push_back(warning);
    if (document.run.host.cpu != run.host.cpu)
      run.warnings.push_back(fmt::format("{} ran on '{}', {} on '{}': times are not comparable",
                                         documents.front().name, run.host.cpu, name,
                                         document.run.host.cpu));
    if (const auto found = difference("build", to_value(run.build), to_value(document.run.build)))
      run.warnings.push_back(fmt::format("{} and {} were made by different programs: {}",
                                         documents.front().name, name, found->text()));
  }
  return run;
}

}  // namespace

void require_same_settings(const std::string& name_a, const RunSettings& a,
                           const std::string& name_b, const RunSettings& b) {
  if (const auto found =
          difference("", agreed_fields(a, Agreement::run), agreed_fields(b, Agreement::run)))
    refuse(name_a, name_b, found->text());
}

Merged join(std::vector<NamedDocument> documents) {
  if (documents.empty()) throw MergeError("there is nothing to join");
  Joining joining;
  for (const NamedDocument& part : documents) {
    if (part.document.run.shard)
      throw MergeError(part.name + ": is a shard; merge it with the other shards of its run first");
    require_same_settings(documents.front().name, documents.front().document.run, part.name,
                          part.document.run);
    joining.take(part);
  }
  Merged joined = joining.finish(joined_run(documents));
  if (!joined.missing.empty()) joined.document.run.warnings.push_back(joined.shortfall());
  return joined;
}

std::string revision_of(const RunInfo& run, const std::string& solver) {
  // A part that was added later comes later.
  const auto part = std::find_if(run.joined.rbegin(), run.joined.rend(), [&](const JoinedRun& one) {
    return std::find(one.solvers.begin(), one.solvers.end(), solver) != one.solvers.end();
  });
  return part == run.joined.rend() ? run.git_revision : part->git_revision;
}

}  // namespace frictionbench::results
