#include "frictionbench/bench/run/runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <new>

#include "frictionbench/base/sha256.hpp"
#include "frictionbench/base/version.hpp"
#include "frictionbench/bench/measure/entries.hpp"
#include "frictionbench/bench/process/internal/pair_process.hpp"
#include "frictionbench/bench/run/internal/journal.hpp"
#include "frictionbench/bench/run/internal/pairs_under_way.hpp"
#include "frictionbench/bench/run/internal/previous_answers.hpp"
#include "frictionbench/bench/run/internal/rounds.hpp"
#include "frictionbench/bench/run/internal/schedule.hpp"
#include "frictionbench/bench/run/internal/warnings.hpp"
#include "frictionbench/fclib/reader.hpp"
#include "frictionbench/results/document/json.hpp"

namespace frictionbench::bench {

namespace {

// What a resumed run must have in common with the one that began the journal.
nlohmann::json identity_of(const Plan& plan, const results::Document& document,
                           const RunOptions& options) {
  nlohmann::json files = nlohmann::json::array();
  for (const results::PlannedProblem& file : plan.files) files.push_back(file.id);
  nlohmann::json work_of_shard;  // rows of a problem's position and those of its solvers
  if (plan.shard)
    for (const ProblemPlan& problem : plan.problems) {
      nlohmann::json& row = work_of_shard.emplace_back(nlohmann::json::array({problem.position}));
      for (const auto& [solver, time] : problem.solvers) row.push_back(solver);
    }
  nlohmann::json identity = results::identity_of(document.run, document.solvers);
  identity.update({{"sequence", plan.sequence},
                   {"keep_impulses", options.keep_impulses},
                   {"added to", options.added_to},
                   {"problems", files},
                   {"shard", plan.shard ? text(*plan.shard) : "none"},
                   {"work of the shard", work_of_shard}});
  return identity;
}

// JSON has no other numbers, and nothing can be judged again without them.
bool is_finite(const Answer& answer) {
  return answer.r.allFinite() && answer.compliance.allFinite() && answer.velocity.allFinite();
}

struct LoadedProblem {
  ContactProblem problem;
  StartPoint start;  // of solves that do not start from a previous answer
  double read_time;  // s
};

// A run under way. Its pieces are kept by their index in the plan, so that the document does not
// depend on the order in which they come in.
class Run {
 public:
  Run(const Plan& plan, const std::vector<ConfiguredSolver>& solvers, const RunOptions& options,
      RunObserver& observer)
      : plan_(plan),
        solvers_(solvers),
        options_(options),
        later_options_(options),
        observer_(observer),
        schedule_(plan),
        under_way_(options.jobs, [&observer] { return observer.stop_requested() == Stop::now; }),
        unreadable_(plan.unreadable) {
    later_options_.history = false;
    document_.run = run_info(options);
    if (under_way_.shared_processors() > 0)
      document_.run.warnings.push_back(
          "another run of frictionbench used the same processors: times are disturbed");
    document_.run.sequence = plan.sequence;
    document_.run.shard = plan.shard;
    if (plan.shard) document_.run.plan = plan.files;
    for (const ConfiguredSolver& solver : solvers)
      document_.solvers.push_back(solver_entry_of(solver));
  }

  std::optional<results::Document> execute() try {
    open_journal();
    observer_.started(plan_);
    for (std::size_t p = 0; p < plan_.problems.size(); ++p) take_from_journal(p);
    for (int round = 1; round <= options_.rounds && !stopped_; ++round) run_round(round);
    if (stopped_) return std::nullopt;
    return assemble();
  } catch (const StoppedNow&) {
    return std::nullopt;
  }

 private:
  bool stopped() { return stopped_ = stopped_ || observer_.stop_requested() != Stop::no; }

  void open_journal() {
    if (options_.journal.empty()) return;
    const nlohmann::json identity = identity_of(plan_, document_, options_);
    if (options_.resume) {
      auto [journal, contents] = Journal::resume(options_.journal, identity);
      journal_.emplace(std::move(journal));
      known_ = std::move(contents);
      refuse_changed_files();
      observer_.resumed(known_.repaired);
    } else {
      journal_.emplace(Journal::start(options_.journal, identity));
    }
  }

  // Records of the journal must not be mixed with those of other files.
  void refuse_changed_files() const {
    for (const results::PlannedProblem& file : plan_.files) {
      const auto known = known_.problems.find(file.id);
      if (known == known_.problems.end()) continue;
      const std::string sha256 = file.sha256.empty() ? sha256_of_file(file.path) : file.sha256;
      if (known->second.sha256 != sha256)
        throw JournalError(fmt::format("{}: belongs to another run: {} has changed since",
                                       options_.journal, file.path));
    }
  }

