#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <vector>

#include "commands.hpp"
#include "frictionbench/base/number_of.hpp"
#include "frictionbench/bench/measure/entries.hpp"
#include "frictionbench/bench/plan/problems.hpp"
#include "frictionbench/criteria/verdict.hpp"
#include "frictionbench/fclib/reader.hpp"
#include "frictionbench/problem/facts.hpp"
#include "frictionbench/results/document/flat_records.hpp"
#include "frictionbench/results/document/json.hpp"
#include "table.hpp"

namespace frictionbench::app {

using nlohmann::json;
using Values = nlohmann::ordered_json;  // an object

namespace {

struct InfoArguments {
  std::vector<std::string> paths;
  TableOptions table;
};

// Text by the file's author, possibly of several lines: all under one name, blank ones left out.
void print_text(const char* name, const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    fmt::print("  {:<14}{}\n", name, line);
    name = "";
  }
}

void print_stored_state(const char* name, const ContactProblem& problem,
                        const fclib::State& state) {
  for (const std::string& misfit : state.misfits)
    fmt::print("  {:<14}not used: {}\n", name, misfit);
  if (!state.r) {
    fmt::print("  {:<14}no usable impulse r stored\n", name);
    return;
  }
  const Verdict verdict = judge(problem, *state.r);
  fmt::print("  {:<14}{}ncp residual {:.2e} (absolute {:.2e}), natural map {:.2e}\n", name,
             state.r->isZero(0) ? "r is all zeros; " : "", verdict.ncp.relative, verdict.ncp.max(),
             verdict.natural_map);
}

void print_facts(const ContactProblem& problem) {
  const ProblemFacts facts = facts_of(problem);
  fmt::print("  {:<14}{} nonzeros ({:.3g} % full), asymmetry {:.2e}, diagonal {:.3g} to {:.3g}\n",
             "W", facts.nonzeros, 100 * facts.density, facts.asymmetry, facts.diagonal_min,
             facts.diagonal_max);
  if (const auto spectrum = spectrum_of(problem))
    fmt::print("  {:<14}rank {} of {}, condition at least {:.2e}, eigenvalues {:.3g} to {:.3g}\n",
               "W + W^T", spectrum->rank, problem.unknowns(), spectrum->condition,
               spectrum->smallest * 2, spectrum->largest * 2);
  fmt::print("  {:<14}{:g} to {:g}\n", "mu", facts.mu_min, facts.mu_max);
  if (problem.compliance().size() > 0)
    fmt::print("  {:<14}{:.3g} to {:.3g}, on the diagonal of W\n", "compliance",
               facts.compliance_min, facts.compliance_max);
  fmt::print("  {:<14}{}\n", "islands", facts.islands);
  const ProblemScale scale = scale_of(problem);
  fmt::print("  {:<14}impulse {:.3g}, velocity {:.3g}\n", "scale", scale.impulse, scale.velocity);
}

void print_info(const bench::ProblemSource& source, const fclib::ProblemFile& file) {
  const ContactProblem& problem = file.problem;
  const bool global = problem.form() == ProblemForm::global;

  fmt::print("{}\n", source.path);
  fmt::print("  {:<14}{}, {}D\n", "form", global ? "global" : "local", problem.dimension());
  fmt::print(
      "  {:<14}{}, {} unknowns{}{}\n", "size",
      number_of(static_cast<std::size_t>(problem.contacts()), "contact"), problem.unknowns(),
      global ? fmt::format(", {} degrees of freedom", problem.global()->M.rows()) : "",
      problem.bilateral_rows() ? fmt::format(", {} bilateral rows", problem.bilateral_rows()) : "");
  if (!problem.is_plain()) fmt::print("  {:<14}{}\n", "sets", sets_of(problem));
  if (problem.unknowns() > 0) print_facts(problem);
  print_text("title", file.info.title);
  print_text("description", file.info.description);
  print_text("math_info", file.info.math_info);
  if (file.solution)
    print_stored_state("solution", problem, *file.solution);
  else
    fmt::print("  {:<14}none stored\n", "solution");
  for (std::size_t k = 0; k < file.guesses.size(); ++k)
    print_stored_state(fmt::format("guess {}", k + 1).c_str(), problem, file.guesses[k]);
}

// What a stored impulse is worth. The members are the same for every state, null without an impulse.
Values values_of(const ContactProblem& problem, const fclib::State& state) {
  std::optional<Verdict> verdict;
  if (state.r) verdict = judge(problem, *state.r);
  const auto value = [&](auto&& of) { return verdict ? json(of(*verdict)) : json(); };
  return {{"zero", state.r ? json(state.r->isZero(0)) : json()},
          {"ncp.relative", value([](const Verdict& v) { return v.ncp.relative; })},
          {"ncp.max", value([](const Verdict& v) { return v.ncp.max(); })},
          {"natural_map", value([](const Verdict& v) { return v.natural_map; })},
          {"not_used", state.misfits}};
}

// For programs: the members of `problems` in results files, and what else is printed. The names are
// the same for every file.
Values values_of(const bench::ProblemSource& source, const fclib::ProblemFile& file) {
  const ContactProblem& problem = file.problem;
  const ProblemFacts facts = facts_of(problem);
  const auto spectrum = spectrum_of(problem);
  const ProblemScale scale = scale_of(problem);
  results::ProblemEntry entry = bench::problem_entry(source, file);
  if (spectrum) entry.condition = spectrum->condition;
  const json described = results::to_json(entry);

  Values values;
  for (const std::string& name : results::value_names("problems"))
    values[name] = results::value_at(described, name);
  values["density"] = facts.density;
  values["diagonal_min"] = facts.diagonal_min;
  values["diagonal_max"] = facts.diagonal_max;
  values["symmetric_part.rank"] = spectrum ? json(spectrum->rank) : json();
  values["symmetric_part.eigenvalue_min"] = spectrum ? json(spectrum->smallest) : json();
  values["symmetric_part.eigenvalue_max"] = spectrum ? json(spectrum->largest) : json();
  values["scale.impulse"] = scale.impulse;
  values["scale.velocity"] = scale.velocity;
  values["title"] = file.info.title;
  values["description"] = file.info.description;
  values["math_info"] = file.info.math_info;
  const Values solution = values_of(problem, file.solution.value_or(fclib::State{}));
  for (const auto& member : solution.items()) values["solution." + member.key()] = member.value();
  values["guesses"] = json::array();
  for (const fclib::State& guess : file.guesses)
    values["guesses"].push_back(values_of(problem, guess));
  return values;
}

// Adds a row; the first one makes the table.
void add_row(const Values& values, std::optional<Table>& table) {
  std::vector<Column> columns;
  std::vector<Cell> cells;
  for (const auto& member : values.items()) {
    columns.emplace_back("", member.key());
    cells.push_back(Cell::data(member.value()));
  }
  if (!table) table.emplace(std::move(columns));
  table->add_row(std::move(cells));
}

int info_command(const InfoArguments& arguments) {
  const TableFormat format = arguments.table.format();
  std::optional<Table> table;
  std::size_t unreadable = 0;
  const auto sources = bench::find_problems(arguments.paths);
  for (const bench::ProblemSource& source : sources) try {
      const fclib::ProblemFile file = fclib::read_problem(source.path);
      bench::prepared(file.problem, source.path, {});  // before anything is printed
      if (format == TableFormat::text)
        print_info(source, file);
      else
        add_row(values_of(source, file), table);
    } catch (const std::exception& error) {
      fmt::print(stderr, "error: {}\n", error.what());
      ++unreadable;
    }
  if (table) fmt::print("{}", formatted(*table, format));
  if (unreadable == 0) return 0;
  return unreadable == sources.size() ? 2 : 1;
}

}  // namespace

void add_info(Command& program) {
  auto arguments = std::make_shared<InfoArguments>();
  Command& command = program.add(
      "info", "Print what FCLIB files contain, and how good their stored solutions are");
  command.notes =
      "Examples:\n"
      "  frictionbench info datasets/default/*/*.hdf5\n"
      "  frictionbench info datasets/default --csv > problems.csv";
  command.option("FILES", arguments->paths, "FCLIB files, folders, or @LIST", {.required = true});
  arguments->table.add_to(command);
  command.run = [arguments] { return info_command(*arguments); };
}

}  // namespace frictionbench::app
