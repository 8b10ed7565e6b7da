/// \file
/// Options of a command in a TOML file.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "command_line.hpp"

namespace frictionbench::app {

/// Sets the options of `command` that a TOML file has and the command line has not. Keys are long
/// names without their hyphens, `max-iterations`, and names of positional arguments in lower case. A
/// flag is true or false; what can be given several times is a list, or one value alone. Options that
/// take two values each time cannot be set.
/// \param given whether an argument is on the command line, which wins.
/// \returns those that the file has.
/// \throws std::invalid_argument with one line: the file, the place in it, the key, and what is wrong
///         with its value, or the nearest known keys.
std::vector<const Argument*> set_from_file(const std::string& path, const Command& command,
                                           const std::function<bool(const Argument&)>& given);

}  // namespace frictionbench::app
