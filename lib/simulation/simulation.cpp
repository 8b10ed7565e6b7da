#include "frictionbench/simulation/simulation.hpp"

#include <chrono>
#include <stdexcept>
#include <utility>

namespace frictionbench::simulation {

using Clock = std::chrono::steady_clock;

Simulation::Simulation(Motion& motion, ConfiguredSolver solver, const SimulationSettings& settings)
    : motion_(motion), solver_(std::move(solver)), settings_(settings) {
  if (settings.scale == Scale::force)
    throw std::invalid_argument("scale: force is for files; a simulation has absolute or relative");
}

Simulation::Timed Simulation::solve(const ContactProblem& problem, const Vector& start) const {
  Limits limits{.tolerance = settings_.tolerance,
                .units = units_of(settings_.scale, problem),
                .max_iterations = settings_.max_iterations};
  if (problem.has_W()) problem.local();  // assembled before the clock starts
  Observer unwatched;
  const auto begin = Clock::now();
  limits.deadline = begin + std::chrono::duration_cast<Clock::duration>(
                                std::chrono::duration<double>(settings_.time_limit));
  Timed timed{solver_.solver->solve(problem, limits, start, unwatched)};
  timed.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  return timed;
}

SimulationStep Simulation::step() {
  StepProblem next = motion_.next(settings_.push_apart);
  const SolverInfo& info = solver_.info();
  next.problem = as_taken_by(info, next.problem);
  const bool warm = settings_.start != Starts::cold;
  const Timed timed = solve(next.problem, warm ? next.start : Vector());
  if (timed.result.status == Status::refused)
    throw std::runtime_error(info.name + " " + timed.result.message);
  if (!timed.result.r.allFinite())
    throw std::runtime_error(info.name + " answers with infinite or NaN impulses, and says: " +
                             std::string(name(timed.result.status)));
  const auto judged = [&](const Result& result) {
    return judge(next.problem, result.r, {.tolerance = settings_.tolerance, .facets = info.facets});
  };
  const auto is_solved = [&](const Verdict& verdict) {
    return verdict.solved(info.model, settings_.scale, settings_.tolerance);
  };

  const Verdict verdict = judged(timed.result);
  SimulationStep record;
  record.contacts = next.contacts;
  record.other_blocks = next.problem.blocks() - next.contacts;
  record.states = verdict.states;
  record.status = timed.result.status;
  record.solved = is_solved(verdict);
  record.residual = verdict.residual(info.model, settings_.scale);
  record.iterations = timed.result.iterations;
  record.solve_time = timed.seconds;
  if (settings_.start == Starts::both) {
    const Timed cold = solve(next.problem, {});
    record.cold_solved = is_solved(judged(cold.result));
    record.cold_iterations = cold.result.iterations;
    record.cold_solve_time = cold.seconds;
  }
  record.overlap = next.overlap;
  record.creep = verdict.creep;
  record.lift = verdict.lift;
  record.impulse = verdict.impulse_norm;

  motion_.move(timed.result.r);
  impulse_ = timed.result.r;
  record.step = ++steps_;
  record.time = time();
  const Energies energies = motion_.energies();
  record.kinetic_energy = energies.kinetic;
  record.potential_energy = energies.potential;
  return record;
}

Frame Simulation::frame() const {
  Frame frame = motion_.frame();
  frame.time = time();
  return frame;
}

}  // namespace frictionbench::simulation
