/// \file
/// The steps of the active set method, for methods that make them between steps of their own.
#pragma once

#include <array>
#include <span>

#include "frictionbench/linalg/dense_contacts.hpp"
#include "frictionbench/math/one_contact.hpp"
#include "frictionbench/solver/solve.hpp"

namespace frictionbench::solvers {

/// An impulse of few contacts, and the steps that move it: those of active_set_method(), which says
/// what they are. Iterations are those of the solve. It holds its matrices itself, 300 kB in 3D: for
/// the stack, so that nothing is allocated. \tparam Dim the problem's dimension.
template <int Dim>
class ActiveSet {
 public:
  /// \pre 1 to few_contacts contacts.
  explicit ActiveSet(Solve& solve) : solve_(solve), W_(solve.problem(), solve.work()) {
    mean_.resize(W_.contacts());
    for (Index i = 0; i < W_.contacts(); ++i) {
      const double mean = W_.W(i, i).trace() / Dim;
      mean_[i] = mean > 0 ? mean : 1;
    }
  }

  const FewVector<Dim>& r() const { return r_; }  ///< the impulse, m
  /// Moves there.
  void go_to(const FewVector<Dim>& r) {
    r_ = r;
    W_.velocity(r_, u_);
  }
  /// The same with u = W r + q known.
  void go_to(const Vector& r, const Vector& u) {
    r_ = r;
    u_ = u;
  }

  /// The predicted work of a Newton step from here, in the unit of PredictedWork: least squares on 305
  /// real files of 11 to 40 contacts, right to 20 %.
  double step_work() {
    classify(1);
    const auto size = static_cast<double>(unknowns_);
    return size * size * (0.033 * size + 4.3) + 160 * static_cast<double>(W_.contacts());
  }

  /// Newton steps. \param rho in inverse mean diagonals of W_ii. \returns whether the solve ended.
  bool newton(int steps, double rho) {
    for (int step = 0; step < steps; ++step) {
      if (!solve_.begin_iteration()) return true;
      classify(rho);
      if (!advance()) return false;
      W_.velocity(r_, u_);
      if (solve_.ends(r_, u_)) return true;
    }
    return false;
  }

  /// Exact sweeps. \returns whether the solve ended.
  bool sweep(int count) {
    for (int k = 0; k < count; ++k) {
      if (!solve_.begin_iteration()) return true;
      W_.sweep(r_, [&](Index i, const Segment& others) {
        return solve_one_contact<Dim>(W_.W(i, i), others, W_.mu(i));
      });
    }
    W_.velocity(r_, u_);
    return solve_.ends(r_, u_);
  }

 private:
  static constexpr double proximal = 1e-9;  // of the mean diagonal of W_ii

  using Segment = Eigen::Matrix<double, Dim, 1>;
  using Sliding = Eigen::Matrix<double, Dim, Dim - 1>;

  // A contact that is not open. `columns` span its impulses: r_i = columns x; `rows` are the
  // directions in which its velocity is prescribed: rows^T u_i + (0, sigma) = 0.
  struct Loaded {
    Index contact;
    Index first;  // of its unknowns
    bool sticks;
    Sliding columns, rows;  // if it slides
    double sigma;           // (1 - k) / rho

    Index unknowns() const { return sticks ? Dim : Dim - 1; }
  };

  std::span<const Loaded> loaded() const { return {loaded_.data(), loaded_count_}; }

  void classify(double rho_factor) {
    loaded_count_ = 0;
    unknowns_ = 0;
    for (Index i = 0; i < W_.contacts(); ++i) {
      const double rho = rho_factor / mean_[i];
      const Segment y = r_.template segment<Dim>(Dim * i) - rho * u_.template segment<Dim>(Dim * i);
      if (!(y[0] > 0)) continue;
      Loaded& contact = loaded_[loaded_count_++];
      contact.contact = i;
      contact.first = unknowns_;
      set_law(contact, y, rho);
      unknowns_ += contact.unknowns();
    }
  }

  void set_law(Loaded& contact, const Segment& y, double rho) const {
    const double mu = W_.mu(contact.contact);
    const double length = tangent_norm(y);
    contact.sticks = mu > 0 && length <= mu * y[0];
    if (contact.sticks) return;
    contact.columns.setZero();
    contact.rows.setZero();
    contact.columns(0, 0) = contact.rows(0, 0) = 1;
    if (mu > 0)
      contact.columns.col(0).template tail<Dim - 1>() = mu / length * y.template tail<Dim - 1>();
    if constexpr (Dim == 3) {
      const double k = mu > 0 ? mu * y[0] / length : 0;
      const Segment across = mu > 0 ? Segment(0, -y[2] / length, y[1] / length) : Segment(0, 1, 0);
      contact.columns.col(1) = across;
      contact.rows.col(1) = k * across;
      contact.sigma = (1 - k) / rho;
    }
  }

  // One full step. Returns false if the matrix is singular.
  bool advance() {
    A_.resize(unknowns_, unknowns_);
    b_.resize(unknowns_);
    for (const Loaded& contact : loaded()) add_columns(contact);
    if (unknowns_ > 0) {
      solve_in_place<Dim>(A_, b_, solve_.work());
      if (!b_.allFinite()) return false;
    }
    r_.setZero();
    for (const Loaded& own : loaded()) {
      auto r_i = r_.template segment<Dim>(Dim * own.contact);
      if (own.sticks)
        r_i = b_.template segment<Dim>(own.first);
      else
        r_i = own.columns * b_.template segment<Dim - 1>(own.first);
    }
    return true;
  }

  // The columns of the unknowns of one contact, and its entries of the right-hand side.
  void add_columns(const Loaded& own) {
    for (const Loaded& other : loaded()) {
      Eigen::Matrix<double, Dim, Dim> W = W_.W(other.contact, own.contact);
      if (&other == &own) W.diagonal().array() += proximal * mean_[own.contact];
      if (own.sticks)
        set_block(other, own.first, W);
      else
        set_block(other, own.first, Sliding(W * own.columns));
    }
    const Index i = own.contact;
    const Segment free = proximal * mean_[i] * r_.template segment<Dim>(Dim * i) - W_.q(i);
    if (own.sticks) {
      b_.template segment<Dim>(own.first) = free;
    } else {
      b_.template segment<Dim - 1>(own.first) = own.rows.transpose() * free;
      if constexpr (Dim == 3) A_(own.first + 1, own.first + 1) += own.sigma;
    }
  }

  template <int Columns>
  void set_block(const Loaded& rows, Index column,
                 const Eigen::Matrix<double, Dim, Columns>& block) {
    if (rows.sticks)
      A_.template block<Dim, Columns>(rows.first, column) = block;
    else
      A_.template block<Dim - 1, Columns>(rows.first, column) = rows.rows.transpose() * block;
  }

  Solve& solve_;
  DenseContacts<Dim> W_;
  // Of the diagonal of each W_ii; 1 if that is zero.
  Eigen::Matrix<double, Eigen::Dynamic, 1, 0, few_contacts, 1> mean_;
  FewVector<Dim> r_, u_, b_;
  FewMatrix<Dim> A_;
  std::array<Loaded, few_contacts> loaded_;
  std::size_t loaded_count_ = 0;
  Index unknowns_ = 0;
};

}  // namespace frictionbench::solvers
