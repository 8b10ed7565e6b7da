#include <fmt/format.h>
#include <fmt/os.h>

#include <algorithm>
#include <limits>
#include <memory>

#include "commands.hpp"
#include "comparison_report.hpp"
#include "frictionbench/results/document/json.hpp"
#include "outputs.hpp"

namespace frictionbench::app {

namespace {

constexpr const char* examples = R"help(Examples:
  frictionbench compare baseline.json results.json
      what got better, worse, lost or new; exit code 0 if nothing is worse
  frictionbench compare baseline.json results.json --format markdown >> "$GITHUB_STEP_SUMMARY"
  frictionbench compare baseline.json results.json --format junit -o compare.xml --allow-lost
  frictionbench compare baseline.json monday.json tuesday.json
      each of them with the baseline
  frictionbench compare results.json results.json --as ncp-pgs "ncp-pgs(relaxation=1.3)"
      two settings of a solver, from one run
  frictionbench compare baseline.json results.json --rules rules.json
      with allowances of your own; results/comparison-rules.json has the defaults

Exit code: 0 nothing worse, 1 something worse or lost, 2 not comparable: another criterion, tolerance or
limit, no problem or no solver in common, or bad input.
Worse is: no longer solved; newly crashed, failed or wrong; lost; more work; a residual ten times as large; time
of which a bootstrap test says, from the samples, that it grew. Times are compared on one processor model only.)help";

constexpr std::size_t default_rows = 30;

struct CompareArguments {
  std::string baseline;
  std::vector<std::string> candidates;
  std::vector<std::pair<std::string, std::string>> solvers;
  std::string rules;
  bool any_machine = false, no_time = false, allow_lost = false;
  std::string format = "text", output;
  bool all = false, force = false;
};

results::ComparisonOptions options_from(const CompareArguments& arguments) {
  results::ComparisonOptions options;
  if (!arguments.rules.empty()) options.rules = results::read_comparison_rules(arguments.rules);
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
      throw std::invalid_argument(path + ": " + error.what());
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

int compare_command(const CompareArguments& arguments) {
  std::vector<std::string> inputs = arguments.candidates;
  inputs.push_back(arguments.baseline);
  if (!arguments.rules.empty()) inputs.push_back(arguments.rules);
  OutputCheck(arguments.force, inputs).add(arguments.output);

  const ComparisonReport report = compare_files(arguments);
  const std::string text = formatted(report, arguments);
  if (arguments.output.empty())
    fmt::print("{}", text);
  else
    fmt::output_file(arguments.output).print("{}", text);
  return std::any_of(report.candidates.begin(), report.candidates.end(),
                     [](const ComparedCandidate& c) { return c.comparison.regressed(); });
}

}  // namespace

void add_compare(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<CompareArguments>();
  CLI::App* command =
      app.add_subcommand("compare", "Say what got better, worse, lost or new between runs");
  command->add_option("BASELINE", arguments->baseline, "results file to compare with")->required();
  command
      ->add_option("CANDIDATE", arguments->candidates,
                   "results files, each compared with the baseline")
      ->required();
  command
      ->add_option("--rules", arguments->rules,
                   "JSON file that says what counts as worse; what it leaves out keeps its default")
      ->type_name("FILE");
  command
      ->add_option("--as", arguments->solvers,
                   "compare these only: a solver of the baseline with one of the candidate, by "
                   "their ids; repeatable")
      ->type_name("SOLVER SOLVER")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command->add_flag("--any-machine", arguments->any_machine,
                    "compare times of different processor models, too");
  command->add_flag("--no-time", arguments->no_time, "do not compare times");
  command->add_flag("--allow-lost", arguments->allow_lost,
                    "pairs that the candidate does not have are not worse");
  command->add_option("--format", arguments->format, "text, markdown, junit or json")
      ->capture_default_str()
      ->type_name("")
      ->check(CLI::IsMember({"text", "markdown", "junit", "json"}));
  command->add_flag(
      "--all", arguments->all,
      fmt::format("text, markdown: every pair that changed, not the worst {} only", default_rows));
  command->add_option("-o,--output", arguments->output,
                      "file to write; standard output if not given");
  command->add_flag("--force", arguments->force, "overwrite the output file");
  command->footer(examples);
  command->callback(
      [&action, arguments] { action = [arguments] { return compare_command(*arguments); }; });
}

}  // namespace frictionbench::app
