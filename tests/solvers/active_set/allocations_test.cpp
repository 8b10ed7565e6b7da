// Solving small problems over and over allocates nothing, once there is a result to reuse.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdlib>
#include <utility>

#include "frictionbench/criteria/verdict.hpp"
#include "support/limits.hpp"
#include "support/problems.hpp"
#include "support/registered_solvers.hpp"

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define FRICTIONBENCH_COUNTS_ALLOCATIONS

namespace {
thread_local std::size_t allocations = 0;
}  // namespace

// operator new and Eigen call these.
extern "C" {
void* __libc_malloc(std::size_t size);                           // NOLINT
void* __libc_calloc(std::size_t count, std::size_t size);        // NOLINT
void* __libc_realloc(void* memory, std::size_t size);            // NOLINT
void* __libc_memalign(std::size_t alignment, std::size_t size);  // NOLINT
void* malloc(std::size_t size) noexcept {                        // NOLINT
  ++allocations;
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) noexcept {  // NOLINT
  ++allocations;
  return __libc_calloc(count, size);
}
void* realloc(void* memory, std::size_t size) noexcept {  // NOLINT
  ++allocations;
  return __libc_realloc(memory, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {  // NOLINT
  ++allocations;
  return __libc_memalign(alignment, size);
}
}
#endif

namespace frictionbench {
namespace {

class Allocations : public testing::Test {
 protected:
  void SetUp() override {
#ifndef FRICTIONBENCH_COUNTS_ALLOCATIONS
    GTEST_SKIP() << "allocations are counted with glibc and without sanitizers only";
#endif
  }

#ifdef FRICTIONBENCH_COUNTS_ALLOCATIONS
  // In one solve, into the memory of `result`.
  static std::size_t count(const Solver& solver, const ContactProblem& problem,
                           const Limits& limits, Result& result) {
    Observer silent;
    const Vector zero;
    const std::size_t before = allocations;
    result = solver.solve(problem, limits, zero, silent, std::move(result));
    return allocations - before;
  }
#else
  static std::size_t count(const Solver&, const ContactProblem&, const Limits&, Result&) {
    return 0;
  }
#endif
};

TEST_F(Allocations, NoneInTheSecondSolveOfFewContacts) {
  const auto solver = test::solver("ncp-hybrid");
  for (const int dimension : {2, 3}) {
    for (const Index contacts : {1, 5, 10, 20}) {
      Result result;
      bool is_first = true;
      int solves = 0;
      for (std::uint32_t seed = 1; seed <= 10; ++seed) {
        const ContactProblem problem =
            test::random_problem(dimension, contacts, dimension * contacts, seed, 0.1);
        Limits limits = test::limits(1e-8);
        limits.units = units_of(Scale::relative, problem);
        const std::size_t taken = count(*solver, problem, limits, result);
        EXPECT_EQ(result.status, Status::converged);
        if (result.stage != "active set") {  // later stages may allocate
          result = {};
          is_first = true;
          continue;
        }
        if (is_first)
          EXPECT_GT(taken, 0u) << "its result";
        else
          EXPECT_EQ(taken, 0u) << contacts << " contacts, seed " << seed;
        is_first = false;
        ++solves;
      }
      EXPECT_GE(solves, 5);
    }
  }
}

}  // namespace
}  // namespace frictionbench
