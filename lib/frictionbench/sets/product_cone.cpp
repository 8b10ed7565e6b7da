#include <fmt/format.h>

#include <array>
#include <cmath>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <vector>

#include "frictionbench/math/one_contact.hpp"
#include "frictionbench/sets/internal/parameters.hpp"
#include "frictionbench/sets/sets.hpp"

namespace frictionbench {

namespace {

constexpr std::size_t most_groups = 3;  // friction, torsion, rolling

struct Group {
  Index size;  // 1 or 2 rows
  double mu;
  Index first = 0;  // row

  auto of(const BlockVector& x) const { return x.segment(first, size); }
  auto of(BlockVector& x) const { return x.segment(first, size); }
  // As Eigen's norm(), without a loop.
  double length(const BlockVector& x) const {
    const double a = x[first];
    return size == 1 ? std::abs(a) : std::sqrt(a * a + x[first + 1] * x[first + 1]);
  }
};

// { x : ||x_g|| <= mu_g x_N for all groups g }.
//
// The nearest point to x has the normal component n >= 0 that minimises, with a_g = ||x_g||,
//
//     (n - x_N)^2 + sum_g max(0, a_g - mu_g n)^2
//
// and in every group the nearest point of the disc of radius mu_g n. Half of the derivative is
// piecewise linear and increasing, with kinks at a_g / mu_g; where the groups G are clamped,
// that is outside their discs, it is zero at
//
//     n = (x_N + sum_G mu_g a_g) / (1 + sum_G mu_g^2)
//
// G holds the groups with the largest kinks. Groups are added in that order, starting from none, which
// makes n grow, until n is not below the next kink. If it ends negative, the apex is nearest.
class ProductCone final : public ConstraintCone {
 public:
  ProductCone(const char* kind, std::initializer_list<Group> groups) : kind_(kind) {
    for (Group group : groups) {
      group.first = dimension_;
      dimension_ += group.size;
      groups_[count_++] = group;
    }
  }

  std::string_view kind() const override { return kind_; }
  std::vector<double> parameters() const override {
    std::vector<double> mu;
    for (std::size_t g = 0; g < count_; ++g) mu.push_back(groups_[g].mu);
    return mu;
  }
  Index dimension() const override { return dimension_; }

  BlockVector project(const BlockVector& x) const override {
    const Nearest to = nearest(x);
    if (to.is_inside) return x;
    if (to.normal <= 0) return BlockVector::Zero(dimension_);
    BlockVector projected = x;
    projected[0] = to.normal;
    for (std::size_t g = 0; g < count_; ++g)
      if (to.is_clamped[g]) groups_[g].of(projected) *= groups_[g].mu * to.normal / to.length[g];
    return projected;
  }

  // With the unit vectors e_g = x_g / a_g of the clamped groups, of which only the part across e_g
  // turns freely:
  //
  //     w w^T / |w|^2 + sum_G mu_g n / a_g (I - e_g e_g^T),   w = (1, mu_g e_g of G)
  //
  // and the identity on the others. A group of mu_g = 0 stays 0 whether it is clamped or not.
  BlockMatrix projection_jacobian(const BlockVector& x) const override {
    const Nearest to = nearest(x);
    BlockMatrix jacobian = BlockMatrix::Zero(dimension_, dimension_);
    if (to.normal <= 0 && !to.is_inside) return jacobian;
    BlockVector w = BlockVector::Zero(dimension_);
    w[0] = 1;
    for (std::size_t g = 0; g < count_; ++g) {
      const Group& group = groups_[g];
      if (group.mu == 0) continue;
      auto block = jacobian.block(group.first, group.first, group.size, group.size);
      block.setIdentity();
      if (!to.is_clamped[g]) continue;
      const BlockVector along = group.of(x) / to.length[g];
      block.noalias() -= along * along.transpose();
      block *= group.mu * to.normal / to.length[g];
      group.of(w) = group.mu * along;
    }
    jacobian.noalias() += w * (w / w.squaredNorm()).transpose();
    return jacobian;
  }

  std::optional<BlockVector> solve_alone(const BlockMatrix& W,
                                         const BlockVector& free) const override {
    if (count_ > 1) return std::nullopt;
    if (dimension_ == 2) return solve_one_contact<2>(W, free, groups_[0].mu);
    return solve_one_contact<3>(W, free, groups_[0].mu);
  }

