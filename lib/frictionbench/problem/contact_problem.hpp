/// \file
/// A frictional contact problem, as an FCLIB file states it.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "frictionbench/base/enum_names.hpp"
#include "frictionbench/math/types.hpp"
#include "frictionbench/sets/constraint_set.hpp"

namespace frictionbench {

/// Local form: u = W r + q, m unknowns.
struct LocalForm {
  SparseMatrix W;  ///< Delassus matrix, m x m. Kept as given: real files are not exactly symmetric.
  Vector q;        ///< free relative velocity, m
};

/// A view of the local form of a problem; W may be shared by several problems.
struct LocalView {
  const SparseMatrix& W;  ///< as LocalForm::W, with the compliance on its diagonal: W + R
  const Vector& q;        ///< as LocalForm::q; not shared
};

/// Global form: M v = H r + f, u = H^T v + w, with n degrees of freedom.
struct GlobalForm {
  SparseMatrix M;  ///< mass (or iteration) matrix, n x n; may have a small gyroscopic asymmetry
  SparseMatrix H;  ///< transposed contact Jacobian, n x m
  Vector f;        ///< n
  Vector w;        ///< m
};

/// Rows behind those of a local problem, with impulses l: their velocity is V^T r + R l + s, and
/// u = W r + V l + q. FCLIB's bilateral rows have velocity 0.
struct LocalRows {
  SparseMatrix V;  ///< m x p
  SparseMatrix R;  ///< p x p
  Vector s;        ///< p
};

/// Rows behind those of a global problem: their velocity is G^T v + b, and M v = H r + G l + f.
struct GlobalRows {
  SparseMatrix G;  ///< n x p
  Vector b;        ///< p
};

/// Why a problem is unusable: which piece of it, by the name of its FCLIB dataset, e.g.
/// "vectors/mu", and the reason.
class InvalidProblem : public std::runtime_error {
 public:
  /// what() becomes "piece: reason".
  InvalidProblem(std::string piece, const std::string& reason)
      : std::runtime_error(piece + ": " + reason), piece_(std::move(piece)), reason_(reason) {}
  const std::string& piece() const { return piece_; }    ///< name of the FCLIB dataset
  const std::string& reason() const { return reason_; }  ///< a phrase, without the piece

 private:
  std::string piece_;
  std::string reason_;
};

/// How a file states a problem.
enum class ProblemForm { local, global };
constexpr auto describe(ProblemForm) {
  using enum ProblemForm;
  return enum_names<ProblemForm>("form",
                                 {{local, "local", "W, q"}, {global, "global", "M, H, f, w"}});
}

/// Which rows belong together, and the set of each group of them.
struct BlockLayout {
  std::vector<SetPointer> sets;  ///< of each block, n_b
  BlockShape shape;              ///< rows of each block, of m in all
};

class ContactColumns;

/// An immutable contact problem. Copies share their data.
///
/// The unknowns come in blocks, each with a set that its impulse is in (ConstraintSet): first the
/// friction cones of contacts, of `dimension` rows each, with coefficients mu; then, in a problem that
/// is not plain, blocks of other sets. Components of a contact are ordered normal first, (N, T1, T2)
/// or (N, T).
///
/// The local form is always available: a global problem is reduced (W = H^T M^-1 H,
/// q = H^T M^-1 f + w) at the first call of local(), once, and assembly_time() says how long it
/// took.
///
/// Bilateral rows are blocks of the set R^1 behind the contacts: their multipliers l are unknowns like
/// r, and W and q hold V, R and s, or H and w hold G and b, as well (with_rows()).
///
/// Contacts may be compliant: u = W r + R r + q with a diagonal R >= 0 ([Carpentier24] eqs. 24 and 27). The
/// local form has R on the diagonal of its W, so products, diagonal blocks, factorisations and the
/// verdict include it; the global form, M and H, does not.
///
/// W of a large global problem may not fit into memory, where M and H do: without_W() is the problem
/// for methods that need no more than these.
class ContactProblem {
 public:
  /// \param form of all blocks, m = dimension * mu.size() + rows of others. \param others sets of the
  /// blocks behind the friction cones, none null.
  /// \throws InvalidProblem if sizes disagree, a value is NaN or infinite, or a mu is negative.
  ContactProblem(int dimension, Vector mu, LocalForm form, std::vector<SetPointer> others = {});
  /// The same for the global form.
  ContactProblem(int dimension, Vector mu, GlobalForm form, std::vector<SetPointer> others = {});

  /// A local problem with rows behind its own. \param sets of the new blocks; empty for bilateral rows,
  /// each a block. \pre no compliance.
  /// \throws InvalidProblem as the constructors do, for the pieces V, R and vectors/s.
  ContactProblem with_rows(LocalRows rows, std::vector<SetPointer> sets = {}) const;
  /// The same for a global problem; the pieces are G and vectors/b.
  ContactProblem with_rows(GlobalRows rows, std::vector<SetPointer> sets = {}) const;
  /// The rows first, .., first + count - 1 of a local problem, by the rows before them. Reduces a global
  /// problem. \throws InvalidProblem for the piece W if their effect on the rows before them is not that of
  /// those on them: then V alone does not say both.
  LocalRows local_rows(Index first, Index count) const;
  /// The same of a global problem.
  GlobalRows global_rows(Index first, Index count) const;

