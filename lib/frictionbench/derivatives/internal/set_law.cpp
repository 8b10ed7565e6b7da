#include "frictionbench/derivatives/internal/set_law.hpp"

namespace frictionbench {

namespace {

// Between P' on both sides of a kink, in its largest entry. Away from kinks P' changes by as much as x
// does, relative to its length.
constexpr double jump = 0.05;

}  // namespace

SetLaw::SetLaw(const ConstraintSet& set, ContactModel model, double w, double tolerance,
               const BlockVector& r, const BlockVector& u)
    : set_(&set), w_(w), reach_(tolerance / w), J_(BlockMatrix::Identity(r.size(), r.size())) {
  BlockVector corrected = u;
  if (model == ContactModel::ncp) {
    corrected = set.corrected(u);
    J_.row(0) += set.correction_gradient(u, r).transpose();
  }
  x_ = r - corrected / w;
  P_ = set.projection_jacobian(x_);
  for (Index k = 0; k < r.size() && !is_at_kink_; ++k) {
    const BlockVector axis = BlockVector::Unit(r.size(), k);
    is_at_kink_ = differs(beside(axis)) || differs(beside(-axis));
  }
}

BlockMatrix SetLaw::by_impulse() const { return BlockMatrix::Identity(P_.rows(), P_.cols()) - P_; }

bool SetLaw::follows(const BlockVector& dr, const BlockVector& du) {
  const BlockVector dx = dr - J_ * du / w_;
  if (dx.norm() == 0) return false;
  const BlockMatrix P = beside(2 * dx / dx.norm());
  if (!differs(P)) return false;
  P_ = P;
  return true;
}

BlockMatrix SetLaw::beside(const BlockVector& direction) const {
  return set_->projection_jacobian(x_ + reach_ * direction);
}

bool SetLaw::differs(const BlockMatrix& P) const { return (P - P_).cwiseAbs().maxCoeff() > jump; }

}  // namespace frictionbench
