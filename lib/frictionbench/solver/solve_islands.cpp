// Solve::solves_apart(): the islands of a problem, one solve each.
#include <algorithm>
#include <limits>
#include <utility>

#include "frictionbench/linalg/shifted_cholesky.hpp"
#include "frictionbench/problem/islands.hpp"
#include "frictionbench/problem/part.hpp"
#include "frictionbench/solver/solve.hpp"

namespace frictionbench {

namespace {

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

// The blocks of each island, none if there is only one. The smallest first: the one that time runs out
// on is to be the most difficult.
std::vector<std::vector<Index>> islands_by_size(const ContactProblem& problem) {
  auto islands = several_islands(problem);
  std::stable_sort(islands.begin(), islands.end(),
                   [](const auto& a, const auto& b) { return a.size() < b.size(); });
  return islands;
}

// Of an island: local where no method factors through the global form, which takes longer to set up than
// most small islands take to solve.
ProblemForm form_of(const ContactProblem& whole, const std::vector<Index>& blocks) {
  Index rows = 0;
  for (const Index i : blocks) rows += whole.block_rows(i);
  return whole.global() && rows > CholeskyRule{}.largest_dense ? ProblemForm::global
                                                               : ProblemForm::local;
}

// What the solves of the islands so far say of the whole.
struct Summary {
  ConeResiduals residuals;  // the largest
  bool is_known = true;     // whether those are
  // Of an unsolved island, else of the one that took most iterations. Copied without its impulse and
  // reports, whose memory goes to the next island.
  Result decisive;

  Summary() { decisive.status = Status::converged; }

  void add(const std::vector<Index>& blocks, const Result& found, const ConeResiduals& own) {
    const bool solved = found.status == Status::converged;
    is_known = is_known && solved && found.stop_reason == StopReason::residuals &&
               own.worst_contact >= 0 && found.compliance.size() == 0;
    if (is_known)
      residuals.take_contact(blocks[static_cast<std::size_t>(own.worst_contact)], own, 1, 1);
    if (decisive.status == Status::converged &&
        (!solved || found.iterations >= decisive.iterations)) {
      decisive.status = found.status;
      decisive.stop_reason = found.stop_reason;
      decisive.stage = found.stage;
      decisive.message = found.message;
      decisive.iterations = found.iterations;
    }
  }
};

}  // namespace

bool Solve::solves_apart(const std::function<void(Solve&)>& method) {
  eigen_assert(!whole_ && !scaling_ && result_.compliance.size() == 0);
  const auto islands = islands_by_size(*problem_);
  if (islands.empty()) return false;
  if (!std::exchange(setup_shown_, true)) observer_->setup_finished();

  Vector r = start();
  Summary summary;
  Result found;
  for (const std::vector<Index>& blocks : islands) {
    const ContactProblem part = part_of(*problem_, blocks, form_of(*problem_, blocks));
    const Limits limits{.tolerance = tolerance(),
                        .units = {blocks_of(limits_->units.impulse, blocks),
                                  blocks_of(limits_->units.velocity, blocks)},
                        .max_iterations = most_iterations_ - iteration_,
                        .deadline = limits_->deadline};
    OneOfMany observer(*observer_, iteration_);
    Solve solve(info_, part, limits,
                starts_from_zero() ? Vector() : rows_of(*problem_, answer_, blocks), observer,
                std::exchange(found, {}));
    method(solve);
    found = solve.finish();

    *work_ += found.work;
    iteration_ += found.iterations;
    for (const auto& [name, value] : found.reported)
      if (is_sum(name)) add_to_reported(name, value);
    set_rows(*problem_, r, blocks, found.r);
    summary.add(blocks, found, solve.residuals());
  }

  Result& decisive = summary.decisive;
  result_.stage = decisive.stage;
  if (summary.is_known)
    show(summary.residuals, r, std::numeric_limits<double>::quiet_NaN());
  else
    judge(r, W_->velocity(r));
  if (is_within_tolerance(residuals_))
    end(Status::converged, StopReason::residuals);
  else if (decisive.status == Status::converged)
    end(Status::inaccurate, decisive.stop_reason, rounded_away);
  else
    end(decisive.status, decisive.stop_reason, std::move(decisive.message));
  return true;
}

}  // namespace frictionbench
