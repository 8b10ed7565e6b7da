/// \file
/// Finds and kills surviving descendants of a finished child process.
#pragma once

#include <sys/types.h>

namespace frictionbench::bench {

/// Makes orphans among the descendants of this process its children from now on.
void adopt_orphans();

/// Marks the calling process and all processes that it will start. To be called by a child of a
/// process that adopts orphans, before it starts others.
void mark_descendants();

/// Kills and reaps all descendants of `child`, which was marked and has been reaped, also those
/// that moved to another process group or session, closed their files or executed another program.
/// Other children of this process are left alone. Finds nothing where the kernel does not list the
/// children of a process.
void end_descendants(pid_t child);

}  // namespace frictionbench::bench
