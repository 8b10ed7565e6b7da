#include "frictionbench/problem/facts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <limits>
#include <map>
#include <string>

#include "frictionbench/problem/blocks.hpp"
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

ProblemFacts facts_of(const ContactProblem& problem) {
  ProblemFacts facts;
  const SparseMatrix& W = problem.local().W;
  facts.nonzeros = W.nonZeros();
  facts.asymmetry = relative_asymmetry(W);
  if (problem.unknowns() > 0) {
    const double m = static_cast<double>(W.rows());
    facts.density = static_cast<double>(facts.nonzeros) / (m * m);
    const Vector diagonal = W.diagonal();
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
