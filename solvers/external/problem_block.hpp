/// \file
/// The arrays of a problem in a file, for a program in any language.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "frictionbench/solver/solver.hpp"

namespace frictionbench::solvers {

/// Writes the arrays of a problem into a file, one after the other, each at a multiple of 8 bytes:
/// those of solvers/external/README.md. \param descriptor of the file, which is replaced.
/// \param start of the solve, m, or empty for zero.
/// \returns a member for each array: `{"offset": bytes, "count": entries, "type": "float64"}`.
/// \throws std::system_error if the file cannot be written.
nlohmann::json write_block(int descriptor, const ContactProblem& problem, const Limits& limits,
                           const Vector& start);

/// Reads an array of numbers of a block, `r` or another. \param arrays what write_block() returned.
/// \throws std::runtime_error if the file has become shorter.
Vector read_array(int descriptor, const nlohmann::json& arrays, const char* name);

}  // namespace frictionbench::solvers
