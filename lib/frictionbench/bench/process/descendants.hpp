/// \file
/// Finds what a child process leaves behind when it ends, wherever that hides. Internal to the
/// workers.
#pragma once

#include <sys/types.h>

namespace frictionbench::bench {

/// Makes orphans among the descendants of this process its children from now on.
void adopt_orphans();

/// To be called by a child of a process that adopts orphans, before it starts others: marks it and
/// all that it will ever start.
void mark_descendants();

/// Kills and reaps all that `child`, which is dead, reaped and was marked, left behind: also what
/// moved to another process group or session, closed its files or executed another program. Other
/// children of this process stay as they are. Where the kernel does not list the children of a
/// process, nothing is found.
void end_descendants(pid_t child);

}  // namespace frictionbench::bench
