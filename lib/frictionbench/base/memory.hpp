/// \file
/// How much memory this process can still take.
#pragma once

namespace frictionbench {

/// Bytes that this process can still take: what its limit of address space leaves (RLIMIT_AS), and no
/// more than the system has available (MemAvailable of /proc/meminfo). Infinity where the system tells
/// neither.
double memory_left();

}  // namespace frictionbench
