#include "support/documents.hpp"

#include <fmt/format.h>

#include <array>

namespace frictionbench::test {

namespace {

using namespace results;

// Numbers with as many digits as measured ones.
double measured(double seed) { return 1 / (3 + seed); }

RunInfo run_info() {
  RunInfo run;
  run.command = {"frictionbench", "run", "data", "-o", "results.json"};
  run.started = "2026-01-31T10:00:00Z";
  run.finished = "2026-01-31T11:00:00Z";
  run.version = "0.1.0";
  run.git_revision = "0123456789abcdef0123456789abcdef01234567";
  run.memory_limit = std::int64_t{1} << 32;
  run.warm_start = Start::guess;
  run.sequence = true;
  run.time_step = 0.01;
  run.compliance = ComplianceRule{true, 1e-3};
  run.git_dirty = false;
  run.build = {"GNU 12.2.0", "-O3", "Release", {"3.4.0", "5.2.0", "0.3.21", "1.10.8"}};
  run.host = {"A processor", 4, 8589934592, "Linux 6", "", std::array{0.1, 0.2, 0.3}};
  run.warnings = {"the build has uncommitted changes"};
  return run;
}

ProblemEntry problem_entry(int p) {
  ProblemEntry problem;
  problem.id = fmt::format("A/{}", p);
  problem.path = fmt::format("data/A/{}.hdf5", p);
  problem.sha256 = fmt::format("{:064x}", p + 1);
  problem.family = "A";
  problem.contacts = 10 + p;
  problem.unknowns = 3 * problem.contacts;
  if (p % 2 == 1) {
    problem.form = ProblemForm::global;
    problem.dofs = 60 + p;
  }
  problem.nonzeros = 100 + p;
  problem.asymmetry = measured(p) * 1e-16;
  problem.mu_min = 0.3;
  problem.mu_max = 0.7;
  problem.compliance_min = measured(p) * 1e-3;
  problem.compliance_max = measured(p);
  problem.islands = 1 + p;
  return problem;
}

ModelResiduals residuals(double seed) {
  return {{measured(seed) * 1e-7, measured(seed + 1) * 1e-7, measured(seed + 2) * 1e-7, 3},
          measured(seed + 3) * 1e-7};
}

Verdict verdict(double seed) {
  Verdict verdict;
  verdict.ncp = residuals(seed);
  verdict.ccp = residuals(seed + 10);
  verdict.lcp = residuals(seed + 20);
  verdict.scale = {measured(seed + 1), measured(seed + 2)};
  verdict.natural_map = measured(seed + 3);
  verdict.signorini = {measured(seed + 4), measured(seed + 5), measured(seed + 6)};
  verdict.dissipation = measured(seed + 7);
  verdict.momentum = measured(seed + 8);
  verdict.slackness = measured(seed + 9);
  verdict.creep = measured(seed + 10);
  verdict.lift = measured(seed + 11);
  verdict.time_step = 0.01;
  verdict.states = {2, 5, 3};
  verdict.impulse_norm = measured(seed + 9);
  return verdict;
}

OwnModel own_model(double seed) {
  OwnModel own;
  own.compliance_min = measured(seed + 1);
  own.compliance_max = measured(seed);
  own.residuals = residuals(seed + 30);
  own.gap = measured(seed + 2);
  return own;
}

Record record(const ProblemEntry& problem, const SolverEntry& solver, int seed) {
  Record record;
  record.problem = problem.id;
  record.solver = solver.id;
  record.start = seed % 3 == 0 ? Start::guess : Start::previous;
  if (record.start == Start::previous) record.previous = "A/0";
  record.time.read = measured(seed + 1) * 1e-3;
  record.time.assembly = measured(seed + 2) * 1e-3;
  record.memory_peak = 10'000'000 + seed;
  if (seed % 5 == 4) {
    record.status = Status::crashed;
    record.message = "died by signal 11 (Segmentation fault)";
    return record;
  }
  record.status = Status::converged;
  record.stop_reason = StopReason::residuals;
  record.stage = "first sweeps";
  record.verdict = verdict(seed);
  if (seed % 2 == 1) record.own_model = own_model(seed);
  record.solved = solved_under_all(*record.verdict, solver.model, record.own_model, 1e-6);
  record.reported = {{"primal", measured(seed)}, {"dual", measured(seed + 1)}};
  record.iterations = 10 + seed;
  record.work = {.factorizations = {.cholesky = 1 + seed, .lu = 2},
                 .analyses = 1,
                 .triangular_solves = 20 + seed,
                 .products = 30 + seed,
                 .sweeps = 40 + seed,
                 .pivots = 50 + seed,
                 .line_search = 60 + seed};
  record.hardware = {1'000'000 + seed, 2'000'000 + seed};
  std::vector<double> samples;
  for (std::size_t k = 0; k < kept_samples; ++k)
    samples.push_back(measured(seed + static_cast<double>(k)) * 1e-3);
  record.time.setup = measured(seed) * 1e-4;
  record.time.solve = summarize(samples);
  record.time.cholesky = measured(seed + 3) * 1e-5;
  record.time.concurrent_pairs = 1;
  return record;
}

}  // namespace

Document document(int problems, int solvers) {
  Document document;
  document.run = run_info();
  for (int s = 0; s < solvers; ++s)
    document.solvers.push_back({fmt::format("s{}", s), "s", ContactModel::ncp, true, {{"tau", s}}});
  for (int p = 0; p < problems; ++p) {
    document.problems.push_back(problem_entry(p));
    for (const SolverEntry& solver : document.solvers)
      document.records.push_back(
          record(document.problems.back(), solver, static_cast<int>(document.records.size())));
  }
  return document;
}

}  // namespace frictionbench::test
