#include "frictionbench/solvers/interior_point/cone_coordinates.hpp"

#include <fmt/format.h>

#include <Eigen/QR>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "frictionbench/math/max_or_nan.hpp"

namespace frictionbench::solvers {

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
// Of W_kk, added to rows without a cone: bilateral rows may repeat each other. Newton's method
// makes up for it.
constexpr double relaxation = 1e-8;

std::vector<ConicForm> forms_of(const ContactProblem& problem) {
  std::vector<ConicForm> forms;
  for (const SetPointer& set : problem.layout()->sets) {
    std::optional<ConicForm> form = set->conic_form();
    if (!form) throw std::logic_error("a set has no conic form");
    forms.push_back(std::move(*form));
  }
  return forms;
}

BlockShape shape_of_cones(const std::vector<ConicForm>& forms) {
  std::vector<Index> starts{0};
  for (const ConicForm& form : forms)
    for (const Index rows : form.cones) starts.push_back(starts.back() + rows);
  return BlockShape(std::move(starts));
}

// The shortest x of A x = b, for an A whose rows may be of very different sizes, but are independent.
Eigen::CompleteOrthogonalDecomposition<Matrix> shortest_solutions(const Matrix& A) {
  Eigen::CompleteOrthogonalDecomposition<Matrix> qr(A.rows(), A.cols());
  qr.setThreshold(std::numeric_limits<double>::min());
  qr.compute(A);
  return qr;
}

}  // namespace

template <int Dim>
FrictionCoordinates<Dim>::FrictionCoordinates(const ContactProblem& problem)
    : shape_(Dim, problem.contacts()), E_(Vector::Ones(problem.unknowns())) {
  for (Index i = 0; i < problem.contacts(); ++i)
    E_.segment(Dim * i + 1, Dim - 1).setConstant(problem.mu()[i]);
}

template <int Dim>
Vector FrictionCoordinates<Dim>::velocity_step(const BlockDiagonal& J, const CentralPath<Dim>&,
                                               Vector right, const Vector&, const Vector&) const {
  for (Index i = 0; i < J.blocks(); ++i) {
    auto dz_i = right.template segment<Dim>(Dim * i);
    const ConeMatrix<Dim> J_i = J.block(i);
    J_i.template triangularView<Eigen::Upper>().solveInPlace(dz_i);
  }
  return right;
}

template <int Dim>
std::pair<Vector, Vector> FrictionCoordinates<Dim>::enter(const Vector& r, const Vector& u) const {
  Vector x(r.size());
  for (Index k = 0; k < r.size(); ++k) x[k] = E_[k] > 0 ? r[k] / E_[k] : 0;
  return {std::move(x), E_.cwiseProduct(u)};
}

template class FrictionCoordinates<2>;
template class FrictionCoordinates<3>;

ConicCoordinates::ConicCoordinates(const ContactProblem& problem)
    : ConicCoordinates(problem, forms_of(problem)) {}

ConicCoordinates::ConicCoordinates(const ContactProblem& problem,
                                   const std::vector<ConicForm>& forms)
    : problem_(&problem),
      blocks_(problem.block_shape()),
      cones_(shape_of_cones(forms)),
      E_(problem.unknowns()),
      c_(problem.unknowns()),
      b_(cones_.order()),
      A_(cones_.order(), problem.unknowns()),
      pseudoinverse_(problem.unknowns(), cones_.order()),
      lift_(Vector::Zero(problem.unknowns())) {
  std::vector<Eigen::Triplet<double, int>> of_A, of_pseudoinverse;
  Index cone = 0;
  for (Index i = 0; i < blocks_.count(); ++i) {
    const ConicForm& form = forms[static_cast<std::size_t>(i)];
    const Index first = blocks_.start(i), rows = blocks_.rows(i), row = cones_.start(cone);
    E_.segment(first, rows) = form.scale;
    c_.segment(first, rows) = form.offset;
    b_.segment(row, form.A.rows()) = form.b;
    const auto cones = static_cast<Index>(form.cones.size());
    parts_.push_back({.first_cone = cone, .cones = cones, .first_row = row, .A = form.A});
    normals_.insert(normals_.end(), form.cones.size(), first);
    cone += cones;
    if (cones == 0) {
      for (Index k = first; k < first + rows; ++k) {
        const double diagonal = E_[k] * E_[k] * problem.local().W.coeff(k, k);
        lift_[k] = diagonal > 0 ? relaxation * diagonal : 1;
      }
      continue;
    }
    const Matrix pseudoinverse =
        Eigen::CompleteOrthogonalDecomposition<Matrix>(form.A).pseudoInverse();
    for (Index a = 0; a < form.A.rows(); ++a)
      for (Index k = 0; k < rows; ++k) {
        const int at = static_cast<int>(row + a), column = static_cast<int>(first + k);
        if (form.A(a, k) != 0) of_A.emplace_back(at, column, form.A(a, k));
        if (pseudoinverse(k, a) != 0)
          of_pseudoinverse.emplace_back(column, at, pseudoinverse(k, a));
      }
  }
  A_.setFromTriplets(of_A.begin(), of_A.end());
  pseudoinverse_.setFromTriplets(of_pseudoinverse.begin(), of_pseudoinverse.end());
}

