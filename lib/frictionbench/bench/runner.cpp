#include "frictionbench/bench/runner.hpp"

#include <fmt/format.h>
#include <sched.h>
#include <signal.h>
#include <string.h>

#include <chrono>

#include "frictionbench/bench/environment.hpp"
#include "frictionbench/bench/journal.hpp"
#include "frictionbench/bench/worker.hpp"
#include "frictionbench/fclib/reader.hpp"
#include "frictionbench/fclib/sha256.hpp"
#include "frictionbench/problem/facts.hpp"
#include "frictionbench/results/json.hpp"

namespace frictionbench::bench {

namespace {

// A solve may overrun its own limit by this much before its process is killed.
constexpr double grace = 2;  // s

// The first solve and, if it was short, its repetitions.
double wall_limit(const MeasureOptions& options) {
  return options.time_limit + 2 * options.repeat_time + grace;
}

// What the end of a child without a record means.
void interpret(const WorkerOutcome& outcome, const RunOptions& options, results::Record& record) {
  switch (outcome.end) {
    case WorkerOutcome::End::finished:
      break;
    case WorkerOutcome::End::threw:
      record.status = Status::error;
      record.message = outcome.payload;
      break;
    case WorkerOutcome::End::out_of_memory:
      record.status = Status::memory_limit;
      record.message = "ran out of memory";
      break;
    case WorkerOutcome::End::timed_out:
      record.status = Status::time_limit;
      record.message = fmt::format("killed after {:.1f} s: it did not stop at its time limit",
                                   wall_limit(options.measure));
      break;
    case WorkerOutcome::End::signalled:
      record.status = outcome.code == SIGXCPU ? Status::time_limit : Status::crashed;
      record.message = fmt::format("died by signal {} ({})", outcome.code, strsignal(outcome.code));
      break;
    case WorkerOutcome::End::exited:
      record.status = Status::crashed;
      record.message = fmt::format("ended the process with exit code {}", outcome.code);
      break;
  }
}

bool wanted(const ContactProblem& problem, const RunOptions& options) {
  return (!options.dimension || problem.dimension() == *options.dimension) &&
         (!options.max_contacts || problem.contacts() <= *options.max_contacts);
}

// What a resumed run must have in common with the one that began the journal.
nlohmann::json identity_of(const std::vector<ProblemSource>& problems,
                           const std::vector<ConfiguredSolver>& solvers,
                           const RunOptions& options) {
  nlohmann::json ids = nlohmann::json::array();
  for (const ProblemSource& problem : problems) ids.push_back(problem.id);
  nlohmann::json specs = nlohmann::json::array();
  for (const ConfiguredSolver& solver : solvers) specs.push_back(solver.id);
  return {{"version", version()},
          {"criterion", name(options.measure.criterion)},
          {"tolerance", options.measure.tolerance},
          {"max_iterations", options.measure.max_iterations},
          {"time_limit", options.measure.time_limit},
          {"memory_limit", options.memory_limit.value_or(0)},
          {"repeat_time", options.measure.repeat_time},
          {"dimension", options.dimension.value_or(0)},
          {"max_contacts", options.max_contacts.value_or(-1)},
          {"solvers", specs},
          {"problems", ids}};
}

struct LoadedProblem {
  ContactProblem problem;
  results::ProblemEntry entry;
  double read_time;  // s
};

// Throws fclib::FileError, or InvalidProblem where only the reduction shows what is wrong.
LoadedProblem load(const ProblemSource& source) {
  const auto start = std::chrono::steady_clock::now();
  ContactProblem problem = fclib::read_problem(source.path).problem;
  const std::chrono::duration<double> read_time = std::chrono::steady_clock::now() - start;
  return {problem, describe(source, problem), read_time.count()};
}

// A run under way. Its pieces are kept by their place in the plan, so that the document does not
// depend on the order in which they come in.
class Run {
 public:
  Run(const std::vector<ProblemSource>& problems, const std::vector<ConfiguredSolver>& solvers,
      const RunOptions& options, Progress& progress)
      : problems_(problems),
        solvers_(solvers),
        options_(options),
        progress_(progress),
        processors_(available_processors()),
        entries_(problems.size()),
        unreadable_(problems.size()),
        records_(problems.size() * solvers.size()) {
    const auto jobs = static_cast<std::size_t>(options.jobs);
    if (jobs > processors_.size())
      throw std::invalid_argument(fmt::format(
          "{} jobs, but only {} processors: pairs that share one would disturb each other's times",
          jobs, processors_.size()));
    processors_.resize(jobs);
    document_.run = describe(options);
    for (const ConfiguredSolver& solver : solvers) document_.solvers.push_back(describe(solver));
  }

