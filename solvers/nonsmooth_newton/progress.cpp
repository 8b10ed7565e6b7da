#include "frictionbench/solvers/nonsmooth_newton/progress.hpp"

#include <fmt/format.h>

#include "frictionbench/solver/stopping.hpp"

namespace frictionbench::solvers {

bool Progress::ends(const Vector& r, const Vector& u) {
  residuals_ = cone_residuals(ContactModel::ncp, problem_, r, u);
  if (residuals_.max() < best_ || result_.r.size() == 0) {
    best_ = residuals_.max();
    result_.r = r;
  }
  if (best_ < 0.99 * milestone_) {
    milestone_ = best_;
    last_milestone_ = result_.iterations;
  }
  if (stop_on_residuals(residuals_, limits_, result_)) {
    if (result_.status == Status::converged) result_.r = r;
    return true;
  }
  if (result_.iterations - last_milestone_ < patience_) return false;
  result_.status = Status::stalled;
  result_.message = fmt::format("no progress in {} iterations", patience_);
  return true;
}

}  // namespace frictionbench::solvers
