/// \file
/// Text of unknown origin, made safe to print.
#pragma once

#include <string>
#include <string_view>

namespace frictionbench {

/// `text` with every byte that is not part of a valid UTF-8 sequence replaced by U+FFFD (old files
/// contain Latin-1).
std::string valid_utf8(std::string_view text);

/// As valid_utf8, and with every control character replaced by '?', for use in an error line.
std::string one_line(std::string_view text);

}  // namespace frictionbench
