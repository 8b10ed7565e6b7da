#include "frictionbench/bench/measure/measure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cfenv>
#include <chrono>
#include <climits>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>

#include "frictionbench/base/deadline.hpp"
#include "frictionbench/base/sha256.hpp"
#include "frictionbench/base/text.hpp"
#include "frictionbench/bench/measure/internal/hardware_counters.hpp"
#include "frictionbench/linalg/delassus_operator.hpp"

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
  results::HardwareCounts hardware;  // where they were counted
};

Limits limits_for(const ContactProblem& problem, const results::SolveSettings& options) {
  Limits limits;
  limits.tolerance = options.tolerance;
  limits.units = units_of(options.scale, problem, options.time_step);
  limits.max_iterations = options.max_iterations;
  return limits;
}

Sample solve_once(const ContactProblem& problem, const ConfiguredSolver& solver, Limits limits,
                  const results::SolveSettings& options, const Vector& impulse) {
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

// A solve of which the processor's events are counted.
Sample counted_solve(const ContactProblem& problem, const ConfiguredSolver& solver,
                     const Limits& limits, const results::SolveSettings& options,
                     const Vector& impulse) {
  HardwareCounters counters;
  counters.start();
  Sample sample = solve_once(problem, solver, limits, options, impulse);
  sample.hardware = counters.stop();
  return sample;
}

bool same_bits(const Vector& a, const Vector& b) {
  const auto bytes = static_cast<std::size_t>(a.size()) * sizeof(double);
  return a.size() == b.size() && (bytes == 0 || std::memcmp(a.data(), b.data(), bytes) == 0);
}

// Why the work of a repetition is not that of the first solve; empty if it is.
std::string difference(const Result& first, const Result& repeated) {
  if (!same_bits(first.r, repeated.r)) return "another impulse";
  if (first.iterations != repeated.iterations)
    return fmt::format("{} iterations after {}", repeated.iterations, first.iterations);
  if (first.status != repeated.status)
    return fmt::format("status {} after {}", name(repeated.status), name(first.status));
  return first.work == repeated.work ? "" : "other work counters";
}

// A solve that its time limit ended stops anywhere.
bool is_timed_out(const Result& result) { return result.status == Status::time_limit; }

void time_solves(const ContactProblem& problem, const ConfiguredSolver& solver,
                 const Limits& limits, const results::SolveSettings& options, const Vector& impulse,
                 const Sample& first, results::Record& record) {
  std::vector<double> solves, setups;
  const auto take = [&](const Sample& sample) {
    solves.push_back(sample.solve);
    if (sample.setup) setups.push_back(*sample.setup);
  };
  std::string changed;  // in the first repetition that differs
  if (first.solve >= options.repeat_time) {
    take(first);
  } else {
    const auto most = static_cast<std::size_t>(options.max_samples.value_or(INT_MAX));
    for (double total = 0; total < options.repeat_time && solves.size() < most;
         total += solves.back()) {
      const Sample sample = solve_once(problem, solver, limits, options, impulse);
      take(sample);
      if (changed.empty() && !is_timed_out(first.result) && !is_timed_out(sample.result))
        changed = difference(first.result, sample.result);
    }
  }
  record.time.solve = results::summarize(solves);
  if (!setups.empty()) record.time.setup = results::median(setups);
  if (changed.empty()) return;
  record.status = Status::not_repeatable;
  record.message = "a repetition of the solve gave " + changed;
}

// Whether a solver may end so; the other statuses are the harness's.
bool is_solver_status(Status status) {
  return status >= Status::converged && status <= Status::memory_limit;
}

// What the solver says of its first solve, made fit for a record.
void take_report(const Result& result, results::Record& record) {
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

// Whether a solver that was asked for less than the verdict may do better when asked for more.
bool is_refuted(Status status) { return status == Status::wrong || status == Status::other_model; }

// Asks for a tenth of the tolerance until the verdict confirms the convergence that the solver reports,
// or it reports none (SolveSettings::match_verdict). All tries together have the time of one.
// \returns the last one; `limits` has the tolerance that it was asked for.
Sample match_verdict(const ContactProblem& problem, const ConfiguredSolver& solver, Limits& limits,
                     const results::SolveSettings& options, const Vector& impulse, Sample sample,
                     std::vector<results::Try>& tries) {
  constexpr double least = 1e-16;  // less is nothing in double precision
  const results::JudgeSettings& asked = options;
  for (double used = 0;;) {
    results::Record record;
    take_report(sample.result, record);
    const Result& result = sample.result;
    judge_answer(problem, solver.info(), asked, {result.r, result.compliance, result.velocity},
                 record);
    tries.push_back(
        {limits.tolerance, record.status,
         results::residual_under(asked.criterion, asked.scale, solver.info().model, record),
         record.iterations, sample.solve});
    used += sample.solve;
    const double next = limits.tolerance / 10;
    if (!is_refuted(record.status) || next < least || used >= options.time_limit) return sample;
    limits.tolerance = next;
    results::SolveSettings rest = options;
    rest.time_limit = options.time_limit - used;
    sample = counted_solve(problem, solver, limits, rest, impulse);
  }
}

// Convergence that a solver reports meets the verdict.
void confront(const results::JudgeSettings& settings, ContactModel model, results::Record& record) {
  if (record.status != Status::converged || record.solved.under(settings.criterion, settings.scale))
    return;
  const ContactModel asked = judged_model(settings.criterion, model);
  const auto residual = [&](Criterion criterion) {
    return residual_under(criterion, settings.scale, model, record);
  };
  if (record.solved.under(Criterion::native, settings.scale)) {
    record.status = Status::other_model;
    record.message = fmt::format(
        "solved its own model, {}{}, but the {} {} residual of its answer is {:.2e}", name(model),
        !record.own_model           ? ""
        : record.own_model->gap > 0 ? " with a compliance"
                                    : " with another pyramid",
        name(settings.scale), name(asked), residual(settings.criterion));
  } else {
    record.status = Status::wrong;
    record.message = fmt::format("reported convergence, but its {} {} residual is {:.2e}",
                                 name(settings.scale), name(model), residual(Criterion::native));
  }
}

Vector or_zero(const Vector& compliance, Index size) {
  return compliance.size() > 0 ? compliance : Vector::Zero(size);
}

// The model that a solver made of the problem by choosing a compliance, or a pyramid.
results::OwnModel own_model(const ContactProblem& problem, const SolverInfo& info,
                            const Answer& answer) {
  const Vector given = or_zero(problem.compliance(), problem.unknowns());
  const Vector R = answer.compliance.size() > 0 ? answer.compliance : given;
  const ContactProblem own = problem.with_compliance(R);
  const ContactScales scales = contact_scales(problem);
  const Vector velocity = (R - given).cwiseProduct(answer.r);

  results::OwnModel result;
  result.compliance_min = R.minCoeff();
  result.compliance_max = R.maxCoeff();
  result.residuals = model_residuals(info.model, own, answer.r, own.contact_velocity(answer.r),
                                     relative_units(scales), info.facets);
  Vector gaps(problem.blocks());
  for (Index i = 0; i < gaps.size(); ++i)
    gaps[i] =
        velocity.segment(problem.block_start(i), problem.block_rows(i)).norm() / scales.velocity[i];
  result.gap = gaps.maxCoeff<Eigen::PropagateNaN>();
  return result;
}

class HistoryRecorder final : public Observer {
 public:
  void iterated(const Iterate& iterate) override { rows.push_back(iterate); }
  std::vector<Iterate> rows;
};

void judge_velocity(const ContactProblem& problem, const Answer& answer, Verdict& verdict) {
  verdict.momentum = momentum_error(problem, answer.r, answer.velocity);
  const bool is_own = answer.compliance.size() > 0;
  verdict.slackness = slackness_error(is_own ? problem.with_compliance(answer.compliance) : problem,
                                      answer.r, answer.velocity);
}

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
                    const results::SolveSettings& options, const Vector& impulse) {
  Limits limits = limits_for(problem, options);  // reduces a global problem, untimed
  Sample first = counted_solve(problem, solver, limits, options, impulse);

  Measurement measurement;
  results::Record& record = measurement.record;
  if (options.match_verdict && first.result.status != Status::refused)
    first =
        match_verdict(problem, solver, limits, options, impulse, std::move(first), record.tries);
  record.hardware = first.hardware;
  take_report(first.result, record);
  record.time.assembly = problem.assembly_time();
  if (record.status == Status::refused) return measurement;

  time_solves(problem, solver, limits, options, impulse, first, record);
  const Result& result = first.result;
  measurement.answer = {result.r, result.compliance, result.velocity};
  return measurement;
}

double time_cholesky(const ContactProblem& problem) {
  constexpr double long_enough = 0.02;  // s
  constexpr int samples = 5;
  WorkCounters uncounted;
  const double mean = Vector(problem.local().W.diagonal()).cwiseAbs().mean();
  const auto sample = [&] {
    const DelassusOperator W(problem, uncounted);  // one that has not analysed its matrix yet
    const auto start = Clock::now();
    const bool factored = W.factorization().factorize(mean > 0 ? mean : 1);
    const double time = seconds_between(start, Clock::now());
    return factored ? time : std::numeric_limits<double>::quiet_NaN();
  };
  const double first = sample();
  if (!(first < long_enough)) return first;
  std::vector<double> times;
  for (int k = 0; k < samples; ++k) times.push_back(sample());
  return results::median(times);
}

std::string sha256_of_impulse(const Vector& r) {
  return sha256_of(std::as_bytes(std::span(r.data(), static_cast<std::size_t>(r.size()))));
}

void judge_answer(const ContactProblem& problem, const SolverInfo& info,
                  const results::JudgeSettings& settings, const Answer& answer,
                  results::Record& record) {
  const auto refuse = [&](const char* what, Index entries, Index expected) {
    record.status = Status::error;
    record.message =
        fmt::format("gave {} of {} entries for a problem of {}", what, entries, expected);
  };
  const Index entries = answer.r.size();
  if (entries != problem.unknowns()) {
    if (entries != 0 || record.status == Status::converged)
      refuse("an impulse", entries, problem.unknowns());
    return;
  }
  const Index softened = answer.compliance.size();
  if (softened != 0 && softened != problem.unknowns())
    return refuse("a compliance", softened, problem.unknowns());
  const Index dofs = problem.global() ? problem.global()->f.size() : 0;
  if (answer.velocity.size() != 0 && answer.velocity.size() != dofs)
    return refuse("a generalised velocity", answer.velocity.size(), dofs);

  record.impulse_sha256 = sha256_of_impulse(answer.r);
  record.verdict =
      judge(problem, answer.r, {settings.tolerance, settings.time_step, settings.facets});
  const bool other_pyramid =
      info.model == ContactModel::lcp && problem.dimension() == 3 && info.facets != settings.facets;
  if (entries > 0) try {
      if (softened != 0 || other_pyramid) record.own_model = own_model(problem, info, answer);
      if (answer.velocity.size() != 0) judge_velocity(problem, answer, *record.verdict);
    } catch (const InvalidProblem& error) {
      record.status = Status::error;
      record.message = fmt::format("gave an invalid {}", error.what());
      return;
    }
  conclude(settings, info.model, record);
}

void conclude(const results::JudgeSettings& settings, ContactModel model, results::Record& record) {
  record.solved =
      results::solved_under_all(*record.verdict, model, record.own_model, settings.tolerance);
  confront(settings, model, record);
}

std::vector<Iterate> record_history(const ContactProblem& problem, const ConfiguredSolver& solver,
                                    const results::SolveSettings& options, const Vector& impulse) {
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
