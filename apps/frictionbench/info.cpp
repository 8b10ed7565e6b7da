#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <sstream>
#include <vector>

#include "commands.hpp"
#include "frictionbench/bench/plan/problems.hpp"
#include "frictionbench/criteria/verdict.hpp"
#include "frictionbench/fclib/reader.hpp"
#include "frictionbench/problem/facts.hpp"

namespace frictionbench::app {

namespace {

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

void print_info(const bench::ProblemSource& source) {
  const fclib::ProblemFile file = fclib::read_problem(source.path);
  const ContactProblem& problem = file.problem;
  const bool global = problem.form() == ProblemForm::global;

  fmt::print("{}\n", source.path);
  fmt::print("  {:<14}{}, {}D\n", "form", global ? "global" : "local", problem.dimension());
  fmt::print(
      "  {:<14}{} contacts, {} unknowns{}{}\n", "size", problem.contacts(), problem.unknowns(),
      global ? fmt::format(", {} degrees of freedom", problem.global()->M.rows()) : "",
      problem.bilateral_rows() ? fmt::format(", {} bilateral rows", problem.bilateral_rows()) : "");
  if (problem.contacts() > 0) print_facts(problem);
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

}  // namespace

void add_info(Command& program) {
  auto paths = std::make_shared<std::vector<std::string>>();
  Command& command = program.add(
      "info", "Print what FCLIB files contain, and how good their stored solutions are");
  command.notes = "Examples:\n  frictionbench info datasets/default/*/*.hdf5";
  command.option("FILES", *paths, "FCLIB files, folders, or @LIST", {.required = true});
  command.run = [paths] {
    std::size_t unreadable = 0;
    const auto sources = bench::find_problems(*paths);
    for (const bench::ProblemSource& source : sources) try {
        print_info(source);
      } catch (const std::exception& error) {
        fmt::print(stderr, "error: {}\n", error.what());
        ++unreadable;
      }
    if (unreadable == 0) return 0;
    return unreadable == sources.size() ? 2 : 1;
  };
}

}  // namespace frictionbench::app
