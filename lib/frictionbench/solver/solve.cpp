#include "frictionbench/solver/solve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include "frictionbench/problem/blocks.hpp"
#include "frictionbench/solver/settings.hpp"

namespace frictionbench {

void describe_scaling(SettingFields& fields, Scaling& scaling) {
  fields.add(
      "scaling", scaling, {{"none", Scaling::none}, {"contacts", Scaling::contacts}},
      "contacts: solve in units in which every W_ii has mean diagonal 1 and q has size 1 (one "
      "factor per contact), while the answer and the tolerances stay in the units of the "
      "file; none: units of the file",
      "Jacobi equilibration, one factor per contact");
}

namespace {

// An empty result in the memory of another. Its reported numbers become NaN, and finish() drops those
// that are not reported again.
Result emptied(Result memory) {
  Result result;
  result.stage = std::move(memory.stage);
  result.message = std::move(memory.message);
  result.r = std::move(memory.r);
  result.reported = std::move(memory.reported);
  result.stage.clear();
  result.message.clear();
  for (auto& [name, value] : result.reported) value = std::numeric_limits<double>::quiet_NaN();
  return result;
}

}  // namespace

Solve::Solve(const SolverInfo& info, const ContactProblem& problem, const Limits& limits,
             Vector start, Observer& observer, Result memory)
    : info_(info),
      limits_(&limits),
      observer_(&observer),
      file_problem_(&problem),
      problem_(&problem),
      result_(emptied(std::move(memory))),
      work_(&result_.work),
      W_(&own_W_.emplace(*problem_, *work_)),
      most_iterations_(limits.max_iterations),
      answer_(std::move(start)) {}

void Solve::soften(const Vector& R) {
  eigen_assert(!whole_ && !scaling_ && R.size() == unknowns());
  result_.compliance = R;
  if (problem_->compliance().size() > 0) result_.compliance += problem_->compliance();
  own_problem_ = problem_->with_compliance(result_.compliance);
  problem_ = &*own_problem_;
  own_W_.emplace(*problem_, *work_);
}

Solve::Solve(Solve& whole, std::string stage, int most_iterations, Vector start)
    : info_(whole.info_),
      limits_(whole.limits_),
      observer_(whole.observer_),
      whole_(&whole),
      file_problem_(whole.file_problem_),
      problem_(whole.problem_),
      own_units_(whole.own_units_),
      work_(whole.work_),
      W_(whole.W_),
      most_iterations_(std::min(most_iterations, whole.most_iterations_ - whole.iteration_)),
      answer_(std::move(start)) {
  result_.stage = std::move(stage);
  if (!whole.has_best_) result_.r.swap(whole.result_.r);  // only its memory
}

void Solve::use(Scaling scaling) {
  if (whole_ || scaling == Scaling::none) return;
  scaling_ = ContactScaling::equilibrated(*file_problem_);
  own_problem_ = scaling_->apply(*file_problem_);
  problem_ = &*own_problem_;
  own_units_ =
      ResidualUnits{scaling_->impulse_units(), scaling_->velocity_units()}.times(limits_->units);
  own_W_.emplace(*problem_, *work_);
}

Vector Solve::start() const {
  if (starts_from_zero()) return Vector::Zero(unknowns());
  return scaling_ ? scaling_->impulse_to_scaled(answer_) : answer_;
}

Vector Solve::projected(Vector r) const {
  with_blocks(*problem_, [&](const auto& blocks) {
    for (Index i = 0; i < blocks.count(); ++i) {
      auto r_i = blocks.of(r, i);
      r_i = blocks.project(i, r_i);
    }
  });
  return r;
}

bool Solve::begin_iteration() {
  if (ended_) return false;
  if (iteration_ >= most_iterations_) {
    iteration_ = most_iterations_;
    end(Status::max_iterations, StopReason::iteration_limit);
    return false;
  }
  Solve& root = whole_ ? *whole_ : *this;
  if (!std::exchange(root.setup_shown_, true)) observer_->setup_finished();
  ++iteration_;
  return true;
}

ConeResiduals Solve::residuals(VectorView r, VectorView u) const {
  return cone_residuals(info_.model, *problem_, r, u, units(), info_.facets);
}

void Solve::show(const ConeResiduals& residuals, VectorView r, double penalty) {
  residuals_ = residuals;
  const int before = whole_ ? whole_->iteration_ : 0;
  observer_->iterated({before + iteration_, residuals, penalty});
  const double residual = residuals.max();
  if (!has_best_ ? std::isfinite(residual) : residual < best_residuals_.max()) {
    has_best_ = true;
    result_.r = r;
    best_residuals_ = residuals;
  }
  if (has_best_ && best_residuals_.max() < 0.99 * milestone_) {
    milestone_ = best_residuals_.max();
    milestone_iteration_ = iteration_;
  }
}

const ConeResiduals& Solve::judge(VectorView r, VectorView u, double penalty) {
  show(residuals(r, u), r, penalty);
  return residuals_;
}

bool Solve::ends(VectorView r, VectorView u, double penalty) {
  judge(r, u, penalty);
  return ends();
}

bool Solve::ends() { return ends_for(StopReason::residuals); }

bool Solve::ends_by(StopReason reason, const ConeResiduals& own, VectorView r, double penalty) {
  show(own, r, penalty);
  return ends_for(reason);
}

// An iterate within the tolerance is the best so far: an earlier one ended the solve, or counts as what it
// is in the file.
bool Solve::ends_for(StopReason reason) {
  if (is_within_tolerance(residuals_) && holds_in_file(result_.r))
    end(Status::converged, reason);
  else if (!std::isfinite(residuals_.max()))
    end(Status::diverged, StopReason::not_finite, "the iterate has infinite or NaN entries");
  else if (time_is_up())
    end(Status::time_limit, StopReason::time_limit);
  else if (hopeless_ && hopeless_(iteration_, residuals_))
    end(Status::max_iterations, StopReason::forecast);
  else if (iteration_ - milestone_iteration_ >= patience_)
    end(Status::stalled, StopReason::no_progress,
        fmt::format("no progress in {} iterations", patience_));
  return ended_;
}

void Solve::end(Status status, StopReason reason, std::string message) {
  ended_ = true;
  result_.status = status;
  result_.stop_reason = reason;
  result_.message = std::move(message);
}

// Whether r, which is within the tolerance, is so in the units of the file, too.
bool Solve::holds_in_file(const Vector& r) {
  const Solve& root = whole_ ? *whole_ : *this;
  if (!root.scaling_) return true;
  const ConeResiduals in_file = root.evaluated_in_file(root.scaling_->impulse_to_original(r));
  if (is_within_tolerance(in_file)) {
    residuals_in_file_ = in_file;
    return true;
  }
  best_residuals_ = in_file;
  if (!std::exchange(was_rounded_away_, true))
    most_iterations_ = std::min(most_iterations_, 2 * std::max(iteration_, 1));
  return false;
}

bool Solve::converge(const Vector& r, const ConeResiduals& residuals) {
  const bool holds = holds_in_file(r);
  if (holds || !has_best_) result_.r = r;
  has_best_ = true;
  if (!holds) return false;
  best_residuals_ = residuals;
  end(Status::converged, StopReason::residuals);
  return true;
}

void Solve::end_inaccurate(StopReason reason, const Vector& r, std::string message) {
  unsolved_answer_ = r;
  end(Status::inaccurate, reason, std::move(message));
}

void Solve::stall(std::string message) {
  end(Status::stalled, StopReason::no_progress, std::move(message));
}

void Solve::end_on_ray(std::string message) {
  end(Status::ray, StopReason::secondary_ray, std::move(message));
}

void Solve::end_in_cycle(std::string message) {
  end(Status::cycle, StopReason::repeated_basis, std::move(message));
}

void Solve::run_out_of_memory(std::string message) {
  end(Status::memory_limit, StopReason::memory_limit, std::move(message));
}

bool Solve::ends_for_time() {
  if (!time_is_up()) return false;
  end(Status::time_limit, StopReason::time_limit);
  return true;
}

void Solve::fail(std::string message) {
  end(Status::error, StopReason::failure, std::move(message));
}

void Solve::refuse(std::string message) {
  end(Status::refused, StopReason::none, std::move(message));
}

void Solve::to_file_units(Vector& r) const {
  const Solve& root = whole_ ? *whole_ : *this;
  if (root.scaling_) r = root.scaling_->impulse_to_original(r);
}

// Those of a stage are the whole's. A name that an earlier result had is found without an allocation.
double& Solve::reported(std::string_view name) {
  if (whole_) return whole_->reported(name);
  const auto found = result_.reported.find(name);
  return found != result_.reported.end() ? found->second : result_.reported[std::string(name)];
}

void Solve::add_to_reported(std::string_view name, double value) {
  double& sum = reported(name);
  sum = std::isnan(sum) ? value : sum + value;
}

Result Solve::finish() {
  if (!ended_ && was_rounded_away_)
    end(Status::inaccurate, StopReason::residuals, rounded_away);
  else if (!ended_)
    end(Status::error, StopReason::failure, "the method returned without ending the solve");

  const bool unsolved = result_.status != Status::converged && unsolved_answer_;
  ConeResiduals of_answer = unsolved || !has_best_ ? residuals_ : best_residuals_;
  if (unsolved)
    result_.r.swap(*unsolved_answer_);
  else if (!has_best_)
    result_.r = starts_from_zero() ? Vector::Zero(unknowns()) : std::move(answer_);
  if (unsolved || has_best_ || whole_) to_file_units(result_.r);

  const Status status = result_.status;
  if (status == Status::converged && residuals_in_file_) of_answer = *residuals_in_file_;
  if (was_rounded_away_ && (status == Status::stalled || status == Status::max_iterations ||
                            status == Status::inaccurate)) {
    result_.status = Status::inaccurate;
    result_.message = rounded_away;
  }
  residuals_ = of_answer;
  if (of_answer.worst_contact >= 0) {
    report("primal", of_answer.primal);
    report("dual", of_answer.dual);
    report("complementarity", of_answer.complementarity);
  }
  result_.iterations = iteration_;
  std::erase_if(result_.reported, [](const auto& entry) { return std::isnan(entry.second); });
  return std::move(result_);
}

// Rounding differs between the units of the solver and those of the file.
ConeResiduals Solve::evaluated_in_file(const Vector& r) const {
  const DelassusOperator W(*file_problem_, *work_);
  return cone_residuals(info_.model, *file_problem_, r, W.velocity(r), limits_->units,
                        info_.facets);
}

double Solve::residual_of(const Vector& r) const {
  const double residual = residuals(r, W_->velocity(r)).max();
  return std::isfinite(residual) ? residual : std::numeric_limits<double>::infinity();
}

bool Solve::take(Solve& stage) {
  Result found = stage.finish();
  iteration_ += found.iterations;
  if (found.status == Status::converged) residuals_in_file_ = stage.residuals();
  end(found.status, found.stop_reason, std::move(found.message));
  fmt::memory_buffer name;  // on the stack
  fmt::format_to(std::back_inserter(name), "{} iterations", found.stage);
  add_to_reported({name.data(), name.size()}, found.iterations);
  result_.stage = std::move(found.stage);

  const bool solved = found.status == Status::converged;
  const auto is_no_worse = [&] {
    const double before = residual_of(start());
    return residual_of(scaling_ ? scaling_->impulse_to_scaled(found.r) : found.r) <= before;
  };
  if (solved || is_no_worse()) answer_.swap(found.r);
  if (!has_best_) result_.r.swap(found.r);  // its memory, for the next stage
  return solved || found.status == Status::time_limit || iteration_ >= most_iterations_;
}

}  // namespace frictionbench
