#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>

#include "commands.hpp"
#include "comparison_report.hpp"
#include "frictionbench/base/atomic_file.hpp"
#include "frictionbench/results/document/json.hpp"
#include "outputs.hpp"

namespace frictionbench::app {

namespace {

constexpr const char* notes = R"help(Examples:
  frictionbench compare baseline.json results.json
      what got better, worse, lost or new; exit code 0 if nothing is worse
  frictionbench compare baseline.json results.json --format markdown >> "$GITHUB_STEP_SUMMARY"
  frictionbench compare baseline.json results.json --format junit -o compare.xml --allow-lost
  frictionbench compare baseline.json monday.json tuesday.json
      compares each of them with the baseline
  frictionbench compare results.json results.json --as ncp-pgs "ncp-pgs(relaxation=1.3)"
      compares two settings of a solver within one run
  frictionbench compare baseline.json results.json --rules rules.json
      with your own allowances; results/comparison-rules.json has the defaults
  frictionbench compare baseline.json results.json --times
      times, too; both files are from the same machine and from `frictionbench run --rounds 10`

Exit code: 0 nothing worse; 1 something worse or lost; 2 bad command line or bad input; 3 not comparable (different
criterion, tolerance, iteration limit or start; no problem or no solver in common).
A pair is worse if it is no longer solved; newly crashed, failed, wrong or not repeatable; lost; takes more work; or
has a residual ten times as large. With --times it is also worse if it takes more than 1.2 times as long, which is
tested on the rounds of both runs (Wilcoxon's signed rank test) with the number of tests allowed for (Benjamini and
Hochberg): of the pairs that are called slower, 5 % may be expected to be so by chance. That takes the same
number of rounds in both files, at least 5, and equal processor models. Ten rounds or more find single pairs.
Runs with different time limits are compared on what both decided: pairs that either run ended by its time limit,
and that are not solved in both, are left out and counted.)help";

constexpr int not_comparable = 3;  // exit code

constexpr std::size_t default_rows = 30;

struct CompareArguments {
  std::string baseline;
  std::vector<std::string> candidates;
  std::vector<std::pair<std::string, std::string>> solvers;
  std::string rules;
  bool any_machine = false, times = false, no_time = false, allow_lost = false;
  std::string format = "text", output;
  bool all = false, force = false;
};

results::ComparisonOptions options_from(const CompareArguments& arguments) {
  results::ComparisonOptions options;
  if (!arguments.rules.empty()) options.rules = results::read_comparison_rules(arguments.rules);
  if (arguments.times && arguments.no_time)
    throw std::invalid_argument("--times and --no-time exclude each other: give only one");
  if (arguments.times && !options.rules.time) options.rules.time.emplace();
  if (arguments.no_time) options.rules.time.reset();
  if (arguments.allow_lost) options.rules.lost_is_worse = false;
  options.any_machine = arguments.any_machine;
  options.solvers = arguments.solvers;
  return options;
}

ComparisonReport compare_files(const CompareArguments& arguments) {
  const results::ComparisonOptions options = options_from(arguments);
  const results::Document baseline = results::read_document(arguments.baseline);
  ComparisonReport report{{arguments.baseline, baseline.run}, {}};
  for (const std::string& path : arguments.candidates) {
    const results::Document candidate = results::read_document(path);
    try {
      report.candidates.push_back(
          {{path, candidate.run}, results::compare(baseline, candidate, options)});
    } catch (const results::NotComparable& error) {
      throw results::NotComparable(path + ": " + error.what());
    }
  }
  return report;
}

std::string formatted(const ComparisonReport& report, const CompareArguments& arguments) {
  const std::size_t rows = arguments.all ? std::numeric_limits<std::size_t>::max() : default_rows;
  if (arguments.format == "markdown") return comparison_markdown(report, rows);
  if (arguments.format == "junit") return comparison_junit(report);
  if (arguments.format == "json") return comparison_json(report);
  return comparison_text(report, rows);
}

int compare_command(const CompareArguments& arguments) try {
  std::vector<std::string> inputs = arguments.candidates;
  inputs.push_back(arguments.baseline);
  if (!arguments.rules.empty()) inputs.push_back(arguments.rules);
  OutputCheck(arguments.force, inputs).add(arguments.output);

  const ComparisonReport report = compare_files(arguments);
  const std::string text = formatted(report, arguments);
  write_file(arguments.output.empty() ? "-" : arguments.output, text);
  return std::any_of(report.candidates.begin(), report.candidates.end(),
                     [](const ComparedCandidate& c) { return c.comparison.regressed(); });
} catch (const results::NotComparable& error) {
  fmt::print(stderr, "error: {}\n", error.what());
  return not_comparable;
}

}  // namespace

void add_compare(Command& program) {
  auto arguments = std::make_shared<CompareArguments>();
  Command& command = program.add("compare", "Say what got better, worse, lost or new between runs");
  command.notes = notes;
  command.option("BASELINE", arguments->baseline, "results file to compare with",
                 {.required = true});
  command.option("CANDIDATE", arguments->candidates,
                 "results files, each compared with the baseline", {.required = true});
  command.option("--rules", arguments->rules,
                 "JSON file that says what counts as worse; what it leaves out keeps its default",
                 {.value = "FILE"});
  command.option("--as", arguments->solvers,
                 "compare only a solver of the baseline with one of the candidate, by their ids",
                 {.value = "SOLVER SOLVER"});
  command.option("--any-machine", arguments->any_machine,
                 "also compare times of different processor models");
  command.option("--times", arguments->times,
                 "judge times, too, by the rounds of both runs; the rules may ask for it as well");
  command.option("--no-time", arguments->no_time, "do not judge times, whatever the rules say");
  command.option("--allow-lost", arguments->allow_lost,
                 "pairs that the candidate does not have are not worse");
  command.option("--format", arguments->format, "how to report",
                 {.choices = {"text", "markdown", "junit", "json"}});
  command.option(
      "--all", arguments->all,
      fmt::format("text, markdown: every pair that changed, not only the worst {}", default_rows));
  command.option("-o,--output", arguments->output, "file to write; standard output if not given",
                 {.value = "FILE"});
  command.option("--force", arguments->force, "overwrite the output file");
  command.run = [arguments] { return compare_command(*arguments); };
}

}  // namespace frictionbench::app
