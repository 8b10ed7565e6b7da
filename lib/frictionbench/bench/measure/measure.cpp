#include "frictionbench/bench/measure/measure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cfenv>
#include <chrono>
#include <climits>
#include <cmath>

#include "frictionbench/base/text.hpp"
#include "frictionbench/bench/measure/internal/hardware_counters.hpp"
#include "frictionbench/bench/process/internal/deadline.hpp"

namespace frictionbench::bench {

namespace {

// Of the impulse, if the file has one: only that is started from.
std::string misfit_of_impulse(const fclib::State& state) {
  const auto of_impulse = [](const std::string& misfit) {
    return misfit.find("/r: ") != std::string::npos;
  };
  const auto found = std::find_if(state.misfits.begin(), state.misfits.end(), of_impulse);
  return found == state.misfits.end() ? "" : *found;
}

double seconds_between(Clock::time_point start, Clock::time_point end) {
  return std::chrono::duration<double>(end - start).count();
}

// Notes when the first iteration starts.
class SetupClock final : public Observer {
 public:
  void setup_finished() override { setup_end_ = Clock::now(); }
  std::optional<double> setup_since(Clock::time_point start) const {
    if (!setup_end_) return std::nullopt;
    return seconds_between(start, *setup_end_);
  }

 private:
  std::optional<Clock::time_point> setup_end_;
};

struct Sample {
  Result result;
  double solve = 0;
  std::optional<double> setup;
};

Limits limits_for(const ContactProblem& problem, const MeasureOptions& options) {
  Limits limits;
  limits.tolerance = options.tolerance;
  limits.units = units_of(options.scale, problem);
  limits.max_iterations = options.max_iterations;
  return limits;
}

Sample solve_once(const ContactProblem& problem, const ConfiguredSolver& solver, Limits limits,
                  const MeasureOptions& options, const Vector& impulse) {
  SetupClock setup_clock;
  Sample sample;
  std::fenv_t environment;  // of floating-point computing, which a solver may leave changed
  std::fegetenv(&environment);
  const auto start = Clock::now();
  limits.deadline = deadline_after(options.time_limit);
  sample.result = solver.solver->solve(problem, limits, impulse, setup_clock);
  const auto end = Clock::now();
  std::fesetenv(&environment);
  sample.solve = seconds_between(start, end);
  sample.setup = setup_clock.setup_since(start);
  return sample;
}

void time_solves(const ContactProblem& problem, const ConfiguredSolver& solver,
                 const Limits& limits, const MeasureOptions& options, const Vector& impulse,
                 const Sample& first, results::RecordTime& time) {
  std::vector<double> solves, setups;
  const auto take = [&](const Sample& sample) {
    solves.push_back(sample.solve);
    if (sample.setup) setups.push_back(*sample.setup);
  };
  if (first.solve >= options.repeat_time) {
    take(first);
  } else {
    const auto most = static_cast<std::size_t>(options.max_samples.value_or(INT_MAX));
    for (double total = 0; total < options.repeat_time && solves.size() < most;
         total += solves.back())
      take(solve_once(problem, solver, limits, options, impulse));
  }
  time.solve = results::summarize(solves);
  if (!setups.empty()) time.setup = results::median(setups);
}

// Whether a solver may end so; the other statuses are the harness's.
bool is_solver_status(Status status) {
  return status >= Status::converged && status <= Status::error;
}

// What the solver says of its first solve, made fit for a record.
void take_claims(const Result& result, results::Record& record) {
  record.status = result.status;
  record.message = solver_text(result.message);
  if (!is_solver_status(result.status)) {
    record.status = Status::error;
    record.message = fmt::format("solver returned status {}, which only the harness may assign",
                                 static_cast<int>(result.status));
  }
  record.stop_reason = result.stop_reason;
  record.stage = solver_text(result.stage);
  for (const auto& [name, value] : result.reported) record.reported[solver_text(name)] = value;
  record.iterations = result.iterations;
  record.work = result.work;
}

// The claim of a solver meets the verdict.
void confront(const MeasureOptions& options, const SolverInfo& info, results::Record& record) {
  if (record.status != Status::converged ||
      record.solved.under(options.criterion, options.scale, info.model))
    return;
  record.status = Status::wrong;
  const ContactModel asked = judged_model(options.criterion, info.model);
  const ConeResiduals& residuals = record.verdict->residuals(asked);
  if (asked != info.model && record.solved.under(Criterion::native, Scale::absolute, info.model))
    record.message =
        fmt::format("solved its own model, {}, whose answer has an {} residual of {:.2e}",
                    name(info.model), name(asked), residuals.max());
  else
    record.message =
        fmt::format("claimed convergence with an {} residual of {:.2e} (scaled {:.2e})",
                    name(asked), residuals.max(), residuals.scaled(record.verdict->scale));
}

class HistoryRecorder final : public Observer {
 public:
  void iterated(const Iterate& iterate) override { rows.push_back(iterate); }
  std::vector<Iterate> rows;
};

}  // namespace

StartPoint start_from_file(const fclib::ProblemFile& file, results::Start wanted) {
  const fclib::State* state = nullptr;
  if (wanted == results::Start::guess && !file.guesses.empty()) state = &file.guesses.front();
  if (wanted == results::Start::solution && file.solution) state = &*file.solution;
  if (state && state->r) return {wanted, *state->r, {}, {}};

  StartPoint zero;
  if (wanted == results::Start::zero) return zero;
  if (state) zero.shortfall = misfit_of_impulse(*state);
  if (zero.shortfall.empty())
    zero.shortfall =
        fmt::format("the file has no {}{}", state ? "impulse in its " : "", name(wanted));
  return zero;
}

Measurement measure(const ContactProblem& problem, const ConfiguredSolver& solver,
                    const MeasureOptions& options, const Vector& impulse) {
  const Limits limits = limits_for(problem, options);  // reduces a global problem, untimed
  HardwareCounters counters;
  counters.start();
  const Sample first = solve_once(problem, solver, limits, options, impulse);
  const results::HardwareCounts hardware = counters.stop();

  Measurement measurement;
  results::Record& record = measurement.record;
  record.hardware = hardware;
  take_claims(first.result, record);
  record.time.assembly = problem.assembly_time();
  if (record.status == Status::refused) return measurement;

  time_solves(problem, solver, limits, options, impulse, first, record.time);
  const Index entries = first.result.r.size();
  if (entries != problem.unknowns()) {
    if (entries != 0 || record.status == Status::converged) {
      record.status = Status::error;
      record.message = fmt::format("gave an impulse of {} entries for a problem of {}", entries,
                                   problem.unknowns());
    }
    return measurement;
  }
  measurement.r = first.result.r;
  record.verdict = judge(problem, measurement.r);
  record.solved = results::solved_under_all(*record.verdict, options.tolerance);
  confront(options, solver.info(), record);
  return measurement;
}

std::vector<Iterate> record_history(const ContactProblem& problem, const ConfiguredSolver& solver,
                                    const MeasureOptions& options, const Vector& impulse) {
  Limits limits = limits_for(problem, options);
  limits.deadline = deadline_after(options.time_limit);
  HistoryRecorder recorder;
  solver.solver->solve(problem, limits, impulse, recorder);
  return std::move(recorder.rows);
}

std::vector<Iterate> thinned(const std::vector<Iterate>& history, std::size_t rows) {
  if (history.size() <= rows) return history;
  std::vector<Iterate> kept;
  const double steps = static_cast<double>(rows - 1);
  const double last = static_cast<double>(history.size() - 1);
  std::size_t next = 0;  // rows before it are dealt with
  for (std::size_t k = 0; k < rows; ++k) {
    const double wanted = std::pow(last + 1, static_cast<double>(k) / steps) - 1;
    next = std::max(next, static_cast<std::size_t>(std::lround(wanted)));
    // Where the logarithm asks for one row several times, the following ones are taken instead.
    if (next < history.size()) kept.push_back(history[next++]);
  }
  return kept;
}

}  // namespace frictionbench::bench
