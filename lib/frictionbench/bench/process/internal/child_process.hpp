/// \file
/// The child's side of a worker, and the end of what it leaves behind. Internal to worker.cpp.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>

#include "frictionbench/bench/process/internal/worker.hpp"

namespace frictionbench::bench {

/// What a child says before it ends.
enum class MessageKind : char { finished = 'F', threw = 'T', out_of_memory = 'M' };

/// Writes one message, as far as somebody reads it. Allocates nothing: it also tells that there is
/// no memory.
void send_message(int descriptor, MessageKind kind, std::string_view payload);

/// A message as it comes in. The frame, magic bytes and the length, tells a whole message from one
/// that was cut off by the child's death, and from what a solver wrote into the wrong descriptor.
class IncomingMessage {
 public:
  void append(std::string_view bytes) { bytes_ += bytes; }
  bool whole() const;
  /// Whether what came in cannot be the start of a message.
  bool garbled() const;
  /// Of a whole message.
  MessageKind kind() const;
  std::string payload() const;
  std::string rest() const;  ///< what came in behind it

 private:
  std::string bytes_;
};

/// Forks. The child works within `limits`, sends a message into the pipe `answer`, another one of the
/// afterthought, if there is one and the work returned, and has its standard error written into the pipe
/// `error`. It is marked for end_descendants().
/// \throws std::system_error if no process can be made.
pid_t start_child(const Worker::Work& work, const Worker::Work& afterthought,
                  const WorkerLimits& limits, int answer, int error);

/// Kills and reaps all descendants of `child`, which was marked and has been reaped, also those
/// that moved to another process group or session, closed their files or executed another program.
/// Other children of this process are left alone. Finds nothing where the kernel does not list the
/// children of a process.
void end_descendants(pid_t child);

}  // namespace frictionbench::bench
