/// \file
/// Gauss-Seidel sweeps against the bandwidth of memory, and what it costs to judge every iterate.
///
/// A sweep reads W once and does little with it, so that memory bounds it. The bar: one sweep of
/// 5000 contacts reads W at half of the bandwidth of a STREAM triad on the same core, or more.
/// Problems are swept in turn that together are several times as large as the last-level cache, so
/// that W comes from memory at the few blocks a row that real problems have, too: 5 to 20 (Chute,
/// Capsules, Bridge), 23 (KaplasTower), 44 (NESpheres).

#include <benchmark/benchmark.h>

#include <algorithm>
#include <ctime>
#include <limits>
#include <string>
#include <vector>

#include "contact_network.hpp"
#include "frictionbench/linalg/contact_sweeps.hpp"
#include "frictionbench/math/one_contact.hpp"
#include "frictionbench/solvers/gauss_seidel/ncp_pgs.hpp"
#include "frictionbench/solvers/register_all.hpp"

namespace frictionbench::bench {
namespace {

constexpr Index contacts = 5000;

/// Processor time of this process, s: the turns of other programs do not count.
double now() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// Bytes that are several times as large as the last-level cache.
std::size_t beyond_the_cache() {
  std::size_t largest = std::size_t{32} << 20;  // where the machine does not tell
  for (const auto& cache : benchmark::CPUInfo::Get().caches)
    largest = std::max(largest, static_cast<std::size_t>(cache.size));
  return 4 * largest;
}

/// McCalpin's triad a = b + 3 c, of arrays that are each beyond the cache.
class Triad {
 public:
  Triad() : a_(size()), b_(Vector::Ones(size())), c_(Vector::Ones(size())) {}

  /// Bytes a second of one pass, counted as STREAM does: two reads and a write an element.
  double bandwidth() {
    const double start = now();
    a_ = b_ + 3 * c_;
    benchmark::DoNotOptimize(a_.data());
    benchmark::ClobberMemory();
    return 3.0 * sizeof(double) * static_cast<double>(size()) / (now() - start);
  }

 private:
  static Index size() { return static_cast<Index>(beyond_the_cache() / sizeof(double)); }
  Vector a_, b_, c_;
};

/// The best of some passes, once a run, as STREAM reports it.
double triad_bandwidth() {
  static const double best = [] {
    Triad triad;
    double fastest = 0;
    for (int pass = 0; pass < 20; ++pass) fastest = std::max(fastest, triad.bandwidth());
    return fastest;
  }();
  return best;
}

void triad(benchmark::State& state) {
  Triad arrays;
  double best = 0;
  for (auto _ : state) best = std::max(best, arrays.bandwidth());
  state.counters["bytes_per_s"] = best;
}
BENCHMARK(triad)->Unit(benchmark::kMillisecond);

/// One block row after the other, and again from the first: `step(W, i, r)`.
template <typename Step>
void sweep(benchmark::State& state, const Step& step) {
  const ContactProblem problem = random_network(contacts, static_cast<int>(state.range(0)));
  const double bytes = sizeof(double) * static_cast<double>(problem.local().W.nonZeros());
  const auto copies = static_cast<std::size_t>(static_cast<double>(beyond_the_cache()) / bytes) + 1;
  WorkCounters work;
  const std::vector<ContactSweeps<3>> turns(copies, ContactSweeps<3>(problem, work));
  Vector r = Vector::Zero(problem.unknowns());
  const double triads = triad_bandwidth();

  std::size_t turn = 0;
  double fastest = std::numeric_limits<double>::infinity();
  for (auto _ : state) {
    const double start = now();
    const ContactSweeps<3>& W = turns[turn++ % copies];
    for (Index i = 0; i < contacts; ++i) step(W, i, r);
    benchmark::DoNotOptimize(r.data());
    fastest = std::min(fastest, now() - start);
  }
  state.counters["bytes_per_s"] = bytes / fastest;
  state.counters["of_triad"] = bytes / fastest / triads;
  state.counters["blocks_per_row"] = bytes / (9 * sizeof(double) * contacts);
}

void product(benchmark::State& state) {
  sweep(state, [](const ContactSweeps<3>& W, Index i, Vector& r) {
    benchmark::DoNotOptimize(W.velocity(i, r));
  });
}

void ncp_pgs_sweep(benchmark::State& state) {
  const solvers::NcpPgs pgs;
  sweep(state, [&](const ContactSweeps<3>& W, Index i, Vector& r) { pgs.step(W, i, r); });
}

void ncp_nsgs_sweep(benchmark::State& state) {
  sweep(state, [](const ContactSweeps<3>& W, Index i, Vector& r) {
    r.segment<3>(3 * i) = solve_one_contact<3>(W.W(i), W.free_velocity(i, r), W.mu(i));
  });
}

BENCHMARK(product)->Arg(24)->Arg(96)->Unit(benchmark::kMicrosecond);
BENCHMARK(ncp_pgs_sweep)->Arg(24)->Arg(96)->Unit(benchmark::kMicrosecond);
BENCHMARK(ncp_nsgs_sweep)->Arg(24)->Arg(96)->Unit(benchmark::kMicrosecond);

/// A hundred iterations of ncp-pgs, whose residuals are evaluated as often as the second argument
/// says.
void ncp_pgs_iterations(benchmark::State& state) {
  struct SetupEnd final : Observer {
    void setup_finished() override { time = now(); }
    double time = 0;
  };
  const ContactProblem problem = random_network(contacts, static_cast<int>(state.range(0)));
  const ConfiguredSolver solver =
      solvers::all_solvers().make("ncp-pgs(check_every=" + std::to_string(state.range(1)) + ")");
  Limits limits;
  limits.tolerance = 0;
  limits.max_iterations = 100;
  double fastest = std::numeric_limits<double>::infinity();
  for (auto _ : state) {
    SetupEnd setup;
    benchmark::DoNotOptimize(solver.solver->solve(problem, limits, {}, setup).r.data());
    const double seconds = now() - setup.time;
    state.SetIterationTime(seconds);
    fastest = std::min(fastest, seconds);
  }
  state.counters["s_per_iteration"] = fastest / limits.max_iterations;
}
BENCHMARK(ncp_pgs_iterations)
    ->ArgNames({"blocks", "check_every"})
    ->ArgsProduct({{24, 96}, {1, 10, 100}})
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace frictionbench::bench
