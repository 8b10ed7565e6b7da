#include <utility>

#include "frictionbench/sets/internal/parameters.hpp"
#include "frictionbench/sets/sets.hpp"

namespace frictionbench {

namespace {

// { x : x + (c, 0, 0) in K }, K a friction cone, c the cohesion.
class CohesiveCone final : public ConstraintSet {
 public:
  CohesiveCone(SetPointer cone, double cohesion) : cone_(std::move(cone)), cohesion_(cohesion) {}

  std::string_view kind() const override { return dimension() == 2 ? "cohesive2d" : "cohesive"; }
  std::vector<double> parameters() const override { return {*cone_->mu(), cohesion_}; }
  Index dimension() const override { return cone_->dimension(); }

  BlockVector project(const BlockVector& x) const override {
    const BlockVector y = in_cone(x);
    BlockVector projected = cone_->project(y);
    if (projected == y) return x;  // without the round-off of the shift
    projected[0] -= cohesion_;
    return projected;
  }
  BlockMatrix projection_jacobian(const BlockVector& x) const override {
    return cone_->projection_jacobian(in_cone(x));
  }

  double dual_distance(const BlockVector& u) const override { return cone_->dual_distance(u); }
  double support(const BlockVector& v) const override { return -cohesion_ * v[0]; }  // at the apex

  // W r + free = W (r + c) + (free - W c), c the shift.
  std::optional<BlockVector> solve_alone(const BlockMatrix& W,
                                         const BlockVector& free) const override {
    std::optional<BlockVector> r = cone_->solve_alone(W, free - cohesion_ * W.col(0));
    (*r)[0] -= cohesion_;
    return r;
  }

  std::optional<ConicForm> conic_form() const override {
    std::optional<ConicForm> form = cone_->conic_form();
    form->offset[0] -= cohesion_;
    return form;
  }

  double correction(const BlockVector& u) const override { return cone_->correction(u); }
  BlockVector correction_gradient(const BlockVector& u, const BlockVector& r) const override {
    return cone_->correction_gradient(u, r);  // only the tangential part of r matters
  }

  std::shared_ptr<const ConstraintSet> divided(double factor) const override {
    if (cohesion_ == 0) return nullptr;
    return std::make_shared<CohesiveCone>(cone_, cohesion_ / factor);
  }

  std::optional<double> mu() const override { return cone_->mu(); }
  Index friction_rows() const override { return cone_->friction_rows(); }

 private:
  BlockVector in_cone(const BlockVector& x) const {
    return x + cohesion_ * BlockVector::Unit(x.size(), 0);
  }

  SetPointer cone_;
  double cohesion_;
};

}  // namespace

SetPointer cohesive_cone(double mu, double cohesion, int dimension) {
  const char* const name = dimension == 2 ? "cohesive2d" : "cohesive";
  checked(name, "mu", mu, at_least(0));
  checked(name, "cohesion", cohesion, at_least(0));
  return std::make_shared<CohesiveCone>(friction_cone(mu, dimension), cohesion);
}

}  // namespace frictionbench
