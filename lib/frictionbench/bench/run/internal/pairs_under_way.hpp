/// \file
/// The pairs that are measured at the same time, each pinned to a processor of its own.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "frictionbench/bench/measure/entries.hpp"
#include "frictionbench/bench/measure/internal/processors.hpp"
#include "frictionbench/bench/process/internal/pair_process.hpp"
#include "frictionbench/bench/run/internal/schedule.hpp"

namespace frictionbench::bench {

/// Thrown to end a run with pairs under way, which end with PairsUnderWay.
struct StoppedNow {};

/// A pair that is to be measured, or has been.
struct Pair {
  PairIndex index;
  ContactProblem problem;  ///< as its solver takes it
  PairOrigin origin;       ///< with the most other pairs that there were at the same time
};

/// A pair whose process has ended.
struct FinishedPair {
  Pair pair;
  WorkerOutcome outcome;
};

/// Keeps at most as many pairs under way as there are processors for them.
class PairsUnderWay {
 public:
  /// Claims processors, as ProcessorClaim does. \param stops_now asked while waiting.
  PairsUnderWay(int processors, std::function<bool()> stops_now);

  bool none() const { return pairs_.empty(); }
  bool has_free_processor() const { return !free_.empty(); }
  int shared_processors() const { return claim_.shared(); }

  /// Starts the measurement of a pair. \param process begins it on the processor that it is given, of
  /// which one must be free.
  void start(Pair pair, const std::function<PairProcess(int processor)>& process);

  /// Waits for one of the pairs, of which there must be one. \throws StoppedNow
  FinishedPair wait();

  /// Waits for work other than a pair's, on a processor of which one must be free. \throws StoppedNow
  WorkerOutcome run(const std::function<Worker(int processor)>& work);

 private:
  struct Running {
    Pair pair;
    int processor;
    std::unique_ptr<Lease> lease;
  };

  std::size_t wait_for_one(std::vector<Worker>& workers) const;

  std::function<bool()> stops_now_;
  ProcessorClaim claim_;
  std::vector<int> free_;  // processors of the claim
  std::vector<Worker> workers_;
  std::vector<Running> pairs_;  // of the workers, in their order
};

}  // namespace frictionbench::bench
