/// \file
/// Where the program is: files that are installed with it are found from there.
#pragma once

#include <filesystem>

namespace frictionbench {

/// The folder of the running program, or what was set instead. Empty if the system does not tell.
std::filesystem::path program_folder();

/// For a library in a program of others, such as Python: the folder where frictionbench's own program
/// would be. To be called before anything else.
void set_program_folder(std::filesystem::path folder);

}  // namespace frictionbench
