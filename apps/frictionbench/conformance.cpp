// frictionbench conformance: whether a solver does what every solver must.

#include "frictionbench/bench/conformance/conformance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>

#include "commands.hpp"
#include "frictionbench/bench/plan/solvers.hpp"
#include "known_solvers.hpp"
#include "table.hpp"

namespace frictionbench::app {

namespace conformance = bench::conformance;
using conformance::Finding;

namespace {

constexpr const char* notes = R"help(Examples:
  frictionbench conformance --solver "external(command='python3 my_solver.py',name=mine)"
  frictionbench conformance --plugin ./libmine.so --solver mine --check units --check time-limit
  frictionbench conformance --solver 'ncp-*' --csv > conformance.csv

Small problems, most of them with known answers or made so that exactly one thing is tested, each solved in
a process of its own. Answers are judged by the solver's own model. An error in `seen` is that of the first case
that fails.

Checks:
{}
Exit code: 0 every check passed or does not apply, 1 a check failed, 2 bad input.)help";

struct ConformanceArguments {
  KnownSolvers known;
  std::vector<std::string> solvers, checks;
  conformance::Settings settings;
  TableOptions table;
};

std::vector<std::string> names_of_checks() {
  std::vector<std::string> names;
  for (const conformance::Check& check : conformance::checks()) names.push_back(check.name);
  return names;
}

std::string described_checks() {
  std::string text;
  for (const conformance::Check& check : conformance::checks())
    text += fmt::format("  {:<21} {}\n", check.name, check.asks);
  return text;
}

std::string shown(Finding finding) {
  return finding == Finding::not_applicable ? "not applicable" : std::string(name(finding));
}

int conformance_command(const ConformanceArguments& arguments) {
  const TableFormat format = arguments.table.format();
  const auto solvers = bench::find_solvers(arguments.known.load(), arguments.solvers);
  Table table({"solver", "check", {"", "asks"}, "finding", "seen"});
  std::map<Finding, int> counts;
  for (const ConfiguredSolver& solver : solvers) {
    const conformance::Examination examination(solver, arguments.settings);
    if (!table.empty()) table.add_rule();
    for (const conformance::Check& check : conformance::checks()) {
      if (!arguments.checks.empty() && std::find(arguments.checks.begin(), arguments.checks.end(),
                                                 check.name) == arguments.checks.end())
        continue;
      const conformance::Seen seen = examination.carry_out(check);
      ++counts[seen.finding];
      table.add_row({solver.id,
                     check.name,
                     Cell::data(check.asks),
                     {name(seen.finding), shown(seen.finding)},
                     seen.text});
    }
  }
  const std::string text =
      fmt::format("{}\n{} passed, {} failed, {} not applicable\n", table.text(),
                  counts[Finding::pass], counts[Finding::fail], counts[Finding::not_applicable]);
  fmt::print("{}", formatted(table, format, text));
  return counts[Finding::fail] > 0 ? 1 : 0;
}

}  // namespace

void add_conformance(Command& program, const Registry& solvers) {
  auto arguments = std::make_shared<ConformanceArguments>();
  arguments->known = KnownSolvers(solvers);
  Command& command =
      program.add("conformance", "Check that a solver does what every solver must do");
  command.notes = fmt::format(notes, described_checks());
  command.option("--solver", arguments->solvers, "as for `run`",
                 {.value = "SOLVER", .suggest = arguments->known.names(), .required = true});
  arguments->known.add_option(command);
  command.option("--check", arguments->checks, "only this check; all if not given",
                 {.value = "NAME", .choices = names_of_checks()});
  command.described(arguments->settings);
  arguments->table.add_to(command);
  command.run = [arguments] { return conformance_command(*arguments); };
}

}  // namespace frictionbench::app
