/// \file
/// Facts about a problem and its matrices that help to read results: sizes, symmetry, spectrum.
#pragma once

#include <optional>
#include <string>

#include "frictionbench/problem/contact_problem.hpp"

namespace frictionbench {

/// ||A - A^T||_F / ||A||_F; 0 for a zero matrix. \param A square.
double relative_asymmetry(const SparseMatrix& A);

/// (A + A^T) / 2. \param A square.
SparseMatrix symmetric_part(const SparseMatrix& A);

/// How many blocks of which kind a problem has, by the names of set_kinds(): "25 friction, 12 interval";
/// empty for a plain problem.
std::string sets_of(const ContactProblem& problem);

/// The eigenvalues of a symmetric matrix in increasing order, at a cost cubic in its size.
Vector symmetric_eigenvalues(const SparseMatrix& A);

/// What a look at the stored entries of W tells. W includes the compliance.
struct ProblemFacts {
  Index nonzeros = 0;       ///< stored entries of W
  double density = 0;       ///< nonzeros / m^2; 0 for an empty W
  double asymmetry = 0;     ///< ||W - W^T||_F / ||W||_F
  double diagonal_min = 0;  ///< smallest diagonal entry of W
  double diagonal_max = 0;  ///< largest
  /// Friction coefficients; 0 without contacts.
  /// @{
  double mu_min = 0, mu_max = 0;
  /// @}
  /// Entries of the diagonal of R, velocity per impulse; 0 for rigid contacts.
  /// @{
  double compliance_min = 0, compliance_max = 0;
  /// @}
  Index islands = 0;  ///< groups of contacts that do not act on each other
};
/// Reduces a global problem that has_W(); of others, entries of W are counted without storing them.
ProblemFacts facts_of(const ContactProblem& problem);

/// Spectrum of the symmetric part of W, from a dense eigendecomposition.
struct Spectrum {
  double smallest = 0;   ///< smallest eigenvalue; tiny negative values are round-off
  double largest = 0;    ///< largest eigenvalue
  Index rank = 0;        ///< eigenvalues above 1e-10 of the largest
  double condition = 0;  ///< largest / smallest of those; many stacks have no clear gap: "at least"
};

inline constexpr Index largest_spectrum = 1800;  ///< unknowns; the cost is cubic

/// \returns nothing for more than `largest_size` unknowns or none at all.
std::optional<Spectrum> spectrum_of(const ContactProblem& problem,
                                    Index largest_size = largest_spectrum);

}  // namespace frictionbench