  // Of what the journal has, nothing is run again.
  void take_from_journal(std::size_t p) {
    const ProblemPlan& problem = plan_.problems[p];
    const std::string& id = problem.source.id;
    const auto entry = known_.problems.find(id);
    if (entry == known_.problems.end()) return;
    entries_[p] = entry->second;
    std::size_t found = 0;
    for (const auto& [s, time] : problem.solvers) {
      const std::pair pair{id, solvers_[s].id};
      const auto record = known_.records.find(pair);
      if (record == known_.records.end()) continue;
      records_[{p, s}] = std::move(record->second);
      ++found;
    }
    observer_.in_journal(found);
  }

  void run_round(int round) {
    round_ = round;
    // The order of a single round is that of the plan.
    schedule_ = options_.rounds == 1 ? Schedule(plan_)
                                     : Schedule(plan_, seed_of_round(options_.seed, round));
    answers_.clear();
    take_round_from_journal();
    while (const auto pair = next_pair()) {
      if (stopped()) break;
      run_pair(*pair);
    }
    while (!under_way_.none()) collect_one();
    loaded_.clear();
  }

  // Of pairs that need not be measured in this round, those after them may start.
  void take_round_from_journal() {
    std::size_t left_out = 0;
    for (std::size_t p = 0; p < plan_.problems.size(); ++p)
      for (const auto& [s, time] : plan_.problems[p].solvers) {
        const PairIndex pair{p, s};
        const auto record = records_.find(pair);
        if (round_ == 1 ? record == records_.end()
                        : record != records_.end() && takes_part(record->second, round_))
          continue;
        schedule_.done(pair);
        ++left_out;
        const auto answer = known_.answers.find({plan_.problems[p].source.id, solvers_[s].id});
        if (answer != known_.answers.end() && finished_rounds(record->second) == round_)
          answers_.keep(pair, std::move(answer->second));
      }
    if (round_ > 1) observer_.left_out(left_out);
    if (schedule_.has_left()) known_.answers.clear();  // those of earlier rounds
  }

  // The next pair whose start is known; nothing if all were handed out.
  std::optional<PairIndex> next_pair() {
    std::optional<PairIndex> pair;
    while (!(pair = schedule_.take()) && !under_way_.none()) collect_one();
    return pair;
  }

  void run_pair(PairIndex index) {
    const std::size_t p = index.first;
    if (unreadable_.contains(plan_.problems[p].position)) return schedule_.done(index);
    auto loaded = loaded_.find(p);
    if (loaded == loaded_.end()) try {
        // First wait for a free processor: otherwise a pair is timed while this work competes with it.
        free_a_processor();
        loaded = loaded_.emplace(p, load(p)).first;
      } catch (const FileError& error) {
        if (round_ > 1) return leave_out(index, error.what());
        note_unusable(plan_.problems[p], error.what());
        return schedule_.done(index);
      }
    const StartPoint from = start_of(index, loaded->second);
    if (round_ > 1 && from.previous != records_.at(index).previous)
      leave_out(index, "");
    else
      start(index, loaded->second, from);
    if (!schedule_.has_left(p)) loaded_.erase(loaded);
  }

  // From later rounds: without the previous answer that the first round started from, because that
  // pair takes part no more, or without its file.
  void leave_out(PairIndex index, const std::string& reason) {
    schedule_.done(index);
    observer_.left_out(1);
    if (reason.empty()) return;
    const std::string warning =
        fmt::format("no more rounds of {}: {}", plan_.problems[index.first].source.id, reason);
    auto& warnings = document_.run.warnings;
    if (std::count(warnings.begin(), warnings.end(), warning) == 0) warnings.push_back(warning);
  }

  // Reads and reduces a problem, and makes its entry. Throws FileError.
  LoadedProblem load(std::size_t p) try {
    const ProblemPlan& planned = plan_.problems[p];
    const auto start = std::chrono::steady_clock::now();
    fclib::ProblemFile file = fclib::read_problem(planned.source.path);
    const std::chrono::duration<double> read_time = std::chrono::steady_clock::now() - start;
    const auto entry = entries_.find(p);  // of the journal
    const std::string& known = entry != entries_.end() ? entry->second.sha256 : planned.sha256;
    if (!known.empty() && known != file.sha256)
      throw FileError(planned.source.path, "", "has changed while the run was going");
    file.problem = prepared(file.problem, planned.source.path, options_.compliance,
                            planned.needs_no_W(solvers_));
    if (entry == entries_.end()) {
      entries_[p] = problem_entry(planned.source, file);
      if (options_.condition) entries_[p].condition = condition_of(file.problem, planned.source.id);
      if (journal_) journal_->add(entries_[p]);
    }
    answers_.remember(p, fclib::IdentifiedBlocks(file));
    return {file.problem, start_from_file(file, options_.warm_start), read_time.count()};
  } catch (const std::bad_alloc&) {
    throw FileError(plan_.problems[p].source.path, "", "does not fit into memory");
  }

  // In a process of its own: a dense eigensolver may run out of memory, or into an error of LAPACK.
  std::optional<double> condition_of(const ContactProblem& problem, const std::string& id) {
    free_a_processor();
    const WorkerOutcome outcome = under_way_.run(
        [&](int processor) { return start_condition(problem, options_, processor); });
    try {
      return bench::condition_of(outcome, options_);
    } catch (const std::runtime_error& error) {
      document_.run.warnings.push_back(
          fmt::format("no condition number of {}: {}", id, error.what()));
      return std::nullopt;
    }
  }

