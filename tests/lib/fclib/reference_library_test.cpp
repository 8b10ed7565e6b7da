/// Files go both ways between this library and the reference one, number by number.

#include <gtest/gtest.h>

#include "frictionbench/fclib/file_rows.hpp"
#include "frictionbench/fclib/reader.hpp"
#include "frictionbench/fclib/writer.hpp"
#include "lib/fclib/same_problem.hpp"
#include "support/example_files.hpp"
#include "support/temporary_folder.hpp"

#ifdef FRICTIONBENCH_HAS_LIBFCLIB

#include <cstdlib>
#include <memory>
#include <tuple>
#include <vector>

extern "C" {
#include <fclib.h>
}

namespace frictionbench::fclib {
namespace {

// The library frees what a problem points to, and not the problem.
struct DeleteLocal {
  void operator()(fclib_local* problem) const {
    fclib_delete_local(problem);
    std::free(problem);
  }
};
struct DeleteGlobal {
  void operator()(fclib_global* problem) const {
    fclib_delete_global(problem);
    std::free(problem);
  }
};

/// The entries of a matrix of the reference library, by its own rules (p: columns, i: rows).
Matrix dense(const fclib_matrix& a) {
  Matrix result = Matrix::Zero(a.m, a.n);
  if (a.nz >= 0)
    for (int k = 0; k < a.nz; ++k) result(a.i[k], a.p[k]) += a.x[k];
  if (a.nz == -1)
    for (int col = 0; col < a.n; ++col)
      for (int k = a.p[col]; k < a.p[col + 1]; ++k) result(a.i[k], col) += a.x[k];
  if (a.nz == -2)
    for (int row = 0; row < a.m; ++row)
      for (int k = a.p[row]; k < a.p[row + 1]; ++k) result(row, a.i[k]) += a.x[k];
  return result;
}

Vector vector(const double* values, Index size) { return Eigen::Map<const Vector>(values, size); }

/// A matrix of the reference library over memory of its own.
struct BorrowedMatrix {
  BorrowedMatrix(const SparseMatrix& matrix, Storage storage) {
    x.assign(matrix.valuePtr(), matrix.valuePtr() + matrix.nonZeros());
    view.m = static_cast<int>(matrix.rows());
    view.n = static_cast<int>(matrix.cols());
    view.nzmax = static_cast<int>(x.size());
    if (storage == Storage::compressed_rows) {
      view.nz = -2;
      p.assign(matrix.outerIndexPtr(), matrix.outerIndexPtr() + matrix.rows() + 1);
      i.assign(matrix.innerIndexPtr(), matrix.innerIndexPtr() + matrix.nonZeros());
    } else if (storage == Storage::compressed_columns) {
      view.nz = -1;
      const Eigen::SparseMatrix<double, Eigen::ColMajor, int> columns = matrix;
      p.assign(columns.outerIndexPtr(), columns.outerIndexPtr() + columns.cols() + 1);
      i.assign(columns.innerIndexPtr(), columns.innerIndexPtr() + columns.nonZeros());
      x.assign(columns.valuePtr(), columns.valuePtr() + columns.nonZeros());
    } else {
      view.nz = view.nzmax;
      for (Index row = 0; row < matrix.rows(); ++row)
        for (SparseMatrix::InnerIterator entry(matrix, row); entry; ++entry) {
          p.push_back(static_cast<int>(entry.col()));
          i.push_back(static_cast<int>(entry.row()));
        }
    }
    view.p = p.data();
    view.i = i.data();
    view.x = x.data();
    view.info = nullptr;
  }
  BorrowedMatrix(const BorrowedMatrix&) = delete;
  BorrowedMatrix& operator=(const BorrowedMatrix&) = delete;

