#include "plan_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "frictionbench/base/number_of.hpp"
#include "table.hpp"

namespace frictionbench::app {

namespace {

struct FamilyPlan {
  std::string name;
  std::size_t problems = 0, pairs = 0;
  double time = 0;  // s
};

// In the order of the plan.
std::vector<FamilyPlan> by_family(const bench::Plan& plan) {
  std::vector<FamilyPlan> families;
  for (const bench::ProblemPlan& problem : plan.problems) {
    auto family = std::find_if(families.begin(), families.end(), [&](const FamilyPlan& f) {
      return f.name == problem.source.family;
    });
    if (family == families.end())
      family = families.insert(family, FamilyPlan{.name = problem.source.family});
    ++family->problems;
    family->pairs += problem.solvers.size();
    for (const auto& [solver, time] : problem.solvers) family->time += time;
  }
  return families;
}

std::string family_table(const bench::Plan& plan) {
  Table table({"family", "problems", "pairs", "estimated"});
  for (const FamilyPlan& family : by_family(plan))
    table.add_row({family.name, fmt::format("{}", family.problems), fmt::format("{}", family.pairs),
                   duration_text(family.time)});
  return table.empty() ? "" : table.text();
}

struct SequencePlan {
  std::size_t problems = 0;
  std::size_t continued = 0;  // that start from the answer to another
};

// Sequences without two problems that go together are left out.
std::string sequences_text(const bench::Plan& plan) {
  if (!plan.sequence) return {};
  std::map<std::string, SequencePlan> sequences;
  std::size_t continued = 0;
  for (const bench::ProblemPlan& problem : plan.problems) {
    if (problem.sequence.empty()) continue;
    SequencePlan& sequence = sequences[problem.sequence];
    ++sequence.problems;
    sequence.continued += problem.previous.has_value();
    continued += problem.previous.has_value();
  }
  std::string text;
  for (const auto& [name, sequence] : sequences)
    if (sequence.continued > 0)
      text += fmt::format("sequence: {}: {} problems in {} chains, {} start from the one before\n",
                          name, sequence.problems, sequence.problems - sequence.continued,
                          sequence.continued);
  return text + fmt::format("sequences in all: {} of {} problems start from the one before\n",
                            continued, plan.problems.size());
}

// One line for all problems that a solver refuses for one reason.
std::string refusals_text(const std::vector<bench::Refusal>& refusals) {
  constexpr std::size_t shown = 3;
  std::map<std::pair<std::string, std::string>, std::vector<std::string>> groups;
  for (const bench::Refusal& refusal : refusals)
    groups[{refusal.solver, refusal.reason}].push_back(refusal.problem);
  std::string text;
  for (auto& [what, problems] : groups) {
    const std::size_t count = problems.size();
    problems.resize(std::min(count, shown));
    text +=
        fmt::format("refused: {} {} ({}{})\n", what.first, what.second, fmt::join(problems, ", "),
                    count > shown ? fmt::format(" and {} more", count - shown) : "");
  }
  return text;
}

}  // namespace

std::string plan_size_text(const bench::Plan& plan, std::size_t solvers) {
  if (plan.shard)
    return fmt::format("shard {}: {} of {} and {}", text(*plan.shard),
                       number_of(plan.pairs(), "pair"), number_of(plan.problems.size(), "problem"),
                       number_of(solvers, "solver"));
  return fmt::format("{} x {} = {}", number_of(plan.problems.size(), "problem"),
                     number_of(solvers, "solver"), number_of(plan.pairs(), "pair"));
}

std::string plan_text(const bench::Plan& plan, const std::vector<bench::Refusal>& refusals,
                      const std::vector<ConfiguredSolver>& solvers,
                      const results::RunSettings& settings) {
  std::string text = plan_size_text(plan, solvers.size());
  if (plan.left_out > 0)
    text += fmt::format("; {} left out by --dimension or --max-contacts",
                        number_of(plan.left_out, "file"));
  text += fmt::format("\n\n{}\n", family_table(plan));
  const std::string rounds =
      settings.rounds > 1 ? fmt::format(" and --rounds {}", settings.rounds) : "";
  text += fmt::format("estimated time: {} with --jobs {}{}\n",
                      duration_text(plan.estimated_time() / settings.jobs), settings.jobs, rounds);
  text += sequences_text(plan);
  text += refusals_text(refusals);
  if (!refusals.empty())
    text += fmt::format("refused in all: {} of {} pairs\n", refusals.size(), plan.pairs());
  for (const auto& [position, file] : plan.unreadable)
    text += fmt::format("unreadable: {}\n", file.reason);
  if (!plan.unreadable.empty())
    text += fmt::format("unreadable in all: {} files\n", plan.unreadable.size());
  return text;
}

}  // namespace frictionbench::app
