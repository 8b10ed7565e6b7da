/// \file
/// Impulses and velocities as text: one number per line, contact by contact, normal first.
#pragma once

#include <string>

#include "frictionbench/math/types.hpp"

namespace frictionbench::app {

/// Reads a vector of this many entries. `nan` and `inf` are numbers, too.
/// \throws std::invalid_argument naming the file, the line and what is wrong.
Vector read_numbers(const std::string& path, Index entries);

/// Writes every digit. \throws FileError if the file cannot be written.
void write_numbers(const std::string& path, const Vector& values);

}  // namespace frictionbench::app
