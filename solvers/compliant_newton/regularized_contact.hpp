/// \file
/// The contacts of the regularised CCP: impulse, cost and curvature as functions of velocity.
#pragma once

#include <cmath>
#include <vector>

#include "frictionbench/linalg/block_diagonal.hpp"
#include "frictionbench/math/friction_cone.hpp"

namespace frictionbench::solvers {

/// A contact with compliance R = diag(R_N, R_T, R_T): what remains of the cone constraint once it
/// is eliminated ([Castro22] sections III-B and V-A, appendices C and D; [LeLidec24] (22)). With
/// y = -R^-1 u,
///
///     r = argmin over K of (s - y).R (s - y) / 2,   the projection in the norm of R,
///
/// so that -r is the gradient of the convex r.R r / 2 with respect to u. Components are normal
/// first; [Castro22] has the normal last. Where the Hessian jumps it is, as in [Castro22], that of
/// the closed cone or the closed sliding region. \tparam Dim the problem's dimension.
template <int Dim>
struct RegularizedContact {
  using Segment = Eigen::Matrix<double, Dim, 1>;
  using Block = Eigen::Matrix<double, Dim, Dim>;
  enum class Region { sticking, sliding, separated };

  double mu;               ///< friction coefficient
  double normal, tangent;  ///< R_N > 0 and R_T > 0, velocity per impulse

  /// y.
  Segment target(const Segment& u) const {
    Segment y = -u / tangent;
    y[0] = -u[0] / normal;
    return y;
  }

  /// [Castro22] (27). Without friction a contact slides or is separated.
  Region region(const Segment& u) const { return region_of(target(u)); }

  /// r, [Castro22] (27). \param u contact velocity.
  Segment impulse(const Segment& u) const {
    const Segment y = target(u);
    switch (region_of(y)) {
      case Region::sticking:
        return y;
      case Region::sliding:
        return sliding_impulse(y);
      case Region::separated:
        break;
    }
    return Segment::Zero();
  }

  /// r.R r / 2, [Castro22] (35). \param r an impulse().
  double cost(const Segment& r) const {
    return (normal * r[0] * r[0] + tangent * tangent_dot(r, r)) / 2;
  }

  /// C with C C^T = G = -dr/du = R^-1 ([Castro22] (37)) R^-1. Sliding along t = y_T / ||y_T||, and
  /// with P = I - t t^T,
  ///
  ///     G = a (1, mu t) (1, mu t)^T + b diag(0, P),  a = 1 / (R_N + mu^2 R_T),
  ///     b = mu r_N / (||y_T|| R_T).
  Block curvature_root(const Segment& u) const {
    Block C = Block::Zero();
    const Segment y = target(u);
    switch (region_of(y)) {
      case Region::sticking:
        C.diagonal().setConstant(1 / std::sqrt(tangent));
        C(0, 0) = 1 / std::sqrt(normal);
        break;
      case Region::sliding: {
        const double root = 1 / std::sqrt(normal + mu * mu * tangent);
        C(0, 0) = root;
        if (mu == 0) break;
        using Tangent = Eigen::Matrix<double, Dim - 1, 1>;
        const double length = tangent_norm(y);
        const Tangent t = tangent_of(y) / length;
        C.template bottomLeftCorner<Dim - 1, 1>() = root * mu * t;
        const double across = mu * sliding_impulse(y)[0] / (length * tangent);
        C.template bottomRightCorner<Dim - 1, Dim - 1>() =
            std::sqrt(across) *
            (Eigen::Matrix<double, Dim - 1, Dim - 1>::Identity() - t * t.transpose());
        break;
      }
      case Region::separated:
        break;
    }
    return C;
  }

 private:
  double warped_mu() const { return mu * tangent / normal; }  // \hat\mu of [Castro22] (27)

  Region region_of(const Segment& y) const {
    const double radius = tangent_norm(y);
    if (mu > 0 && radius <= mu * y[0]) return Region::sticking;
    return y[0] >= -warped_mu() * radius ? Region::sliding : Region::separated;
  }

  Segment sliding_impulse(const Segment& y) const {
    const double radius = tangent_norm(y);
    Segment r = Segment::Zero();
    r[0] = (y[0] + warped_mu() * radius) / (1 + mu * warped_mu());
    if (mu > 0) tangent_of(r) = mu * r[0] / radius * tangent_of(y);
    return r;
  }
};

/// The diagonal of R: one number for the normal and one for the tangents of each contact, velocity
/// per impulse, all > 0.
struct Compliance {
  Vector normal;   ///< R_N, n_c
  Vector tangent;  ///< R_T, n_c

  /// The diagonal of R. \param dim 2 or 3. \returns m.
  Vector diagonal(Index dim) const {
    Vector R(dim * normal.size());
    for (Index i = 0; i < normal.size(); ++i) {
      R.segment(dim * i, dim).setConstant(tangent[i]);
      R[dim * i] = normal[i];
    }
    return R;
  }
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
