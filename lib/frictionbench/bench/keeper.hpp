/// \file
/// The process between the harness and a worker's child. Internal to worker.cpp.
#pragma once

#include <sys/types.h>

namespace frictionbench::bench {

/// Makes the calling process, which was forked by `harness` with all signals blocked, one that
/// outlives whatever its children start: orphans come to it, whatever session or process group
/// they moved to. To be called before it has a child. Should the harness die, it gets SIGTERM.
void become_keeper(pid_t harness);

/// Waits until `child` ends or SIGTERM comes, kills all that is left of the child's descendants,
/// and ends as the child did: by the same signal or with the same exit code.
[[noreturn]] void keep(pid_t child);

}  // namespace frictionbench::bench
