#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "frictionbench/bench/plan/problems.hpp"
#include "frictionbench/bench/plugin/peers.hpp"
#include "frictionbench/fclib/reader.hpp"
#include "frictionbench/results/document/json.hpp"
#include "frictionbench/results/document/solver_json.hpp"
#include "frictionbench/sets/sets.hpp"
#include "known_solvers.hpp"
#include "table.hpp"

namespace frictionbench::app {

using nlohmann::json;

namespace {

struct ListArguments {
  std::vector<std::string> names;
  TableOptions table;
};

std::string dimensions_of(const SolverInfo& info) {
  if (info.two_dimensional && info.three_dimensional) return "2D, 3D";
  return info.two_dimensional ? "2D" : "3D";
}

std::string form_of(const SolverInfo& info) { return info.uses_global_form ? "global" : "any"; }

// What a solver takes that not every solver does.
std::string extras_of(const SolverInfo& info) {
  std::vector<std::string> extras;
  if (!info.contacts) extras.push_back("bilateral rows only");
  if (info.every_set) extras.push_back("every set");
  if (info.zero_diagonal) extras.push_back("zero diagonal blocks");
  return extras.empty() ? "" : fmt::format(", {}", fmt::join(extras, ", "));
}

Table solver_table(const std::vector<const RegisteredSolver*>& solvers) {
  Table table({{"solver", "name"},
               "model",
               {"form", ""},
               {"dimensions", ""},
               "summary",
               {"", "exact"},
               {"", "sources"},
               {"", "needs_global_form"},
               {"", "dimensions"},
               {"", "contacts"},
               {"", "every_set"},
               {"", "zero_diagonal"},
               {"", "settings"},
               {"", "shorthands"}});
  for (const RegisteredSolver* solver : solvers) {
    const SolverInfo& info = solver->info;
    json all = results::to_json(*solver);
    std::vector<Cell> row{info.name, std::string(name(info.model)), form_of(info),
                          dimensions_of(info), info.summary};
    for (const char* member : {"exact", "sources", "needs_global_form", "dimensions", "contacts",
                               "every_set", "zero_diagonal", "settings", "shorthands"})
      row.push_back(Cell::data(std::move(all[member])));
    table.add_row(std::move(row));
  }
  return table;
}

void print_solver(const RegisteredSolver& solver) {
  fmt::print("{}: {}\n", solver.info.name, solver.info.summary);
  fmt::print("  model     {}{}\n  problems  {}, form {}{}\n", name(solver.info.model),
             solver.info.exact ? "" : ", not exact: its fixed points only come close to solutions",
             dimensions_of(solver.info), form_of(solver.info), extras_of(solver.info));
  for (const std::string& source : solver.info.sources) fmt::print("  source    {}\n", source);
  fmt::print("  settings\n");
  for (const SettingDescription& field : solver.settings) {
    const std::string value =
        field.name == solver.required ? ", required" : " = " + text_of(field.default_value);
    const std::string range = field.range.empty() ? "" : " " + field.range;
    const std::string source = field.source.empty() ? "" : fmt::format(" [{}]", field.source);
    fmt::print("    {}{}    {}{}\n        {}{}\n", field.name, value, field.type, range, field.help,
               source);
  }
  for (const SettingShorthand& shorthand : solver.shorthands)
    fmt::print("    {}\n        {}\n", shorthand.name, shorthand.help);
  fmt::print("\n");
}

int list_solvers(const ListArguments& arguments, const Registry& registry) {
  std::vector<const RegisteredSolver*> chosen;
  for (const std::string& solver : arguments.names) {
    const RegisteredSolver* found = &registry.find(solver);
    if (std::find(chosen.begin(), chosen.end(), found) == chosen.end()) chosen.push_back(found);
  }
  if (chosen.empty())
    for (const RegisteredSolver& solver : registry.solvers()) chosen.push_back(&solver);

  const TableFormat format = arguments.table.format();
  const Table table = solver_table(chosen);
  if (format == TableFormat::text && !arguments.names.empty())
    for (const RegisteredSolver* solver : chosen) print_solver(*solver);
  else
    fmt::print("{}", formatted(table, format,
                               table.text() + "\n`frictionbench list solvers NAME` shows a "
                                              "solver's settings and sources.\n"));
  return 0;
}

int list_peers(const TableOptions& options) {
  const TableFormat format = options.format();
  Table table(
      {{"peer", "name"}, "version", {"state", "there"}, {"solvers of", "title"}, {"", "package"}});
  for (const bench::Peer& peer : bench::known_peers())
    table.add_row(
        {peer.name, peer.version,
         Cell(peer.there,
              peer.there ? "there" : fmt::format("install {} and build again", peer.package)),
         peer.title, Cell::data(peer.package)});
  fmt::print("{}", formatted(table, format));
  return 0;
}

int list_sets(const TableOptions& options) {
  const TableFormat format = options.format();
  Table table({{"set", "kind"}, "parameters", "summary"});
  for (const SetKind& kind : set_kinds())
    table.add_row(
        {std::string(kind.name), std::string(kind.parameters), std::string(kind.summary)});
  fmt::print("{}", formatted(table, format));
  return 0;
}

int list_problems(const ListArguments& arguments) {
  const TableFormat format = arguments.table.format();
  Table table(
      {{"problem", "id"}, {"", "path"}, {"", "family"}, "form", {"dim", "dimension"}, "contacts"});
  int unreadable = 0;
  for (const bench::ProblemSource& source : bench::find_problems(arguments.names)) try {
      const ContactProblem problem = fclib::read_problem(source.path).problem;
      table.add_row({source.id, Cell::data(source.path), Cell::data(source.family),
                     std::string(name(problem.form())), problem.dimension(), problem.contacts()});
    } catch (const FileError& error) {
      fmt::print(stderr, "error: {}\n", error.what());
      ++unreadable;
    }
  fmt::print("{}", formatted(table, format));
  if (unreadable == 0) return 0;
  return table.empty() ? 2 : 1;
}

int list_families(const ListArguments& arguments) {
  const TableFormat format = arguments.table.format();
  std::map<std::string, int> families;
  for (const bench::ProblemSource& source : bench::find_problems(arguments.names))
    ++families[source.family];
  Table table({"family", "problems"});
  for (const auto& [family, count] : families) table.add_row({family, count});
  fmt::print("{}", formatted(table, format));
  return 0;
}

void add_solvers(Command& list, const Registry& own) {
  auto arguments = std::make_shared<ListArguments>();
  auto known = std::make_shared<KnownSolvers>(own);
  Command& command = list.add("solvers", "Registered solvers, or the settings of those named");
  command.option("NAMES", arguments->names, "solver names; all if none is given",
                 {.suggest = known->names()});
  known->add_option(command);
  arguments->table.add_to(command);
  command.run = [arguments, known] { return list_solvers(*arguments, known->load()); };
}

void add_peers(Command& list) {
  auto options = std::make_shared<TableOptions>();
  Command& command =
      list.add("peers", "Other projects whose solvers `--peer` adds, and their versions");
  options->add_to(command);
  command.run = [options] { return list_peers(*options); };
}

void add_sets(Command& list) {
  auto options = std::make_shared<TableOptions>();
  Command& command = list.add(
      "sets", "What blocks of a problem may be: contacts, joints, limits, and their texts");
  options->add_to(command);
  command.run = [options] { return list_sets(*options); };
}

void add_kind(Command& list, const char* kind, const char* summary,
              int (*print)(const ListArguments&)) {
  auto arguments = std::make_shared<ListArguments>();
  Command& command = list.add(kind, summary);
  command.option("NAMES", arguments->names, "FCLIB files, folders, or @LIST", {.required = true});
  arguments->table.add_to(command);
  command.run = [arguments, print] { return print(*arguments); };
}

}  // namespace

void add_list(Command& program, const Registry& solvers) {
  Command& command =
      program.add("list", "List solvers, peers, problems, families, sets or the results schema");
  command.notes =
      "Examples:\n"
      "  frictionbench list solvers                    one line per solver\n"
      "  frictionbench list solvers ncp-admm           its settings, defaults and sources\n"
      "  frictionbench list peers                      other projects: there, or what to install\n"
      "  frictionbench list sets                       contacts, joints, limits: kinds of blocks\n"
      "  frictionbench list problems datasets/default\n"
      "  frictionbench list families datasets/default --json\n"
      "  frictionbench list problems datasets/default --csv > problems.csv\n"
      "  frictionbench list schema > results.schema.json";
  add_solvers(command, solvers);
  add_peers(command);
  add_kind(command, "problems", "Problems in files, folders or lists, one line each",
           list_problems);
  add_kind(command, "families", "Families in files, folders or lists, with their sizes",
           list_families);
  add_sets(command);
  command.add("schema", "JSON Schema of results files").run = [] {
    fmt::print("{}", results::results_schema());
    return 0;
  };
}

}  // namespace frictionbench::app
