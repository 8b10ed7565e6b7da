#include "frictionbench/solvers/lcp_iterative/fischer_newton.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace frictionbench::solvers {

namespace {

// phi, without cancellation where both are positive.
double fischer_burmeister(double a, double b) {
  const double s = std::hypot(a, b);
  return a + b > 0 ? -2 * a * b / (s + a + b) : s - a - b;
}

}  // namespace

FischerNewton::FischerNewton(const FischerNewtonRule& rule, const ContactVariables& contacts,
                             const ContactProblem& problem, WorkCounters& work)
    : rule_(&rule),
      variables_(&contacts),
      q_(&problem.local().q),
      W_(problem.local().W, work.products),
      trials_(work),
      lu_(problem.local().W, problem.dimension(), work, ShiftableMatrix::Pattern::whole_blocks),
      dimension_(problem.dimension()),
      merits_(rule.memory) {
  for (Index i = 0; i < contacts.contacts(); ++i) contacts_.push_back({contacts.block(i)});
}

void FischerNewton::start(Vector z) { at_ = point(std::move(z)); }

FischerNewton::Point FischerNewton::point(Vector z) const {
  Point point;
  point.r = variables_->impulse(z);
  point.u = W_.times(point.r) + *q_;
  point.w = variables_->impulse_matrix().transpose() * point.u + variables_->friction_matrix() * z;
  point.phi = z.binaryExpr(point.w, &fischer_burmeister);
  point.merit = point.phi.squaredNorm() / 2;
  point.z = std::move(z);
  return point;
}

// Of phi(a, b); NaN where both are zero.
FischerNewton::Element FischerNewton::derivatives(const Vector& a, const Vector& b) {
  const Vector s = (a.cwiseAbs2() + b.cwiseAbs2()).cwiseSqrt();
  return {a.cwiseQuotient(s).array() - 1, b.cwiseQuotient(s).array() - 1};
}

// Where z_i = w_i = 0, the limit of the derivatives on the way from z in the direction of all these i.
FischerNewton::Element FischerNewton::element() const {
  Element V = derivatives(at_.z, at_.w);
  const Vector way =
      V.p.array().isFinite().select(Vector::Zero(V.p.size()), Vector::Ones(V.p.size()));
  if (way.isZero()) return V;
  const Vector change =
      variables_->impulse_matrix().transpose() * W_.times(variables_->impulse(way)) +
      variables_->friction_matrix() * way;
  const Element limit = derivatives(way, change);
  for (Index i = 0; i < way.size(); ++i) {
    if (way[i] == 0) continue;
    V.p[i] = limit.p[i];
    V.q[i] = limit.q[i];
  }
  return V;
}

Vector FischerNewton::gradient(const Element& V) const {
  const Vector y = V.q.cwiseProduct(at_.phi);
  return V.p.cwiseProduct(at_.phi) +
         variables_->impulse_matrix().transpose() * W_.transposed_times(variables_->impulse(y)) +
         variables_->friction_matrix().transpose() * y;
}

// \returns false if V is singular.
bool FischerNewton::newton_direction(const Element& V, Vector& d) {
  const double error = at_.phi.norm() / std::sqrt(static_cast<double>(at_.z.size()));
  const double beta = rule_->damping * std::min(1.0, error);
  const auto count = static_cast<Index>(contacts_.size());
  BlockDiagonal T(dimension_, count), S(dimension_, count);
  Vector dr(dimension_ * count);
  for (Index i = 0; i < count; ++i) {
    auto& [block, qr] = contacts_[static_cast<std::size_t>(i)];
    const Index size = block.B.cols();
    const Vector p = V.p(block.places), q = V.q(block.places);
    Matrix G(size + dimension_, size);
    G << q.asDiagonal() * block.F, -block.B;
    G.diagonal() += p + beta * q;
    qr.compute(G);
    // The last columns of Q are orthogonal to all of G.
    Matrix N = Matrix::Identity(size + dimension_, size + dimension_).rightCols(dimension_);
    N.applyOnTheLeft(qr.householderQ());
    T.block(i) = N.topRows(size).transpose() * q.asDiagonal() * block.B.transpose();
    S.block(i) = N.bottomRows(dimension_).transpose();
    dr.segment(dimension_ * i, dimension_) = -N.topRows(size).transpose() * at_.phi(block.places);
  }
  if (!lu_.factorize(T, S)) return false;
  lu_.solve_in_place(dr);
  const Vector du = W_.times(dr);

  d.resize(at_.z.size());
  for (Index i = 0; i < count; ++i) {
    const auto& [block, qr] = contacts_[static_cast<std::size_t>(i)];
    const auto du_i = du.segment(dimension_ * i, dimension_);
    Vector rest(block.B.cols() + dimension_);
    rest << -at_.phi(block.places) - V.q(block.places).cwiseProduct(block.B.transpose() * du_i),
        -dr.segment(dimension_ * i, dimension_);
    d(block.places) = qr.solve(rest);
  }
  return d.allFinite();
}

bool FischerNewton::step_along(const Vector& d, double slope) {
  const double reference = merits_.largest();
  double t = 1;
  for (int k = 0; k <= rule_->halvings; ++k, t /= 2) {
    trials_.count();
    Vector z = at_.z + t * d;
    if (rule_->project) z = z.cwiseMax(0);
    Point next = point(std::move(z));
    if (!(next.merit <= reference + rule_->decrease * t * slope)) continue;
    at_ = std::move(next);
    return true;
  }
  return false;
}

FischerNewton::Step FischerNewton::advance() {
  merits_.add(at_.merit);
  const Element V = element();
  const Vector uphill = gradient(V);
  Vector d;
  if (newton_direction(V, d)) {
    const double slope = uphill.dot(d);
    if (slope <= -rule_->descent * std::pow(d.norm(), rule_->power) && step_along(d, slope))
      return Step::newton;
  }
  return step_along(-uphill, -uphill.squaredNorm()) ? Step::gradient : Step::none;
}

}  // namespace frictionbench::solvers
