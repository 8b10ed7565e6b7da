/// \file
#pragma once

#include <vector>

#include "frictionbench/linalg/block_diagonal.hpp"
#include "frictionbench/solvers/compliant_newton/regularized_contact.hpp"

namespace frictionbench::solvers {

/// The diagonal of R: one number for the normal and one for the tangents of each contact, velocity
/// per impulse, all > 0.
struct Compliance {
  Vector normal;   ///< R_N, n_c
  Vector tangent;  ///< R_T, n_c
};

/// All contacts of a problem, regularised. \tparam Dim the problem's dimension.
template <int Dim>
class RegularizedContacts {
 public:
  /// \param mu n_c.
  RegularizedContacts(const Vector& mu, const Compliance& R) {
    contacts_.reserve(static_cast<std::size_t>(mu.size()));
    for (Index i = 0; i < mu.size(); ++i) contacts_.push_back({mu[i], R.normal[i], R.tangent[i]});
  }

  /// The impulses r at contact velocities u, both m.
  Vector impulse(const Vector& u) const {
    Vector r(u.size());
    for (Index i = 0; i < size(); ++i) part(r, i) = contact(i).impulse(part(u, i));
    return r;
  }

  /// r.R r / 2.
  double cost(const Vector& r) const {
    double sum = 0;
    for (Index i = 0; i < size(); ++i) sum += contact(i).cost(part(r, i));
    return sum;
  }

  /// C, block by block, with C C^T = -dr/du. \param C blocks of Dim, n_c of them.
  void curvature_root(const Vector& u, BlockDiagonal& C) const {
    for (Index i = 0; i < size(); ++i) C.block(i) = contact(i).curvature_root(part(u, i));
  }

  /// -du.(dr/du) du, the curvature of the cost along du (m).
  double curvature(const Vector& u, const Vector& du) const {
    double sum = 0;
    for (Index i = 0; i < size(); ++i)
      sum += (contact(i).curvature_root(part(u, i)).transpose() * part(du, i)).squaredNorm();
    return sum;
  }

 private:
  Index size() const { return static_cast<Index>(contacts_.size()); }
  const RegularizedContact<Dim>& contact(Index i) const {
    return contacts_[static_cast<std::size_t>(i)];
  }
  template <typename Any>
  static auto part(Any& x, Index i) {
    return x.template segment<Dim>(Dim * i);
  }

  std::vector<RegularizedContact<Dim>> contacts_;
};

}  // namespace frictionbench::solvers
