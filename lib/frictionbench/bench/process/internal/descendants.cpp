#include "frictionbench/bench/process/internal/descendants.hpp"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <vector>

namespace frictionbench::bench {

namespace {

// The mark is the id of the marked process, stored as a resource limit: it is inherited through
// fork and exec, the parent can read it, and no kernel since 2.4 uses this one.
constexpr auto mark = RLIMIT_LOCKS;

bool is_marked(pid_t process, pid_t child) {
  rlimit value{};
  return prlimit(process, mark, nullptr, &value) == 0 &&
         value.rlim_cur == static_cast<rlim_t>(child);
}

// Children of every thread of this process.
std::vector<pid_t> children() {
  std::vector<pid_t> all;
  std::error_code ignored;
  for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task", ignored)) {
    std::ifstream list(thread.path() / "children");
    for (pid_t process = 0; list >> process;) all.push_back(process);
  }
  return all;
}

}  // namespace

void adopt_orphans() { prctl(PR_SET_CHILD_SUBREAPER, 1); }

void mark_descendants() {
  const auto self = static_cast<rlim_t>(getpid());
  const rlimit value{self, self};
  setrlimit(mark, &value);
}

void end_descendants(pid_t child) {
  // A process that dies leaves its own children to this process; the next round finds them.
  for (bool found = true; found;) {
    found = false;
    for (const pid_t process : children()) {
      if (!is_marked(process, child)) continue;
      found = true;
      kill(process, SIGKILL);
      waitpid(process, nullptr, 0);
    }
  }
}

}  // namespace frictionbench::bench
