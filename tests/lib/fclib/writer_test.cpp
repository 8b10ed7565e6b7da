/// The writer leaves a whole file or none, and touches nothing that it was not asked to.

#include "frictionbench/fclib/writer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hdf5.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

#include "frictionbench/fclib/reader.hpp"
#include "frictionbench/sets/sets.hpp"
#include "lib/fclib/same_problem.hpp"
#include "support/example_files.hpp"
#include "support/problems.hpp"
#include "support/temporary_folder.hpp"

namespace frictionbench::fclib {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

std::string content(const std::string& path) {
  std::ostringstream bytes;
  bytes << std::ifstream(path, std::ios::binary).rdbuf();
  return bytes.str();
}

long files_in(const fs::path& folder) {
  return std::distance(fs::directory_iterator(folder), fs::directory_iterator());
}

template <typename Call>
std::string error_of(const Call& call) {
  try {
    call();
  } catch (const FileError& error) {
    return error.what();
  }
  return "no error";
}

State impulse(double value) {
  State state;
  state.u = Vector::Constant(9, value);
  state.r = Vector::Constant(9, 2 * value);
  return state;
}

class Writer : public testing::Test {
 protected:
  test::TemporaryFolder folder_;
  const std::string path_ = folder_.file("a.hdf5");
};

TEST_F(Writer, RefusesAnExistingPath) {
  std::ofstream(path_) << "precious";
  EXPECT_EQ(error_of([&] { write_problem(path_, test::good_local_file()); }),
            path_ + ": already exists");
  EXPECT_EQ(content(path_), "precious");
  EXPECT_EQ(files_in(folder_.path()), 1);

  fs::create_symlink("nowhere", folder_.file("link.hdf5"));
  EXPECT_THAT(error_of([&] { write_problem(folder_.file("link.hdf5"), test::good_local_file()); }),
              HasSubstr("already exists"));
}

TEST_F(Writer, SaysThatThereIsNoFolder) {
  const std::string path = folder_.file("no/such/folder.hdf5");
  EXPECT_EQ(error_of([&] { write_problem(path, test::good_local_file()); }),
            path + ": cannot be written: No such file or directory");
}

TEST_F(Writer, SaysThatTheFolderIsNotWritable) {
  if (geteuid() == 0) GTEST_SKIP() << "root may write anywhere";
  fs::permissions(folder_.path(), fs::perms::owner_read | fs::perms::owner_exec);
  EXPECT_EQ(error_of([&] { write_problem(path_, test::good_local_file()); }),
            path_ + ": cannot be written: Permission denied");
  fs::permissions(folder_.path(), fs::perms::owner_all);
}

/// Lets no file grow beyond some bytes, as a full disk does.
class SmallDisk {
 public:
  explicit SmallDisk(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit small{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
  }
  ~SmallDisk() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;

 private:
  rlimit before_{};
  void (*handler_)(int);
};

TEST_F(Writer, LeavesNothingOnAFullDisk) {
  {
    const SmallDisk disk(1000);
    EXPECT_THAT(error_of([&] { write_problem(path_, test::good_local_file()); }),
                HasSubstr(path_ + ": cannot be written: "));
  }
  EXPECT_EQ(files_in(folder_.path()), 0);

  write_problem(path_, test::good_local_file());
  const std::string before = content(path_);
  {
    const SmallDisk disk(1000);
    EXPECT_THAT(error_of([&] { write_solution(path_, impulse(1), true); }),
                HasSubstr(path_ + ": cannot be written: "));
  }
  EXPECT_EQ(files_in(folder_.path()), 1);
  EXPECT_TRUE(content(path_) == before);
}

TEST_F(Writer, AddsASolution) {
  ProblemFile file = test::good_local_file();
  file.solution.reset();
  write_problem(path_, file);
  write_solution(path_, impulse(1));
  file.solution = impulse(1);
  test::expect_same(read_problem(path_), file);

  EXPECT_EQ(error_of([&] { write_solution(path_, impulse(2)); }),
            path_ + ": /solution: already exists");
  test::expect_same(read_problem(path_), file);

  write_solution(path_, impulse(2), true);
  file.solution = impulse(2);
  test::expect_same(read_problem(path_), file);
  EXPECT_EQ(files_in(folder_.path()), 1);
}

TEST_F(Writer, KeepsWhatElseIsInTheFile) {
  write_problem(path_, test::good_local_file());
  hid_t file = H5Fopen(path_.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  H5Gclose(H5Gcreate2(file, "/notes", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  const hid_t space = H5Screate(H5S_SCALAR);
  hid_t group = H5Gopen2(file, "/fclib_local/info", H5P_DEFAULT);
  const int bodies = 17;
  hid_t attribute =
      H5Acreate2(group, "numberOfInvolvedDS", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT);
  H5Awrite(attribute, H5T_NATIVE_INT, &bodies);
  H5Aclose(attribute);
  H5Gclose(group);
  H5Sclose(space);
  H5Fclose(file);

  write_solution(path_, impulse(1), true);
  file = H5Fopen(path_.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  EXPECT_GT(H5Lexists(file, "/notes", H5P_DEFAULT), 0);
  group = H5Gopen2(file, "/fclib_local/info", H5P_DEFAULT);
  attribute = H5Aopen(group, "numberOfInvolvedDS", H5P_DEFAULT);
  int kept = 0;
  H5Aread(attribute, H5T_NATIVE_INT, &kept);
  EXPECT_EQ(kept, bodies);
  H5Aclose(attribute);
  H5Gclose(group);
  H5Fclose(file);
}

TEST_F(Writer, KeepsPermissionsAndLinks) {
  write_problem(path_, test::good_local_file());
  const fs::perms permissions = fs::perms::owner_read | fs::perms::owner_write;
  fs::permissions(path_, permissions);
  fs::create_symlink("a.hdf5", folder_.file("link.hdf5"));
  write_solution(folder_.file("link.hdf5"), impulse(1), true);
  EXPECT_TRUE(fs::is_symlink(folder_.file("link.hdf5")));
  EXPECT_EQ(fs::status(path_).permissions(), permissions);
  EXPECT_EQ(read_problem(path_).solution->r, impulse(1).r);
}

TEST_F(Writer, RefusesAFileThatIsNotWritable) {
  if (geteuid() == 0) GTEST_SKIP() << "root may write anything";
  write_problem(path_, test::good_local_file());
  fs::permissions(path_, fs::perms::owner_read);
  EXPECT_EQ(error_of([&] { write_solution(path_, impulse(1), true); }),
            path_ + ": cannot be written: Permission denied");
}

TEST_F(Writer, RefusesWhatDoesNotFit) {
  write_problem(path_, test::good_local_file());
  const std::string before = content(path_);
  const auto refusal = [&](const std::function<void(State&)>& change) {
    State state = impulse(1);
    change(state);
    return error_of([&] { write_solution(path_, state, true); });
  };
  EXPECT_EQ(refusal([](State& state) { state.r = Vector::Ones(6); }),
            path_ + ": /solution/r: has 6 values, expected 9");
  EXPECT_THAT(refusal([](State& state) { state.v = Vector::Ones(9); }),
              HasSubstr("/solution/v: a problem in local form has no generalised velocity"));
  EXPECT_THAT(
      refusal([](State& state) { (*state.u)[3] = std::numeric_limits<double>::infinity(); }),
      HasSubstr("/solution/u: has an entry that is not finite"));
  EXPECT_TRUE(content(path_) == before);
  EXPECT_EQ(files_in(folder_.path()), 1);
}

// FCLIB's V says how rows behind the contacts act on these, and how these act on them.
TEST_F(Writer, RefusesALocalFormWhoseRowsActOnlyOneWay) {
  Matrix W = Matrix::Identity(4, 4);
  W(0, 3) = 0.5;
  const auto file = [&] {
    return ProblemFile{ContactProblem(3, Vector::Ones(1),
                                      LocalForm{test::sparse(W), Vector::Ones(4)}, {equality()}),
                       {},
                       {},
                       {}};
  };
  EXPECT_EQ(error_of([&] { write_problem(path_, file()); }),
            path_ +
                ": W: rows 3 to 3 act on those before them in another way than those on them; "
                "the local form of a file has no place for that, the global form has");
  EXPECT_EQ(files_in(folder_.path()), 0);
  W(3, 0) = 0.5;
  write_problem(path_, file());
  EXPECT_EQ(Matrix(read_problem(path_).problem.local().W), W);
}

TEST_F(Writer, AddsNoSolutionToWhatIsNoProblem) {
  EXPECT_THAT(error_of([&] { write_solution(path_, impulse(1)); }), HasSubstr("no such file"));
  std::ofstream(path_) << "text";
  EXPECT_THAT(error_of([&] { write_solution(path_, impulse(1)); }), HasSubstr("not an HDF5 file"));
}

}  // namespace
}  // namespace frictionbench::fclib