  void note_unusable(const ProblemPlan& problem, const std::string& reason) {
    const results::Unreadable file{problem.source.path, reason};
    observer_.unusable(problem, file);
    unreadable_[problem.position] = file;
  }

  // The previous answer where there is one of use.
  StartPoint start_of(PairIndex index, const LoadedProblem& loaded) {
    const auto previous = schedule_.previous(index);
    if (!previous) return loaded.start;
    const ProblemSource& source = plan_.problems[previous->first].source;
    const Vector impulse = answers_.take(*previous, source.path, index.first);
    if (impulse.size() == 0) return loaded.start;
    return {results::Start::previous, impulse, source.id, {}};
  }

  void start(PairIndex index, const LoadedProblem& loaded, const StartPoint& start) {
    free_a_processor();
    const ConfiguredSolver& solver = solvers_[index.second];
    const ContactProblem problem = as_taken_by(solver.info(), loaded.problem);
    const PairOrigin origin{plan_.problems[index.first].source.id,
                            solver.id,
                            start.start,
                            start.previous,
                            loaded.read_time,
                            problem.assembly_time()};
    under_way_.start({index, problem, origin}, [&](int processor) {
      return start_pair({problem, solver, start}, round_ == 1 ? options_ : later_options_,
                        processor);
    });
  }

  void free_a_processor() {
    if (!under_way_.has_free_processor()) collect_one();
  }

  void collect_one() {
    const auto [pair, outcome] = under_way_.wait();
    if (round_ == 1)
      finish_first_round(pair, outcome);
    else
      finish_later_round(pair, outcome);
    schedule_.done(pair.index);
  }

  void finish_first_round(const Pair& pair, const WorkerOutcome& outcome) {
    auto [record, answer] =
        outcome_of(outcome, pair.problem, solvers_[pair.index.second].info(), options_);
    add_origin(record, pair.origin);
    if (options_.rounds > 1) begin_rounds(record);
    observer_.finished(record, answer.r);
    const Answer kept = options_.keep_impulses && is_finite(answer) ? answer : Answer();
    keep_if_start(pair.index, answer.r);
    if (journal_) journal_->add(record, kept.r.size() > 0 ? kept : Answer{answer.r, {}, {}});
    records_[pair.index] = std::move(record);
  }

  void finish_later_round(const Pair& pair, const WorkerOutcome& outcome) {
    results::Record& record = records_.at(pair.index);
    RoundOutcome round = round_outcome_of(outcome, record, later_options_);
    int& concurrent = record.time.concurrent_pairs;
    concurrent = std::max(concurrent, pair.origin.concurrent_pairs);
    add_round(record, round_, round);
    observer_.repeated(record);
    keep_if_start(pair.index, round.r);
    if (journal_) journal_->add(record, round_, round);
  }

  // Empties an impulse that no pair is to start from.
  void keep_if_start(PairIndex index, Vector& r) {
    if (schedule_.has_next(index) && r.size() > 0 && r.allFinite())
      answers_.keep(index, r);
    else
      r.resize(0);
  }

  results::Document assemble() {
    const auto move_all = [](auto& pieces, auto& list) {
      for (auto& [index, piece] : pieces) list.push_back(std::move(piece));
    };
    move_all(entries_, document_.problems);
    move_all(records_, document_.records);
    move_all(unreadable_, document_.unreadable);
    const auto warnings = warnings_of_records(document_);
    document_.run.warnings.insert(document_.run.warnings.end(), warnings.begin(), warnings.end());
    if (!options_.impulses.empty())
      document_.run.impulses = {std::filesystem::path(options_.impulses).filename().string(),
                                write_answers(options_.journal, options_.impulses)};
    document_.run.finished = utc_now();
    return std::move(document_);
  }

  const Plan& plan_;
  const std::vector<ConfiguredSolver>& solvers_;
  const RunOptions& options_;
  RunOptions later_options_;  // of the rounds after the first
  RunObserver& observer_;
  int round_ = 1;
  Schedule schedule_;  // of the round

  std::optional<Journal> journal_;
  JournalContents known_;
  bool stopped_ = false;

  PairsUnderWay under_way_;

  std::map<std::size_t, results::ProblemEntry> entries_;   // by position of the problem in the plan
  std::map<std::size_t, results::Unreadable> unreadable_;  // by position of the file in the plan
  std::map<PairIndex, results::Record> records_;
  std::map<std::size_t, LoadedProblem> loaded_;  // by position, while pairs of it are to be started
  PreviousAnswers answers_;                      // of the round, for the pairs that start from them
  results::Document document_;
};

}  // namespace

std::optional<results::Document> run(const Plan& plan, const std::vector<ConfiguredSolver>& solvers,
                                     const RunOptions& options, RunObserver& observer) {
  return Run(plan, solvers, options, observer).execute();
}

}  // namespace frictionbench::bench
