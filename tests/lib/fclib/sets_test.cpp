// Files of problems with other sets than friction cones.

#include "frictionbench/sets/sets.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <cstdio>
#include <fstream>

#include "frictionbench/fclib/file_rows.hpp"
#include "frictionbench/fclib/reader.hpp"
#include "frictionbench/fclib/writer.hpp"
#include "frictionbench/hdf5/internal/hdf5.hpp"
#include "frictionbench/hdf5/internal/hdf5_write.hpp"
#include "lib/fclib/same_problem.hpp"
#include "support/mixed_problems.hpp"
#include "support/temporary_folder.hpp"

namespace frictionbench::fclib {
namespace {

using testing::HasSubstr;

Index rows_of(const Vector& mu, const std::vector<SetPointer>& sets) {
  Index rows = 3 * mu.size();
  for (const SetPointer& set : sets) rows += set->dimension();
  return rows;
}

ContactProblem local_problem(const Vector& mu, const std::vector<SetPointer>& sets) {
  const Index m = rows_of(mu, sets);
  const Matrix A = test::random_matrix(m, m, 1);
  return {3, mu, LocalForm{test::sparse(A + A.transpose()), test::random_matrix(m, 1, 2)}, sets};
}

ContactProblem global_problem(const Vector& mu, const std::vector<SetPointer>& sets) {
  const Index m = rows_of(mu, sets), n = 12;
  const Matrix A = test::random_matrix(n, n, 3);
  return {3, mu,
          GlobalForm{test::sparse(A * A.transpose() + Matrix::Identity(n, n)),
                     test::sparse(test::random_matrix(n, m, 4)), test::random_matrix(n, 1, 5),
                     test::random_matrix(m, 1, 6)},
          sets};
}

const std::vector<SetPointer> rolling{rolling_cone(0.5, 0.01), rolling_cone(0.25, 0)};
const std::vector<SetPointer> mixed{equality(),
                                    equality(3),
                                    interval(0, INFINITY),
                                    interval(-0.1, 0.25),
                                    elliptic_cone({0.5, 0.1}),
                                    cohesive_cone(0.5, 1e-3)};

class SetFiles : public testing::Test {
 protected:
  // What a file of the problem gives back.
  ProblemFile written_and_read(const ContactProblem& problem) {
    ProblemFile file{problem, {"a", "b", "c"}, {}, {}};
    State state;
    state.r = test::random_matrix(problem.unknowns(), 1, 7);
    state.u = test::random_matrix(rows_in_file(problem).contacts, 1, 8);
    if (problem.global()) state.v = test::random_matrix(12, 1, 9);
    file.solution = state;
    file.guesses = {state};
    for (int i = 0; i < problem.blocks(); ++i) file.bodies.push_back({i, i + 1, -i});
    write_problem(path_, file);
    ProblemFile read = read_problem(path_);
    test::expect_same(read, file);
    EXPECT_EQ(read.bodies, file.bodies);
    EXPECT_EQ(inspect(path_).unknowns, problem.unknowns());
    return read;
  }
  std::vector<std::string> groups() const { return HdfFile(path_).root().names(); }

