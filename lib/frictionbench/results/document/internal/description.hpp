/// \file
/// What every struct of the results document consists of. Reading, writing and the JSON Schema
/// follow from these descriptions; documents of version 1 are brought to this form first
/// (version1.hpp).
#pragma once

#include "frictionbench/problem/facts.hpp"
#include "frictionbench/results/document/document.hpp"
#include "frictionbench/results/document/internal/json_fields.hpp"
#include "frictionbench/results/document/internal/run_info_description.hpp"
#include "frictionbench/results/document/internal/verdict_description.hpp"

namespace frictionbench::results {

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
  static const std::string condition_help =
      "largest over smallest eigenvalue of (W + W^T)/2 above 1e-10 of the largest "
      "(`run --condition`); null if not asked for, or for more than " +
      std::to_string(largest_spectrum) + " unknowns";
  visit("condition", problem.condition,
        {.help = condition_help.c_str(),
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
