/// What is written is read back the same, in every combination that FCLIB allows.

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <tuple>

#include "frictionbench/base/sha256.hpp"
#include "frictionbench/fclib/file_rows.hpp"
#include "frictionbench/fclib/reader.hpp"
#include "frictionbench/fclib/writer.hpp"
#include "lib/fclib/same_problem.hpp"
#include "support/example_files.hpp"
#include "support/temporary_folder.hpp"

namespace frictionbench::fclib {
namespace {

using test::good_global_file;
using test::good_local_file;

using Combination = std::tuple<ProblemForm, int, bool, Storage>;

class RoundTrip : public testing::TestWithParam<Combination> {};

TEST_P(RoundTrip, GivesTheSameFile) {
  const auto [form, dimension, bilateral, storage] = GetParam();
  const ProblemFile file = form == ProblemForm::local ? good_local_file(dimension, bilateral)
                                                      : good_global_file(dimension, bilateral);
  const test::TemporaryFolder folder;
  write_problem(folder.file("a.hdf5"), file, storage);
  const ProblemFile read = read_problem(folder.file("a.hdf5"));
  test::expect_same(read, file);
  EXPECT_EQ(read.sha256, sha256_of_file(folder.file("a.hdf5")));

  const ProblemSizes sizes = inspect(folder.file("a.hdf5"));
  const GlobalForm* global = file.problem.global();
  EXPECT_EQ(sizes.form, form);
  EXPECT_EQ(sizes.dimension, dimension);
  EXPECT_EQ(sizes.contacts, file.problem.contacts());
  EXPECT_EQ(sizes.bilateral_rows, file.problem.bilateral_rows());
  EXPECT_EQ(sizes.unknowns, file.problem.unknowns());
  EXPECT_EQ(sizes.dofs, global ? global->M.rows() : 0);
  const Index m = rows_in_file(file.problem).contacts;
  EXPECT_EQ(sizes.nonzeros, global
                                ? global->M.nonZeros() + file.problem.global_rows(0, m).G.nonZeros()
                                : file.problem.local_rows(0, m).R.nonZeros());
}

TEST_P(RoundTrip, KeepsTheCompliance) {
  const auto [form, dimension, bilateral, storage] = GetParam();
  const ProblemFile rigid = form == ProblemForm::local ? good_local_file(dimension, bilateral)
                                                       : good_global_file(dimension, bilateral);
  const ProblemFile file = test::compliant(rigid);
  ASSERT_GT(file.problem.compliance().size(), 0);
  const test::TemporaryFolder folder;
  const std::string path = folder.file("a.hdf5");
  write_problem(path, file, storage);
  test::expect_same(read_problem(path), file);
  EXPECT_EQ(Matrix(read_problem(path).problem.local().W), Matrix(file.problem.local().W));

  // The matrices in the file are those of the rigid problem.
  const std::string rigid_path = folder.file("b.hdf5");
  write_problem(rigid_path, rigid, storage);
  EXPECT_EQ(inspect(path).nonzeros, inspect(rigid_path).nonzeros);
  // What is added later leaves it alone.
  ProblemFile unsolved = file;
  unsolved.solution.reset();
  write_problem(folder.file("c.hdf5"), unsolved, storage);
  write_solution(folder.file("c.hdf5"), *file.solution);
  test::expect_same(read_problem(folder.file("c.hdf5")), file);
}

INSTANTIATE_TEST_SUITE_P(All, RoundTrip,
                         testing::Combine(testing::Values(ProblemForm::local, ProblemForm::global),
                                          testing::Values(2, 3), testing::Bool(),
                                          testing::Values(Storage::triplet,
                                                          Storage::compressed_columns,
                                                          Storage::compressed_rows)));

TEST(FclibRoundTrip, KeepsAbsentVectorsAbsent) {
  ProblemFile file = good_local_file();
  file.solution = State{};
  file.solution->r = Vector::Ones(9);
  file.guesses.clear();
  const test::TemporaryFolder folder;
  write_problem(folder.file("a.hdf5"), file);
  const ProblemFile read = read_problem(folder.file("a.hdf5"));
  test::expect_same(read, file);
  EXPECT_FALSE(read.solution->u);
}

TEST(FclibRoundTrip, WorksWithoutContacts) {
  const SparseMatrix none(0, 0);
  SparseMatrix mass(4, 4);
  mass.setIdentity();
  const test::TemporaryFolder folder;
  for (const Storage storage :
       {Storage::triplet, Storage::compressed_columns, Storage::compressed_rows}) {
    SCOPED_TRACE(static_cast<int>(storage));
    const std::string name = std::to_string(static_cast<int>(storage));
    const ProblemFile local{ContactProblem(3, Vector(0), LocalForm{none, Vector(0)}), {}, {}, {}};
    write_problem(folder.file(name + "-local.hdf5"), local, storage);
    test::expect_same(read_problem(folder.file(name + "-local.hdf5")), local);

    const ProblemFile global{
        ContactProblem(2, Vector(0),
                       GlobalForm{mass, SparseMatrix(4, 0), Vector::Ones(4), Vector(0)}),
        {},
        {},
        {}};
    write_problem(folder.file(name + "-global.hdf5"), global, storage);
    test::expect_same(read_problem(folder.file(name + "-global.hdf5")), global);
  }
}

TEST(FclibRoundTrip, KeepsExplicitZeros) {
  ProblemFile file = good_local_file();
  SparseMatrix W = file.problem.local().W;
  W.coeffRef(0, 1) = 0;
  file.problem = ContactProblem(3, file.problem.mu(), LocalForm{W, file.problem.local().q});
  const test::TemporaryFolder folder;
  for (const Storage storage :
       {Storage::triplet, Storage::compressed_columns, Storage::compressed_rows}) {
    const std::string path = folder.file(std::to_string(static_cast<int>(storage)));
    write_problem(path, file, storage);
    EXPECT_EQ(read_problem(path).problem.local().W.nonZeros(), W.nonZeros());
  }
}

TEST(FclibRoundTrip, WritesTheSameBytesEveryTime) {
  const test::TemporaryFolder folder;
  const auto bytes = [&](const std::string& name) {
    write_problem(folder.file(name), good_global_file());
    std::ostringstream content;
    content << std::ifstream(folder.file(name), std::ios::binary).rdbuf();
    return content.str();
  };
  EXPECT_TRUE(bytes("a.hdf5") == bytes("b.hdf5"));
}

}  // namespace
}  // namespace frictionbench::fclib