BlockDiagonal ConicCoordinates::condensed(const BlockDiagonal& S) const {
  BlockDiagonal condensed(blocks_);
  for (Index i = 0; i < blocks_.count(); ++i) {
    const Part& part = parts_[static_cast<std::size_t>(i)];
    auto block = condensed.block(i);
    block.diagonal() = lift_.segment(blocks_.start(i), blocks_.rows(i));
    for (Index c = part.first_cone; c < part.first_cone + part.cones; ++c) {
      const auto A_c = part.A.middleRows(cones_.start(c) - part.first_row, cones_.rows(c));
      block += A_c.transpose() * S.block(c) * A_c;
    }
  }
  return condensed;
}

Vector ConicCoordinates::nearest(const Vector& x, const Vector& y) const {
  Vector nearest = pseudoinverse_ * (x - b_);
  for (Index i = 0; i < blocks_.count(); ++i)
    if (parts_[static_cast<std::size_t>(i)].cones == 0)
      nearest.segment(blocks_.start(i), blocks_.rows(i)) =
          y.segment(blocks_.start(i), blocks_.rows(i));
  return nearest;
}

Vector ConicCoordinates::slack_error(const Vector& y, const Vector& x) const {
  Vector error = A_ * y + b_ - x;
  const Vector rounding = epsilon * (A_.cwiseAbs() * y.cwiseAbs() + b_.cwiseAbs() + x.cwiseAbs());
  for (Index k = 0; k < error.size(); ++k)
    if (std::abs(error[k]) <= rounding[k]) error[k] = 0;
  return error;
}

double ConicCoordinates::largest_without_cone(const Vector& F) const {
  double largest = 0;
  for (Index k = 0; k < F.size(); ++k)
    if (lift_[k] > 0) largest = max_or_nan(largest, std::abs(F[k]));
  return largest;
}

// dz = p - D dx is met where the first equation does not say otherwise. D dx may be mostly rounding, so
// that one correction in the metric of N leaves some of it: it is made twice.
Vector ConicCoordinates::velocity_step(const BlockDiagonal& J,
                                       const CentralPath<Eigen::Dynamic>& path, const Vector& right,
                                       const Vector& p, const Vector& dx) const {
  Vector dz = p - path.times_scale(dx);
  for (Index i = 0; i < blocks_.count(); ++i) {
    const Part& part = parts_[static_cast<std::size_t>(i)];
    if (part.cones == 0) continue;
    const auto right_i = right.segment(blocks_.start(i), blocks_.rows(i));
    auto dz_i = dz.segment(part.first_row, part.A.rows());
    if (part.A.isIdentity(0)) {
      dz_i = right_i;
      J.block(part.first_cone).triangularView<Eigen::Upper>().solveInPlace(dz_i);
      continue;
    }
    Matrix A_J(blocks_.rows(i), part.A.rows()), scaled = A_J;  // A^T J, and that times N^-1
    for (Index c = part.first_cone; c < part.first_cone + part.cones; ++c) {
      const Index row = cones_.start(c) - part.first_row, rows = cones_.rows(c);
      A_J.middleCols(row, rows) = part.A.middleRows(row, rows).transpose() * J.block(c);
      for (Index k = 0; k < A_J.rows(); ++k)
        scaled.row(k).segment(row, rows) =
            path.scaling(c).inverse_times(A_J.row(k).segment(row, rows).transpose()).transpose();
    }
    const auto qr = shortest_solutions(scaled);
    for (int correction = 0; correction < 2; ++correction) {
      const Vector change = qr.solve(right_i - A_J * dz_i);
      for (Index c = part.first_cone; c < part.first_cone + part.cones; ++c) {
        const Index row = cones_.start(c) - part.first_row, rows = cones_.rows(c);
        dz_i.segment(row, rows) += path.scaling(c).inverse_times(change.segment(row, rows));
      }
    }
  }
  return dz;
}

Vector ConicCoordinates::member(const Vector& x, const Vector& y) const {
  Vector r = impulse(nearest(x, y));
  with_blocks(*problem_, [&](const auto& blocks) {
    for (Index i = 0; i < blocks.count(); ++i) blocks.of(r, i) = blocks.project(i, blocks.of(r, i));
  });
  return r;
}

std::pair<Vector, Vector> ConicCoordinates::enter(const Vector& r, const Vector& u) const {
  Vector y(r.size());
  for (Index k = 0; k < r.size(); ++k) y[k] = E_[k] > 0 ? (r[k] - c_[k]) / E_[k] : 0;
  return {A_ * y + b_, lifted(E_.cwiseProduct(u))};
}

std::string reason_without_cones(const ContactProblem& problem) {
  if (problem.is_plain()) return {};
  for (const SetPointer& set : problem.layout()->sets)
    if (!set->conic_form())
      return fmt::format("takes sets that are made of cones, and {} is not known to be",
                         set->text());
  return {};
}

}  // namespace frictionbench::solvers
