/// \file
/// Facts about the build and the machine, for the results document.
#pragma once

#include "frictionbench/results/document/document.hpp"

namespace frictionbench::bench {

/// Fills in version, git, build and host, and the warnings that follow from them: a build that is
/// not optimised, a frequency governor other than `performance`, a machine that is busy with other
/// work.
void describe_environment(results::RunInfo& run);

}  // namespace frictionbench::bench
