/// \file
/// Text of unknown origin: read as a number, and made safe to print.
#pragma once

#include <charconv>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace frictionbench {

/// The number that the whole of `text` is, in the syntax of std::from_chars whatever the locale: a '-'
/// but no '+' before it, no blanks around it. A floating-point number may be `inf` or `nan`. Nothing for
/// any other text, and for a number that `Number` cannot represent.
template <typename Number>
std::optional<Number> number_in(std::string_view text) {
  Number value{};
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stopped != end) return std::nullopt;
  return value;
}

/// `text` without the spaces and tabs at its ends.
std::string_view trimmed(std::string_view text);

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
