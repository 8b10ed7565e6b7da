/// Parts of files, and files in local form: every number is that of the whole.

#include "frictionbench/fclib/parts.hpp"

#include <gtest/gtest.h>

#include "frictionbench/fclib/reader.hpp"
#include "frictionbench/fclib/writer.hpp"
#include "frictionbench/math/components.hpp"
#include "frictionbench/problem/islands.hpp"
#include "lib/fclib/same_problem.hpp"
#include "support/example_files.hpp"
#include "support/mixed_problems.hpp"
#include "support/temporary_folder.hpp"

namespace frictionbench::fclib {
namespace {

std::vector<Index> rows_of(const ContactProblem& problem, const std::vector<Index>& blocks) {
  std::vector<Index> rows;
  for (const Index i : blocks)
    for (Index k = 0; k < problem.block_rows(i); ++k) rows.push_back(problem.block_start(i) + k);
  return rows;
}

/// What is written is read back the same.
void expect_storable(const ProblemFile& file) {
  const test::TemporaryFolder folder;
  write_problem(folder.file("a.hdf5"), file);
  test::expect_same(read_problem(folder.file("a.hdf5")), file);
}

TEST(Parts, OfEveryFormDimensionAndKind) {
  for (const bool global : {false, true})
    for (const int dimension : {2, 3})
      for (const bool bilateral : {false, true})
        for (const bool compliant : {false, true}) {
          ProblemFile whole = global ? test::good_global_file(dimension, bilateral)
                                     : test::good_local_file(dimension, bilateral);
          if (compliant) whole = test::compliant(whole);
          const ContactProblem& problem = whole.problem;
          for (int i = 0; i < problem.blocks(); ++i) whole.bodies.push_back({i, i + 1, -i});
          std::vector<Index> blocks{0, 2};
          for (Index i = 3; i < problem.blocks(); ++i) blocks.push_back(i);
          const std::vector<Index> rows = rows_of(problem, blocks);

          const ProblemFile part = part_of(whole, blocks, Bodies::all);
          EXPECT_EQ(part.problem.form(), problem.form());
          EXPECT_EQ(part.problem.mu(), (Vector{{problem.mu()[0], problem.mu()[2]}}));
          EXPECT_EQ(part.problem.bilateral_rows(), problem.bilateral_rows());
          EXPECT_EQ(part.bodies.size(), blocks.size());
          EXPECT_EQ(part.bodies[1], whole.bodies[2]);
          EXPECT_EQ(part.info.title, whole.info.title);
          if (compliant) {
            EXPECT_EQ(part.problem.compliance(), Vector(problem.compliance()(rows)));
          }
          if (global) {
            EXPECT_EQ(Matrix(part.problem.global()->M), Matrix(problem.global()->M));
            EXPECT_EQ(Matrix(part.problem.global()->H),
                      Matrix(Matrix(problem.global()->H)(Eigen::all, rows)));
          }
          const Matrix W = Matrix(problem.local().W)(rows, rows);
          EXPECT_LE((Matrix(part.problem.local().W) - W).norm(), global ? 1e-13 * W.norm() : 0);
          ASSERT_EQ(part.guesses.size(), whole.guesses.size());
          EXPECT_EQ(*part.guesses[0].r, Vector((*whole.guesses[0].r)(rows)));
          expect_storable(part);
        }
}

TEST(Parts, AnIslandHasTheBodiesItTouches) {
  // Three bodies of one degree of freedom; two contacts in 2D, on the first and on the last.
  Matrix H = Matrix::Zero(3, 4);
  H << 1, 0.5, 0, 0, 0, 0, 0, 0, 0, 0, 1, -0.5;
  const GlobalForm form{test::sparse(Matrix(Vector{{1, 2, 4}}.asDiagonal())), test::sparse(H),
                        Vector{{1, 2, 3}}, Vector{{0, 1, 2, 3}}};
  ProblemFile whole{ContactProblem(2, Vector{{0.5, 0.7}}, form), {}, {}, {}};
  whole.solution =
      State{.v = Vector{{7, 8, 9}}, .u = Vector{{1, 2, 3, 4}}, .r = Vector{{5, 6, 7, 8}}};
  ASSERT_EQ(members(islands(whole.problem)).size(), 2U);
  const ProblemFile part = part_of(whole, {1}, Bodies::touched);
  EXPECT_EQ(Matrix(part.problem.global()->M), Matrix::Constant(1, 1, 4));
  EXPECT_EQ(Matrix(part.problem.global()->H), (Matrix{{1, -0.5}}));
  EXPECT_EQ(part.problem.global()->f, Vector::Constant(1, 3));
  EXPECT_EQ(part.problem.global()->w, (Vector{{2, 3}}));
  EXPECT_EQ(*part.solution->v, Vector::Constant(1, 9));
  EXPECT_EQ(*part.solution->u, (Vector{{3, 4}}));
  EXPECT_EQ(*part.solution->r, (Vector{{7, 8}}));
  // With all bodies, v is not that of the part: others' impulses are in it.
  const ProblemFile all = part_of(whole, {1}, Bodies::all);
  EXPECT_EQ(all.problem.global()->M.rows(), 3);
  EXPECT_FALSE(all.solution->v);
  EXPECT_EQ(*all.solution->r, (Vector{{7, 8}}));
}

TEST(Parts, OfOtherSets) {
  const ContactProblem problem = test::mixed_problem(
      Vector(), {rolling_cone(0.5, 0.1), rolling_cone(0.7, 0.2), equality(2), interval(0, 1)}, 11);
  ProblemFile whole{problem, {}, {}, {}};
  whole.guesses = {State{.v = {}, .u = Vector::Ones(10), .r = Vector::LinSpaced(13, 0, 12)}};
  const ProblemFile part = part_of(whole, {1, 2, 3}, Bodies::all);
  EXPECT_EQ(part.problem.layout()->sets[0]->text(), rolling_cone(0.7, 0.2)->text());
  EXPECT_EQ(part.guesses[0].u->size(), 5);
  EXPECT_EQ(*part.guesses[0].r, Vector::LinSpaced(8, 5, 12));
  expect_storable(part);
}

TEST(LocalForm, IsTheReductionOfTheGlobalOne) {
  for (const bool bilateral : {false, true}) {
    const ProblemFile whole = test::compliant(test::good_global_file(3, bilateral));
    const ProblemFile local = in_local_form(whole);
    EXPECT_EQ(local.problem.form(), ProblemForm::local);
    EXPECT_EQ(Matrix(local.problem.local().W), Matrix(whole.problem.local().W));
    EXPECT_EQ(local.problem.local().q, whole.problem.local().q);
    EXPECT_EQ(local.problem.compliance(), whole.problem.compliance());
    EXPECT_EQ(local.problem.bilateral_rows(), whole.problem.bilateral_rows());
    EXPECT_FALSE(local.solution->v);
    EXPECT_EQ(*local.solution->r, *whole.solution->r);
    EXPECT_FALSE(local.guesses[0].v);
  }
  const ProblemFile already = test::good_local_file();
  test::expect_same(in_local_form(already), already);
}

TEST(Gzip, GivesTheSameFile) {
  const test::TemporaryFolder folder;
  const ContactProblem large = test::mixed_problem(Vector::Constant(20, 0.5), {}, 2);
  const ProblemFile file{large, {}, {}, {}};
  for (const int level : {0, 1, 9}) {
    write_problem(folder.file("a.hdf5"), file,
                  Encoding{.gzip = level, .existing = Existing::replace});
    test::expect_same(read_problem(folder.file("a.hdf5")), file);
  }
}

}  // namespace
}  // namespace frictionbench::fclib
