/// \file
/// The text files of Siconos, which its functions frictionContact_printInFile and
/// frictionContact_newFromFile, and the same for global and rolling problems, write and read.
///
/// Numbers separated by blanks and line ends:
///
///     d              rows of a contact: 2, 3, or 5 with rolling friction
///     nc             number of contacts
///     W              a matrix, d nc x d nc; in a global problem M, n x n, then H, n x d nc
///     q              d nc numbers; in a global problem f, n numbers, then w, d nc numbers
///     mu             nc numbers, then with rolling friction nc coefficients mu_r
///
/// with Siconos' names M for W, q for f and b for w. Nothing says whether a problem is global: that
/// follows from the sizes. A matrix is the number of its storage, its rows, its columns, and
///
///     0, dense       rows and columns again, then all entries column by column (though Siconos breaks
///                    lines as if it were by row)
///     1, blocks      number of blocks, of block rows, of block columns; last row + 1 of each block row,
///                    last column + 1 of each block column; lengths of two lists; where each block row
///                    begins among the blocks, and the end; the block column of each block; then each
///                    block: its number, and its entries column by column
///     2, sparse      1, 2 or 3 for triplets, compressed columns or rows; a line of text; the line
///                    `triplet: 6-by-6, nzmax: 9 nnz: 9` with lines `row column : value`, or
///                    `6-by-6, nzmax: 9 nnz: 9, 1-norm: 1.5` (`csr: ` before it for rows) and for each
///                    column or row `col 0 : locations 0 to 1` with lines `row : value`
///
/// Siconos writes sparse matrices with six digits, so what it wrote may be symmetric to that only.
#pragma once

#include <string>
#include <string_view>

#include "frictionbench/fclib/problem_file.hpp"

namespace frictionbench::formats {

/// Storages of Siconos' matrices.
enum class SiconosStorage { dense, blocks, triplet, compressed_columns };

/// Reads a problem in any storage. Entries of dense matrices and blocks that are zero are left out.
/// \param path of the file, for error lines. \param text its content.
/// \throws FileError naming the line and what is wrong.
fclib::ProblemFile read_siconos(const std::string& path, std::string_view text);

/// The problem as text, with all digits. Info, solution, guesses and bodies have no place in it.
/// \param storage of all matrices; blocks, of the rows of a contact, for local problems only.
/// \throws std::invalid_argument, one line, for what the format cannot hold: compliance, and rows that
///         are not those of friction cones or rolling cones.
std::string siconos_text(const ContactProblem& problem, SiconosStorage storage);

}  // namespace frictionbench::formats
