#include "frictionbench/base/text.hpp"

#include <algorithm>
#include <cstddef>

namespace frictionbench {
namespace {

/// Length of the valid UTF-8 sequence at the start of `text` (RFC 3629, table in section 4); 0 if
/// there is none.
std::size_t sequence_length(std::string_view text) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  if (length == 0 || first > 0xF4 || text.size() < length) return 0;
  // Overlong forms, surrogates and values above U+10FFFF show in the second byte.
  const unsigned char low = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
  const unsigned char high = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
  if (byte(1) < low || byte(1) > high) return 0;
  for (std::size_t k = 2; k < length; ++k)
    if ((byte(k) & 0xC0) != 0x80) return 0;
  return length;
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::string valid_utf8(std::string_view text) {
  std::string valid;
  valid.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = sequence_length(text);
    if (length == 0)
      valid += "\xEF\xBF\xBD";
    else
      valid += text.substr(0, length);
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return valid;
}

std::string one_line(std::string_view text) {
  std::string line = valid_utf8(text);
  for (char& c : line)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = '?';
  return line;
}

std::string solver_text(std::string_view text) {
  const std::string_view kept = text.substr(0, longest_solver_text);
  std::string line;
  for (std::size_t start = 0; start < kept.size();) {
    const std::size_t end = std::min(kept.find('\n', start), kept.size());
    if (end > start) {
      if (!line.empty()) line += "; ";
      line += kept.substr(start, end - start);
    }
    start = end + 1;
  }
  if (kept.size() < text.size()) line += " ...";
  return one_line(line);
}

}  // namespace frictionbench
