#include "frictionbench/solvers/pivoting/lcp_basis.hpp"

#include <Eigen/LU>
#include <cmath>
#include <utility>

namespace frictionbench::solvers {

namespace {

constexpr double bad_pivot = 1e-8;  // of the largest entry of its column

// A random number for every k: splitmix64 (Steele, Lea, Flood, OOPSLA 2014).
std::uint64_t mixed(std::uint64_t k) {
  k += 0x9e3779b97f4a7c15;
  k = (k ^ (k >> 30)) * 0xbf58476d1ce4e5b9;
  k = (k ^ (k >> 27)) * 0x94d049bb133111eb;
  return k ^ (k >> 31);
}

}  // namespace

void BasisKey::toggle(Index variable) {
  const auto k = static_cast<std::uint64_t>(variable);
  low ^= mixed(2 * k);
  high ^= mixed(2 * k + 1);
}

LcpColumns::LcpColumns(const Lcp& lcp) : M_(lcp.M), d_(Vector::Zero(lcp.size())) {}

void LcpColumns::add(Index variable, double factor, Vector& a) const {
  for_each(variable, [&](Index row, double entry) { a[row] += factor * entry; });
}

Vector LcpColumns::column(Index variable) const {
  Vector a = Vector::Zero(size());
  add(variable, 1, a);
  return a;
}

// B by its slacks and the rest: K x_S = a_R, then the slacks from their own rows.
struct LcpBasis::Factor {
  std::vector<Index> structural;                // S: positions of variables that are not slacks
  std::vector<Index> variables;                 // those variables
  std::vector<Index> rows;                      // R: rows whose slack is not basic
  std::vector<std::pair<Index, Index>> slacks;  // position and row of the basic slacks
  Eigen::PartialPivLU<Matrix> kernel;           // K
};

// A column of E, and the pivots before it.
struct LcpBasis::Pivot {
  std::shared_ptr<const Pivot> before;
  Index position;
  std::shared_ptr<const Vector> column;
};

LcpBasis::LcpBasis(const LcpColumns& columns, const std::vector<Index>& start, int most_pivots,
                   WorkCounters& work)
    : columns_(&columns), work_(work), most_pivots_(most_pivots) {
  for (Index j = 0; j < size(); ++j) basic_.push_back(columns.w(j));
  for (const Index j : start) basic_[static_cast<std::size_t>(j)] = columns.z(j);
  for (const Index variable : basic_) key_.toggle(variable);
}

Index LcpBasis::structural_columns() const {
  Index count = 0;
  for (const Index variable : basic_) count += !columns_->is_slack(variable);
  return count;
}

std::int64_t LcpBasis::factor_bytes() const {
  const auto k = static_cast<std::int64_t>(structural_columns());
  return static_cast<std::int64_t>(sizeof(double)) * (k * k + 2 * size());
}

std::int64_t LcpBasis::copy_bytes() const {
  return static_cast<std::int64_t>(sizeof(Pivot) + sizeof(LcpBasis)) +
         static_cast<std::int64_t>(sizeof(Index) + sizeof(double)) * size();
}

bool LcpBasis::factorize() {
  last_.reset();
  pivots_ = 0;
  bad_pivot_ = false;
  auto factor = std::make_shared<Factor>();
  std::vector<Index> kernel_row(basic_.size(), 0);
  for (Index position = 0; position < size(); ++position) {
    const Index variable = at(position);
    if (columns_->is_slack(variable)) {
      factor->slacks.emplace_back(position, variable);
      kernel_row[static_cast<std::size_t>(variable)] = -1;
    } else {
      factor->structural.push_back(position);
      factor->variables.push_back(variable);
    }
  }
  for (Index row = 0; row < size(); ++row) {
    Index& place = kernel_row[static_cast<std::size_t>(row)];
    if (place < 0) continue;
    place = static_cast<Index>(factor->rows.size());
    factor->rows.push_back(row);
  }

  const auto k = static_cast<Index>(factor->rows.size());
  if (k > 0) {
    Matrix kernel = Matrix::Zero(k, k);
    for (Index column = 0; column < k; ++column)
      columns_->for_each(factor->variables[static_cast<std::size_t>(column)],
                         [&](Index row, double entry) {
                           const Index place = kernel_row[static_cast<std::size_t>(row)];
                           if (place >= 0) kernel(place, column) = entry;
                         });
    work_.count_lu();
    factor->kernel.compute(kernel);
    const auto diagonal = factor->kernel.matrixLU().diagonal().cwiseAbs();
    if (!factor->kernel.matrixLU().allFinite() || !(diagonal.minCoeff() > 0)) return false;
  }
  factor_ = std::move(factor);
  return true;
}

Vector LcpBasis::solve_factor(Vector a) const {
  const Factor& factor = *factor_;
  Vector x(size());
  if (!factor.rows.empty()) {
    const Vector x_S = factor.kernel.solve(Vector(a(factor.rows)));
    for (std::size_t k = 0; k < factor.structural.size(); ++k) {
      const double value = x_S[static_cast<Index>(k)];
      x[factor.structural[k]] = value;
      if (value != 0) columns_->add(factor.variables[k], -value, a);
    }
  }
  for (const auto& [position, row] : factor.slacks) x[position] = a[row];
  return x;
}

Vector LcpBasis::solve(Vector a) const {
  work_.count_solve();
  Vector x = solve_factor(std::move(a));
  std::vector<const Pivot*> pivots;
  for (const Pivot* pivot = last_.get(); pivot; pivot = pivot->before.get())
    pivots.push_back(pivot);
  for (auto pivot = pivots.rbegin(); pivot != pivots.rend(); ++pivot) {
    const Vector& column = *(*pivot)->column;
    const Index position = (*pivot)->position;
    const double value = x[position] / column[position];
    if (value != 0) x -= value * column;
    x[position] = value;
  }
  return x;
}

Vector LcpBasis::solve_refined(const Vector& a) const {
  Vector x = solve(a);
  Vector residual = a;
  for (Index position = 0; position < size(); ++position)
    columns_->add(at(position), -x[position], residual);
  return x + solve(std::move(residual));
}

void LcpBasis::replace(Index position, Index variable, std::shared_ptr<const Vector> column) {
  work_.count_pivot();
  Index& place = basic_[static_cast<std::size_t>(position)];
  key_.toggle(place);
  key_.toggle(variable);
  place = variable;
  ++pivots_;
  const double entry = std::abs((*column)[position]);
  bad_pivot_ = bad_pivot_ || !(entry >= bad_pivot * column->cwiseAbs().maxCoeff());
  last_ = std::make_shared<const Pivot>(Pivot{std::move(last_), position, std::move(column)});
}

}  // namespace frictionbench::solvers
