#include "frictionbench/bench/keeper.hpp"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

namespace frictionbench::bench {

namespace {

// The child, and whether and how it ended.
struct Kept {
  pid_t child;
  bool ended = false;
  int status = 0;
};

// Reaps one process; returns what waitpid returns.
pid_t reap(Kept& kept, int options) {
  int status = 0;
  const pid_t reaped = waitpid(-1, &status, options);
  if (reaped == kept.child) {
    kept.ended = true;
    kept.status = status;
  }
  return reaped;
}

void wait_for_end_or_order(Kept& kept) {
  sigset_t awaited;
  sigemptyset(&awaited);
  sigaddset(&awaited, SIGCHLD);
  sigaddset(&awaited, SIGTERM);
  while (!kept.ended) {
    if (sigwaitinfo(&awaited, nullptr) == SIGTERM) return;
    while (reap(kept, WNOHANG) > 0) {
    }
  }
}

void kill_children() {
  std::ifstream children("/proc/thread-self/children");
  for (pid_t pid = 0; children >> pid;) kill(pid, SIGKILL);
}

// Whatever dies leaves its own children to this process, so that the last one is found in the end.
void end_descendants(Kept& kept) {
  if (!kept.ended) {
    kill(-kept.child, SIGKILL);  // its session, if it has one already
    kill(kept.child, SIGKILL);
    while (!kept.ended && reap(kept, 0) > 0) {
    }
  }
  for (int attempt = 0; attempt < 10000 && reap(kept, WNOHANG) >= 0; ++attempt) {
    kill_children();
    usleep(100);
  }
}

[[noreturn]] void end_as(int status) {
  if (WIFSIGNALED(status)) {
    sigset_t none;
    sigemptyset(&none);
    signal(WTERMSIG(status), SIG_DFL);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    raise(WTERMSIG(status));
  }
  _exit(WEXITSTATUS(status));
}

}  // namespace

void become_keeper(pid_t harness) {
  setpgid(0, 0);  // away from the terminal's signals
  signal(SIGCHLD, SIG_DFL);
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != harness) _exit(0);  // it died before it was watched
}

[[noreturn]] void keep(pid_t child) {
  Kept kept{child};
  wait_for_end_or_order(kept);
  end_descendants(kept);
  end_as(kept.status);
}

}  // namespace frictionbench::bench
