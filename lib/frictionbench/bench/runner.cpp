#include "frictionbench/bench/runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>

#include "frictionbench/bench/describe.hpp"
#include "frictionbench/bench/environment.hpp"
#include "frictionbench/bench/journal.hpp"
#include "frictionbench/bench/pair_process.hpp"
#include "frictionbench/bench/processors.hpp"
#include "frictionbench/fclib/reader.hpp"
#include "frictionbench/problem/facts.hpp"

namespace frictionbench::bench {

namespace {

// What a resumed run must have in common with the one that began the journal.
nlohmann::json identity_of(const Plan& plan, const std::vector<ConfiguredSolver>& solvers,
                           const RunOptions& options) {
  nlohmann::json specs = nlohmann::json::array();
  for (const ConfiguredSolver& solver : solvers) specs.push_back(solver.id);
  nlohmann::json files = nlohmann::json::array();
  for (const results::PlannedProblem& file : plan.files) files.push_back(file.id);
  nlohmann::json work_of_shard;  // rows of a problem's position and those of its solvers
  if (plan.shard)
    for (const ProblemPlan& problem : plan.problems) {
      nlohmann::json& row = work_of_shard.emplace_back(nlohmann::json::array({problem.position}));
      for (const auto& [solver, time] : problem.solvers) row.push_back(solver);
    }
  return {{"version", version()},
          {"criterion", name(options.measure.criterion)},
          {"tolerance", options.measure.tolerance},
          {"max_iterations", options.measure.max_iterations},
          {"time_limit", options.measure.time_limit},
          {"memory_limit", options.memory_limit.value_or(0)},
          {"repeat_time", options.measure.repeat_time},
          {"history", options.history},
          {"condition", options.condition},
          {"solvers", specs},
          {"problems", files},
          {"shard", plan.shard ? text(*plan.shard) : "none"},
          {"work of the shard", work_of_shard}};
}

struct LoadedProblem {
  ContactProblem problem;
  results::ProblemEntry entry;
  double read_time;  // s
};

// Throws fclib::FileError.
LoadedProblem load(const ProblemPlan& plan, const RunOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  ContactProblem problem = fclib::read_problem(plan.source.path).problem;
  const std::chrono::duration<double> read_time = std::chrono::steady_clock::now() - start;
  reduce(problem, plan.source.path);
  results::ProblemEntry entry = describe(plan.source, problem);
  if (entry.sha256 != plan.sha256)
    throw fclib::FileError(plan.source.path, "", "has changed while the run was going");
  if (options.condition)
    if (const auto spectrum = spectrum_of(problem)) entry.condition = spectrum->condition;
  return {std::move(problem), std::move(entry), read_time.count()};
}

// Warns if timed samples of a pair spread by more than this.
constexpr double notable_spread = 0.1;

// A run under way. Its pieces are kept by their place in the plan, so that the document does not
// depend on the order in which they come in.
class Run {
 public:
  Run(const Plan& plan, const std::vector<ConfiguredSolver>& solvers, const RunOptions& options,
      Progress& progress)
      : plan_(plan),
        solvers_(solvers),
        options_(options),
        progress_(progress),
        claim_(options.jobs),
        idle_(claim_.processors()),
        unreadable_(plan.unreadable) {
    document_.run = describe(options);
    if (claim_.shared() > 0)
      document_.run.warnings.push_back(
          "another run of frictionbench used the same processors: times are disturbed");
    document_.run.shard = plan.shard;
    if (plan.shard) document_.run.plan = plan.files;
    for (const ConfiguredSolver& solver : solvers) document_.solvers.push_back(describe(solver));
  }

  std::optional<results::Document> execute() {
    open_journal();
    progress_.started(plan_);
    for (std::size_t p = 0; p < plan_.problems.size() && !stopped(); ++p) run_problem(p);
    while (!workers_.empty()) collect_one();
    if (stopped_) return std::nullopt;
    return assemble();
  }

 private:
  // A pair of the plan: position of the problem in the plan, and of the solver.
  using Place = std::pair<std::size_t, std::size_t>;

  struct Running {
    Place place;
    int processor;
    double read_time, assembly_time;  // s
    int beside;                       // most other pairs so far
  };

  bool stopped() { return stopped_ = stopped_ || progress_.stop_requested(); }

  void open_journal() {
    if (options_.journal.empty()) return;
    const nlohmann::json identity = identity_of(plan_, solvers_, options_);
    if (options_.resume) {
      auto [journal, contents] = Journal::resume(options_.journal, identity);
      journal_.emplace(std::move(journal));
      known_ = std::move(contents);
      refuse_changed_files();
      progress_.resumed(known_.repaired);
    } else {
      journal_.emplace(Journal::start(options_.journal, identity));
    }
  }

