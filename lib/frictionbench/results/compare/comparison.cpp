#include "frictionbench/results/compare/comparison.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "frictionbench/results/compare/internal/steps.hpp"

namespace frictionbench::results {

namespace {

std::string label(const SolverEntry& before, const SolverEntry& after) {
  const bool same = before.name == after.name && before.settings == after.settings;
  return same || before.id == after.id ? before.id : before.id + " -> " + after.id;
}

std::vector<std::string> ids(const std::vector<SolverEntry>& solvers) {
  std::vector<std::string> all;
  for (const SolverEntry& solver : solvers) all.push_back(solver.id);
  return all;
}

// Names that stand for other problems in the candidate than in the baseline.
std::vector<std::string> problems_of_other_content(const Document& baseline,
                                                   const Document& candidate) {
  std::map<std::string, std::string> contents;
  for (const ProblemEntry& problem : baseline.problems) contents[problem.id] = problem.sha256;
  std::vector<std::string> found;
  for (const ProblemEntry& problem : candidate.problems) {
    const auto before = contents.find(problem.id);
    if (before != contents.end() && before->second != problem.sha256) found.push_back(problem.id);
  }
  return found;
}

// What the comparison knows of one of the documents.
struct Side {
  explicit Side(const Document& document) {
    for (const Record& record : document.records)
      records[{record.problem, record.solver}] = &record;
  }

  const Record* find(const std::string& problem, const std::string& solver) const {
    const auto found = records.find({problem, solver});
    return found == records.end() ? nullptr : found->second;
  }

  std::map<std::pair<std::string, std::string>, const Record*> records;  // by problem and solver
  std::set<const Record*> compared;
  std::map<std::string, std::string> labels;  // of solvers with a partner, by id
};

// For pairs whose work says nothing about each other.
const ComparisonRules outcome_only{.counters = {}, .residual = std::nullopt, .time = std::nullopt};

// Compares one pair of documents; each step adds to the result.
class Comparer {
 public:
  Comparer(const Document& baseline, const Document& candidate, const ComparisonOptions& options)
      : baseline_(baseline),
        candidate_(candidate),
        options_(options),
        rules_(options.rules),
        before_(baseline),
        after_(candidate) {
    check_same_conditions(baseline.run, candidate.run);
    result_.lost_is_worse = rules_.lost_is_worse;
    problems_ = pair_problems(baseline, candidate);
    solvers_ = pair_solvers(baseline, candidate, options, result_.notes);
  }

  Comparison finished() {
    note_conditions();
    compare_common();
    if (result_.pairs.empty()) throw NotComparable("not comparable: " + reason_for_no_pairs());
    if (rules_.time) judge_times();
    note_left_out();
    note_other_starts();
    add_unpaired(baseline_, before_, Change::lost);
    add_unpaired(candidate_, after_, Change::added);
    summarize_solvers();
    sort_worst_first();
    return std::move(result_);
  }

 private:
  void note(std::string line) { result_.notes.push_back(std::move(line)); }

  void note_conditions() {
    const auto before = processors_of(baseline_.run), after = processors_of(candidate_.run);
    const bool one_processor = before.size() == 1 && before == after;
    if (rules_.time && !one_processor && !options_.any_machine) {
      rules_.time.reset();
      const auto text = [](const std::vector<std::string>& names) {
        return names.empty() ? "an unknown processor"
                             : fmt::format("{}", fmt::join(names, " and "));
      };
      note(fmt::format("times are not compared: {} in the baseline, {} in the candidate",
                       text(before), text(after)));
    }
    const int rounds = std::min(baseline_.run.rounds, candidate_.run.rounds);
    if (rules_.time && (rounds < fewest_rounds || baseline_.run.rounds != candidate_.run.rounds)) {
      rules_.time.reset();
      note(
          fmt::format("times are not judged: that takes the same number of rounds in both, at "
                      "least {} (run --rounds); the baseline has {}, the candidate {}",
                      fewest_rounds, baseline_.run.rounds, candidate_.run.rounds));
    }
    if (rules_.time && baseline_.run.jobs != candidate_.run.jobs)
      note(
          fmt::format("times were measured with {} concurrent pairs in the baseline, {} in the "
                      "candidate",
                      baseline_.run.jobs, candidate_.run.jobs));
    if (baseline_.run.build != candidate_.run.build)
      note("the programs were built with different compilers, flags or libraries");
    if (const auto others = problems_of_other_content(baseline_, candidate_); !others.empty())
      note(fmt::format(
          "{} problems have the same name and different content, e.g. {}: they count as "
          "lost and new",
          others.size(), others.front()));
    if (!candidate_.unreadable.empty())
      note(fmt::format("{} files could not be read in the candidate's run",
                       candidate_.unreadable.size()));
  }

