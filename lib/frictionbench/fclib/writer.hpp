/// \file
/// Writes FCLIB problems (HDF5) that the reference library reads.
#pragma once

#include <string>

#include "frictionbench/base/atomic_file.hpp"
#include "frictionbench/fclib/problem_file.hpp"

namespace frictionbench::fclib {

/// How matrices are stored. FCLIB allows all three; real local files use compressed rows, real
/// global files triplets.
enum class Storage { triplet, compressed_columns, compressed_rows };

/// How a file is written.
struct Encoding {
  Storage storage = Storage::compressed_rows;  ///< of all matrices
  int gzip = 0;  ///< level of compression of what is long enough for it, 1 to 9; 0 for none
  Existing existing = Existing::refuse;  ///< what to do with a file of this name
};

/// Writes a new file, which appears complete or not at all (see AtomicFile).
/// \throws FileError if `path` exists already, or cannot be written.
void write_problem(const std::string& path, const ProblemFile& file,
                   Storage storage = Storage::compressed_rows);
/// The same, with all choices.
void write_problem(const std::string& path, const ProblemFile& file, const Encoding& encoding);

/// Adds a `/solution` group to an existing FCLIB file; every other byte of content stays.
/// The change is made in a copy that then replaces the file. The reference library reads a solution
/// only if it has `u` and `r`, with `v` in a global problem and `l` where there are bilateral rows.
/// \throws FileError if the file has a solution already and `replace` is false, if it is not
///         writable, or if a length does not fit the problem.
void write_solution(const std::string& path, const State& solution, bool replace = false);

}  // namespace frictionbench::fclib
