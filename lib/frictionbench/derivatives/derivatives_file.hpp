/// \file
/// All derivatives of a solution in an HDF5 file.
#pragma once

#include <string>
#include <vector>

#include "frictionbench/derivatives/solution_derivatives.hpp"

namespace frictionbench {

/// What a solution is differentiated by.
enum class Parameter { q, mu };
constexpr auto describe(Parameter) {
  using enum Parameter;
  return enum_names<Parameter>("parameter",
                               {{q, "q", "free velocity"}, {mu, "mu", "friction coefficients"}});
}

/// Columns of the matrices that were written.
struct WrittenDerivatives {
  Index columns = 0;    ///< of all parameters
  Index undefined = 0;  ///< NaN, see Response::defect
};

/// Writes the datasets
///
///     /r, /u            m: the solution
///     /law              n, int: 0 separated, 1 sticking, 2 sliding (ContactLaw), of n friction cones
///     /kinks            int: blocks at a kink, where derivatives hold for directions that keep the law
///     /q/r, /q/u        m x m: dr/dq and du/dq, a column per entry of q
///     /mu/r, /mu/u      m x n: the same of their mu
///
/// A column is NaN where no derivative exists because contacts are hyperstatic.
/// \param parameters those that are wanted; /q or /mu is there if it is among them.
/// \throws std::invalid_argument for more than 3000 unknowns, whose matrices would not fit into
///         memory; FileError if the file cannot be written.
WrittenDerivatives write_derivatives(const std::string& path, const ContactProblem& problem,
                                     const Vector& r, const SolutionDerivatives& derivatives,
                                     const std::vector<Parameter>& parameters);

}  // namespace frictionbench
