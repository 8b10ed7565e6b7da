#include "frictionbench/results/merge/merge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "frictionbench/results/merge/internal/shards.hpp"

namespace frictionbench::results {

namespace {

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
