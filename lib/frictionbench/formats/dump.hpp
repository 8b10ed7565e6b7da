/// \file
/// The text that fb_dump.h and fb_dump.py write.
///
/// The first line is `frictionbench problem 1`, 1 the version; the last `end`. Between them are, in this
/// order,
///
///     title TEXT         optional, and so is `description TEXT`: the rest of the line
///     dimension 3        of space, 2 or 3
///     contacts 2         friction cones, in front of all other blocks
///     sets 1             optional: the sets of other blocks, one per line, as files of frictionbench
///                        have them: `equality(1)`, `interval(0,inf)`, `rolling(0.5,0.01)`
///
/// and then, in any order, a name and a number of entries, and that many of them:
///
///     mu 2               coefficients of friction, of `contacts`
///     W 36, q 6          local form: entries of W as lines `row column value`, numbers of q
///     M 12, H 18         global form: entries of M and H,
///     f 12, w 6          numbers of f and w
///     compliance 6       optional: the diagonal of R
///     bodies 2           optional: three integers for each block (fclib::BlockIdentity)
///     r 6, v 12          optional: an impulse, and a generalised velocity, that the simulation had
///
/// Rows are those of contacts, then those of sets. FCLIB files hold the coupling of a row of a set with the
/// rows before it once, for W_ij and W_ji: of a W that is not symmetric they keep the upper one.
///
/// Indices count from 0; entries that are named twice are added. Numbers are decimal or `nan` and `inf`,
/// which no problem may have: a simulator may still leave them, and the reader says where they are.
#pragma once

#include <string>
#include <string_view>

#include "frictionbench/fclib/problem_file.hpp"

namespace frictionbench::formats {

/// How such a file begins.
inline constexpr std::string_view dump_signature = "frictionbench problem ";

/// Reads a file; r and v become its guess.
/// \param path of the file, for error lines. \param text its content.
/// \throws FileError naming the line and what is wrong; a file without its end is one that whoever wrote
///         it did not complete.
fclib::ProblemFile read_dump(const std::string& path, std::string_view text);

}  // namespace frictionbench::formats
