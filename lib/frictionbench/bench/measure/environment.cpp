#include "frictionbench/bench/measure/environment.hpp"

#include <H5public.h>
#include <cholmod.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <thread>

#include "frictionbench/base/version.hpp"
#include "frictionbench/bench/measure/blas.hpp"
#include "frictionbench_build_info.hpp"
#include "frictionbench_git_revision.hpp"

namespace frictionbench::bench {

namespace {

std::string first_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

std::string cpu_model() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  return "unknown";
}

std::string kernel() {
  utsname name{};
  uname(&name);
  return fmt::format("{} {}", name.sysname, name.release);
}

results::Build build_facts() {
  unsigned major = 0, minor = 0, release = 0;
  H5get_libversion(&major, &minor, &release);
  std::array<int, 3> cholmod{};
  cholmod_version(cholmod.data());
  return {FRICTIONBENCH_COMPILER,
          FRICTIONBENCH_BUILD_FLAGS,
          FRICTIONBENCH_BUILD_TYPE,
          {.eigen = fmt::format("{}.{}.{}", EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION,
                                EIGEN_MINOR_VERSION),
           .cholmod = fmt::format("{}.{}.{}", cholmod[0], cholmod[1], cholmod[2]),
           .blas = blas_name(),
           .hdf5 = fmt::format("{}.{}.{}", major, minor, release)}};
}

}  // namespace

void describe_environment(results::RunInfo& run) {
  run.version = version();
  run.git_revision = FRICTIONBENCH_GIT_REVISION;
  if (!run.git_revision.empty()) run.git_dirty = FRICTIONBENCH_GIT_DIRTY;
  run.build = build_facts();

  std::array<double, 3> load{};
  getloadavg(load.data(), 3);
  const std::string governor = first_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
  const std::int64_t memory =
      std::int64_t{sysconf(_SC_PHYS_PAGES)} * std::int64_t{sysconf(_SC_PAGE_SIZE)};
  run.host = {cpu_model(), static_cast<int>(std::thread::hardware_concurrency()),
              memory,      kernel(),
              governor,    load};

  if (const std::string type = FRICTIONBENCH_BUILD_TYPE; type != "Release")
    run.warnings.push_back("build type is " + type + ", not Release: times say little");
  if (!governor.empty() && governor != "performance")
    run.warnings.push_back("CPU frequency governor is '" + governor + "', not 'performance'");
  if (load[0] > run.jobs)
    run.warnings.push_back(fmt::format(
        "load average was {:.2f} at the start: other work disturbs the times", load[0]));
}

}  // namespace frictionbench::bench
