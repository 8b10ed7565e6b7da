// frictionbench rejudge: verdicts computed again from the answers that a run kept.

#include "frictionbench/bench/rejudge/rejudge.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>

#include "commands.hpp"
#include "frictionbench/base/number_of.hpp"
#include "frictionbench/results/document/json.hpp"
#include "outputs.hpp"
#include "summary_table.hpp"

namespace frictionbench::app {

namespace {

constexpr const char* notes = R"help(Examples:
  frictionbench run FOLDER --keep-impulses -o a.json      also writes a.impulses.h5
  frictionbench rejudge a.json                            are all verdicts what the impulses give?
  frictionbench rejudge a.json --tolerance 1e-4 -o loose.json
  frictionbench rejudge a.json --criterion ccp --scale absolute -o ccp.json

Without settings, every kept impulse is judged once more, as the run judged it. A record with another verdict
than its impulse gives, in any number, is forged or damaged, and refused. What no impulse can tell is not checked:
times, iterations, and how the solver said that it ended. Problems are read from where the document says.

With settings, a document with the new verdicts is written; times and iterations stay those of solvers that were
asked for something else, and the document says so (run.asked). Records whose impulses were not kept allow one
conclusion: what a looser tolerance under the same criterion and scale would say. A stricter tolerance, another
criterion or another scale cannot be concluded, because a solver that was asked for it would have gone on, or
elsewhere.

Exit code: 0 done, 1 some verdicts could not be recomputed, 2 bad input, forged records among it.)help";

struct RejudgeArguments {
  std::string document, output;
  std::optional<Criterion> criterion;
  std::optional<Scale> scale;
  std::optional<double> tolerance, time_step;
  std::optional<int> facets;
  bool force = false;
  bool quiet = false;

  bool asks() const { return criterion || scale || tolerance || time_step || facets; }
};

int check_document(const RejudgeArguments& arguments, const results::Document& document) {
  const bench::Recomputed done = bench::recompute(document, arguments.document);
  std::size_t left = 0;
  for (const auto& [reason, count] : done.not_recomputable) left += count;
  if (!arguments.quiet) {
    fmt::print("{} recomputed{}\n", number_of(done.records, "verdict"),
               done.records > 0 ? ": they are what the records say" : "");
    for (const auto& [reason, count] : done.not_recomputable)
      fmt::print("{} not recomputable: {}\n", number_of(count, "verdict"), reason);
    if (done.without_answer > 0)
      fmt::print("{} without an impulse\n", number_of(done.without_answer, "record"));
  }
  return left > 0 ? 1 : 0;
}

int rejudge_command(const RejudgeArguments& arguments) {
  const results::Document document = results::read_document(arguments.document);
  if (!arguments.asks()) {
    if (!arguments.output.empty())
      throw std::invalid_argument(
          "--output: nothing new to write; give --criterion, --scale, --tolerance, --facets or "
          "--time-step");
    return check_document(arguments, document);
  }
  if (arguments.output.empty())
    throw std::invalid_argument("--output is missing: the results file with the new verdicts");
  std::vector<std::string> inputs = {arguments.document};
  if (auto kept = document.impulses_file(arguments.document)) inputs.push_back(*kept);
  OutputCheck check_output(arguments.force, std::move(inputs));
  check_output.add(arguments.output);
  auto settings = part<results::JudgeSettings>(document.run);
  settings.criterion = arguments.criterion.value_or(settings.criterion);
  settings.scale = arguments.scale.value_or(settings.scale);
  settings.tolerance = arguments.tolerance.value_or(settings.tolerance);
  settings.facets = arguments.facets.value_or(settings.facets);
  if (arguments.time_step) settings.time_step = arguments.time_step;
  check(settings);
  const std::string output_folder = std::filesystem::path(arguments.output).parent_path();
  results::Document judged = bench::rejudge(document, arguments.document, settings);
  if (judged.run.impulses) {  // the same answers
    const auto folder = std::filesystem::path(arguments.document).parent_path();
    judged.run.impulses->file =
        std::filesystem::proximate(folder / judged.run.impulses->file,
                                   output_folder.empty() ? "." : output_folder)
            .string();
  }
  results::write_document(arguments.output, judged);
  if (!arguments.quiet) print_written(judged, arguments.output, check_output.text_stream());
  return 0;
}

}  // namespace

void add_rejudge(Command& program) {
  auto arguments = std::make_shared<RejudgeArguments>();
  Command& command =
      program.add("rejudge", "Judge the kept answers of a run again, to check it or otherwise");
  command.notes = notes;
  command.option("RESULTS", arguments->document, "results file", {.required = true});
  command.option("--criterion", arguments->criterion, "another criterion",
                 {.choices = names_of<Criterion>()});
  command.option("--scale", arguments->scale, "another scale", {.choices = names_of<Scale>()});
  command.option("--tolerance", arguments->tolerance, "another tolerance", {.range = positive()});
  command.option("--facets", arguments->facets, "another pyramid of the criterion lcp in 3D",
                 {.range = at_least(3)});
  command.option("--time-step", arguments->time_step, "for --scale force",
                 {.unit = "s", .range = positive()});
  command.option("-o,--output", arguments->output, "results file to write", {.value = "FILE"});
  command.option("--force", arguments->force, "overwrite it");
  command.option("--quiet", arguments->quiet, "no text, errors only");
  command.run = [arguments] { return rejudge_command(*arguments); };
}

}  // namespace frictionbench::app
