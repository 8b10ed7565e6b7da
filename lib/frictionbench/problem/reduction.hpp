/// \file
/// From the global form of a problem to its local form.
#pragma once

#include <functional>
#include <vector>

#include "frictionbench/problem/contact_problem.hpp"

namespace frictionbench {

/// B -> M^-1 B, for B of n rows.
using MassSolver = std::function<Matrix(const Matrix&)>;

/// Factors M by a sparse Cholesky if it is symmetric to round-off, else by a sparse LU: iteration
/// matrices of real files have gyroscopic terms, and dropping them would solve another problem.
/// \throws InvalidProblem if M is singular.
MassSolver mass_solver(const SparseMatrix& M);

/// The local form of a global problem, and the factorised M.
struct Reduction {
  LocalForm local;        ///< W = H^T M^-1 H, q = H^T M^-1 f + w
  MassSolver solve_mass;  ///< with M
};

/// Takes as many solves with M as one of its bodies has columns of H, not as many as there are
/// columns: those that act on different bodies share a right-hand side [Curtis, Powell, Reid, J. Inst.
/// Maths Applics 13, 1974]. \throws InvalidProblem as mass_solver().
Reduction reduce(const GlobalForm& form);

/// The body of each degree of freedom, n, numbered from 0: those that M couples with each other, and
/// with no others. For a robot, all of its joints.
std::vector<Index> bodies_of(const SparseMatrix& M);

}  // namespace frictionbench
