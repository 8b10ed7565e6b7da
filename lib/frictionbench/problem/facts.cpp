#include "frictionbench/problem/facts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "frictionbench/problem/blocks.hpp"
#include "frictionbench/problem/contact_columns.hpp"
#include "frictionbench/problem/islands.hpp"

namespace frictionbench {

double relative_asymmetry(const SparseMatrix& A) {
  const double norm = A.nonZeros() > 0 ? A.norm() : 0;  // Eigen takes no norm of an empty matrix
  if (norm == 0) return 0;
  const SparseMatrix transposed = A.transpose();
  return (A - transposed).norm() / norm;
}

SparseMatrix symmetric_part(const SparseMatrix& A) {
  const SparseMatrix transposed = A.transpose();
  SparseMatrix sum = 0.5 * (A + transposed);
  sum.makeCompressed();
  return sum;
}

namespace {

// Nonzeros and asymmetry of W, from one of its blocks after the other.
class BlockByBlock {
 public:
  explicit BlockByBlock(const ContactProblem& problem)
      : columns_(problem.columns()), compliance_(problem.compliance()) {
    std::vector<std::vector<Index>> at_dof(static_cast<std::size_t>(columns_.dofs()));
    for (Index i = 0; i < problem.blocks(); ++i)
      for (const int dof : columns_.dofs_of(i)) at_dof[static_cast<std::size_t>(dof)].push_back(i);
    std::vector<Index> seen(static_cast<std::size_t>(problem.blocks()), -1);
    for (Index i = 0; i < problem.blocks(); ++i) {
      if (columns_.dofs_of(i).empty()) add(i, i);
      for (const int dof : columns_.dofs_of(i))
        for (const Index j : at_dof[static_cast<std::size_t>(dof)])
          if (std::exchange(seen[static_cast<std::size_t>(j)], i) != i) add(i, j);
    }
  }

  Index nonzeros() const { return nonzeros_; }
  double asymmetry() const { return square_ > 0 ? std::sqrt(difference_ / square_) : 0; }

 private:
  void add(Index i, Index j) {
    const Index rows = columns_.shape().rows(i), cols = columns_.shape().rows(j);
    BlockMatrix W_ij = BlockMatrix::Zero(rows, cols), mirrored = W_ij;
    std::array<std::array<bool, most_block_rows>, most_block_rows> stored{};
    const std::span<const int> of_i = columns_.dofs_of(i), of_j = columns_.dofs_of(j);
    for (std::size_t k = 0, l = 0; k < of_i.size() && l < of_j.size();) {
      if (of_i[k] < of_j[l]) {
        ++k;
      } else if (of_j[l] < of_i[k]) {
        ++l;
      } else {
        const auto at = [](const double* values, std::size_t entry, Index size) {
          return values + static_cast<Index>(entry) * size;
        };
        const double *h_i = at(columns_.H(i), k, rows),
                     *g_i = at(columns_.inverse_times_H(i), k, rows),
                     *h_j = at(columns_.H(j), l, cols),
                     *g_j = at(columns_.inverse_times_H(j), l, cols);
        for (Index a = 0; a < rows; ++a)
          for (Index b = 0; b < cols; ++b) {
            W_ij(a, b) += h_i[a] * g_j[b];
            mirrored(a, b) += g_i[a] * h_j[b];
            if (h_i[a] != 0 && g_j[b] != 0)
              stored[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)] = true;
          }
        ++k, ++l;
      }
    }
    difference_ += (W_ij - mirrored).squaredNorm();
    if (i == j && compliance_.size() > 0)
      for (Index a = 0; a < rows; ++a) {
        W_ij(a, a) += compliance_[columns_.shape().start(i) + a];
        stored[static_cast<std::size_t>(a)][static_cast<std::size_t>(a)] = true;
      }
    square_ += W_ij.squaredNorm();
    for (const auto& row : stored) nonzeros_ += std::ranges::count(row, true);
  }

  const ContactColumns& columns_;
  const Vector& compliance_;
  Index nonzeros_ = 0;
  double square_ = 0, difference_ = 0;  // ||W||_F^2, ||W - W^T||_F^2
};

}  // namespace

ProblemFacts facts_of(const ContactProblem& problem) {
  ProblemFacts facts;
  if (problem.has_W()) {
    facts.nonzeros = problem.local().W.nonZeros();
    facts.asymmetry = relative_asymmetry(problem.local().W);
  } else {
    const BlockByBlock W(problem);
    facts.nonzeros = W.nonzeros();
    facts.asymmetry = W.asymmetry();
  }
  if (problem.unknowns() > 0) {
    const double m = static_cast<double>(problem.unknowns());
    facts.density = static_cast<double>(facts.nonzeros) / (m * m);
    const Vector diagonal = problem.delassus_diagonal();
    facts.diagonal_min = diagonal.minCoeff();
    facts.diagonal_max = diagonal.maxCoeff();
    facts.mu_min = std::numeric_limits<double>::infinity();
    with_blocks(problem, [&](const auto& blocks) {
      for (Index i = 0; i < blocks.count(); ++i)
        if (blocks.is_contact(i)) {
          facts.mu_min = std::min(facts.mu_min, blocks.mu(i));
          facts.mu_max = std::max(facts.mu_max, blocks.mu(i));
        }
    });
    if (problem.contacts() == 0) facts.mu_min = 0;
    if (problem.compliance().size() > 0) {
      facts.compliance_min = problem.compliance().minCoeff();
      facts.compliance_max = problem.compliance().maxCoeff();
    }
    const std::vector<Index> island = islands(problem);
    facts.islands = *std::max_element(island.begin(), island.end()) + 1;
  }
  return facts;
}

std::string sets_of(const ContactProblem& problem) {
  if (problem.is_plain()) return {};
  std::map<std::string, int> counts;
  for (const SetPointer& set : problem.layout()->sets) {
    const std::string text = set->text();
    ++counts[text.substr(0, text.find('('))];
  }
  std::vector<std::string> parts;
  for (const auto& [kind, count] : counts) parts.push_back(fmt::format("{} {}", count, kind));
  return fmt::format("{}", fmt::join(parts, ", "));
}

Vector symmetric_eigenvalues(const SparseMatrix& A) {
  return Eigen::SelfAdjointEigenSolver<Matrix>(Matrix(A), Eigen::EigenvaluesOnly).eigenvalues();
}

std::optional<Spectrum> spectrum_of(const ContactProblem& problem, Index largest_size) {
  const SparseMatrix& W = problem.local().W;
  if (W.rows() == 0 || W.rows() > largest_size) return std::nullopt;
  const Vector eigenvalues = symmetric_eigenvalues(symmetric_part(W));
  Spectrum spectrum;
  spectrum.smallest = eigenvalues[0];
  spectrum.largest = eigenvalues[eigenvalues.size() - 1];
  for (Index k = 0; k < eigenvalues.size(); ++k) {
    if (eigenvalues[k] > 1e-10 * spectrum.largest) {
      if (spectrum.rank == 0) spectrum.condition = spectrum.largest / eigenvalues[k];
      ++spectrum.rank;
    }
  }
  return spectrum;
}

}  // namespace frictionbench
