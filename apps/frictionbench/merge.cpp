// frictionbench merge: the shards of a run to one results file.

#include "frictionbench/results/merge/merge.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <stdexcept>

#include "commands.hpp"
#include "frictionbench/results/document/json.hpp"
#include "outputs.hpp"
#include "summary_table.hpp"

namespace frictionbench::app {

namespace {

struct MergeArguments {
  std::vector<std::string> shards;
  std::string output;
  bool allow_missing = false;
  bool force = false;
  bool quiet = false;
};

constexpr const char* notes = R"help(Examples:
  frictionbench run FOLDER --shard 1/2 -o a.json     on one machine
  frictionbench run FOLDER --shard 2/2 -o b.json     on another
  frictionbench merge a.json b.json -o results.json

  frictionbench merge a.json -o half.json --allow-missing
      what there is, if the other shard is lost for good

The document is the one that a single machine would have written, except for times; run.shards records how
each shard was made. Shards of different runs are refused: different problems (by SHA-256), solvers, settings,
limits or builds. If pairs are in no shard, they are listed and nothing is written.)help";

results::Merged merge_files(const std::vector<std::string>& paths) {
  std::vector<results::NamedDocument> shards;
  for (const std::string& path : paths) shards.push_back({path, results::read_document(path)});
  return results::merge(std::move(shards));
}

int merge_command(const MergeArguments& arguments) {
  OutputCheck check(arguments.force, arguments.shards);
  check.add(arguments.output);
  std::FILE* const out = check.text_stream();
  const results::Merged merged = merge_files(arguments.shards);
  if (!arguments.quiet || !arguments.allow_missing)
    for (const results::MissingPair& pair : merged.missing)
      fmt::print(out, "missing: {} {}\n", pair.problem, pair.solver);
  if (!merged.missing.empty() && !arguments.allow_missing) {
    std::fflush(out);  // before what goes to the other stream
    throw std::runtime_error(merged.shortfall() +
                             "; --allow-missing writes what there is without them");
  }
  results::write_document(arguments.output, merged.document);
  if (!arguments.quiet) print_written(merged.document, arguments.output, out);
  return merged.missing.empty() && merged.document.unreadable.empty() ? 0 : 1;
}

}  // namespace

void add_merge(Command& program) {
  auto arguments = std::make_shared<MergeArguments>();
  Command& command = program.add("merge", "Combine the results files of a run's shards");
  command.notes = notes;
  command.option("RESULTS", arguments->shards, "results files of `frictionbench run --shard`",
                 {.required = true});
  command.option("-o,--output", arguments->output, "results file to write",
                 {.value = "FILE", .required = true});
  command.option("--allow-missing", arguments->allow_missing,
                 "write what there is if pairs are missing (exit code 1)");
  command.option("--force", arguments->force, "overwrite the results file");
  command.option("--quiet", arguments->quiet, "no table, errors only");
  command.run = [arguments] { return merge_command(*arguments); };
}

}  // namespace frictionbench::app
