/// Siconos' text: every storage there and back, and damage.

#include "frictionbench/formats/siconos.hpp"

#include <gtest/gtest.h>

#include "lib/fclib/same_problem.hpp"
#include "support/damaged_text.hpp"
#include "support/example_files.hpp"
#include "support/mixed_problems.hpp"

namespace frictionbench::formats {
namespace {

using enum SiconosStorage;

fclib::ProblemFile read(const std::string& text) { return read_siconos("damaged.txt", text); }

ContactProblem rolling_problem() {
  return test::mixed_problem(Vector(), {rolling_cone(0.5, 0.1), rolling_cone(0.25, 0)}, 3);
}

/// Equal numbers, wherever zeros are stored.
void expect_same_numbers(const ContactProblem& a, const ContactProblem& b) {
  ASSERT_EQ(a.form(), b.form());
  ASSERT_EQ(a.blocks(), b.blocks());
  test::expect_same(a.mu(), b.mu(), "mu");
  if (a.global()) {
    EXPECT_EQ(Matrix(a.global()->M), Matrix(b.global()->M));
    EXPECT_EQ(Matrix(a.global()->H), Matrix(b.global()->H));
    test::expect_same(a.global()->f, b.global()->f, "f");
    test::expect_same(a.global()->w, b.global()->w, "w");
  } else {
    EXPECT_EQ(Matrix(a.local().W), Matrix(b.local().W));
    test::expect_same(a.local().q, b.local().q, "q");
  }
  ASSERT_EQ(a.is_plain(), b.is_plain());
  for (Index i = 0; !a.is_plain() && i < a.blocks(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    EXPECT_EQ(a.layout()->sets[k]->text(), b.layout()->sets[k]->text());
  }
}

TEST(SiconosText, IsTheSameProblemThereAndBack) {
  for (const SiconosStorage storage : {dense, blocks, triplet, compressed_columns}) {
    for (const int dimension : {2, 3}) {
      const ContactProblem local = test::good_local_file(dimension).problem;
      expect_same_numbers(read(siconos_text(local, storage)).problem, local);
      if (storage == blocks) continue;
      const ContactProblem global = test::good_global_file(dimension).problem;
      expect_same_numbers(read(siconos_text(global, storage)).problem, global);
    }
    expect_same_numbers(read(siconos_text(rolling_problem(), storage)).problem, rolling_problem());
  }
}

TEST(SiconosText, HasProblemsWithoutContacts) {
  const ContactProblem none(3, Vector(), LocalForm{SparseMatrix(0, 0), Vector()});
  const GlobalForm bodies{test::sparse(Matrix(Matrix::Identity(3, 3))), SparseMatrix(3, 0),
                          Vector{{1, 2, 3}}, Vector()};
  const ContactProblem free_fall(3, Vector(), bodies);
  for (const SiconosStorage storage : {dense, blocks, triplet, compressed_columns}) {
    EXPECT_EQ(read(siconos_text(none, storage)).problem.contacts(), 0);
    if (storage != blocks)
      expect_same_numbers(read(siconos_text(free_fall, storage)).problem, free_fall);
  }
}

TEST(SiconosText, RefusesWhatItCannotHold) {
  const ContactProblem compliant = test::compliant(test::good_local_file()).problem;
  EXPECT_THROW(siconos_text(compliant, dense), std::invalid_argument);
  EXPECT_THROW(siconos_text(test::good_local_file(3, true).problem, dense), std::invalid_argument);
  EXPECT_THROW(siconos_text(test::good_global_file(3, true).problem, dense), std::invalid_argument);
  EXPECT_THROW(siconos_text(test::good_global_file().problem, blocks), std::invalid_argument);
  const ContactProblem limits =
      test::mixed_problem(Vector{{0.5}}, {interval(0, 1), torsional_cone(0.5, 0.1)}, 5);
  EXPECT_THROW(siconos_text(limits, dense), std::invalid_argument);
}

TEST(SiconosText, DamageIsSaidOrHarmless) {
  for (const SiconosStorage storage : {dense, blocks, triplet, compressed_columns}) {
    const std::string local = siconos_text(test::good_local_file(2).problem, storage);
    test::expect_errors_or_problems(local, read);
    test::expect_error_for_every_missing_word(local, read);
    if (storage == blocks) continue;
    const std::string global = siconos_text(test::good_global_file(2).problem, storage);
    test::expect_errors_or_problems(global, read);
    test::expect_error_for_every_missing_word(global, read);
  }
  test::expect_error_for_every_missing_word(siconos_text(rolling_problem(), triplet), read);
}

}  // namespace
}  // namespace frictionbench::formats