  fclib_matrix view{};
  std::vector<int> p, i;
  std::vector<double> x;
};

/// The reference library takes everything by pointers that are not const, and changes nothing.
double* data(const Vector& values) { return const_cast<double*>(values.data()); }
double* data(const std::optional<Vector>& values) { return values ? data(*values) : nullptr; }

// The reference library has impulses of contacts and of bilateral rows apart, one behind the other.
fclib_solution borrowed(const State& state, const FileRows& rows) {
  double* const r = data(state.r);
  return {.v = data(state.v),
          .u = data(state.u),
          .r = r,
          .l = rows.bilateral > 0 ? r + rows.contacts : nullptr};
}

void expect_same(const fclib_solution& theirs, const State& ours, const FileRows& rows) {
  const auto same = [](const double* values, const std::optional<Vector>& expected) {
    ASSERT_EQ(values != nullptr, expected.has_value());
    if (values) {
      EXPECT_EQ(vector(values, expected->size()), *expected);
    }
  };
  same(theirs.v, ours.v);
  same(theirs.u, ours.u);
  same(theirs.r, Vector(ours.r->head(rows.contacts)));
  if (rows.bilateral > 0) same(theirs.l, Vector(ours.r->tail(rows.bilateral)));
}

void expect_same_states(const std::string& path, const ProblemFile& file) {
  fclib_solution* solution = fclib_read_solution(path.c_str());
  ASSERT_NE(solution, nullptr);
  const FileRows rows = rows_in_file(file.problem);
  expect_same(*solution, *file.solution, rows);
  fclib_delete_solutions(solution, 1);

  int count = 0;
  fclib_solution* guesses = fclib_read_guesses(path.c_str(), &count);
  ASSERT_EQ(static_cast<std::size_t>(count), file.guesses.size());
  for (int k = 0; k < count; ++k)
    expect_same(guesses[k], file.guesses[static_cast<std::size_t>(k)], rows);
  fclib_delete_solutions(guesses, count);
}

void expect_same_info(const fclib_info* info, const Info& expected) {
  ASSERT_NE(info, nullptr);
  EXPECT_EQ(info->title, expected.title);
  EXPECT_EQ(info->description, expected.description);
  EXPECT_EQ(info->math_info, expected.math_info);
}

void write_states(const std::string& path, const ProblemFile& file) {
  const FileRows rows = rows_in_file(file.problem);
  fclib_solution solution = borrowed(*file.solution, rows);
  ASSERT_EQ(fclib_write_solution(&solution, path.c_str()), 1);
  std::vector<fclib_solution> guesses;
  for (const State& guess : file.guesses) guesses.push_back(borrowed(guess, rows));
  ASSERT_EQ(fclib_write_guesses(static_cast<int>(guesses.size()), guesses.data(), path.c_str()), 1);
}

/// Dimension, bilateral rows, storage.
class ReferenceLibrary : public testing::TestWithParam<std::tuple<int, bool, Storage>> {
 protected:
  test::TemporaryFolder folder_;
  const std::string path_ = folder_.file("a.hdf5");
};

TEST_P(ReferenceLibrary, ReadsOurLocalFiles) {
  const auto [dimension, bilateral, storage] = GetParam();
  const ProblemFile file = test::good_local_file(dimension, bilateral);
  write_problem(path_, file, storage);
  const std::unique_ptr<fclib_local, DeleteLocal> theirs(fclib_read_local(path_.c_str()));
  ASSERT_NE(theirs, nullptr);
  const ContactProblem& ours = file.problem;
  EXPECT_EQ(theirs->spacedim, dimension);
  const Index m = rows_in_file(ours).contacts;
  const LocalRows contacts = ours.local_rows(0, m);
  EXPECT_EQ(dense(*theirs->W), Matrix(contacts.R));
  EXPECT_EQ(vector(theirs->q, m), contacts.s);
  EXPECT_EQ(vector(theirs->mu, ours.contacts()), ours.mu());
  ASSERT_EQ(theirs->V != nullptr, bilateral);
  if (bilateral) {
    const LocalRows rows = ours.local_rows(m, 2);
    EXPECT_EQ(dense(*theirs->V), Matrix(rows.V));
    EXPECT_EQ(dense(*theirs->R), Matrix(rows.R));
    EXPECT_EQ(vector(theirs->s, 2), rows.s);
  }
  expect_same_info(theirs->info, file.info);
  expect_same_states(path_, file);
}

TEST_P(ReferenceLibrary, ReadsOurGlobalFiles) {
  const auto [dimension, bilateral, storage] = GetParam();
  const ProblemFile file = test::good_global_file(dimension, bilateral);
  write_problem(path_, file, storage);
  const std::unique_ptr<fclib_global, DeleteGlobal> theirs(fclib_read_global(path_.c_str()));
  ASSERT_NE(theirs, nullptr);
  const ContactProblem& ours = file.problem;
  EXPECT_EQ(theirs->spacedim, dimension);
  EXPECT_EQ(dense(*theirs->M), Matrix(ours.global()->M));
  const Index m = rows_in_file(ours).contacts;
  const GlobalRows contacts = ours.global_rows(0, m);
  EXPECT_EQ(dense(*theirs->H), Matrix(contacts.G));
  EXPECT_EQ(vector(theirs->f, ours.global()->f.size()), ours.global()->f);
  EXPECT_EQ(vector(theirs->w, m), contacts.b);
  EXPECT_EQ(vector(theirs->mu, ours.contacts()), ours.mu());
  ASSERT_EQ(theirs->G != nullptr, bilateral);
  if (bilateral) {
    const GlobalRows rows = ours.global_rows(m, 2);
    EXPECT_EQ(dense(*theirs->G), Matrix(rows.G));
    EXPECT_EQ(vector(theirs->b, 2), rows.b);
  }
  expect_same_info(theirs->info, file.info);
  expect_same_states(path_, file);
}

// It knows nothing of compliance, and reads the rigid problem.
TEST_P(ReferenceLibrary, ReadsOurCompliantFiles) {
  const auto [dimension, bilateral, storage] = GetParam();
  const ProblemFile local = test::compliant(test::good_local_file(dimension, bilateral));
  write_problem(path_, local, storage);
  const std::unique_ptr<fclib_local, DeleteLocal> theirs(fclib_read_local(path_.c_str()));
  ASSERT_NE(theirs, nullptr);
  const Index m = rows_in_file(local.problem).contacts;
  EXPECT_EQ(dense(*theirs->W), Matrix(local.problem.local_rows(0, m).R));
  EXPECT_EQ(vector(theirs->q, m), local.problem.local_rows(0, m).s);
  expect_same_states(path_, local);

  const ProblemFile global = test::compliant(test::good_global_file(dimension, bilateral));
  const std::string path = folder_.file("global.hdf5");
  write_problem(path, global, storage);
  const std::unique_ptr<fclib_global, DeleteGlobal> of_global(fclib_read_global(path.c_str()));
  ASSERT_NE(of_global, nullptr);
  EXPECT_EQ(dense(*of_global->M), Matrix(global.problem.global()->M));
  EXPECT_EQ(dense(*of_global->H), Matrix(global.problem.global_rows(0, m).G));
  expect_same_states(path, global);
}

TEST_P(ReferenceLibrary, WritesLocalFilesThatWeRead) {
  const auto [dimension, bilateral, storage] = GetParam();
  ProblemFile file = test::good_local_file(dimension, bilateral);
  const ContactProblem& ours = file.problem;
  const Index m = rows_in_file(ours).contacts;
  const LocalRows contacts = ours.local_rows(0, m);
  const LocalRows rows = ours.local_rows(m, ours.unknowns() - m);
  BorrowedMatrix W(contacts.R, storage);
  std::unique_ptr<BorrowedMatrix> V, R;
  fclib_info info{file.info.title.data(), file.info.description.data(), file.info.math_info.data()};
  fclib_local theirs{};
  theirs.W = &W.view;
  if (bilateral) {
    V = std::make_unique<BorrowedMatrix>(rows.V, storage);
    R = std::make_unique<BorrowedMatrix>(rows.R, storage);
    theirs.V = &V->view;
    theirs.R = &R->view;
    theirs.s = data(rows.s);
  }
  theirs.mu = data(ours.mu());
  theirs.q = data(contacts.s);
  theirs.spacedim = dimension;
  theirs.info = &info;
  ASSERT_EQ(fclib_write_local(&theirs, path_.c_str()), 1);
  write_states(path_, file);
  test::expect_same(read_problem(path_), file);
}

TEST_P(ReferenceLibrary, WritesGlobalFilesThatWeRead) {
  const auto [dimension, bilateral, storage] = GetParam();
  ProblemFile file = test::good_global_file(dimension, bilateral);
  const ContactProblem& ours = file.problem;
  const Index m = rows_in_file(ours).contacts;
  const GlobalRows contacts = ours.global_rows(0, m);
  const GlobalRows rows = ours.global_rows(m, ours.unknowns() - m);
  BorrowedMatrix M(ours.global()->M, storage);
  BorrowedMatrix H(contacts.G, storage);
  std::unique_ptr<BorrowedMatrix> G;
  fclib_info info{file.info.title.data(), file.info.description.data(), file.info.math_info.data()};
  fclib_global theirs{};
  theirs.M = &M.view;
  theirs.H = &H.view;
  if (bilateral) {
    G = std::make_unique<BorrowedMatrix>(rows.G, storage);
    theirs.G = &G->view;
    theirs.b = data(rows.b);
  }
  theirs.mu = data(ours.mu());
  theirs.f = data(ours.global()->f);
  theirs.w = data(contacts.b);
  theirs.spacedim = dimension;
  theirs.info = &info;
  ASSERT_EQ(fclib_write_global(&theirs, path_.c_str()), 1);
  write_states(path_, file);
  test::expect_same(read_problem(path_), file);
}

TEST(ReferenceLibrarySolution, ReadsWhatWeAddToItsFile) {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("a.hdf5");
  ProblemFile file = test::good_local_file();
  BorrowedMatrix W(file.problem.local().W, Storage::compressed_rows);
  fclib_local theirs{};
  theirs.W = &W.view;
  theirs.mu = data(file.problem.mu());
  theirs.q = data(file.problem.local().q);
  theirs.spacedim = 3;
  ASSERT_EQ(fclib_write_local(&theirs, path.c_str()), 1);
  write_solution(path, *file.solution);
  fclib_solution* solution = fclib_read_solution(path.c_str());
  const FileRows rows = rows_in_file(file.problem);
  expect_same(*solution, *file.solution, rows);
  fclib_delete_solutions(solution, 1);
}

INSTANTIATE_TEST_SUITE_P(All, ReferenceLibrary,
                         testing::Combine(testing::Values(2, 3), testing::Bool(),
                                          testing::Values(Storage::triplet,
                                                          Storage::compressed_columns,
                                                          Storage::compressed_rows)));

}  // namespace
}  // namespace frictionbench::fclib

#else

TEST(ReferenceLibrary, ExchangesFiles) {
  GTEST_SKIP() << "built without libfclib (Debian package libfclib-dev)";
}

#endif
