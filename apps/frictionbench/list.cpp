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
#include "known_solvers.hpp"
#include "table.hpp"

namespace frictionbench::app {

using nlohmann::json;

namespace {

struct ListArguments {
  std::vector<std::string> names;
  bool as_json = false;
};

std::string dimensions_of(const SolverInfo& info) {
  if (info.two_dimensional && info.three_dimensional) return "2D, 3D";
  return info.two_dimensional ? "2D" : "3D";
}

std::string form_of(const SolverInfo& info) { return info.uses_global_form ? "global" : "any"; }

// What a solver takes that not every solver does.
std::string extras_of(const SolverInfo& info) {
  std::vector<std::string> extras;
  if (info.bilateral_rows) extras.push_back("bilateral rows");
  if (info.zero_diagonal) extras.push_back("zero diagonal blocks");
  return extras.empty() ? "" : fmt::format(", {}", fmt::join(extras, ", "));
}

json solver_json(const RegisteredSolver& solver) {
  json settings = json::array();
  for (const SettingDescription& field : solver.settings)
    settings.push_back({{"name", field.name},
                        {"type", field.type},
                        {"required", field.name == solver.required},
                        {"default", std::visit([](const auto& value) { return json(value); },
                                               field.default_value)},
                        {"range", field.range},
                        {"help", field.help},
                        {"source", field.source}});
  json shorthands = json::array();
  for (const SettingShorthand& shorthand : solver.shorthands)
    shorthands.push_back(
        {{"name", shorthand.name}, {"settings", shorthand.settings}, {"help", shorthand.help}});
  const SolverInfo& info = solver.info;
  return {{"name", info.name},
          {"summary", info.summary},
          {"model", name(info.model)},
          {"exact", info.exact},
          {"sources", info.sources},
          {"needs_global_form", info.uses_global_form},
          {"dimensions", info.two_dimensional && info.three_dimensional ? json{2, 3}
                         : info.two_dimensional                         ? json{2}
                                                                        : json{3}},
          {"bilateral_rows", info.bilateral_rows},
          {"zero_diagonal", info.zero_diagonal},
          {"settings", settings},
          {"shorthands", shorthands}};
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

  if (arguments.as_json) {
    json all = json::array();
    for (const RegisteredSolver* solver : chosen) all.push_back(solver_json(*solver));
    fmt::print("{}\n", all.dump(1));
  } else if (!arguments.names.empty()) {
    for (const RegisteredSolver* solver : chosen) print_solver(*solver);
  } else {
    Table table({"solver", "model", "form", "dimensions", "summary"});
    for (const RegisteredSolver* solver : chosen)
      table.add_row({solver->info.name, std::string(name(solver->info.model)),
                     form_of(solver->info), dimensions_of(solver->info), solver->info.summary});
    fmt::print(
        "{}\n`frictionbench list solvers NAME` shows a solver's settings and sources.\n"
        "Other projects' solvers: `--peer NAME`; `frictionbench list peers` says which are "
        "there.\n",
        table.text());
  }
  return 0;
}

int list_peers(bool as_json) {
  json all = json::array();
  Table table({"peer", "version", "", "solvers of"});
  for (const bench::Peer& peer : bench::known_peers()) {
    all.push_back({{"name", peer.name},
                   {"title", peer.title},
                   {"there", peer.there},
                   {"version", peer.there ? json(peer.version) : json()},
                   {"package", peer.package}});
    table.add_row({peer.name, peer.version,
                   peer.there ? "there" : fmt::format("install {} and build again", peer.package),
                   peer.title});
  }
  fmt::print("{}", as_json ? all.dump(1) + "\n" : table.text());
  return 0;
}

int list_problems(const ListArguments& arguments) {
  json all = json::array();
  Table table({"problem", "form", "dim", "contacts"});
  int unreadable = 0;
  for (const bench::ProblemSource& source : bench::find_problems(arguments.names)) try {
      const ContactProblem problem = fclib::read_problem(source.path).problem;
      const std::string form(name(problem.form()));
      all.push_back({{"id", source.id},
                     {"path", source.path},
                     {"family", source.family},
                     {"form", form},
                     {"dimension", problem.dimension()},
                     {"contacts", problem.contacts()}});
      table.add_row({source.id, form, fmt::format("{}", problem.dimension()),
                     fmt::format("{}", problem.contacts())});
    } catch (const FileError& error) {
      fmt::print(stderr, "error: {}\n", error.what());
      ++unreadable;
    }
  fmt::print("{}", arguments.as_json ? all.dump(1) + "\n" : table.text());
  if (unreadable == 0) return 0;
  return all.empty() ? 2 : 1;
}

int list_families(const ListArguments& arguments) {
  std::map<std::string, int> families;
  for (const bench::ProblemSource& source : bench::find_problems(arguments.names))
    ++families[source.family];
  json all = json::array();
  Table table({"family", "problems"});
  for (const auto& [family, count] : families) {
    all.push_back({{"family", family}, {"problems", count}});
    table.add_row({family, fmt::format("{}", count)});
  }
  fmt::print("{}", arguments.as_json ? all.dump(1) + "\n" : table.text());
  return 0;
}

void add_solvers(Command& list, const Registry& own) {
  auto arguments = std::make_shared<ListArguments>();
  auto known = std::make_shared<KnownSolvers>(own);
  Command& command = list.add("solvers", "Registered solvers, or the settings of those named");
  command.option("NAMES", arguments->names, "solver names; all if none is given",
                 {.suggest = known->names()});
  known->add_option(command);
  command.option("--json", arguments->as_json, "as JSON");
  command.run = [arguments, known] { return list_solvers(*arguments, known->load()); };
}

void add_peers(Command& list) {
  auto as_json = std::make_shared<bool>(false);
  Command& command =
      list.add("peers", "Other projects whose solvers `--peer` adds, and their versions");
  command.option("--json", *as_json, "as JSON");
  command.run = [as_json] { return list_peers(*as_json); };
}

void add_kind(Command& list, const char* kind, const char* summary,
              int (*print)(const ListArguments&)) {
  auto arguments = std::make_shared<ListArguments>();
  Command& command = list.add(kind, summary);
  command.option("NAMES", arguments->names, "FCLIB files, folders, or @LIST", {.required = true});
  command.option("--json", arguments->as_json, "as JSON");
  command.run = [arguments, print] { return print(*arguments); };
}

}  // namespace

void add_list(Command& program, const Registry& solvers) {
  Command& command =
      program.add("list", "List solvers, peers, problems, families or the results schema");
  command.notes =
      "Examples:\n"
      "  frictionbench list solvers                    one line per solver\n"
      "  frictionbench list solvers ncp-admm           its settings, defaults and sources\n"
      "  frictionbench list peers                      other projects: there, or what to install\n"
      "  frictionbench list problems datasets/default\n"
      "  frictionbench list families datasets/default --json\n"
      "  frictionbench list schema > results.schema.json";
  add_solvers(command, solvers);
  add_peers(command);
  add_kind(command, "problems", "Problems in files, folders or lists, one line each",
           list_problems);
  add_kind(command, "families", "Families in files, folders or lists, with their sizes",
           list_families);
  command.add("schema", "JSON Schema of results files").run = [] {
    fmt::print("{}", results::results_schema());
    return 0;
  };
}

}  // namespace frictionbench::app