  double correction(const BlockVector& u) const override {
    double sum = 0;
    for (std::size_t g = 0; g < count_; ++g) sum += groups_[g].mu * groups_[g].length(u);
    return sum;
  }
  BlockVector correction_gradient(const BlockVector& u, const BlockVector& r) const override {
    BlockVector gradient = BlockVector::Zero(dimension_);
    for (std::size_t g = 0; g < count_; ++g) {
      const Group& group = groups_[g];
      if (const double slip = group.length(u); slip > 0)
        group.of(gradient) = group.mu / slip * group.of(u);
      else if (const double friction = group.length(r);
               friction > 0)  // what sticks slips against it
        group.of(gradient) = -group.mu / friction * group.of(r);
      else
        gradient[group.first] = group.mu;
    }
    return gradient;
  }

  // A cone per group, (y_N, y_g) with y_g = r_g / mu_g.
  std::optional<ConicForm> conic_form() const override {
    const Index rows = dimension_ - 1 + static_cast<Index>(count_);
    ConicForm form{.scale = BlockVector::Ones(dimension_),
                   .offset = BlockVector::Zero(dimension_),
                   .A = Matrix::Zero(rows, dimension_),
                   .b = Vector::Zero(rows),
                   .cones = {}};
    Index first = 0;
    for (std::size_t g = 0; g < count_; ++g) {
      const Group& group = groups_[g];
      group.of(form.scale).setConstant(group.mu);
      form.A(first, 0) = 1;
      form.A.block(first + 1, group.first, group.size, group.size).setIdentity();
      form.cones.push_back(1 + group.size);
      first += form.cones.back();
    }
    return form;
  }

  std::optional<double> mu() const override { return groups_[0].mu; }
  Index friction_rows() const override { return groups_[0].size; }

 private:
  struct Nearest {
    bool is_inside;
    double normal;  // n; the apex is nearest if it is <= 0
    std::array<double, most_groups> length;
    std::array<bool, most_groups> is_clamped;
  };

  // Conditions are such that a group with NaN in it is clamped, and n is NaN then.
  Nearest nearest(const BlockVector& x) const {
    Nearest to{};
    to.normal = x[0];
    for (std::size_t g = 0; g < count_; ++g) to.length[g] = groups_[g].length(x);
    double numerator = x[0], denominator = 1;
    std::size_t next = outermost(to);
    to.is_inside = next == count_ && x[0] >= 0;
    for (; next != count_; next = outermost(to)) {
      const double mu = groups_[next].mu;
      to.is_clamped[next] = true;
      numerator += mu * to.length[next];
      denominator += mu * mu;
      to.normal = numerator / denominator;
    }
    return to;
  }

  // Of the groups outside of their discs, but not clamped yet, the one of the largest kink; the number
  // of groups if there is none.
  std::size_t outermost(const Nearest& to) const {
    std::size_t best = count_;
    for (std::size_t g = 0; g < count_; ++g) {
      if (to.is_clamped[g] || to.length[g] <= groups_[g].mu * to.normal) continue;
      if (best == count_ || to.length[g] * groups_[best].mu > to.length[best] * groups_[g].mu)
        best = g;
    }
    return best;
  }

  const char* kind_;
  Index dimension_ = 1;
  std::size_t count_ = 0;
  std::array<Group, most_groups> groups_{};
};

}  // namespace

SetPointer friction_cone(double mu, int dimension) {
  if (dimension != 2 && dimension != 3)
    throw std::invalid_argument(
        fmt::format("friction: dimension is {}; expected 2 or 3", dimension));
  const char* const name = dimension == 2 ? "friction2d" : "friction";
  checked(name, "mu", mu, at_least(0));
  return std::make_shared<ProductCone>(name, std::initializer_list<Group>{{dimension - 1, mu}});
}

SetPointer rolling_cone(double mu, double mu_r) {
  checked("rolling", "mu", mu, at_least(0));
  checked("rolling", "mu_r", mu_r, at_least(0));
  return std::make_shared<ProductCone>("rolling", std::initializer_list<Group>{{2, mu}, {2, mu_r}});
}

SetPointer torsional_cone(double mu, double mu_s, double mu_r) {
  checked("torsional", "mu", mu, at_least(0));
  checked("torsional", "mu_s", mu_s, at_least(0));
  if (mu_r < 0)
    return std::make_shared<ProductCone>("torsional",
                                         std::initializer_list<Group>{{2, mu}, {1, mu_s}});
  checked("torsional", "mu_r", mu_r, at_least(0));
  return std::make_shared<ProductCone>("torsional",
                                       std::initializer_list<Group>{{2, mu}, {1, mu_s}, {2, mu_r}});
}

}  // namespace frictionbench
