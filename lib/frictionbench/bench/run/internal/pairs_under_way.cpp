#include "frictionbench/bench/run/internal/pairs_under_way.hpp"

#include <algorithm>
#include <utility>

namespace frictionbench::bench {

PairsUnderWay::PairsUnderWay(int processors, std::function<bool()> stops_now)
    : stops_now_(std::move(stops_now)), claim_(processors), free_(claim_.processors()) {}

void PairsUnderWay::start(Pair pair, const std::function<PairProcess(int processor)>& process) {
  const int processor = free_.back();
  PairProcess started = process(processor);
  free_.pop_back();
  workers_.push_back(std::move(started.worker));
  pairs_.push_back({std::move(pair), processor, std::move(started.lease)});
  const int others = static_cast<int>(pairs_.size()) - 1;
  for (Running& running : pairs_) {
    int& most = running.pair.origin.concurrent_pairs;
    most = std::max(most, others);
  }
}

FinishedPair PairsUnderWay::wait() {
  const std::size_t which = wait_for_one(workers_);
  const auto worker = workers_.begin() + static_cast<std::ptrdiff_t>(which);
  const auto running = pairs_.begin() + static_cast<std::ptrdiff_t>(which);
  FinishedPair finished{std::move(running->pair), worker->finish()};
  free_.push_back(running->processor);
  workers_.erase(worker);
  pairs_.erase(running);
  return finished;
}

WorkerOutcome PairsUnderWay::run(const std::function<Worker(int processor)>& work) {
  std::vector<Worker> worker;
  worker.push_back(work(free_.back()));
  wait_for_one(worker);
  return worker[0].finish();
}

std::size_t PairsUnderWay::wait_for_one(std::vector<Worker>& workers) const {
  const auto found = Worker::wait_for_one(workers, stops_now_);
  if (!found) throw StoppedNow();
  return *found;
}

}  // namespace frictionbench::bench