  int dimension() const;   ///< of space, 2 or 3
  Index contacts() const;  ///< n_c: blocks that have a friction coefficient
  Index unknowns() const;  ///< m
  const Vector& mu()
      const;  ///< friction coefficients of the friction cones that come first, each >= 0
  ProblemForm form() const;      ///< the form that was given
  Index bilateral_rows() const;  ///< p: rows of blocks whose set is R^n, 0 for none
  /// The diagonal of R, velocity per impulse, m, each >= 0; empty if all contacts are rigid.
  const Vector& compliance() const;

  /// \name Blocks
  /// @{
  /// Whether friction cones are all there is: n_c blocks of dimension() rows, and mu() describes them.
  bool is_plain() const { return layout() == nullptr; }
  Index blocks() const;  ///< n_b; n_c in a plain problem
  /// All blocks, the friction cones included; nullptr for a plain problem.
  const BlockLayout* layout() const;
  BlockShape block_shape() const;    ///< rows of all blocks
  Index block_start(Index i) const;  ///< first row of block i; m for i = n_b
  Index block_rows(Index i) const { return block_start(i + 1) - block_start(i); }  ///< of block i
  /// Sets of the blocks behind the friction cones.
  std::vector<SetPointer> other_sets() const;
  /// @}

  /// Contact problem in local form; reduced on first use for a global problem (thread-safe).
  /// \throws InvalidProblem if M is singular.
  LocalView local() const;

  /// W without the compliance. Reduces a global problem.
  const SparseMatrix& rigid_W() const;

  /// The global form, or nullptr if the problem was given in local form. Without the compliance.
  const GlobalForm* global() const;

  /// \name Without W
  /// @{
  /// The same problem of which local() and rigid_W(), and what needs them, throw std::logic_error: all
  /// else is computed from columns(), in memory that grows with H and not with W. The same up to
  /// rounding, and apart from islands (islands.hpp). \pre a global problem.
  /// \throws InvalidProblem if M is singular.
  ContactProblem without_W() const;
  bool has_W() const;  ///< false for without_W()
  /// Of a global problem; made at the first call, once (thread-safe).
  /// \throws InvalidProblem if M is singular.
  const ContactColumns& columns() const;
  /// q, m. Reduces a global problem that has_W().
  const Vector& free_velocity() const;
  /// The diagonal of W + R, m. Reduces a global problem that has_W().
  Vector delassus_diagonal() const;
  /// @}

  /// Seconds spent in the reduction global -> local, or in columns() for a problem without_W(); 0 for a
  /// local problem or before local().
  double assembly_time() const;

  /// The same global problem, whose reduction is known and not made again: that of a part of a larger one.
  /// \param local W, without the compliance, and q. \pre no compliance, and has_W().
  ContactProblem with_reduction(LocalForm local) const;

  /// The same problem with this compliance instead of its own. Reduces a global problem that has_W().
  /// \param R m, or empty or zero for rigid contacts.
  /// \throws InvalidProblem if R has another length, or an entry that is negative or not finite.
  ContactProblem with_compliance(Vector R) const;

  /// The same NCP (and CCP, and LCP) in other units, for factors d_i > 0 of blocks and a velocity
  /// c > 0: W' = D W D, R' = D R D, q' = D q / c, and in the global form H' = H D, f' = f / c, w' = D w / c;
  /// then r = c D r', u = c D^-1 u' and v = c v'. The cones stay the same, because each
  /// contact has one d_i; other sets are divided by c d_i. Reduces a global problem that has_W().
  /// \param d n_b.
  ContactProblem scaled(const Vector& d, double c) const;

  /// The same problem with another free velocity, q + s, and w + s in the global form: the CCP of a
  /// cascade ([Carpentier24] eq. 28a). W is shared, not copied. Reduces a global problem.
  /// \param s m.
  ContactProblem with_velocity_added(const Vector& s) const;

  /// Contact velocity u = W r + R r + q, in the file's own W; H^T M^-1 (H r + f) + w + R r without_W().
  /// \param r m.
  Vector contact_velocity(const Vector& r) const;

  /// Generalised velocity v = M^-1 (H r + f), n; only for a global problem. Reduces one that has_W().
  Vector generalized_velocity(const Vector& r) const;

 private:
  struct Data;
  explicit ContactProblem(std::shared_ptr<Data> data) : data_(std::move(data)) {}

  /// A copy of what with_compliance() and without_W() keep: all but W, R and q.
  std::shared_ptr<Data> common_data() const;
  /// The same after a reduction, without the global form.
  std::shared_ptr<Data> relatives_data() const;

  std::shared_ptr<Data> data_;
};

}  // namespace frictionbench