  std::optional<results::Document> execute() {
    open_journal();
    progress_.started(problems_.size(), solvers_.size());
    for (std::size_t p = 0; p < problems_.size() && !stopped(); ++p) run_problem(p);
    while (!workers_.empty()) collect_one();
    if (stopped_) return std::nullopt;
    return assemble();
  }

 private:
  struct Pair {
    std::size_t place;  // in records_
    int processor;
    double read_time, assembly_time;  // s
  };

  bool stopped() { return stopped_ = stopped_ || progress_.stop_requested(); }

  void open_journal() {
    if (options_.journal.empty()) return;
    const nlohmann::json identity = identity_of(problems_, solvers_, options_);
    if (options_.resume) {
      auto [journal, contents] = Journal::resume(options_.journal, identity);
      journal_.emplace(std::move(journal));
      known_ = std::move(contents);
      progress_.resumed(known_.repaired);
    } else {
      journal_.emplace(Journal::start(options_.journal, identity));
    }
  }

  void run_problem(std::size_t p) {
    const ProblemSource& source = problems_[p];
    if (take_from_journal(p)) return;
    std::optional<LoadedProblem> loaded;
    try {
      loaded = load(source);
    } catch (const fclib::FileError& error) {
      return note_unreadable(p, error.what());
    } catch (const InvalidProblem& error) {
      return note_unreadable(p, source.path + ": " + error.what());
    }
    if (!wanted(loaded->problem, options_)) return progress_.left_out(source);
    if (!entries_[p]) {
      entries_[p] = loaded->entry;
      if (journal_) journal_->add(loaded->entry);
    }
    for (std::size_t s = 0; s < solvers_.size() && !stopped(); ++s)
      if (!records_[place(p, s)]) start(p, s, *loaded);
  }

  // Returns whether nothing is left to do for the problem.
  bool take_from_journal(std::size_t p) {
    const ProblemSource& source = problems_[p];
    if (const auto found = known_.unreadable.find(source.path); found != known_.unreadable.end()) {
      unreadable_[p] = found->second;
      progress_.unreadable(found->second);
      return true;
    }
    const auto entry = known_.problems.find(source.id);
    if (entry == known_.problems.end()) return false;
    if (fclib::sha256_of_file(source.path) != entry->second.sha256)
      throw JournalError(fmt::format("{}: belongs to another run: {} has changed since",
                                     options_.journal, source.path));
    entries_[p] = entry->second;
    std::size_t found = 0;
    for (std::size_t s = 0; s < solvers_.size(); ++s) {
      const auto record = known_.records.find({source.id, solvers_[s].id});
      if (record == known_.records.end()) continue;
      records_[place(p, s)] = std::move(record->second);
      ++found;
    }
    progress_.known(found);
    return found == solvers_.size();
  }

  void note_unreadable(std::size_t p, const std::string& reason) {
    unreadable_[p] = {problems_[p].path, reason};
    if (journal_) journal_->add(*unreadable_[p]);
    progress_.unreadable(*unreadable_[p]);
  }

  void start(std::size_t p, std::size_t s, const LoadedProblem& loaded) {
    if (processors_.empty()) collect_one();
    const int processor = processors_.back();
    processors_.pop_back();
    const ConfiguredSolver& solver = solvers_[s];
    const auto work = [&] {
      return to_json(measure(loaded.problem, solver, options_.measure).record).dump();
    };
    const double wall = wall_limit(options_.measure);
    workers_.emplace_back(work, WorkerLimits{.wall = wall,
                                             .cpu = wall + 1,
                                             .memory = options_.memory_limit,
                                             .processor = processor});
    pairs_.push_back({place(p, s), processor, loaded.read_time, loaded.problem.assembly_time()});
  }