  // Records of the journal must not be mixed with those of other files.
  void refuse_changed_files() const {
    for (const results::PlannedProblem& file : plan_.files) {
      const auto known = known_.problems.find(file.id);
      if (known != known_.problems.end() && known->second.sha256 != file.sha256)
        throw JournalError(fmt::format("{}: belongs to another run: {} has changed since",
                                       options_.journal, file.path));
    }
  }

  void run_problem(std::size_t p) {
    const ProblemPlan& problem = plan_.problems[p];
    if (take_from_journal(p)) return;
    std::optional<LoadedProblem> loaded;
    try {
      loaded = load(problem, options_);
    } catch (const fclib::FileError& error) {
      return note_unusable(problem, error.what());
    }
    if (!entries_.contains(p)) {
      entries_[p] = loaded->entry;
      if (journal_) journal_->add(loaded->entry);
    }
    for (const auto& [s, time] : problem.solvers)
      if (!stopped() && !records_.contains({p, s})) start({p, s}, *loaded);
  }

  // Returns whether nothing is left to do for the problem.
  bool take_from_journal(std::size_t p) {
    const ProblemPlan& problem = plan_.problems[p];
    const std::string& id = problem.source.id;
    const auto entry = known_.problems.find(id);
    if (entry == known_.problems.end()) return false;
    entries_[p] = entry->second;
    std::size_t found = 0;
    for (const auto& [s, time] : problem.solvers) {
      const auto record = known_.records.find({id, solvers_[s].id});
      if (record == known_.records.end()) continue;
      records_[{p, s}] = std::move(record->second);
      ++found;
    }
    progress_.known(found);
    return found == problem.solvers.size();
  }

  void note_unusable(const ProblemPlan& problem, const std::string& reason) {
    const results::Unreadable file{problem.source.path, reason};
    progress_.unusable(problem, file);
    unreadable_[problem.position] = file;
  }

  void start(Place place, const LoadedProblem& loaded) {
    if (idle_.empty()) collect_one();
    const int processor = idle_.back();
    idle_.pop_back();
    workers_.push_back(start_pair(loaded.problem, solvers_[place.second], options_, processor));
    running_.push_back({place, processor, loaded.read_time, loaded.problem.assembly_time(), 0});
    const int others = static_cast<int>(running_.size()) - 1;
    for (Running& pair : running_) pair.beside = std::max(pair.beside, others);
  }

  void collect_one() {
    const auto which = static_cast<std::ptrdiff_t>(Worker::wait_for_one(workers_));
    const WorkerOutcome outcome = workers_[static_cast<std::size_t>(which)].finish();
    const Running pair = running_[static_cast<std::size_t>(which)];
    workers_.erase(workers_.begin() + which);
    running_.erase(running_.begin() + which);
    idle_.push_back(pair.processor);

    results::Record record = record_of(outcome, options_);
    record.problem = plan_.problems[pair.place.first].source.id;
    record.solver = solvers_[pair.place.second].id;
    record.time.read = pair.read_time;
    record.time.assembly = pair.assembly_time;
    record.time.beside = pair.beside;
    if (journal_) journal_->add(record);
    progress_.finished(record);
    records_[pair.place] = std::move(record);
  }

  results::Document assemble() {
    const auto move_all = [](auto& pieces, auto& list) {
      for (auto& [place, piece] : pieces) list.push_back(std::move(piece));
    };
    move_all(entries_, document_.problems);
    move_all(records_, document_.records);
    move_all(unreadable_, document_.unreadable);
    warn_of_spread();
    document_.run.finished = utc_now();
    return std::move(document_);
  }

  void warn_of_spread() {
    std::size_t timed = 0, spread = 0;
    for (const results::Record& record : document_.records) {
      if (!record.time.solve || record.time.solve->samples < 2) continue;
      ++timed;
      spread += record.time.solve->mad > notable_spread * record.time.solve->median;
    }
    if (spread > 0)
      document_.run.warnings.push_back(
          fmt::format("{} of {} repeated solves have times that spread by more than {:g} % (median "
                      "absolute deviation): the machine was not quiet",
                      spread, timed, 100 * notable_spread));
  }

  const Plan& plan_;
  const std::vector<ConfiguredSolver>& solvers_;
  const RunOptions& options_;
  Progress& progress_;

  std::optional<Journal> journal_;
  JournalContents known_;
  bool stopped_ = false;

  ProcessorClaim claim_;
  std::vector<int> idle_;  // processors of the claim
  std::vector<Worker> workers_;
  std::vector<Running> running_;  // of the workers, in their order

  std::map<std::size_t, results::ProblemEntry> entries_;   // by position of the problem in the plan
  std::map<std::size_t, results::Unreadable> unreadable_;  // by position of the file in the plan
  std::map<Place, results::Record> records_;
  results::Document document_;
};

}  // namespace

std::optional<results::Document> run(const Plan& plan, const std::vector<ConfiguredSolver>& solvers,
                                     const RunOptions& options, Progress& progress) {
  return Run(plan, solvers, options, progress).execute();
}

}  // namespace frictionbench::bench
