#include "frictionbench/solvers/hybrid/stages.hpp"

#include <algorithm>
#include <utility>

#include "frictionbench/linalg/delassus_operator.hpp"

namespace frictionbench::solvers {

namespace {

// Passes on what a later stage shows as a continuation of the earlier ones.
class Continuation final : public Observer {
 public:
  Continuation(Observer& observer, int before) : observer_(observer), before_(before) {}

  void setup_finished() override {
    if (before_ == 0) observer_.setup_finished();
  }
  void iterated(const Iterate& iterate) override {
    Iterate continued = iterate;
    continued.iteration += before_;
    observer_.iterated(continued);
  }

 private:
  Observer& observer_;
  int before_;
};

}  // namespace

Stages::Stages(const ContactProblem& problem, const Limits& limits, Observer& observer,
               Result begun)
    : problem_(problem), limits_(limits), observer_(observer), result_(std::move(begun)) {}

double Stages::residual(const Vector& r) {
  const Vector u = DelassusOperator(problem_, result_.work).velocity(r);
  const double residual = cone_residuals(ContactModel::ncp, problem_, r, u).max();
  return std::isfinite(residual) ? residual : std::numeric_limits<double>::infinity();
}

bool Stages::run(const std::string& name, int most_iterations, const Stage& stage) {
  Limits limits = limits_;
  limits.max_iterations = std::min(most_iterations, limits_.max_iterations - result_.iterations);
  if (limits.max_iterations <= 0) return result_.iterations >= limits_.max_iterations;

  Continuation observer(observer_, result_.iterations);
  Result answer = stage(limits, {result_.r}, observer);
  result_.work += answer.work;
  result_.iterations += answer.iterations;
  result_.status = answer.status;
  result_.message = answer.message;
  result_.fired = answer.status == Status::converged ? name : answer.fired;
  for (const auto& [claim, value] : answer.claimed) result_.claimed[claim] = value;
  result_.claimed[name + " iterations"] += answer.iterations;
  if (answer.status == Status::converged || residual(answer.r) <= residual(result_.r))
    result_.r = std::move(answer.r);
  return answer.status == Status::converged || answer.status == Status::time_limit ||
         result_.iterations >= limits_.max_iterations;
}

}  // namespace frictionbench::solvers
