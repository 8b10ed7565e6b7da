/// \file
/// The one message that a worker's child sends through its pipe. Internal to worker.cpp.
#pragma once

#include <optional>
#include <string>
#include <string_view>

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
  /// What came in is no message and will not become one.
  bool garbled() const;
  /// Of a whole message.
  MessageKind kind() const;
  std::string payload() const;

 private:
  std::string bytes_;
};

}  // namespace frictionbench::bench