  test::TemporaryFolder folder_;
  const std::string path_ = folder_.file("a.hdf5");
};

TEST_F(SetFiles, RollingContactsAreWhereSiconosHasThem) {
  const ProblemFile local = written_and_read(local_problem(Vector(), rolling));
  EXPECT_THAT(groups(), testing::Contains("fclib_local_rolling"));
  EXPECT_EQ(local.problem.contacts(), 2);
  EXPECT_EQ(local.problem.layout()->sets[0]->text(), "rolling(0.5,0.01)");
  const HdfFile file(path_);
  EXPECT_EQ(file.root().group("fclib_local_rolling").integer("spacedim"), 5);
  EXPECT_FALSE(file.root().group(extension_group).has("sets")) << "the coefficients say it all";
}

TEST_F(SetFiles, RollingContactsInGlobalForm) {
  written_and_read(global_problem(Vector(), rolling));
  EXPECT_THAT(groups(), testing::Contains("fclib_global_rolling"));
}

TEST_F(SetFiles, OtherSetsAreInTheExtensionGroup) {
  for (const bool global : {false, true}) {
    SCOPED_TRACE(global);
    std::remove(path_.c_str());
    const Vector mu{{0.5, 0.8}};
    written_and_read(global ? global_problem(mu, mixed) : local_problem(mu, mixed));
    // FCLIB's own part is the problem of contacts and bilateral rows.
    const HdfFile file(path_);
    const HdfGroup own = file.root().group(global ? "fclib_global" : "fclib_local");
    EXPECT_EQ(own.integer("spacedim"), 3);
    EXPECT_EQ(own.group("vectors").dataset("mu").size(), 2);
    EXPECT_EQ(own.group("vectors").dataset(global ? "b" : "s").size(), 4);
    EXPECT_EQ(file.root().group("solution").dataset("r").size(), 6);
    EXPECT_EQ(file.root().group("solution").dataset("l").size(), 4);
    EXPECT_EQ(file.root().group("solution").dataset("others").size(), 8);
  }
}

TEST_F(SetFiles, WithoutContactsOfFclibKeepTheirImpulses) {
  for (const bool global : {false, true}) {
    SCOPED_TRACE(global);
    std::remove(path_.c_str());
    const std::vector<SetPointer> sets{elliptic_cone({0.5, 0.2}), interval(0, 1)};
    const ProblemFile read =
        written_and_read(global ? global_problem(Vector(), sets) : local_problem(Vector(), sets));
    ASSERT_TRUE(read.guesses.at(0).r);
    EXPECT_EQ(read.guesses[0].r->size(), 4);
  }
}

TEST_F(SetFiles, OfBilateralRowsAloneNeedNoExtension) {
  ProblemFile file{local_problem(Vector{{0.5}}, {equality(), equality()}), {}, {}, {}};
  write_problem(path_, file);
  EXPECT_THAT(groups(), testing::ElementsAre("fclib_local"));
  test::expect_same(read_problem(path_), file);
}

TEST_F(SetFiles, AreRefusedInAnotherOrder) {
  const ContactProblem problem = local_problem(Vector{{0.5}}, {interval(0, 1), equality()});
  try {
    write_problem(path_, {problem, {}, {}, {}});
    ADD_FAILURE() << "was written";
  } catch (const FileError& error) {
    EXPECT_THAT(error.what(), HasSubstr("block 2 is equality(1), but FCLIB has bilateral rows"));
  }
}

TEST_F(SetFiles, SayWhatIsWrongWithTheirSets) {
  const auto refusal = [&](const std::string& sets) -> std::string {
    std::remove(path_.c_str());
    write_problem(path_, {local_problem(Vector{{0.5}}, mixed), {}, {}, {}});
    {
      const HdfImage image(path_, read_bytes(path_));
      const HdfGroup group = image.root().group(extension_group);
      H5Ldelete(group.id(), "sets", H5P_DEFAULT);
      write_text(group, "sets", sets);
      std::ofstream(path_, std::ios::binary) << image.bytes();
    }
    try {
      read_problem(path_);
    } catch (const FileError& error) {
      return error.what();
    }
    return "was read";
  };
  EXPECT_THAT(refusal("equality(1)\nequality(3)\ninterval(0,1)\nhoneycomb(3)\n"),
              HasSubstr("/frictionbench/sets: line 4: set 'honeycomb(3)'"));
  EXPECT_THAT(refusal("equality(1)\nequality(3)\ninterval(0,1)\n"),
              HasSubstr("/frictionbench/vectors/s: has 8 entries, expected 1 (rows of its sets)"));
  EXPECT_THAT(refusal("equality(1)\nequality(2)\ninterval(0,1)\n"),
              HasSubstr("line 3: is interval(0,1), expected equality"));
  EXPECT_THAT(refusal("equality(1)\nequality(3)\n"),
              HasSubstr("/frictionbench/sets: names no sets for the rows of this group"));
  EXPECT_THAT(refusal("equality(3)\nequality(3)\n"),
              HasSubstr("its first sets have 6 rows, expected 4"));
}

}  // namespace
}  // namespace frictionbench::fclib
