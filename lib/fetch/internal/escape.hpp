/// \file
/// Paths in addresses.
#pragma once

#include <fmt/format.h>

#include <cctype>
#include <string>

namespace frictionbench::fetch {

/// A path with everything but unreserved characters (RFC 3986) and '/' as %XX.
inline std::string escaped_path(const std::string& path) {
  std::string text;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 128 &&
        (std::isalnum(byte) || c == '/' || c == '-' || c == '.' || c == '_' || c == '~'))
      text += c;
    else
      text += fmt::format("%{:02X}", byte);
  }
  return text;
}

}  // namespace frictionbench::fetch
