/// \file
/// What every struct of the results document consists of. Reading, writing and the JSON Schema
/// follow from these descriptions; documents of version 1 are brought to this form first
/// (version1.hpp).
#pragma once

#include "frictionbench/results/document/internal/json_fields.hpp"

// Structs of other rooms are described in their namespace, where visitors look.
namespace frictionbench {

void describe(auto& visit, Is<ProblemScale> auto& scale) {
  visit("impulse", scale.impulse, {.help = "F, unit of an impulse", .range = positive()});
  visit("velocity", scale.velocity, {.help = "U, unit of a velocity", .range = positive()});
}

void describe_residuals(auto& visit, Is<ModelResiduals> auto& residuals,
                        const ProblemScale& scale) {
  visit("primal", residuals.primal, measured("max_i dist(r_i, K), unit of an impulse"));
  visit("dual", residuals.dual, measured("max_i dist(v_i, K^*), unit of a velocity"));
  visit("complementarity", residuals.complementarity,
        measured("max_i |<r_i, v_i>|, unit of an energy"));
  visit("worst_contact", residuals.worst_contact,
        {.help = "contact, from 0, that attains the largest of the three; null without contacts",
         .range = at_least(0),
         .nullable = true});
  visit.derived("max", residuals.max(), measured("the largest of the three: absolute scale"));
  visit(
      "relative", residuals.relative,
      measured("the largest over the contacts of w_i dist(r_i, K) / U_i, dist(v_i, K^*) / U_i and "
               "w_i |<r_i, v_i>| / U_i^2, w_i the mean diagonal of W_ii and U_i the largest |q| in "
               "the contact's island; null in results of version 1"));
  visit.derived("scaled", residuals.scaled(scale),
                measured("the largest of primal / F, dual / U and complementarity / (F U)"));
}

/// Its states and impulse_norm are members of the record.
void describe(auto& visit, Is<Verdict> auto& verdict) {
  const auto residuals = [&](const char* model, auto& of_model, const char* help) {
    visit.object(model, {.help = help},
                 [&](auto& inside) { describe_residuals(inside, of_model, verdict.scale); });
  };
  residuals("ncp", verdict.ncp,
            "K, v of K ∋ r ⟂ v ∈ K^*: the friction cone, û = u + (mu ||u_T||, 0, 0); residuals are "
            "null where they are not finite, and then nothing is solved");
  residuals("ccp", verdict.ccp, "the friction cone, u");
  residuals("lcp", verdict.lcp, "the pyramid, u + (mu ||u_T||_1, 0, 0)");
  visit("scale", verdict.scale,
        {.help = "the problem's own impulse and velocity, U = ||q||_inf (1 if zero) and "
                 "F = U / mean_i(trace(W_ii) / dimension)"});
  visit("natural_map", verdict.natural_map, measured("||r - P_K(r - û)||_2 / max(1, ||q||_2)"));
  visit.object("signorini", {.help = "Signorini's law, normal direction"}, [&](auto& inside) {
    inside("product", verdict.signorini.product, measured("max_i |r_N u_N|"));
    inside("velocity", verdict.signorini.velocity, measured("max_i of the negative part of u_N"));
    inside("impulse", verdict.signorini.impulse, measured("max_i of the negative part of r_N"));
  });
  visit("dissipation", verdict.dissipation,
        measured("max_i |r_T . u_T + mu r_N ||u_T|||: departure from maximum dissipation"));
  visit("momentum", verdict.momentum,
        measured("relative error of the balance of momentum of the velocity that the solver "
                 "returned beside the impulse; null if it returned none"));
  visit("slackness", verdict.slackness,
        {.help = "mean |g_i . r_i| over the cost of [Castro22] (33), of the same velocity and the "
                 "solver's own compliance; null if it returned none",
         .range = at_least(0),
         .nullable = true,
         .added_later = true});
  visit(
      "creep", verdict.creep,
      measured("largest ||u_T|| of contacts that are loaded (w_i r_N >= 0.01 U_i) and inside their "
               "cone (||r_T|| <= 0.95 mu r_N), unit of a velocity; null in results of version 1"));
  visit("lift", verdict.lift,
        measured("largest opening speed of loaded contacts, unit of a velocity; null in results of "
                 "version 1"));
  visit(
      "time_step", verdict.time_step,
      {.help = "for the scale force; null if it was not given", .unit = "s", .range = positive()});
}

void describe(auto& visit, Is<Verdict::States> auto& states) {
  visit("sticking", states.sticking,
        counted("with an impulse inside the cone, or without tangential velocity"));
  visit("sliding", states.sliding,
        counted("with an impulse on the cone's surface and a tangential velocity"));
  visit("separated", states.separated, counted("without an impulse, within the tolerance"));
}

void describe(auto& visit, Is<Iterate> auto& iterate) {
  visit("iteration", iterate.iteration, counted(""));
  visit("primal", iterate.residuals.primal, measured("as in the verdict"));
  visit("dual", iterate.residuals.dual, measured("as in the verdict"));
  visit("complementarity", iterate.residuals.complementarity, measured("as in the verdict"));
  visit("penalty", iterate.penalty,
        {.help = "penalty parameter; null for methods that have none", .nullable = true});
}

}  // namespace frictionbench

