/// \file
/// Processors to pin work to, so that what is measured does not share one.
#pragma once

#include <vector>

namespace frictionbench::bench {

/// Processors that this process may run on: the most jobs that make sense.
std::vector<int> available_processors();

/// A claim on some processors, that no other frictionbench process of this machine has, for as long
/// as the claim or this process lives. Between several runs at once (tasks of a Slurm array on one
/// node, say) it keeps each to processors of its own.
class ProcessorClaim {
 public:
  /// Claims `count` of the available processors; where others have claimed too many of them, takes
  /// some of those as well, and `shared()` says so.
  /// \throws std::invalid_argument for more than there are.
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