  void compare_common() {
    for (const auto& [solver_before, solver_after] : solvers_) {
      const std::string solver = label(*solver_before, *solver_after);
      order_.push_back(solver);
      before_.labels.emplace(solver_before->id, solver);
      after_.labels.emplace(solver_after->id, solver);
      for (const ProblemEntry& problem : baseline_.problems) {
        const auto partner = problems_.find(problem.id);
        if (partner == problems_.end()) continue;
        const Record* before = before_.find(problem.id, solver_before->id);
        const Record* after = after_.find(partner->second, solver_after->id);
        if (!before || !after) continue;
        before_.compared.insert(before);
        after_.compared.insert(after);
        const JudgedRecord judged_before = judged(*before, baseline_.run, solver_before->model);
        const JudgedRecord judged_after = judged(*after, candidate_.run, solver_after->model);
        if (is_undecided(judged_before.outcome, judged_after.outcome))
          ++result_.left_out;
        else
          compare_pair(problem.id, solver, judged_before, judged_after);
      }
    }
  }

  void compare_pair(const std::string& problem, const std::string& solver,
                    const JudgedRecord& before, const JudgedRecord& after) {
    PairComparison& pair = result_.pairs.emplace_back();
    pair.problem = problem;
    pair.solver = solver;
    const bool same_start = started_alike(before.record, after.record);
    other_starts_ += !same_start;
    judge(pair, before, after, same_start ? rules_ : outcome_only, baseline_.run.tolerance);
    if (!rules_.time || !same_start || !same_ending(before.outcome, after.outcome)) return;
    ++comparable_times_;
    const auto all_rounds = static_cast<std::size_t>(baseline_.run.rounds);
    const auto& rounds = before.record.time.rounds;
    const auto& rounds_after = after.record.time.rounds;
    if (rounds.size() == all_rounds && rounds_after.size() == all_rounds)
      times_.push_back({result_.pairs.size() - 1, rounds, rounds_after});
  }

  // Runs with different time limits tell nothing about each other where a limit ended the solve.
  bool is_undecided(const Outcome& before, const Outcome& after) const {
    if (baseline_.run.time_limit == candidate_.run.time_limit) return false;
    const bool limited = before.status == Status::time_limit || after.status == Status::time_limit;
    return limited && !(before.solved && after.solved);
  }

  void judge_times() {
    const std::size_t below = std::erase_if(
        times_, [&](const PairedRounds& rounds) { return is_below(rounds, rules_.time->floor); });
    const auto differences = time_differences(times_, *rules_.time);
    for (std::size_t k = 0; k < times_.size(); ++k)
      if (differences[k]) add(result_.pairs[times_[k].pair], *differences[k]);

    std::string text = fmt::format("times of {} of {} pairs were tested over {} rounds",
                                   times_.size(), comparable_times_, baseline_.run.rounds);
    if (below > 0) text += fmt::format(" ({} below {:g} s)", below, rules_.time->floor);
    if (!times_.empty())
      text += fmt::format("; their median ratio is {:.3g}",
                          median_time_ratio(times_, rules_.time->floor));
    note(std::move(text));
    const std::size_t fewest =
        fewest_discoveries(times_.size(), baseline_.run.rounds, rules_.time->false_discoveries);
    if (fewest > 1)
      note(
          fmt::format("with {} rounds, slower pairs are found if there are at least {}; more "
                      "rounds find fewer",
                      baseline_.run.rounds, fewest));
  }

  void note_left_out() {
    if (baseline_.run.time_limit == candidate_.run.time_limit) return;
    note(
        fmt::format("the time limit is {:g} s in the baseline and {:g} s in the candidate: {} "
                    "pairs that one of them ended are left out",
                    baseline_.run.time_limit, candidate_.run.time_limit, result_.left_out));
  }

  // In sequences of other problems, or with a failure among them, a problem may have another one
  // before it.
  bool started_alike(const Record& before, const Record& after) const {
    if (before.start != after.start) return false;
    if (before.start != Start::previous) return true;
    const auto partner = problems_.find(before.previous);
    return partner != problems_.end() && partner->second == after.previous;
  }

  void note_other_starts() {
    if (other_starts_ > 0)
      note(fmt::format(
          "{} pairs started from different impulses in the candidate; only their outcome "
          "is compared",
          other_starts_));
  }