namespace frictionbench::results {

/// A text that is never empty.
constexpr Field named(const char* what) { return {.help = what, .range = at_least(1)}; }
/// A text that is null where it is not known or there is nothing to say.
constexpr Field text_or_null(const char* what) { return {.help = what, .nullable = true}; }
constexpr Field sha256_field{.help = "SHA-256 of the file", .pattern = "^[0-9a-f]{64}$"};
constexpr Field time_field(const char* what) {
  return {.help = what,
          .unit = "UTC, ISO 8601",
          .pattern = "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]+)?Z$"};
}
constexpr Field command_field{.help = "the command line, one argument per item",
                              .range = at_least(1)};

void describe(auto& visit, Is<PlannedProblem> auto& problem) {
  visit("id", problem.id, named("as in problems[]"));
  visit("path", problem.path, named("as given"));
  Field hash = sha256_field;
  hash.nullable = true;  // of a file that could not be read
  visit("sha256", problem.sha256, hash);
}

void describe(auto& visit, Is<Libraries> auto& libraries) {
  visit("eigen", libraries.eigen, text_or_null(""));
  visit("cholmod", libraries.cholmod, text_or_null(""));
  visit("blas", libraries.blas, text_or_null("with the kernel that it chose for this processor"));
  visit("hdf5", libraries.hdf5, text_or_null(""));
}

void describe(auto& visit, Is<Build> auto& build) {
  visit("compiler", build.compiler, named("name and version"));
  visit("flags", build.flags, {.help = "compiler flags"});
  visit("type", build.type, {.help = "CMake build type"});
  visit("libraries", build.libraries, {.help = "versions of libraries that numbers depend on"});
}

void describe(auto& visit, Is<Host> auto& host) {
  visit("cpu", host.cpu, text_or_null("processor model"));
  visit("cores", host.cores, {.help = "logical processors", .range = at_least(1)});
  visit("memory", host.memory, {.help = "main memory", .unit = "bytes", .range = at_least(0)});
  visit("kernel", host.kernel, text_or_null("operating system kernel and its release"));
  visit("governor", host.governor, text_or_null("CPU frequency governor"));
  visit("load_average", host.load_average,
        {.help = "over 1, 5 and 15 minutes, at the start of the run"});
}

void describe(auto& visit, Is<ShardRun> auto& shard) {
  visit("shard", shard.shard, {.help = "its place among the shards, i/n"});
  visit("command", shard.command, command_field);
  visit("started", shard.started, time_field("start of the shard"));
  visit("finished", shard.finished, time_field("end of the shard"));
  visit("host", shard.host, {.help = "as run.host"});
  visit("warnings", shard.warnings, {.help = "as run.warnings"});
}

void describe(auto& visit, Is<JoinedRun> auto& part) {
  visit("command", part.command, command_field);
  visit("started", part.started, time_field("start of the part"));
  visit("finished", part.finished, time_field("end of the part"));
  visit("revision", part.git_revision,
        {.help = "commit that was built; null outside a checkout", .nullable = true});
  visit("host", part.host, {.help = "as run.host"});
  visit("warnings", part.warnings, {.help = "as run.warnings"});
  visit("solvers", part.solvers, {.help = "ids of the solvers that it ran"});
}

void describe(auto& visit, Is<KeptImpulses> auto& kept) {
  visit("file", kept.file, named("name of the file, beside this one"));
  visit("sha256", kept.sha256, sha256_field);
}

void describe(auto& visit, Is<Asked> auto& asked) {
  visit("criterion", asked.criterion, {.help = "as run.criterion"});
  visit("scale", asked.scale, {.help = "as run.scale"});
  visit("tolerance", asked.tolerance, {.help = "as run.tolerance", .range = positive()});
}

void describe(auto& visit, Is<RunInfo> auto& run) {
  visit("command", run.command, command_field);
  visit("started", run.started, time_field("start of the run"));
  visit("finished", run.finished, time_field("end of the run"));
  visit("version", run.version,
        {.help = "of frictionbench", .range = at_least(1), .agreement = Agreement::run});
  visit.object(
      "git", {.help = "the checkout that was built; null outside one", .agreement = Agreement::run},
      [&](auto& git) {
        git("revision", run.git_revision,
            {.help = "commit", .pattern = "^[0-9a-f]{7,64}$", .nullable = true});
        git("dirty", run.git_dirty, {.help = "whether the checkout had uncommitted changes"});
      });
  describe(visit, part<RunSettings>(run));
  visit("shard", run.shard,
        {.help = "which part of the plan this is, i/n with i from 1; null for the whole plan"});
  visit("plan", run.plan,
        {.help = "of a shard: every problem of the whole run, in its order", .nullable = true});
  visit(
      "shards", run.shards,
      {.help = "of a merged document: how each shard was made, in their order", .nullable = true});
  visit("joined", run.joined,
        {.help = "of a document with results of several runs: how each was made, in their order",
         .nullable = true,
         .added_later = true});
  visit("impulses", run.impulses,
        {.help = "HDF5 file of the answers; null if they were not kept", .added_later = true});
  visit("asked", run.asked,
        {.help = "of a document that was judged again: what its solvers were asked for; null for "
                 "what criterion, scale and tolerance say",
         .added_later = true});
  visit("build", run.build, {.help = "how the program was built", .agreement = Agreement::run});
  visit("host", run.host, {.help = "the machine; null where unknown"});
  visit("warnings", run.warnings,
        {.help = "what makes the numbers of this run less trustworthy, a line each"});
}

void describe(auto& visit, Is<DataSetName> auto& set) {
  visit("name", set.name, named("as `frictionbench datasets` lists it"));
  visit("version", set.version, named("of the set"));
}

void describe(auto& visit, Is<ProblemEntry> auto& problem) {
  visit("id", problem.id, named("unique within the document"));
  visit("path", problem.path, named("as the run found it"));
  visit("sha256", problem.sha256, sha256_field);
  visit("family", problem.family, named("group that profiles and tables take together"));
  visit(
      "data_set", problem.data_set,
      {.help = "the data set that has a file of this SHA-256; null if none that the program knows",
       .added_later = true});
  visit("form", problem.form, {.help = "as the file states it"});
  visit("dimension", problem.dimension, {.help = "of space", .range = {2, 3}});
  visit("contacts", problem.contacts, counted("number of contacts"));
  visit("unknowns", problem.unknowns,
        counted("rows of all blocks; dimension * contacts if all are friction cones"));
  visit("dofs", problem.dofs,
        counted("degrees of freedom, the size of M; null for a local problem"));
  visit("nonzeros", problem.nonzeros, counted("stored entries of W"));
  visit("asymmetry", problem.asymmetry, measured("||W - W^T|| / ||W||, Frobenius norms"));
  visit("mu_min", problem.mu_min, measured("smallest friction coefficient"));
  visit("mu_max", problem.mu_max, measured("largest friction coefficient"));
  visit("bilateral", problem.bilateral, counted("rows of bilateral constraints"));
  visit("sets", problem.sets,
        {.help =
             "number of blocks of each kind of set, \"25 rolling, 2 equality\"; empty for friction "
             "cones alone",
         .added_later = true});
  visit(
      "compliance_min", problem.compliance_min,
      measured("smallest entry of the diagonal of R, velocity per impulse; 0 for rigid contacts"));
  visit("compliance_max", problem.compliance_max, measured("largest"));
  visit("islands", problem.islands,
        {.help = "groups of contacts that do not act on each other; null in results of version 1",
         .range = at_least(0),
         .nullable = true});
  visit("condition", problem.condition,
        {.help = "largest over smallest eigenvalue of (W + W^T)/2 above 1e-10 of the largest "
                 "(`run --condition`); null if not asked for, or for more than 1800 unknowns",
         .range = at_least(0),
         .nullable = true,
         .added_later = true});
}

void describe(auto& visit, Is<SolverEntry> auto& solver) {
  visit("id", solver.id,
        named("unique within the document: the name, and the settings that are not default"));
  visit("name", solver.name, named("registered name"));
  visit("model", solver.model, {.help = "the problem that the solver solves"});
  visit("exact", solver.exact,
        {.help = "whether its fixed points solve the problem of its model; false for a method that "
                 "only comes close; null in results of version 1"});
  visit("settings", solver.settings,
        {.help = "every setting by name, defaults included; `frictionbench list solvers NAME` has "
                 "their meaning and units"});
}

void describe(auto& visit, Is<SolvedAt> auto& solved) {
  visit("relative", solved.relative,
        {.help = "residuals as velocities, over that of the contact's island"});
  visit("absolute", solved.absolute, {.help = "residuals in the units of the file"});
  visit("scaled", solved.scaled, {.help = "residuals divided by the problem's own scales"});
  visit(
      "force", solved.force,
      {.help = "absolute ones with impulses divided by the time step; null if that is not known"});
}

void describe(auto& visit, Is<Solved> auto& solved) {
  visit("ncp", solved.ncp, {.help = "Coulomb friction"});
  visit("ccp", solved.ccp, {.help = "its convex relaxation"});
  visit("lcp", solved.lcp, {.help = "Coulomb friction with a pyramid"});
  visit("native", solved.native,
        {.help = "the solver's own model, with the compliance that it chose"});
}

void describe(auto& visit, Is<OwnModel> auto& own) {
  visit("compliance_min", own.compliance_min,
        measured("smallest entry of the diagonal of R, velocity per impulse"));
  visit("compliance_max", own.compliance_max, measured("largest"));
  visit("gap", own.gap,
        measured("model gap: the largest over the contacts of ||(R - R_problem) r||_i / U_i, the "
                 "relative residual that the added compliance makes"));
  visit("primal", own.residuals.primal, measured("as in the verdict"));
  visit("dual", own.residuals.dual, measured("as in the verdict"));
  visit("complementarity", own.residuals.complementarity, measured("as in the verdict"));
  visit("relative", own.residuals.relative, measured("as in the verdict"));
  visit("worst_contact", own.residuals.worst_contact,
        {.help = "as in the verdict", .range = at_least(0), .nullable = true});
}

void describe(auto& visit, Is<HardwareCounts> auto& counts) {
  visit("instructions", counts.instructions, counted(""));
  visit("cycles", counts.cycles, counted(""));
}

void describe(auto& visit, Is<SampleSummary> auto& samples) {
  const Field seconds{.unit = "s", .range = at_least(0)};
  visit("min", samples.min, seconds);
  visit("median", samples.median, seconds);
  visit("mean", samples.mean, seconds);
  visit("mad", samples.mad,
        {.help = "median absolute deviation from the median", .unit = "s", .range = at_least(0)});
  visit("samples", samples.samples, {.help = "number of timed solves", .range = at_least(1)});
  visit("values", samples.values,
        {.help = "at most 32 of the samples, evenly picked, in the order in which they were taken",
         .unit = "s",
         .range = {0, kept_samples}});
}

void describe(auto& visit, Is<RecordTime> auto& time) {
  visit("read", time.read, measured("reading the file", "s"));
  visit("assembly", time.assembly,
        measured("reduction global -> local, once per problem and not part of solve", "s"));
  visit("setup", time.setup, measured("the part of solve before the first iteration", "s"));
  visit("solve", time.solve,
        {.help = "everything from the problem in memory to the impulse, over repeated solves; null "
                 "if none was timed"});
  visit("cholesky", time.cholesky,
        measured("one analysis and Cholesky factorisation of (W + W^T)/2 plus the mean of its "
                 "diagonal, in the same process; null if it was not measured",
                 "s"));
  visit.derived("cholesky_equivalents", time.cholesky_equivalents(),
                measured("median of solve over cholesky, which depends little on the machine"));
  visit("rounds", time.rounds,
        {.help = "median solve time of each round, in their order; null in a run of one round and "
                 "where the first round ended by its time limit or has no time; shorter than "
                 "run.rounds where a later one ended so or did not repeat the first",
         .unit = "s",
         .nullable = true});
  visit("concurrent_pairs", time.concurrent_pairs,
        counted("most other pairs that ran at the same time on this machine"));
}

void describe(auto& visit, Is<Try> auto& once) {
  visit("tolerance", once.tolerance, {.help = "that the solver was given", .range = positive()});
  visit("status", once.status, {.help = "as records[].status"});
  visit("residual", once.residual, measured("that the run compares with its tolerance"));
  visit("iterations", once.iterations, counted("as the solver's method counts them"));
  visit("time", once.time, measured("of one solve", "s"));
}

void describe(auto& visit, Is<Record> auto& record) {
  visit("problem", record.problem, named("problems[].id"));
  visit("solver", record.solver, named("solvers[].id"));
  visit("start", record.start,
        {.help = "where the solve, each of its repetitions and its history started"});
  visit("previous", record.previous,
        {.help = "problems[].id of the problem whose answer was the start; null for other starts",
         .range = at_least(1),
         .nullable = true});
  visit("status", record.status, {.help = "how the solve ended"});
  visit("message", record.message, text_or_null("one line for people"));
  visit("stop_reason", record.stop_reason, {.help = "the test that ended the solve"});
  visit("stage", record.stage,
        text_or_null("the part of the method that ended the solve; null if it has no parts"));
  visit("solved", record.solved,
        {.help = "whether the impulse solves the problem of each model at each scale, whatever the "
                 "solver said; false without an impulse"});
  visit("impulse_sha256", record.impulse_sha256,
        {.help = "SHA-256 of the impulse as doubles of 8 bytes, little-endian: equal answers have "
                 "equal ones; null without an impulse",
         .pattern = "^[0-9a-f]{64}$",
         .nullable = true});
  visit("verdict", record.verdict,
        {.help = "what the impulse is worth, computed from the impulse alone; null without one"});
  visit("own_model", record.own_model,
        {.help = "the solver's model with the compliance that it chose; null if it chose none"});
  visit.members_of(record.verdict, [](auto& inside, auto& verdict) {
    inside("states", verdict.states,
           {.help = "contacts by state; null without an impulse", .nullable = true});
    inside("impulse_norm", verdict.impulse_norm, measured("Euclidean norm of the impulse"));
  });
  visit("reported", record.reported,
        {.help = "what the solver itself measured at exit, by name, in its own units"});
  visit("tries", record.tries,
        {.help = "with run.match_verdict: what the solver was asked for and what came, each time; "
                 "null without",
         .nullable = true,
         .added_later = true});
  visit("iterations", record.iterations, counted("as the solver's method counts them"));
  visit("work", record.work, {.help = "counted work of one solve, the same on every machine"});
  visit("hardware", record.hardware,
        {.help = "counted by the processor during the first solve, in user space; null where the "
                 "kernel does not allow it"});
  visit("time", record.time, {.help = "monotonic clock"});
  visit("memory_peak", record.memory_peak,
        {.help = "largest resident size of the process", .unit = "bytes", .range = at_least(0)});
  visit("history", record.history,
        {.help = "residuals of the iterates, from a separate solve that is not timed; null if not "
                 "asked for",
         .nullable = true});
}

void describe(auto& visit, Is<Unreadable> auto& file) {
  visit("path", file.path, named("as the run was given it"));
  visit("reason", file.reason, named("one line: the dataset inside the file, and what is wrong"));
}

void describe(auto& visit, Is<Document> auto& document) {
  visit.derived("schema", std::string(schema_name), named("what this document is"));
  visit.derived("schema_version", schema_version, counted("of this format"));
  visit("run", document.run, {.help = "how this document was made"});
  visit("problems", document.problems, {.help = "every problem of the plan, in its order"});
  visit("solvers", document.solvers, {.help = "every solver of the plan, in its order"});
  visit("records", document.records,
        {.help = "one record for every pair of problem and solver of the plan, whatever happened"});
  visit("unreadable", document.unreadable,
        {.help = "files that were asked for and could not be used as problems"});
}

}  // namespace frictionbench::results
