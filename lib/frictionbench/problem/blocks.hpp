/// \file
/// The blocks of a problem, in one of two ways with the same members: friction cones of one dimension,
/// which the compiler sees through, or any sets. What is written once for both takes them from
/// with_blocks().
#pragma once

#include <cmath>

#include "frictionbench/math/friction_cone.hpp"
#include "frictionbench/problem/contact_problem.hpp"

namespace frictionbench {

/// The contacts of a plain problem. \tparam Dim its dimension.
template <int Dim>
class FrictionBlocks {
 public:
  using Segment = Eigen::Matrix<double, Dim, 1>;  ///< entries of one block in a vector
  using Block = Eigen::Matrix<double, Dim, Dim>;  ///< rows of one block x columns of another

  /// The problem must outlive it.
  explicit FrictionBlocks(const ContactProblem& problem) : mu_(&problem.mu()) {}

  Index count() const { return mu_->size(); }                     ///< n_c
  static constexpr Index start(Index i) { return Dim * i; }       ///< first row of block i
  static constexpr Index rows(Index) { return Dim; }              ///< of any block
  static constexpr Index at_row(Index row) { return row / Dim; }  ///< the block that has it
  /// The entries of block i. \param x m.
  template <typename Entries>
  static auto of(Entries&& x, Index i) {
    return x.template segment<Dim>(Dim * i);
  }

  /// As ConstraintSet has it, for the set of block i.
  /// @{
  Segment project(Index i, const Segment& x) const { return project_on_cone(x, mu(i)); }
  double distance(Index i, const Segment& r) const { return distance_to_cone(r, mu(i)); }
  double dual_distance(Index i, const Segment& u) const { return distance_to_dual_cone(u, mu(i)); }
  double complementarity(Index, const Segment& r, const Segment& u) const {
    return std::abs(short_dot(r, u));
  }
  template <typename Entries>
  double correction(Index i, const Entries& u) const {
    return de_saxce_correction(u, mu(i));
  }
  bool is_contact(Index) const { return true; }
  double mu(Index i) const { return (*mu_)[i]; }
  static constexpr Index friction_rows(Index) { return Dim - 1; }
  static double friction(Index, const Segment& r) { return tangent_norm(r); }
  /// @}

 private:
  const Vector* mu_;
};

/// The blocks of any problem that is not plain; members as of FrictionBlocks.
class AnyBlocks {
 public:
  using Segment = BlockVector;  ///< entries of one block in a vector
  using Block = BlockMatrix;    ///< rows of one block x columns of another

  /// The problem must outlive it.
  explicit AnyBlocks(const ContactProblem& problem) : layout_(problem.layout()) {}

  const BlockShape& shape() const { return layout_->shape; }  ///< of all
  Index count() const { return shape().count(); }             ///< n_b
  Index start(Index i) const { return shape().start(i); }  ///< first row of block i; m for i = n_b
  Index rows(Index i) const { return shape().rows(i); }    ///< of block i
  Index at_row(Index row) const { return shape().at_row(row); }  ///< the block that has this row
  /// The entries of block i. \param x m.
  template <typename Entries>
  auto of(Entries&& x, Index i) const {
    return x.segment(start(i), rows(i));
  }
  /// The set of block i.
  const ConstraintSet& set(Index i) const { return *layout_->sets[static_cast<std::size_t>(i)]; }

  /// As ConstraintSet has it, for the set of block i.
  /// @{
  Segment project(Index i, const Segment& x) const { return set(i).project(x); }
  double distance(Index i, const Segment& r) const { return set(i).distance(r); }
  double dual_distance(Index i, const Segment& u) const { return set(i).dual_distance(u); }
  double complementarity(Index i, const Segment& r, const Segment& u) const {
    return set(i).complementarity(r, u);
  }
  double correction(Index i, const Segment& u) const { return set(i).correction(u); }
  bool is_contact(Index i) const { return set(i).mu().has_value(); }
  double mu(Index i) const { return set(i).mu().value_or(0); }
  Index friction_rows(Index i) const { return set(i).friction_rows(); }
  double friction(Index i, const Segment& r) const { return set(i).friction(r); }
  /// @}

 private:
  const BlockLayout* layout_;
};

/// Calls f with the blocks of a problem, as whichever of the two they are.
template <typename Function>
decltype(auto) with_blocks(const ContactProblem& problem, Function&& f) {
  if (!problem.is_plain()) return f(AnyBlocks(problem));
  if (problem.dimension() == 2) return f(FrictionBlocks<2>(problem));
  return f(FrictionBlocks<3>(problem));
}

/// Γ(u), m: the corrections of the first components of all blocks. \param u m.
inline Vector corrections(const ContactProblem& problem, const Vector& u) {
  Vector corrections = Vector::Zero(u.size());
  with_blocks(problem, [&](const auto& blocks) {
    for (Index i = 0; i < blocks.count(); ++i)
      corrections[blocks.start(i)] = blocks.correction(i, blocks.of(u, i));
  });
  return corrections;
}

}  // namespace frictionbench
