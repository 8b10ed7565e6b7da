/// \file
/// What the structs of a results document consist of that say how it was made (run_info.hpp).
#pragma once

#include "frictionbench/results/document/internal/json_fields.hpp"
#include "frictionbench/results/document/run_info.hpp"

namespace frictionbench::results {

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
  visit("version", part.version,
        {.help = "as run.version; null where an earlier version joined",
         .nullable = true,
         .added_later = true});
  visit("revision", part.git_revision,
        {.help = "commit that was built; null outside a checkout", .nullable = true});
  visit("build", part.build,
        {.help = "as run.build; null where an earlier version joined", .added_later = true});
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

}  // namespace frictionbench::results
