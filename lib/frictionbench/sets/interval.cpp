#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "frictionbench/sets/sets.hpp"

namespace frictionbench {

namespace {

class Interval final : public ConstraintSet {
 public:
  Interval(double low, double high) : low_(low), high_(high) {}

  std::string_view kind() const override { return "interval"; }
  std::vector<double> parameters() const override { return {low_, high_}; }
  Index dimension() const override { return 1; }

  // By comparisons that leave NaN as it is.
  BlockVector project(const BlockVector& x) const override {
    return one(x[0] < low_ ? low_ : x[0] > high_ ? high_ : x[0]);
  }
  BlockMatrix projection_jacobian(const BlockVector& x) const override {
    const bool moves = low_ < high_ && low_ <= x[0] && x[0] <= high_;
    return BlockMatrix::Constant(1, 1, moves ? 1 : 0);
  }

  // u > 0 presses on the low end, u < 0 on the high one; an end at infinity cannot answer. The
  // products let NaN through.
  double dual_distance(const BlockVector& u) const override {
    return (std::isinf(u[0] > 0 ? low_ : high_) ? 1 : 0) * std::abs(u[0]);
  }
  double support(const BlockVector& v) const override {
    const double end = v[0] > 0 ? high_ : low_;
    return (std::isinf(end) ? 0 : end) * v[0];
  }

  std::optional<BlockVector> solve_alone(const BlockMatrix& W,
                                         const BlockVector& free) const override {
    return project(-free / W(0, 0));
  }

  std::shared_ptr<const ConstraintSet> divided(double factor) const override {
    if (is_cone_end(low_) && is_cone_end(high_)) return nullptr;
    return interval(low_ / factor, high_ / factor);
  }

  // (y - low, high - y), of which those at infinity are left out.
  std::optional<ConicForm> conic_form() const override {
    ConicForm form{.scale = one(low_ < high_ ? 1 : 0),
                   .offset = one(low_ < high_ ? 0 : low_),
                   .A = Matrix(2, 1),
                   .b = Vector(2),
                   .cones = {}};
    Index rows = 0;
    const auto add = [&](double sign, double end) {
      if (!(low_ < high_) || std::isinf(end)) return;
      form.A(rows, 0) = sign;
      form.b[rows++] = -sign * end;
      form.cones.push_back(1);
    };
    add(1, low_);
    add(-1, high_);
    form.A.conservativeResize(rows, 1);
    form.b.conservativeResize(rows);
    return form;
  }

 private:
  static BlockVector one(double value) { return BlockVector::Constant(1, value); }
  static bool is_cone_end(double end) { return end == 0 || std::isinf(end); }

  double low_, high_;
};

}  // namespace

SetPointer interval(double low, double high) {
  if (!(low <= high) || (std::isinf(low) && low == high))
    throw std::invalid_argument(
        fmt::format("interval: [{}, {}] is empty; expected low <= high, not both the same "
                    "infinity",
                    low, high));
  return std::make_shared<Interval>(low, high);
}

}  // namespace frictionbench
