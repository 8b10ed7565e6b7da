/// \file
/// Checks of what a problem is made of. Each throws InvalidProblem, which names the piece.
#pragma once

#include "frictionbench/problem/contact_problem.hpp"

namespace frictionbench {

/// The vector has `size` entries, all finite.
/// \param piece its name, and \param size_name what `size` stands for, in the message.
void check_vector(const char* piece, const Vector& vector, Index size, const char* size_name);

/// The same for a matrix, which is compressed on the way.
void check_matrix(const char* piece, SparseMatrix& matrix, Index rows, Index cols,
                  const char* size_name);

/// Space has 2 or 3 dimensions, and no mu is negative, NaN or infinite.
void check_friction(int dimension, const Vector& mu);

}  // namespace frictionbench
