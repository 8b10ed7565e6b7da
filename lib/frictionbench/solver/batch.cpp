#include "frictionbench/solver/batch.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>
#include <utility>

namespace frictionbench {

std::vector<Result> solve_batch(const Solver& solver, std::span<const BatchedSolve> batch,
                                int threads, std::vector<Result> memory) {
  std::vector<Result> results = std::move(memory);
  results.resize(batch.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    Observer silent;
    for (std::size_t k = next++; k < batch.size(); k = next++) {
      const auto& [problem, limits, start] = batch[k];
      try {
        results[k] = solver.solve(*problem, limits, start, silent, std::move(results[k]));
      } catch (const std::exception& failure) {
        results[k] = {};
        results[k].message = failure.what();
      }
    }
  };
  {
    std::vector<std::jthread> others;
    const auto useful = std::min(static_cast<std::size_t>(std::max(threads, 1)), batch.size());
    for (std::size_t k = 1; k < useful; ++k) others.emplace_back(work);
    work();
  }
  return results;
}

}  // namespace frictionbench
