/// Shapes of datasets that FCLIB files come in, beside the one that the reference library writes.

#include <gtest/gtest.h>
#include <hdf5.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "frictionbench/fclib/reader.hpp"
#include "frictionbench/fclib/writer.hpp"
#include "lib/fclib/same_problem.hpp"
#include "support/example_files.hpp"
#include "support/problems.hpp"
#include "support/temporary_folder.hpp"

namespace frictionbench::fclib {
namespace {

/// Replaces a dataset.
void set(hid_t file, const char* name, hid_t type, const std::vector<hsize_t>& extents,
         const void* data) {
  if (H5Lexists(file, name, H5P_DEFAULT) > 0) H5Ldelete(file, name, H5P_DEFAULT);
  const hid_t space =
      extents.empty() ? H5Screate(H5S_SCALAR)
                      : H5Screate_simple(static_cast<int>(extents.size()), extents.data(), nullptr);
  const hid_t id = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  ASSERT_GE(id, 0);
  ASSERT_GE(H5Dwrite(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data), 0);
  H5Dclose(id);
  H5Sclose(space);
}

void set_integers(hid_t file, const char* name, const std::vector<int>& values) {
  set(file, name, H5T_NATIVE_INT, {values.size()}, values.data());
}
void set_reals(hid_t file, const char* name, const std::vector<double>& values) {
  set(file, name, H5T_NATIVE_DOUBLE, {values.size()}, values.data());
}

/// Writes `good`, changes it, and reads it.
ProblemFile changed(const ProblemFile& good, Storage storage,
                    const std::function<void(hid_t)>& change) {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("a.hdf5");
  write_problem(path, good, storage);
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  change(file);
  H5Fclose(file);
  return read_problem(path);
}

/// A frictionless contact in 2D with a matrix of the given storage.
ProblemFile with_matrix(int nz, const std::vector<int>& p, const std::vector<int>& i,
                        const std::vector<double>& x) {
  SparseMatrix identity(2, 2);
  identity.setIdentity();
  const ProblemFile good{
      ContactProblem(2, Vector::Zero(1), LocalForm{identity, Vector::Ones(2)}), {}, {}, {}};
  return changed(good, Storage::compressed_rows, [&](hid_t file) {
    set_integers(file, "/fclib_local/W/nz", {nz});
    set_integers(file, "/fclib_local/W/nzmax", {static_cast<int>(x.size())});
    set_integers(file, "/fclib_local/W/p", p);
    set_integers(file, "/fclib_local/W/i", i);
    set_reals(file, "/fclib_local/W/x", x);
  });
}

TEST(FoundInTheWild, ScalarsWithoutExtents) {
  const ProblemFile good = test::good_local_file();
  test::expect_same(changed(good, Storage::compressed_rows,
                            [](hid_t file) {
                              const int dimension = 3;
                              const int size = 9;
                              set(file, "/fclib_local/spacedim", H5T_NATIVE_INT, {}, &dimension);
                              set(file, "/fclib_local/W/m", H5T_NATIVE_INT, {}, &size);
                            }),
                    good);
}

TEST(FoundInTheWild, IntegersOfOtherWidths) {
  const ProblemFile good = test::good_local_file();
  test::expect_same(changed(good, Storage::compressed_rows,
                            [](hid_t file) {
                              const std::int64_t wide = 9;
                              const std::uint32_t unsigned_word = 9;
                              const signed char narrow = -2;
                              set(file, "/fclib_local/W/m", H5T_NATIVE_INT64, {1}, &wide);
                              set(file, "/fclib_local/W/n", H5T_NATIVE_UINT32, {}, &unsigned_word);
                              set(file, "/fclib_local/W/nz", H5T_NATIVE_SCHAR, {1}, &narrow);
                              std::vector<std::int64_t> p(10);
                              const hid_t id = H5Dopen2(file, "/fclib_local/W/p", H5P_DEFAULT);
                              H5Dread(id, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                                      p.data());
                              H5Dclose(id);
                              set(file, "/fclib_local/W/p", H5T_NATIVE_INT64, {10}, p.data());
                            }),
                    good);
}

TEST(FoundInTheWild, RealNumbersOfOtherWidthsAndShapes) {
  ProblemFile good = test::good_local_file();
  good.problem = ContactProblem(3, Vector{{0.5, 0.25, 1}}, test::local_form(good.problem));
  test::expect_same(changed(good, Storage::compressed_rows,
                            [](hid_t file) {
                              const float mu[] = {0.5F, 0.25F, 1.0F};
                              set(file, "/fclib_local/vectors/mu", H5T_NATIVE_FLOAT, {3, 1}, mu);
                            }),
                    good);
  good.problem = ContactProblem(3, Vector{{1, 0, 2}}, test::local_form(good.problem));
  test::expect_same(changed(good, Storage::compressed_rows,
                            [](hid_t file) {
                              set_integers(file, "/fclib_local/vectors/mu", {1, 0, 2});
                            }),
                    good);
}

// Early versions of the reference library wrote nz indices, but all nzmax values.
TEST(FoundInTheWild, TripletsWithAsManyValuesAsThereWasMemory) {
  const ProblemFile good = test::good_local_file();
  test::expect_same(
      changed(good, Storage::triplet,
              [](hid_t file) {
                const hid_t id = H5Dopen2(file, "/fclib_local/W/x", H5P_DEFAULT);
                const hid_t space = H5Dget_space(id);
                std::vector<double> x(
                    static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
                H5Dread(id, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, x.data());
                H5Sclose(space);
                H5Dclose(id);
                x.insert(x.end(), {7, 8, 9});
                set_integers(file, "/fclib_local/W/nzmax", {static_cast<int>(x.size())});
                set_reals(file, "/fclib_local/W/x", x);
              }),
      good);
}

TEST(FoundInTheWild, StringsOfEveryKind) {
  const auto read = [](const std::function<void(hid_t)>& change) {
    return changed(test::good_local_file(), Storage::compressed_rows, change).info.title;
  };
  const auto fixed = [&](const std::string& bytes, H5T_str_t padding) {
    return read([&](hid_t file) {
      const hid_t type = H5Tcopy(H5T_C_S1);
      H5Tset_size(type, bytes.size());
      H5Tset_strpad(type, padding);
      set(file, "/fclib_local/info/title", type, {1}, bytes.data());
      H5Tclose(type);
    });
  };
  EXPECT_EQ(fixed(std::string("abc\0\0", 5), H5T_STR_NULLTERM), "abc");
  EXPECT_EQ(fixed("abc", H5T_STR_NULLPAD), "abc");
  EXPECT_EQ(fixed("abc  ", H5T_STR_SPACEPAD), "abc");
  EXPECT_EQ(fixed("   ", H5T_STR_SPACEPAD), "");
  // Latin-1, as at the start of the description of CubeH8, and UTF-8.
  EXPECT_EQ(fixed("\xA8 caf\xE9", H5T_STR_NULLPAD), "\xEF\xBF\xBD caf\xEF\xBF\xBD");
  EXPECT_EQ(fixed("\xCE\xBC = \xF0\x9F\x8E\xB2", H5T_STR_NULLPAD), "\xCE\xBC = \xF0\x9F\x8E\xB2");
  EXPECT_EQ(fixed("\xED\xA0\x80\xC0\x80", H5T_STR_NULLPAD).size(), 15u);

  const auto variable = [&](const char* text) {
    return read([&](hid_t file) {
      const hid_t type = H5Tcopy(H5T_C_S1);
      H5Tset_size(type, H5T_VARIABLE);
      set(file, "/fclib_local/info/title", type, {}, &text);
      H5Tclose(type);
    });
  };
  EXPECT_EQ(variable("of any length"), "of any length");
  EXPECT_EQ(variable(""), "");
  EXPECT_EQ(read([](hid_t file) { H5Ldelete(file, "/fclib_local/info", H5P_DEFAULT); }), "");
}

TEST(FoundInTheWild, CompressedRowsInAnyOrderWithDuplicates) {
  const Matrix expected{{1, 5}, {3, 4}};
  EXPECT_EQ(Matrix(with_matrix(-2, {0, 2, 4}, {1, 0, 1, 0}, {5, 1, 4, 3}).problem.local().W),
            expected);
  const SparseMatrix summed =
      with_matrix(-2, {0, 3, 6}, {1, 0, 1, 0, 0, 1}, {2, 1, 3, 1, 2, 4}).problem.local().W;
  EXPECT_EQ(Matrix(summed), expected);
  EXPECT_EQ(summed.nonZeros(), 4);
  // Neighbours of equal column are duplicates too, and rows may be empty.
  EXPECT_EQ(Matrix(with_matrix(-2, {0, 0, 2}, {1, 1}, {2, 3}).problem.local().W),
            (Matrix{{0, 0}, {0, 5}}));
}

TEST(FoundInTheWild, CompressedColumnsInAnyOrderWithDuplicates) {
  const SparseMatrix W =
      with_matrix(-1, {0, 3, 5}, {1, 0, 1, 1, 0}, {1, 1, 2, 4, 5}).problem.local().W;
  EXPECT_EQ(Matrix(W), (Matrix{{1, 5}, {3, 4}}));
  EXPECT_EQ(W.nonZeros(), 4);
}

TEST(FoundInTheWild, TripletsHoldColumnsInPAndRowsInI) {
  const SparseMatrix W =
      with_matrix(5, {1, 0, 0, 1, 0}, {0, 0, 1, 1, 1}, {5, 1, 1, 4, 2}).problem.local().W;
  EXPECT_EQ(Matrix(W), (Matrix{{1, 5}, {3, 4}}));
  EXPECT_EQ(W.nonZeros(), 4);
}

TEST(FoundInTheWild, RoomAfterTheLastEntryIsIgnored) {
  const SparseMatrix rows =
      with_matrix(-2, {0, 1, 2}, {0, 1, 77, -5}, {1, 4, 9, 9}).problem.local().W;
  EXPECT_EQ(Matrix(rows), (Matrix{{1, 0}, {0, 4}}));
  const SparseMatrix cols =
      with_matrix(-1, {0, 1, 2}, {0, 1, 77, -5}, {1, 4, 9, 9}).problem.local().W;
  EXPECT_EQ(Matrix(cols), (Matrix{{1, 0}, {0, 4}}));
}

TEST(FoundInTheWild, EmptyBilateralRowsCountAsAbsent) {
  const ProblemFile good = test::good_local_file();
  const ProblemFile read = changed(good, Storage::compressed_rows, [](hid_t file) {
    for (const auto& [matrix, rows] : {std::pair{"V", 9}, std::pair{"R", 0}}) {
      const std::string group = std::string("/fclib_local/") + matrix;
      H5Gclose(H5Gcreate2(file, group.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
      set_integers(file, (group + "/m").c_str(), {rows});
      set_integers(file, (group + "/n").c_str(), {0});
    }
    set_reals(file, "/fclib_local/vectors/s", {});
    set_reals(file, "/solution/l", {});
  });
  test::expect_same(read, good);
  EXPECT_EQ(read.problem.bilateral_rows(), 0);
}

}  // namespace
}  // namespace frictionbench::fclib
