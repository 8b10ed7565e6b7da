/// \file
/// How much memory this process can still take.
#pragma once

#include <filesystem>

namespace frictionbench {

/// Bytes that this process can still take: what its limit of address space leaves (RLIMIT_AS), and no
/// more than left_of_group() and what the system has available (MemAvailable of /proc/meminfo). Infinity
/// where the system tells none of them.
double memory_left();

/// Bytes that the limits of control groups leave, those of containers and of jobs on clusters: the least
/// of a group and all that it is in. Infinity without a limit, or without control groups of version 2.
/// \param groups where they are, /sys/fs/cgroup. \param own the process's, from there.
double left_of_group(const std::filesystem::path& groups, const std::filesystem::path& own);

}  // namespace frictionbench
