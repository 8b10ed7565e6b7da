/// \file
/// Facts about the build and the machine, for the results document.
#pragma once

#include <string>
#include <vector>

#include "frictionbench/results/document/document.hpp"

namespace frictionbench::bench {

std::string version();  ///< of frictionbench
std::string utc_now();  ///< ISO 8601, seconds, "2026-01-31T23:59:59Z"

/// Fills in version, git, build and host, and the warnings that follow from them: a build that is
/// not optimised, a frequency governor other than `performance`, a machine that is busy with other
/// work.
void describe_environment(results::RunInfo& run);

/// One BLAS thread from here on, whatever the BLAS and its environment say (contract: measured
/// times are those of one core). Call before anything is measured.
void use_one_blas_thread();

}  // namespace frictionbench::bench