  std::string reason_for_no_pairs() const {
    if (problems_.empty()) {
      const auto others = problems_of_other_content(baseline_, candidate_);
      return others.empty() ? "the files have no problem in common"
                            : fmt::format(
                                  "the files have no problem in common: {} of the same name have "
                                  "other content",
                                  others.size());
    }
    if (solvers_.empty())
      return fmt::format(
          "the files have no solver in common: {} in the baseline, {} in the candidate; say which "
          "belong together (--as)",
          fmt::join(ids(baseline_.solvers), ", "), fmt::join(ids(candidate_.solvers), ", "));
    if (result_.left_out > 0) return "all pairs were ended by one of the time limits, which differ";
    return "no pair of problem and solver occurs in both files";
  }

  // Records of one document that were not compared, of the solvers that the user wants compared.
  void add_unpaired(const Document& document, const Side& side, Change change) {
    for (const Record& record : document.records) {
      const auto label = side.labels.find(record.solver);
      const bool wanted = label != side.labels.end() || options_.solvers.empty();
      if (!wanted || side.compared.contains(&record)) continue;
      PairComparison& pair = result_.pairs.emplace_back();
      pair.problem = record.problem;
      pair.solver = label != side.labels.end() ? label->second : record.solver;
      pair.change = change;
      (change == Change::lost ? pair.baseline : pair.candidate) =
          judged(record, document.run, document.solver(record.solver).model).outcome;
    }
  }

  void summarize_solvers() {
    std::map<std::string, SolverComparison> solvers;
    std::map<std::pair<std::string, std::string>, std::vector<double>> ratios;  // solver, counter
    for (const PairComparison& pair : result_.pairs) {
      SolverComparison& solver = solvers[pair.solver];
      if (solver.solver.empty() &&
          std::find(order_.begin(), order_.end(), pair.solver) == order_.end())
        order_.push_back(pair.solver);
      solver.solver = pair.solver;
      solver.counts.count(pair.change);
      result_.counts.count(pair.change);
      for (const Difference& difference : pair.differences)
        if (is_counter(difference.what))
          ratios[{pair.solver, difference.what}].push_back(difference.ratio);
    }
    for (const auto& [key, values] : ratios)
      solvers[key.first].median_ratios[key.second] = median(values);
    for (const std::string& solver : order_)
      if (solvers.contains(solver)) result_.solvers.push_back(std::move(solvers[solver]));
  }

  // 0 is the gravest.
  int severity(const PairComparison& pair) const {
    switch (pair.change) {
      case Change::worse:
        if (pair.differences.front().what == "solved") return 0;
        return pair.differences.front().what == "status" ? 1 : 3;
      case Change::lost:
        return rules_.lost_is_worse ? 2 : 6;
      case Change::better:
        return 4;
      case Change::changed:
        return 5;
      case Change::added:
        return 7;
      case Change::same:
        return 8;
    }
    throw std::logic_error("unknown change");
  }

  void sort_worst_first() {
    const auto key = [&](const PairComparison& pair) {
      double size = 0;
      if (!pair.differences.empty() && !std::isnan(pair.differences.front().ratio))
        size = std::abs(std::log(pair.differences.front().ratio));
      return std::make_pair(severity(pair), -size);
    };
    std::stable_sort(
        result_.pairs.begin(), result_.pairs.end(),
        [&](const PairComparison& a, const PairComparison& b) { return key(a) < key(b); });
  }

  const Document& baseline_;
  const Document& candidate_;
  const ComparisonOptions& options_;
  ComparisonRules rules_;  // without time where it cannot be compared
  Comparison result_;
  std::map<std::string, std::string> problems_;
  SolverPairs solvers_;
  Side before_, after_;
  std::vector<std::string> order_;   // of the solvers
  std::vector<PairedRounds> times_;  // to be tested
  int comparable_times_ = 0;         // pairs with an equal ending
  int other_starts_ = 0;
};

}  // namespace

bool PairComparison::refused() const {
  return baseline && candidate && baseline->status == Status::refused &&
         candidate->status == Status::refused;
}

void ChangeCounts::count(Change change) {
  int ChangeCounts::*const counts[] = {&ChangeCounts::worse,   &ChangeCounts::better,
                                       &ChangeCounts::lost,    &ChangeCounts::added,
                                       &ChangeCounts::changed, &ChangeCounts::same};
  ++(this->*counts[static_cast<std::size_t>(change)]);
}

Comparison compare(const Document& baseline, const Document& candidate,
                   const ComparisonOptions& options) {
  return Comparer(baseline, candidate, options).finished();
}

}  // namespace frictionbench::results
