// frictionbench merge: several results files to one.

#include "frictionbench/results/merge/merge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <stdexcept>

#include "commands.hpp"
#include "frictionbench/base/atomic_file.hpp"
#include "frictionbench/bench/rejudge/rejudge.hpp"
#include "frictionbench/results/document/json.hpp"
#include "frictionbench/results/merge/join.hpp"
#include "outputs.hpp"
#include "summary_table.hpp"

namespace frictionbench::app {

namespace {

struct MergeArguments {
  std::vector<std::string> parts;
  bool solvers = false;
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

  frictionbench merge --solvers ours.json theirs.json -o both.json
      the same problems with other solvers, perhaps of another build or machine

The document is the one that a single machine would have written, except for times; run.shards records how
each shard was made. Shards of different runs are refused: different problems (by SHA-256), solvers, settings,
limits or builds. If pairs are in no shard, they are listed and nothing is written.

With --solvers, files of the same problems (by SHA-256) and limits are joined; run.joined says how each was made.
Pairs that no file has are missing, as above.

Impulses that were kept (run --keep-impulses) are checked first, as `rejudge` does: a forged record is refused.
They are joined, too, in OUTPUT.impulses.h5.)help";

std::vector<results::Document> checked_documents(const std::vector<std::string>& paths) {
  std::vector<results::Document> documents;
  for (const std::string& path : paths) {
    documents.push_back(results::read_document(path));
    if (documents.back().run.impulses) bench::recompute(documents.back(), path);
  }
  return documents;
}

results::Merged merged(const std::vector<results::Document>& documents,
                       const MergeArguments& arguments) {
  std::vector<results::NamedDocument> named;
  for (std::size_t k = 0; k < documents.size(); ++k)
    named.push_back({arguments.parts[k], documents[k]});
  return arguments.solvers ? results::join(std::move(named)) : results::merge(std::move(named));
}

int merge_command(const MergeArguments& arguments) {
  const auto documents = checked_documents(arguments.parts);
  std::vector<std::string> inputs = arguments.parts;
  for (std::size_t k = 0; k < documents.size(); ++k)
    if (auto kept = documents[k].impulses_file(arguments.parts[k])) inputs.push_back(*kept);
  OutputCheck check(arguments.force, std::move(inputs));
  check.add(arguments.output);
  std::FILE* const out = check.text_stream();
  results::Merged merged = app::merged(documents, arguments);
  if (!arguments.quiet || !arguments.allow_missing)
    for (const results::MissingPair& pair : merged.missing)
      fmt::print(out, "missing: {} {}\n", pair.problem, pair.solver);
  if (!merged.missing.empty() && !arguments.allow_missing) {
    std::fflush(out);  // before what goes to the other stream
    throw std::runtime_error(merged.shortfall() +
                             "; --allow-missing writes what there is without them");
  }
  const bool keeps = std::any_of(documents.begin(), documents.end(),
                                 [](const auto& part) { return part.run.impulses.has_value(); });
  if (keeps && !is_standard_output(arguments.output)) {
    const std::string impulses = impulses_path(arguments.output);
    check.add(impulses);
    merged.document.run.impulses = bench::join_answers(documents, arguments.parts, impulses);
  }
  results::write_document(arguments.output, merged.document);
  if (!arguments.quiet) print_written(merged.document, arguments.output, out);
  return merged.missing.empty() && merged.document.unreadable.empty() ? 0 : 1;
}

}  // namespace

void add_merge(Command& program) {
  auto arguments = std::make_shared<MergeArguments>();
  Command& command =
      program.add("merge", "Combine the results files of a run's shards, or of other solvers");
  command.notes = notes;
  command.option("RESULTS", arguments->parts,
                 "results files of `frictionbench run --shard`, or any with --solvers",
                 {.required = true});
  command.option("--solvers", arguments->solvers,
                 "join runs of other solvers on the same problems");
  command.option("-o,--output", arguments->output, "results file to write",
                 {.value = "FILE", .required = true});
  command.option("--allow-missing", arguments->allow_missing,
                 "write what there is if pairs are missing (exit code 1)");
  command.option("--force", arguments->force, "overwrite the results file");
  command.option("--quiet", arguments->quiet, "no table, errors only");
  command.run = [arguments] { return merge_command(*arguments); };
}

}  // namespace frictionbench::app
