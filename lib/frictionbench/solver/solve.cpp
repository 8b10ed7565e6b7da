#include "frictionbench/solver/solve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "frictionbench/math/friction_cone.hpp"
#include "frictionbench/problem/islands.hpp"
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

constexpr const char* rounded_away =
    "solved in scaled units, but rounding exceeds the tolerance in the units of the file";
constexpr double after_rounding = 1.0 / 3;  // of the tolerance, for stages after such an answer

// Reports of stages: "sweeps iterations".
bool is_sum(const std::string& reported) { return reported.ends_with(" iterations"); }

// Numbers the iterations of an island after those of the islands before.
class OneOfMany final : public Observer {
 public:
  OneOfMany(Observer& whole, int before) : whole_(whole), before_(before) {}
  void iterated(const Iterate& iterate) override {
    whole_.iterated({before_ + iterate.iteration, iterate.residuals, iterate.penalty});
  }

 private:
  Observer& whole_;
  int before_;
};

Vector part_of_units(const Vector& units, const std::vector<Index>& contacts) {
  return units.size() > 0 ? part_of(units, contacts, 1) : Vector();
}

}  // namespace

Solve::Solve(const SolverInfo& info, const ContactProblem& problem, const Limits& limits,
             Vector start, Observer& observer)
    : info_(info),
      limits_(limits),
      observer_(&observer),
      file_problem_(&problem),
      problem_(&problem),
      residual_units_(limits.units),
      work_(&result_.work),
      most_iterations_(limits.max_iterations),
      answer_(std::move(start)) {
  W_.emplace(*problem_, *work_);
}

void Solve::soften(const Vector& R) {
  eigen_assert(!whole_ && !scaling_ && R.size() == unknowns());
  result_.compliance = R;
  if (problem_->compliance().size() > 0) result_.compliance += problem_->compliance();
  own_problem_ = problem_->with_compliance(result_.compliance);
  problem_ = &*own_problem_;
  W_.emplace(*problem_, *work_);
}

Solve::Solve(Solve& whole, std::string stage, int most_iterations, Vector start)
    : info_(whole.info_),
      limits_(whole.limits_),
      observer_(whole.observer_),
      whole_(&whole),
      file_problem_(whole.file_problem_),
      problem_(whole.problem_),
      residual_units_(whole.residual_units_),
      work_(whole.work_),
      most_iterations_(std::min(most_iterations, whole.most_iterations_ - whole.iteration_)),
      answer_(std::move(start)) {
  limits_.tolerance *= whole.stage_tolerance_;
  W_.emplace(*problem_, *work_);
  result_.stage = std::move(stage);
}

void Solve::use(Scaling scaling) {
  if (whole_ || scaling == Scaling::none) return;
  scaling_ = ContactScaling::equilibrated(*file_problem_);
  own_problem_ = scaling_->apply(*file_problem_);
  problem_ = &*own_problem_;
  residual_units_ =
      ResidualUnits{scaling_->impulse_units(), scaling_->velocity_units()}.times(limits_.units);
  W_.emplace(*problem_, *work_);
}

