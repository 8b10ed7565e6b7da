#include "support/example_files.hpp"

#include <cmath>
#include <vector>

#include "frictionbench/fclib/file_rows.hpp"

namespace frictionbench::test {
namespace {

/// A banded, slightly asymmetric matrix.
SparseMatrix banded(Index rows, Index cols, double diagonal) {
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < cols; ++j) {
      if (i == j) entries.emplace_back(i, j, diagonal + 0.1 * i);
      if (i != j && std::abs(i - j) < 4)
        entries.emplace_back(i, j, 0.25 / (1 + std::abs(i - j)) + 1e-3 * (i - j));
    }
  SparseMatrix matrix(rows, cols);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

Vector wave(Index size, double shift) {
  Vector values(size);
  for (Index k = 0; k < size; ++k) values[k] = std::sin(static_cast<double>(k) + shift);
  return values;
}

/// Adds info, a solution and two guesses to a problem.
fclib::ProblemFile with_states(const ContactProblem& problem) {
  const Index m = problem.unknowns();
  const auto state = [&](double shift) {
    fclib::State values;
    if (problem.global()) values.v = wave(problem.global()->f.size(), shift);
    values.u = wave(fclib::rows_in_file(problem).contacts, shift + 1);
    values.r = wave(m, shift + 2);
    return values;
  };
  fclib::ProblemFile file{problem, {"a title", "a description", "math"}, {}, {}};
  file.solution = state(0.1);
  file.guesses = {state(0.2), state(0.3)};
  return file;
}

}  // namespace

fclib::ProblemFile good_local_file(int dimension, bool bilateral) {
  const Index m = 3 * dimension;
  const ContactProblem contacts(dimension, Vector{{0.3, 0.5, 0.0}},
                                LocalForm{banded(m, m, 2), wave(m, 0.5)});
  if (!bilateral) return with_states(contacts);
  return with_states(contacts.with_rows(LocalRows{banded(m, 2, 1), banded(2, 2, -3), wave(2, 4)}));
}

fclib::ProblemFile good_global_file(int dimension, bool bilateral) {
  const Index m = 3 * dimension;
  const Index n = 7;
  const ContactProblem contacts(
      dimension, Vector{{0.3, 0.5, 0.0}},
      GlobalForm{banded(n, n, 3), banded(n, m, 1), wave(n, 0.5), wave(m, 0.7)});
  if (!bilateral) return with_states(contacts);
  return with_states(contacts.with_rows(GlobalRows{banded(n, 2, 1), wave(2, 4)}));
}

fclib::ProblemFile compliant(fclib::ProblemFile file) {
  const Vector R = wave(file.problem.unknowns(), 1).cwiseAbs();
  file.problem = file.problem.with_compliance(R);
  return file;
}

}  // namespace frictionbench::test
