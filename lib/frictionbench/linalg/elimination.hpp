/// \file
/// Bilateral rows, eliminated: what is left has the sets of the other blocks, and if those are friction
/// cones it is a problem that every solver takes.
#pragma once

#include <memory>
#include <vector>

#include "frictionbench/linalg/work_counters.hpp"
#include "frictionbench/problem/contact_problem.hpp"

namespace frictionbench {

/// A problem without its bilateral rows b, of which u_b = W_bc r_c + W_bb r_b + q_b = 0:
///
///     W' = W_cc - W_cb W_bb^+ W_bc,     q' = q_c - W_cb W_bb^+ q_b
///
/// Rows that repeat others (W_bb singular) are legal: W_bb^+ comes from a rank-revealing
/// factorisation, and r_b is one of many. The factorisation is a QR, counted with those by pivoting, `lu`;
/// a solve with it for each right-hand side.
class Elimination {
 public:
  /// Reduces a global problem; compliance is in W_cc and W_bb. \pre bilateral rows. \param work where work
  /// is counted; must outlive it. \param relaxation
  /// added to the diagonal of W_bb, >= 0, with which it is regular: what a step of the proximal
  /// iteration eliminates.
  /// \throws InvalidProblem for the piece "bilateral rows" if no impulse makes their velocities zero,
  ///         because rows that repeat each other ask for different ones.
  Elimination(const ContactProblem& problem, WorkCounters& work, double relaxation = 0);
  ~Elimination();
  Elimination(Elimination&&) noexcept;             ///< leaves one that cannot be used
  Elimination& operator=(Elimination&&) noexcept;  ///< the same

  const ContactProblem& rest() const;      ///< the problem of the other blocks, in local form
  const std::vector<Index>& kept() const;  ///< the blocks of the problem that it has, increasing
  Index rank() const;                      ///< of W_bb, or its rows if it has a relaxation

  /// The entries of the other blocks. \param x m of the whole problem.
  Vector kept_rows(const Vector& x) const;
  /// Rows of the bilateral blocks, in their order. \param x m of the whole problem.
  Vector bilateral_rows(const Vector& x) const;

  /// What q' changes by if q_b changes by `offset`: -W_cb W_bb^+ offset, rows of rest().
  Vector carried(const Vector& offset) const;
  /// The whole impulse, m, of which `r` (rows of rest()) is the part of the other blocks.
  /// \param offset added to q_b; empty for none.
  Vector whole(const Vector& r, const Vector& offset = Vector()) const;

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace frictionbench
