#include "frictionbench/bench/measure/blas.hpp"

#include <dlfcn.h>
#include <stdlib.h>

#include <filesystem>
#include <string_view>
#include <vector>

namespace frictionbench::bench {

namespace {

// nullptr if the BLAS that is loaded has no function of that name.
template <typename Function>
Function* blas_function(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
}

#ifdef __x86_64__
bool has_avx2() { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }
bool has_avx512() {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
}
#else
bool has_avx2() { return false; }
bool has_avx512() { return false; }
#endif

// OpenBLAS' name of kernels that are newer than those that it chose, and that this processor can run, too;
// nullptr for none.
const char* newer_kernels(std::string_view chosen) {
  const bool use_avx2 = chosen == "Haswell" || chosen == "Zen";
  const bool use_neither = chosen == "Prescott";
  if ((use_avx2 || use_neither) && has_avx512()) return "SkylakeX";
  if (use_neither && has_avx2()) return "Haswell";
  return nullptr;
}

void use_kernels_of_processor() {
  constexpr const char* choice = "OPENBLAS_CORETYPE";
  const auto chosen = blas_function<char*()>("openblas_get_corename");
  const auto forget = blas_function<void()>("gotoblas_dynamic_quit");
  const auto choose = blas_function<void()>("gotoblas_dynamic_init");
  if (!chosen || !forget || !choose || getenv(choice)) return;
  const char* const newer = newer_kernels(chosen());
  if (!newer) return;
  setenv(choice, newer, 1);
  forget();
  choose();
}

}  // namespace

std::string blas_name() {
  if (auto* config = blas_function<char*()>("openblas_get_config")) return config();
  Dl_info info{};
  if (void* dgemm = dlsym(RTLD_DEFAULT, "dgemm_"); dgemm && dladdr(dgemm, &info) && info.dli_fname)
    return std::filesystem::path(info.dli_fname).filename().string();
  return "unknown";
}

void prepare_blas() {
  use_kernels_of_processor();
  if (auto* set_threads = blas_function<void(int)>("openblas_set_num_threads")) set_threads(1);
  // CHOLMOD asks OpenMP for four threads, whatever the environment says. Without active levels it gets
  // one; a process forked after others have started would wait for them forever.
  if (auto* set_levels = blas_function<void(int)>("omp_set_max_active_levels")) set_levels(0);
  setenv("OMP_NUM_THREADS", "1", 1);
}

void reserve_blas_memory() {
  using Product = void(const char*, const char*, const int*, const int*, const int*, const double*,
                       const double*, const int*, const double*, const int*, const double*, double*,
                       const int*);
  auto* const multiply = blas_function<Product>("dgemm_");
  if (!multiply) return;
  constexpr int n = 160;
  constexpr double one = 1;
  const std::vector<double> zeros(n * n);
  std::vector<double> product(n * n);
  multiply("N", "N", &n, &n, &n, &one, zeros.data(), &n, zeros.data(), &n, &one, product.data(),
           &n);
}

}  // namespace frictionbench::bench