  void collect_one() {
    const auto which = static_cast<std::ptrdiff_t>(Worker::wait_for_one(workers_));
    const WorkerOutcome outcome = workers_[static_cast<std::size_t>(which)].finish();
    const Pair pair = pairs_[static_cast<std::size_t>(which)];
    workers_.erase(workers_.begin() + which);
    pairs_.erase(pairs_.begin() + which);
    processors_.push_back(pair.processor);

    results::Record record;
    if (outcome.end == WorkerOutcome::End::finished)
      record = results::record_from_json(nlohmann::json::parse(outcome.payload));
    else
      interpret(outcome, options_, record);
    record.problem = problems_[pair.place / solvers_.size()].id;
    record.solver = solvers_[pair.place % solvers_.size()].id;
    record.time.read = pair.read_time;
    record.time.assembly = pair.assembly_time;
    record.memory_peak = outcome.memory_peak;
    if (journal_) journal_->add(record);
    progress_.finished(record);
    records_[pair.place] = std::move(record);
  }

  results::Document assemble() {
    const auto move_present = [](auto& pieces, auto& list) {
      for (auto& piece : pieces)
        if (piece) list.push_back(std::move(*piece));
    };
    move_present(entries_, document_.problems);
    move_present(records_, document_.records);
    move_present(unreadable_, document_.unreadable);
    document_.run.finished = utc_now();
    return std::move(document_);
  }

  std::size_t place(std::size_t p, std::size_t s) const { return p * solvers_.size() + s; }

  const std::vector<ProblemSource>& problems_;
  const std::vector<ConfiguredSolver>& solvers_;
  const RunOptions& options_;
  Progress& progress_;

  std::optional<Journal> journal_;
  JournalContents known_;
  bool stopped_ = false;

  std::vector<int> processors_;  // idle ones
  std::vector<Worker> workers_;
  std::vector<Pair> pairs_;  // of the workers, in their order

  std::vector<std::optional<results::ProblemEntry>> entries_;
  std::vector<std::optional<results::Unreadable>> unreadable_;
  std::vector<std::optional<results::Record>> records_;
  results::Document document_;
};

}  // namespace

std::vector<int> available_processors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  std::vector<int> processors;
  if (sched_getaffinity(0, sizeof set, &set) == 0)
    for (int k = 0; k < CPU_SETSIZE; ++k)
      if (CPU_ISSET(static_cast<std::size_t>(k), &set)) processors.push_back(k);
  return processors;
}

results::ProblemEntry describe(const ProblemSource& source, const ContactProblem& problem) {
  const ProblemFacts facts = facts_of(problem);
  results::ProblemEntry entry;
  entry.id = source.id;
  entry.path = source.path;
  entry.sha256 = fclib::sha256_of_file(source.path);
  entry.family = source.family;
  entry.form = problem.form();
  entry.dimension = problem.dimension();
  entry.contacts = problem.contacts();
  entry.unknowns = problem.unknowns();
  if (problem.global()) entry.dofs = problem.global()->M.rows();
  entry.nonzeros = facts.nonzeros;
  entry.asymmetry = facts.asymmetry;
  entry.mu_min = facts.mu_min;
  entry.mu_max = facts.mu_max;
  entry.bilateral = problem.bilateral_rows();
  return entry;
}

results::SolverEntry describe(const ConfiguredSolver& solver) {
  return {solver.id, solver.info().name, solver.info().model, solver.settings};
}

results::RunInfo describe(const RunOptions& options) {
  results::RunInfo run;
  run.command = options.command;
  run.started = utc_now();
  run.criterion = options.measure.criterion;
  run.tolerance = options.measure.tolerance;
  run.max_iterations = options.measure.max_iterations;
  run.time_limit = options.measure.time_limit;
  run.repeat_time = options.measure.repeat_time;
  run.memory_limit = options.memory_limit;
  run.jobs = options.jobs;
  describe_environment(run);
  return run;
}

std::optional<results::Document> run(const std::vector<ProblemSource>& problems,
                                     const std::vector<ConfiguredSolver>& solvers,
                                     const RunOptions& options, Progress& progress) {
  return Run(problems, solvers, options, progress).execute();
}

}  // namespace frictionbench::bench
