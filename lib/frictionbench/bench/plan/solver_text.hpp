/// \file
/// Words of a solver, made fit for a record.
#pragma once

#include <string>
#include <string_view>

namespace frictionbench::bench {

/// The longest text that a record keeps of a solver's words.
inline constexpr std::size_t longest_solver_text = 2000;  // bytes

/// `text` as one line of valid UTF-8: lines are joined by "; ", what is no text is replaced, and
/// what is longer than longest_solver_text is cut off there.
std::string solver_text(std::string_view text);

}  // namespace frictionbench::bench
