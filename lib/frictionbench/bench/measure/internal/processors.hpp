/// \file
/// Processors to pin work to, so that what is measured does not share one.
#pragma once

#include <vector>

namespace frictionbench::bench {

/// Processors that this process may run on: the most jobs that make sense.
std::vector<int> available_processors();

/// An exclusive claim on some processors among the frictionbench processes of this machine, for as
/// long as the claim or this process lives: concurrent runs (e.g. tasks of a Slurm array on one
/// node) use different processors.
class ProcessorClaim {
 public:
  /// Claims `count` of the available processors; if others have claimed too many of them, also
  /// takes some of those, see `shared()`. \throws std::invalid_argument for more than there are.
  explicit ProcessorClaim(int count);
  ~ProcessorClaim();
  ProcessorClaim(const ProcessorClaim&) = delete;
  ProcessorClaim& operator=(const ProcessorClaim&) = delete;

  const std::vector<int>& processors() const { return processors_; }
  int shared() const { return shared_; }  ///< how many of them another process has claimed

 private:
  std::vector<int> processors_;
  std::vector<int> descriptors_;
  int shared_ = 0;
};

}  // namespace frictionbench::bench
