/// \file
/// Our reader against the reference library's on the largest local file of the real collection.
/// The bar: from the file to a sparse matrix in memory ours is not slower, though it checks every
/// entry and reads what the other leaves out (solution and guesses).

#include <benchmark/benchmark.h>
#include <malloc.h>

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

#include "frictionbench/fclib/reader.hpp"

#ifdef FRICTIONBENCH_HAS_LIBFCLIB
extern "C" {
#include <fclib.h>
}
#endif

namespace frictionbench {
namespace {

namespace fs = std::filesystem;

std::optional<std::string> largest_local_file() {
  const fs::path folder = fs::path(FRICTIONBENCH_FCLIB_DATA) / "fclib" / "local";
  std::optional<std::string> largest;
  std::uintmax_t bytes = 0;
  if (!fs::is_directory(folder)) return largest;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".hdf5" || entry.file_size() <= bytes) continue;
    bytes = entry.file_size();
    largest = entry.path().string();
  }
  return largest;
}

/// Keeps freed memory in the process. Whether the C library returns it to the kernel at every turn
/// depends on what ran before, and costs five times as much as to read the file.
void keep_freed_memory() {
  mallopt(M_MMAP_THRESHOLD, 1 << 25);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
}

/// The file to read, or nothing and a benchmark that says why it is skipped.
std::optional<std::string> file_or_skip(benchmark::State& state) {
  static const std::optional<std::string> file = largest_local_file();
  keep_freed_memory();
  if (!file) state.SkipWithError("no FCLIB files under " FRICTIONBENCH_FCLIB_DATA "/fclib/local");
  if (file) {
    state.SetLabel(fs::path(*file).filename());
    state.counters["bytes"] = static_cast<double>(fs::file_size(*file));
  }
  return file;
}

void read_with_frictionbench(benchmark::State& state) {
  const auto file = file_or_skip(state);
  if (!file) return;
  for (auto _ : state) {
    const fclib::ProblemFile problem = fclib::read_problem(*file);
    benchmark::DoNotOptimize(problem.problem.local().W.valuePtr());
  }
}
BENCHMARK(read_with_frictionbench)->Unit(benchmark::kMicrosecond);

#ifdef FRICTIONBENCH_HAS_LIBFCLIB

/// Into the library's own arrays, unchecked.
void read_with_libfclib(benchmark::State& state) {
  const auto file = file_or_skip(state);
  if (!file) return;
  for (auto _ : state) {
    fclib_local* problem = fclib_read_local(file->c_str());
    benchmark::DoNotOptimize(problem->W->x);
    fclib_delete_local(problem);
    std::free(problem);  // the library frees only what it points to
  }
}
BENCHMARK(read_with_libfclib)->Unit(benchmark::kMicrosecond);

/// The same work as ours: up to the matrix that a solver works with.
void read_with_libfclib_to_sparse_matrix(benchmark::State& state) {
  const auto file = file_or_skip(state);
  if (!file) return;
  for (auto _ : state) {
    fclib_local* problem = fclib_read_local(file->c_str());
    const fclib_matrix& W = *problem->W;
    if (W.nz != -2) {
      state.SkipWithError("the largest file is not stored by compressed rows");
      return;
    }
    const SparseMatrix matrix = Eigen::Map<const SparseMatrix>(W.m, W.n, W.p[W.m], W.p, W.i, W.x);
    benchmark::DoNotOptimize(matrix.valuePtr());
    fclib_delete_local(problem);
    std::free(problem);
  }
}
BENCHMARK(read_with_libfclib_to_sparse_matrix)->Unit(benchmark::kMicrosecond);

#else

void read_with_libfclib(benchmark::State& state) {
  state.SkipWithError("built without libfclib (Debian package libfclib-dev)");
}
BENCHMARK(read_with_libfclib);

#endif

}  // namespace
}  // namespace frictionbench
