#include "frictionbench/solvers/pivoting/boxed_pivots.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <tuple>
#include <utility>

namespace frictionbench::solvers {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

}  // namespace

// How far x_i goes, and which row stops it; none: -1.
struct BoxedPivots::Step {
  double length = infinity;
  Index row = -1;
  Set to = Set::clamped;

  void shorten(double other_length, Index other_row, Set other_to) {
    if (!(other_length < length)) return;
    length = std::max(0.0, other_length);
    row = other_row;
    to = other_to;
  }
};

BoxedPivots::BoxedPivots(const Matrix& A, const PivotRun& run)
    : A_(&A), run_(&run), ldlt_(A.rows(), run.work), set_(at(A.rows()), Set::waiting) {}

LcpEnd BoxedPivots::solve(
    const Vector& b, const std::function<std::pair<double, double>(Index, const Vector&)>& bounds) {
  ldlt_.clear();
  clamped_.clear();
  set_.assign(at(size()), Set::waiting);
  x_.setZero(size());
  w_ = b;
  lo_.setZero(size());
  hi_.setZero(size());
  for (Index i = 0; i < size(); ++i) {
    std::tie(lo_[i], hi_[i]) = bounds(i, x_);
    if (const LcpEnd end = drive(i); end != LcpEnd::solved) return end;
  }
  return LcpEnd::solved;
}

LcpEnd BoxedPivots::drive(Index i) {
  Set& own = set_[at(i)];
  if (lo_[i] == hi_[i] || (w_[i] >= 0 && lo_[i] == 0)) {
    own = Set::low;
    return LcpEnd::solved;
  }
  if (w_[i] <= 0 && hi_[i] == 0) {
    own = Set::high;
    return LcpEnd::solved;
  }
  // Steps of length 0 may lead back to the same sets.
  std::set<std::vector<Set>> at_this_point;
  while (true) {
    if (!run_->begin_pivot()) return LcpEnd::interrupted;
    const double direction = w_[i] < 0 ? 1 : -1;
    const Vector along = -direction * ldlt_.solve(column_of_clamped(i));
    Vector dx = Vector::Zero(size());
    dx[i] = direction;
    for (std::size_t k = 0; k < clamped_.size(); ++k)
      dx[clamped_[k]] = along[static_cast<Index>(k)];
    Vector dw = direction * A_->col(i);
    for (const Index j : clamped_) dw += dx[j] * A_->col(j);
    if (!dw.allFinite()) return LcpEnd::singular;

    const Step step = longest_step(i, direction, dx, dw);
    if (step.row < 0) return LcpEnd::ray;
    x_ += step.length * dx;
    w_ += step.length * dw;
    for (const Index j : clamped_) w_[j] = 0;
    PivotingWork(run_->work).count_pivot();
    if (step.length > 0) at_this_point.clear();

    const Index j = step.row;
    if (step.to == Set::clamped) {
      w_[j] = 0;
      if (!enter_clamped(j)) return LcpEnd::singular;
    } else {
      x_[j] = step.to == Set::low ? lo_[j] : hi_[j];
      if (set_[at(j)] == Set::clamped) leave_clamped(j);
      set_[at(j)] = step.to;
    }
    if (j == i) return LcpEnd::solved;
    if (!at_this_point.insert(set_).second) return LcpEnd::cycle;
  }
}

BoxedPivots::Step BoxedPivots::longest_step(Index i, double direction, const Vector& dx,
                                            const Vector& dw) const {
  Step step;
  if (dw[i] * direction > 0) step.shorten(-w_[i] / dw[i], i, Set::clamped);
  const auto bound = [&](Index j) {
    if (dx[j] > 0 && hi_[j] < infinity) step.shorten((hi_[j] - x_[j]) / dx[j], j, Set::high);
    if (dx[j] < 0 && lo_[j] > -infinity) step.shorten((lo_[j] - x_[j]) / dx[j], j, Set::low);
  };
  bound(i);
  for (Index j = 0; j < i; ++j) {
    const Set set = set_[at(j)];
    if (set == Set::clamped)
      bound(j);
    else if (lo_[j] < hi_[j] && (set == Set::low ? dw[j] < 0 : dw[j] > 0))
      step.shorten(-w_[j] / dw[j], j, Set::clamped);
  }
  return step;
}

Vector BoxedPivots::column_of_clamped(Index i) const {
  Vector a(static_cast<Index>(clamped_.size()));
  for (std::size_t k = 0; k < clamped_.size(); ++k)
    a[static_cast<Index>(k)] = (*A_)(clamped_[k], i);
  return a;
}

bool BoxedPivots::enter_clamped(Index i) {
  if (!ldlt_.append(column_of_clamped(i), (*A_)(i, i))) return false;
  clamped_.push_back(i);
  set_[at(i)] = Set::clamped;
  return true;
}

void BoxedPivots::leave_clamped(Index i) {
  const auto place = std::find(clamped_.begin(), clamped_.end(), i);
  ldlt_.drop(place - clamped_.begin());
  clamped_.erase(place);
}

bool BoxedPivots::solve_by_last_sets(const Vector& b, const Vector& lo, const Vector& hi) {
  x_.setZero();
  for (Index i = 0; i < size(); ++i) {
    if (set_[at(i)] == Set::waiting) return false;
    if (set_[at(i)] == Set::low) x_[i] = lo[i];
    if (set_[at(i)] == Set::high) x_[i] = hi[i];
  }
  const Vector fixed = *A_ * x_ + b;
  Vector right(static_cast<Index>(clamped_.size()));
  for (std::size_t k = 0; k < clamped_.size(); ++k)
    right[static_cast<Index>(k)] = -fixed[clamped_[k]];
  const Vector found = ldlt_.solve(right);
  w_ = fixed;
  for (std::size_t k = 0; k < clamped_.size(); ++k) {
    x_[clamped_[k]] = found[static_cast<Index>(k)];
    w_ += x_[clamped_[k]] * A_->col(clamped_[k]);
  }
  for (Index i = 0; i < size(); ++i) {
    const bool holds = set_[at(i)] == Set::clamped ? x_[i] >= lo[i] && x_[i] <= hi[i]
                       : lo[i] == hi[i]            ? true
                       : set_[at(i)] == Set::low   ? w_[i] >= 0
                                                   : w_[i] <= 0;
    if (!holds) return false;
  }
  return true;
}

}  // namespace frictionbench::solvers
