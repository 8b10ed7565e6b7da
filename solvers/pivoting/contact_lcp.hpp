/// \file
/// The linear complementarity problem of contacts with polyhedral friction, and the maps between its
/// variables and contact impulses.
#pragma once

#include <cstdint>
#include <vector>

#include "frictionbench/problem/contact_problem.hpp"

namespace frictionbench::solvers {

/// By columns, because bases are made of columns.
using LcpMatrix = Eigen::SparseMatrix<double, Eigen::ColMajor, int>;

/// w = M z + q with w >= 0, z >= 0 and w^T z = 0 for n variables. M need not be symmetric.
struct Lcp {
  LcpMatrix M;  ///< n x n
  Vector q;     ///< n

  Index size() const { return q.size(); }  ///< n
};

/// The variables of the LCP of [YamaneNakamura08] (25), which is that of Stewart and Trinkle (1996), for
/// a problem whose blocks are friction cones:
///
///     ( w_a )   ( W_NN    W_ND   0  ) ( a      )   ( q_N     )
///     ( w_b ) = ( W_DN    W_DD   E^T) ( beta   ) + ( D^T q_T )
///     ( w_l )   ( mu     -E      0  ) ( lambda )   ( 0       )
///
///     r_N = a,   r_T = D beta,   D = (e_0 ... e_K-1) at every contact,   E sums over a contact
///
/// with variables in this order: the normal impulses of all contacts, then the K weights beta of each
/// contact in turn, then the multipliers lambda, which are the speeds at which contacts slide. A
/// contact without friction has a normal impulse and nothing else.
///
/// The directions e_k are the corners of RegularPyramid, so z solves the LCP if and only if r solves
/// the problem of that pyramid, which the verdict judges; those of the paper are unit vectors. In 2D
/// there are two, 1 and -1.
class ContactVariables {
 public:
  /// \param problem of friction cones only. \param facets K >= 3, of the pyramid in 3D; ignored in 2D.
  ContactVariables(const ContactProblem& problem, int facets);

  Index size() const { return size_; }                                    ///< n
  Index contacts() const { return contacts_; }                            ///< n_c
  Index directions() const { return directions_; }                        ///< K, or 2 in 2D
  bool has_friction(Index i) const { return first_weight_[at(i)] >= 0; }  ///< whether mu_i > 0

  /// \name Places of variables in z
  /// @{
  Index normal(Index i) const { return i; }  ///< r_N of contact i
  /// The first of the weights of contact i, which are adjacent. \pre has_friction(i).
  Index first_weight(Index i) const { return first_weight_[at(i)]; }
  Index multiplier(Index i) const { return multiplier_[at(i)]; }  ///< \pre has_friction(i).
  /// @}

  /// The rows of a contact in B and F.
  struct Block {
    std::vector<Index> places;  ///< of its variables in z, in order
    Matrix B;                   ///< of its impulse: dimension x variables
    Matrix F;                   ///< variables x variables; F is zero elsewhere
  };
  Block block(Index i) const;  ///< of contact i

  /// \name M = B^T W B + F
  /// @{
  const SparseMatrix& impulse_matrix() const { return r_of_z_; }     ///< B, m x n: r = B z
  const SparseMatrix& friction_matrix() const { return friction_; }  ///< F, n x n: mu, E and E^T
  /// @}

  /// The impulse of z. \param z n. \returns r, m.
  Vector impulse(VectorView z) const;

  /// Variables of an impulse: weights of the two corners on both sides of r_T, with the smallest sum, and
  /// for lambda the least that keeps w_b >= 0. They solve the LCP if r solves the problem. A negative
  /// normal impulse gives zero; friction outside of the pyramid keeps its weights.
  /// \param r impulse, \param u = W r + q, both m. \returns z, n.
  Vector variables(VectorView r, VectorView u) const;

 protected:
  static std::size_t at(Index i) { return static_cast<std::size_t>(i); }
  const Matrix& corners() const { return corners_; }  ///< D: e_k by columns, tangents x K

 private:
  void place_variables(const Vector& mu);
  void make_impulse_matrix();
  void make_friction_matrix(const Vector& mu);
  void weigh(const Vector& r_T, Eigen::Ref<Vector> weights) const;

  Index dimension_, contacts_, directions_;
  Matrix corners_;
  std::vector<Index> first_weight_;  // by contact; -1 without friction
  std::vector<Index> multiplier_;
  Index size_ = 0;
  SparseMatrix r_of_z_;    // m x n
  SparseMatrix friction_;  // n x n
};

/// That LCP itself.
///
/// M is copositive where W is positive semidefinite, z^T M z = r^T W r + mu^T (a lambda), but it is never
/// symmetric nor positive semidefinite, and zero on the diagonal of lambda. As sum_k e_k = 0, it is
/// singular, and beta is not unique for given r_T.
class ContactLcp : public ContactVariables {
 public:
  /// Copies W, with the compliance. \param problem, facets as in ContactVariables.
  ContactLcp(const ContactProblem& problem, int facets);

  /// Bytes of the LCP of a problem, without making it: an upper bound, for M and a copy of W.
  static std::int64_t bytes(const ContactProblem& problem, int facets);

  const Lcp& lcp() const { return lcp_; }  ///< M and q, in the units of the problem

 private:
  void assemble(const SparseMatrix& W);
  // The rows of some contacts, and of F.
  void append_column(Index column, const std::vector<Index>& touched, const Vector& entries,
                     const LcpMatrix& F);

  Lcp lcp_;
};

}  // namespace frictionbench::solvers
