/// \file
/// Reads FCLIB problems (HDF5), local and global, 2D and 3D.
#pragma once

#include <string>

#include "frictionbench/base/file_error.hpp"
#include "frictionbench/fclib/problem_file.hpp"

namespace frictionbench::fclib {

/// Reads a whole file: problem, info, solution and guesses.
///
/// Follows actual files, which differ from the reference library's header: in triplet storage (`nz`
/// >= 0) `i` holds row and `p` column indices, duplicates are summed; `nz` = -1 is compressed
/// columns, -2 compressed rows; scalars may be {1} or scalar datasets, integers 32 or 64 bit,
/// strings of fixed or variable length. HDF5's own error messages never reach standard error.
/// Vectors of a solution or guess that are of the wrong length or not finite are left out and noted
/// in State::misfits: the problem is sound.
///
/// The file is read once, into memory, and hashed there (ProblemFile::sha256).
///
/// \throws FileError naming the file, the dataset and the reason if anything is missing, of the
///         wrong length or out of range, not finite, or not an HDF5 file at all.
ProblemFile read_problem(const std::string& path);

/// Reads the sizes of a problem, without its matrices.
/// \throws FileError as read_problem, as far as sizes show what is wrong.
ProblemSizes inspect(const std::string& path);

}  // namespace frictionbench::fclib