Vector Solve::projected(Vector r) const {
  with_dimension(problem_->dimension(), [&](auto dim) {
    for (Index i = 0; i < contacts(); ++i) {
      auto r_i = r.segment<dim()>(dim() * i);
      r_i = project_on_cone(r_i, mu(i));
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

ConeResiduals Solve::residuals(const Vector& r, const Vector& u) const {
  return cone_residuals(info_.model, *problem_, r, u, residual_units_, info_.facets);
}

void Solve::show(const ConeResiduals& residuals, const Vector& r, double penalty) {
  residuals_ = residuals;
  const int before = whole_ ? whole_->iteration_ : 0;
  observer_->iterated({before + iteration_, residuals, penalty});
  const double residual = residuals.max();
  if (!best_ ? std::isfinite(residual) : residual < best_residuals_.max()) {
    best_ = r;
    best_residuals_ = residuals;
  }
  if (best_ && best_residuals_.max() < 0.99 * milestone_) {
    milestone_ = best_residuals_.max();
    milestone_iteration_ = iteration_;
  }
}

const ConeResiduals& Solve::judge(const Vector& r, const Vector& u, double penalty) {
  show(residuals(r, u), r, penalty);
  return residuals_;
}

bool Solve::ends(const Vector& r, const Vector& u, double penalty) {
  judge(r, u, penalty);
  return ends();
}

bool Solve::ends() { return ends_for(StopReason::residuals); }

bool Solve::ends_by(StopReason reason, const ConeResiduals& own, const Vector& r, double penalty) {
  show(own, r, penalty);
  return ends_for(reason);
}

// An iterate within the tolerance is the best so far: an earlier one would have ended the solve.
bool Solve::ends_for(StopReason reason) {
  if (is_within_tolerance(residuals_))
    end(Status::converged, reason);
  else if (!std::isfinite(residuals_.max()))
    end(Status::diverged, StopReason::not_finite, "the iterate has infinite or NaN entries");
  else if (limits_.time_is_up())
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

void Solve::converge(const Vector& r, const ConeResiduals& residuals) {
  best_ = r;
  best_residuals_ = residuals;
  end(Status::converged, StopReason::residuals);
}

void Solve::end_inaccurate(StopReason reason, const Vector& r, std::string message) {
  unsolved_answer_ = r;
  end(Status::inaccurate, reason, std::move(message));
}

void Solve::stall(std::string message) {
  end(Status::stalled, StopReason::no_progress, std::move(message));
}

void Solve::fail(std::string message) {
  end(Status::error, StopReason::failure, std::move(message));
}

void Solve::refuse(std::string message) {
  end(Status::refused, StopReason::none, std::move(message));
}

Vector Solve::in_file_units(const Vector& r) const {
  const Solve& root = whole_ ? *whole_ : *this;
  return root.scaling_ ? root.scaling_->impulse_to_original(r) : r;
}

Result Solve::finish() {
  if (!ended_)
    end(Status::error, StopReason::failure, "the method returned without ending the solve");

  const bool unsolved = result_.status != Status::converged && unsolved_answer_;
  if (unsolved)
    result_.r = in_file_units(*unsolved_answer_);
  else
    result_.r = best_ || whole_ ? in_file_units(best_ ? *best_ : answer_) : answer_;
  ConeResiduals of_answer = unsolved || !best_ ? residuals_ : best_residuals_;

  if (scaling_ && result_.status == Status::converged) {
    of_answer = file_residuals_ ? *file_residuals_ : residuals_in_file(result_.r);
    if (!is_within_tolerance(of_answer)) {
      result_.status = Status::inaccurate;
      result_.message = rounded_away;
    }
  }
  if (of_answer.worst_contact >= 0) {
    report("primal", of_answer.primal);
    report("dual", of_answer.dual);
    report("complementarity", of_answer.complementarity);
  }
  result_.iterations = iteration_;
  return std::move(result_);
}

bool Solve::solves_apart(const std::function<void(Solve&)>& method) {
  eigen_assert(!whole_ && !scaling_ && result_.compliance.size() == 0);
  auto groups = members(islands(*problem_));
  if (groups.size() < 2) return false;
  // The smallest first: the one that time runs out on is to be the most difficult.
  std::stable_sort(groups.begin(), groups.end(),
                   [](const auto& a, const auto& b) { return a.size() < b.size(); });
  if (!std::exchange(setup_shown_, true)) observer_->setup_finished();

  const Index dim = problem_->dimension();
  Vector r = answer_;
  Result decisive;  // of an unsolved island, else of the one that took most iterations
  decisive.status = Status::converged;
  for (const std::vector<Index>& contacts : groups) {
    const ContactProblem part = part_of(*problem_, contacts);
    Limits limits = limits_;
    limits.units = {part_of_units(limits_.units.impulse, contacts),
                    part_of_units(limits_.units.velocity, contacts)};
    limits.max_iterations = most_iterations_ - iteration_;
    OneOfMany observer(*observer_, iteration_);
    Solve solve(info_, part, limits, part_of(r, contacts, dim), observer);
    method(solve);
    Result found = solve.finish();

    *work_ += found.work;
    iteration_ += found.iterations;
    for (const auto& [name, value] : found.reported)
      if (is_sum(name)) result_.reported[name] += value;
    set_part(r, contacts, dim, found.r);
    const bool solved = found.status == Status::converged;
    if (decisive.status == Status::converged &&
        (!solved || found.iterations >= decisive.iterations))
      decisive = std::move(found);
  }

  result_.stage = decisive.stage;
  judge(r, W_->velocity(r));
  if (is_within_tolerance(residuals_))
    end(Status::converged, StopReason::residuals);
  else if (decisive.status == Status::converged)
    end(Status::inaccurate, decisive.stop_reason, rounded_away);
  else
    end(decisive.status, decisive.stop_reason, std::move(decisive.message));
  return true;
}

// Rounding differs between the units of the solver and those of the file.
ConeResiduals Solve::residuals_in_file(const Vector& r) const {
  const DelassusOperator W(*file_problem_, *work_);
  return cone_residuals(info_.model, *file_problem_, r, W.velocity(r), limits_.units, info_.facets);
}

double Solve::residual_of_answer(const Vector& r) const {
  const Vector own = scaling_ ? scaling_->impulse_to_scaled(r) : r;
  const double residual = residuals(own, W_->velocity(own)).max();
  return std::isfinite(residual) ? residual : std::numeric_limits<double>::infinity();
}

bool Solve::take(Solve& stage) {
  Result found = stage.finish();
  iteration_ += found.iterations;
  if (scaling_ && found.status == Status::converged) {
    file_residuals_ = residuals_in_file(found.r);
    if (!is_within_tolerance(*file_residuals_)) {
      found.status = Status::inaccurate;
      found.message = rounded_away;
      stage_tolerance_ = after_rounding;
    }
  }
  end(found.status, found.stop_reason, std::move(found.message));
  result_.stage = found.stage;
  for (const auto& [name, value] : found.reported) report(name, value);
  result_.reported[found.stage + " iterations"] += found.iterations;

  const bool solved = found.status == Status::converged;
  if (solved || residual_of_answer(found.r) <= residual_of_answer(answer_))
    answer_ = std::move(found.r);
  return solved || found.status == Status::time_limit || iteration_ >= most_iterations_;
}

}  // namespace frictionbench
