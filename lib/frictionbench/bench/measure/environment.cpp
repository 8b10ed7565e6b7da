#include "frictionbench/bench/measure/environment.hpp"

#include <H5public.h>
#include <cholmod.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <fstream>
#include <thread>

#include "frictionbench/bench/measure/blas.hpp"
#include "frictionbench/datasets/registry.hpp"
#include "frictionbench/problem/facts.hpp"
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

std::string version() { return FRICTIONBENCH_VERSION; }

std::string utc_now() {
  const auto now =
      std::chrono::time_point_cast<std::chrono::seconds>(std::chrono::system_clock::now());
  return fmt::format("{:%FT%TZ}", fmt::gmtime(std::chrono::system_clock::to_time_t(now)));
}

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

std::optional<results::DataSetName> data_set_of(const std::string& sha256) {
  const datasets::DataSet* set = datasets::known().set_of(sha256);
  if (!set) return std::nullopt;
  return results::DataSetName{set->name, set->version};
}

results::ProblemEntry describe(const ProblemSource& source, const fclib::ProblemFile& file) {
  const ContactProblem& problem = file.problem;
  const ProblemFacts facts = facts_of(problem);
  results::ProblemEntry entry;
  entry.id = source.id;
  entry.path = source.path;
  entry.sha256 = file.sha256;
  entry.family = source.family;
  entry.data_set = data_set_of(file.sha256);
  entry.form = problem.form();
  entry.dimension = problem.dimension();
  entry.contacts = problem.contacts();
  entry.unknowns = problem.unknowns();
  if (problem.global()) entry.dofs = problem.global()->M.rows();
  entry.nonzeros = facts.nonzeros;
  entry.asymmetry = facts.asymmetry;
  entry.mu_min = facts.mu_min;
  entry.mu_max = facts.mu_max;
  entry.bilateral = problem.bilateral_rows();
  entry.sets = sets_of(problem);
  entry.compliance_min = facts.compliance_min;
  entry.compliance_max = facts.compliance_max;
  entry.islands = facts.islands;
  return entry;
}

results::SolverEntry describe(const ConfiguredSolver& solver) {
  const SolverInfo& info = solver.info();
  return {solver.id,
          info.name,
          info.model,
          info.exact,
          {solver.settings.begin(), solver.settings.end()}};
}

results::RunInfo describe(const RunOptions& options) {
  results::RunInfo run;
  part<results::RunSettings>(run) = part<results::RunSettings>(options);
  run.command = options.command;
  run.started = utc_now();
  describe_environment(run);
  return run;
}

void add_origin(results::Record& record, const PairOrigin& origin) {
  record.problem = origin.problem;
  record.solver = origin.solver;
  record.start = origin.start;
  record.previous = origin.previous;
  record.time.read = origin.read_time;
  record.time.assembly = origin.assembly_time;
  record.time.concurrent_pairs = origin.concurrent_pairs;
}

}  // namespace frictionbench::bench
