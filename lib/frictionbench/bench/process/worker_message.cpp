#include "frictionbench/bench/process/worker_message.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>

namespace frictionbench::bench {

namespace {

// A message is the magic bytes, its kind, the length of its payload, and the payload.
constexpr std::string_view magic = "frictionbench:";
constexpr std::size_t kind_at = magic.size();
constexpr std::size_t size_at = kind_at + 1;
constexpr std::size_t header_size = size_at + sizeof(std::uint64_t);

void write_all(int descriptor, std::string_view data) {
  while (!data.empty()) {
    const ssize_t written = write(descriptor, data.data(), data.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;  // nobody reads any more, or the solver closed the pipe
    data.remove_prefix(static_cast<std::size_t>(written));
  }
}

std::uint64_t payload_size(const std::string& bytes) {
  std::uint64_t size = 0;
  std::memcpy(&size, bytes.data() + size_at, sizeof size);
  return size;
}

}  // namespace

void send_message(int descriptor, MessageKind kind, std::string_view payload) {
  char header[header_size];
  std::copy(magic.begin(), magic.end(), header);
  header[kind_at] = static_cast<char>(kind);
  const std::uint64_t size = payload.size();
  std::memcpy(header + size_at, &size, sizeof size);
  write_all(descriptor, {header, sizeof header});
  write_all(descriptor, payload);
}

bool IncomingMessage::whole() const {
  return !garbled() && bytes_.size() >= header_size &&
         bytes_.size() - header_size >= payload_size(bytes_);
}

bool IncomingMessage::garbled() const {
  const std::size_t known = std::min(bytes_.size(), magic.size());
  return bytes_.compare(0, known, magic, 0, known) != 0;
}

MessageKind IncomingMessage::kind() const { return static_cast<MessageKind>(bytes_[kind_at]); }

std::string IncomingMessage::payload() const {
  return bytes_.substr(header_size, payload_size(bytes_));
}

}  // namespace frictionbench::bench
