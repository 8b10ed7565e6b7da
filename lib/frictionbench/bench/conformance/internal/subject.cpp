#include "frictionbench/bench/conformance/internal/subject.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <nlohmann/json.hpp>
#include <system_error>

#include "frictionbench/base/deadline.hpp"

namespace frictionbench::bench::conformance {

namespace {

// The numbers of a problem, to be compared with what they were.
class Snapshot {
 public:
  explicit Snapshot(const ContactProblem& problem) {
    const auto local = problem.local();
    take("W", local.W);
    take("q", local.q.data(), local.q.size());
    take("mu", problem.mu().data(), problem.mu().size());
    take("R", problem.compliance().data(), problem.compliance().size());
    if (const GlobalForm* global = problem.global()) {
      take("M", global->M);
      take("H", global->H);
      take("f", global->f.data(), global->f.size());
      take("w", global->w.data(), global->w.size());
    }
  }

  std::string changed_since(const Snapshot& before) const {
    for (std::size_t k = 0; k < pieces_.size(); ++k)
      if (pieces_[k].bytes != before.pieces_[k].bytes) return pieces_[k].name;
    return {};
  }

 private:
  struct Piece {
    std::string name, bytes;
  };

  template <typename T>
  void take(const char* name, const T* values, Index count) {
    pieces_.push_back({name, std::string(reinterpret_cast<const char*>(values),
                                         static_cast<std::size_t>(count) * sizeof(T))});
  }
  void take(const char* name, const SparseMatrix& matrix) {
    take(name, matrix.valuePtr(), matrix.nonZeros());
    take(name, matrix.innerIndexPtr(), matrix.nonZeros());
    take(name, matrix.outerIndexPtr(), matrix.outerSize() + 1);
  }

  std::vector<Piece> pieces_;
};

// In a child process: solves, and reports what else that did.
std::string watched(const ConfiguredSolver& solver, const ContactProblem& problem,
                    const RunOptions& options) {
  const int output = memfd_create("standard output", MFD_CLOEXEC);
  if (output < 0 || dup2(output, STDOUT_FILENO) < 0)
    throw std::system_error(errno, std::generic_category(), "standard output");
  Limits limits;
  limits.tolerance = options.tolerance;
  limits.max_iterations = options.max_iterations;
  const Snapshot before(problem);
  limits.deadline = deadline_after(options.time_limit);
  solver.solver->solve(problem, limits);
  std::fflush(nullptr);
  return nlohmann::json{{"changed", Snapshot(problem).changed_since(before)},
                        {"printed", lseek(output, 0, SEEK_END)}}
      .dump();
}

}  // namespace

Subject::Subject(const ConfiguredSolver& solver, const Settings& settings)
    : solver_(solver), claim_(1) {
  options_.criterion = Criterion::native;
  options_.scale = Scale::absolute;
  options_.tolerance = settings.tolerance;
  options_.max_iterations = settings.max_iterations;
  options_.time_limit = settings.time_limit;
  options_.repeat_time = 0;
}

std::vector<int> Subject::dimensions() const {
  std::vector<int> dimensions;
  for (const int dimension : {2, 3})
    if (takes(dimension)) dimensions.push_back(dimension);
  return dimensions;
}

PairOutcome Subject::solve(const ContactProblem& problem, const RunOptions& options,
                           const Vector& start) const {
  const ContactProblem taken = as_taken_by(info(), problem);
  if (taken.has_W()) taken.local();  // reduces a global problem here, not in the child
  StartPoint from;
  from.impulse = start;
  PairProcess process = start_pair({taken, solver_, from}, options, claim_.processors().front());
  return outcome_of(process.worker.finish(), taken, info(), options);
}

Conduct Subject::watch(const ContactProblem& problem) const {
  problem.local();
  const int processor = claim_.processors().front();
  const auto lease = solver_.solver->lease({processor, options_.memory_limit});
  const double wall = options_.time_limit + 2;
  std::fflush(nullptr);  // what this process has yet to print is not the solver's
  const WorkerOutcome outcome =
      run_in_child([&] { return watched(solver_, problem, options_); },
                   {.wall = wall,
                    .cpu = wall + 1,
                    .processor = processor,
                    .descriptors = lease ? lease->descriptors() : std::vector<int>()});
  if (outcome.end == WorkerOutcome::End::timed_out)
    return {.failure = fmt::format("killed after {:g} s: it did not stop at its time limit", wall)};
  if (outcome.end != WorkerOutcome::End::finished)
    return {.failure = outcome_of(outcome, problem, info(), options_).record.message};
  const auto said = nlohmann::json::parse(outcome.payload, nullptr, false);
  if (!said.is_object()) return {.failure = "the solver process returned an invalid report"};
  return {.changed = said.value("changed", ""), .printed = said.value("printed", 0L)};
}

}  // namespace frictionbench::bench::conformance
