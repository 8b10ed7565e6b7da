#include "frictionbench/bench/measure/blas.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <vector>

extern "C" void dgemm_(const char* transposed_a, const char* transposed_b, const int* m,
                       const int* n, const int* k, const double* alpha, const double* a,
                       const int* lda, const double* b, const int* ldb, const double* beta,
                       double* c, const int* ldc);

namespace frictionbench::bench {
namespace {

// Ends the process: with 0 if the product is right.
[[noreturn]] void multiply_without_memory() {
  reserve_blas_memory();
  constexpr int n = 300;
  constexpr double one = 1;
  const std::vector<double> ones(n * n, 1);
  std::vector<double> product(n * n);
  constexpr rlimit nothing_more{1, 1};
  setrlimit(RLIMIT_AS, &nothing_more);
  alarm(60);  // a BLAS that waits for memory
  dgemm_("N", "N", &n, &n, &n, &one, ones.data(), &n, ones.data(), &n, &one, product.data(), &n);
  _exit(product.back() == n ? EXIT_SUCCESS : EXIT_FAILURE);
}

TEST(Blas, NeedsNoMemoryOnceItIsReserved) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");  // in a process that has not used BLAS
  EXPECT_EXIT(multiply_without_memory(), testing::ExitedWithCode(EXIT_SUCCESS), "");
}

}  // namespace
}  // namespace frictionbench::bench
