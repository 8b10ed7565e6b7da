/// \file
/// Text of unknown origin, made safe to print.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace frictionbench {

/// `text` with every byte that is not part of a valid UTF-8 sequence replaced by U+FFFD (old files
/// contain Latin-1).
std::string valid_utf8(std::string_view text);

/// As valid_utf8, and with every control character replaced by '?', for use in an error line.
std::string one_line(std::string_view text);

/// The longest text of a solver that a record keeps.
inline constexpr std::size_t longest_solver_text = 2000;  // bytes

/// `text` as one line of valid UTF-8: lines are joined by "; ", invalid UTF-8 is replaced,
/// and text beyond longest_solver_text is dropped.
std::string solver_text(std::string_view text);

}  // namespace frictionbench
