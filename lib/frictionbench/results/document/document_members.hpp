/// \file
/// What every struct of the results document consists of, by the names of
/// results/results.schema.json. Internal.
#pragma once

#include "frictionbench/results/document/json_members.hpp"

namespace frictionbench::results {

inline void members(auto& archive, Is<PlannedProblem> auto& problem) {
  archive("id", problem.id);
  archive("path", problem.path);
  archive("sha256", null_if_empty(problem.sha256));
}

inline void members(auto& archive, Is<RunInfo> auto& run) {
  archive("command", run.command);
  archive("started", run.started);
  archive("finished", run.finished);
  archive("version", run.version);
  archive.object("git", [&](auto& git) {
    git("revision", null_if_empty(run.git_revision));
    if (run.git_revision.empty())
      git.null("dirty");
    else
      git("dirty", run.git_dirty);
  });
  archive("criterion", run.criterion);
  archive("tolerance", run.tolerance);
  archive("max_iterations", run.max_iterations);
  archive("time_limit", run.time_limit);
  archive("memory_limit", run.memory_limit);
  archive("repeat_time", run.repeat_time);
  archive.optional("warm_start", run.warm_start);
  archive.optional("sequence", run.sequence);
  archive("seed", run.seed);
  archive("jobs", run.jobs);
  archive("shard", run.shard);
  if (run.shard)
    archive("plan", run.plan);
  else
    archive.null("plan");
  archive.optional("shards", run.shards);
  archive("build", run.build);
  archive("host", run.host);
  archive("warnings", run.warnings);
}

inline void members(auto& archive, Is<ProblemEntry> auto& problem) {
  archive("id", problem.id);
  archive("path", problem.path);
  archive("sha256", problem.sha256);
  archive("family", problem.family);
  archive("form", problem.form);
  archive("dimension", problem.dimension);
  archive("contacts", problem.contacts);
  archive("unknowns", problem.unknowns);
  archive("dofs", problem.dofs);
  archive("nonzeros", problem.nonzeros);
  archive("asymmetry", problem.asymmetry);
  archive("mu_min", problem.mu_min);
  archive("mu_max", problem.mu_max);
  archive("bilateral", problem.bilateral);
  archive.optional("condition", problem.condition);
}

inline void members(auto& archive, Is<SolverEntry> auto& solver) {
  archive("id", solver.id);
  archive("name", solver.name);
  archive("model", solver.model);
  archive("settings", solver.settings);
}

inline void members(auto& archive, Is<Solved> auto& solved) {
  archive("ncp", solved.ncp);
  archive("ncp_scaled", solved.ncp_scaled);
  archive("ccp", solved.ccp);
  archive("ccp_scaled", solved.ccp_scaled);
  archive("lcp", solved.lcp);
}

/// The residuals of one model, and what the criteria make of them.
inline void residual_members(auto& archive, Is<ConeResiduals> auto& residuals,
                             const ProblemScale& scale) {
  archive("primal", residuals.primal);
  archive("dual", residuals.dual);
  archive("complementarity", residuals.complementarity);
  archive("worst_contact", null_if_negative(residuals.worst_contact));
  archive.derived("max", residuals.max());
  archive.derived("scaled", residuals.scaled(scale));
}

inline void members(auto& archive, Is<ProblemScale> auto& scale) {
  archive("impulse", scale.impulse);
  archive("velocity", scale.velocity);
}

/// Its states and impulse_norm are members of the record.
inline void members(auto& archive, Is<Verdict> auto& verdict) {
  const auto residuals_of = [&](auto& residuals) {
    return [&](auto& inside) { residual_members(inside, residuals, verdict.scale); };
  };
  archive.object("ncp", residuals_of(verdict.ncp));
  archive.object("ccp", residuals_of(verdict.ccp));
  archive.object("lcp", residuals_of(verdict.lcp));
  archive.optional("scale", verdict.scale);
  archive("natural_map", verdict.natural_map);
  archive.object("signorini", [&](auto& signorini) {
    signorini("product", verdict.signorini.product);
    signorini("velocity", verdict.signorini.velocity);
    signorini("impulse", verdict.signorini.impulse);
  });
  archive("dissipation", verdict.dissipation);
  archive("momentum", verdict.momentum);
}

inline void members(auto& archive, Is<Verdict::States> auto& states) {
  archive("sticking", states.sticking);
  archive("sliding", states.sliding);
  archive("separated", states.separated);
}

inline void members(auto& archive, Is<WorkCounters> auto& work) {
  archive("factorizations", work.factorizations);
  archive("analyses", work.analyses);
  archive("triangular_solves", work.triangular_solves);
  archive("products", work.products);
  archive("sweeps", work.sweeps);
  archive("pivots", work.pivots);
  archive("line_search", work.line_search);
}

inline void members(auto& archive, Is<HardwareCounts> auto& counts) {
  archive("instructions", counts.instructions);
  archive("cycles", counts.cycles);
}

inline void members(auto& archive, Is<SampleSummary> auto& samples) {
  archive("min", samples.min);
  archive("median", samples.median);
  archive("mean", samples.mean);
  archive("mad", samples.mad);
  archive("samples", samples.samples);
  archive.optional("values", samples.values);
}

inline void members(auto& archive, Is<RecordTime> auto& time) {
  archive("read", time.read);
  archive("assembly", time.assembly);
  archive("setup", time.setup);
  archive("solve", time.solve);
  archive.optional("beside", time.beside);
}

inline void members(auto& archive, Is<Iterate> auto& iterate) {
  archive("iteration", iterate.iteration);
  archive("primal", iterate.residuals.primal);
  archive("dual", iterate.residuals.dual);
  archive("complementarity", iterate.residuals.complementarity);
  archive("penalty", iterate.penalty);
}

inline void members(auto& archive, Is<Record> auto& record) {
  archive("problem", record.problem);
  archive("solver", record.solver);
  archive.optional("start", record.start);
  archive.optional("previous", null_if_empty(record.previous));
  archive("status", record.status);
  archive("message", null_if_empty(record.message));
  archive("fired", null_if_empty(record.fired));
  archive("solved", record.solved);
  archive("verdict", record.verdict);
  if (record.verdict) {
    archive("states", record.verdict->states);
    archive("impulse_norm", record.verdict->impulse_norm);
  } else {
    archive.null("states");
    archive.null("impulse_norm");
  }
  archive("claimed", record.claimed);
  archive("iterations", record.iterations);
  archive("work", record.work);
  archive.optional("hardware", record.hardware);
  archive("time", record.time);
  archive("memory_peak", record.memory_peak);
  archive("history", null_if_empty(record.history));
}

inline void members(auto& archive, Is<Unreadable> auto& file) {
  archive("path", file.path);
  archive("reason", file.reason);
}

inline void members(auto& archive, Is<Document> auto& document) {
  archive.derived("schema", std::string(schema_name));
  archive.derived("schema_version", schema_version);
  archive("run", document.run);
  archive("problems", document.problems);
  archive("solvers", document.solvers);
  archive("records", document.records);
  archive("unreadable", document.unreadable);
}

}  // namespace frictionbench::results
