#include "frictionbench/bench/plan/internal/sequences.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>
#include <tuple>

#include "frictionbench/base/text.hpp"

namespace frictionbench::bench {

namespace fs = std::filesystem;

namespace {

// "text-12" and "text_12" end in 12, and so does "12" alone; the text is left without the
// separator.
std::optional<std::uint64_t> take_last_number(std::string& text) {
  static const std::regex pattern("(?:(.*)[-_])?([0-9]+)");
  std::smatch match;
  if (!std::regex_match(text, match, pattern)) return std::nullopt;
  const auto number = number_in<std::uint64_t>(match[2].str());
  if (!number) return std::nullopt;  // too long for a time step
  text = match[1].str();
  return number;
}

// Takes what changes from one time step to the next.
void take_contacts(std::string& text, Index contacts) {
  std::string shorter = text;
  if (take_last_number(shorter) != static_cast<std::uint64_t>(contacts)) return;
  text = std::regex_replace(shorter, std::regex("[-_]nc$"), "");
}

void take_iterations(std::string& text) {
  text = std::regex_replace(text, std::regex("[-_]i[0-9]+$"), "");
}

}  // namespace

std::optional<TimeStep> time_step(const std::string& name, Index contacts) {
  TimeStep result{name, 0};
  const auto step = take_last_number(result.scene);
  if (!step) return std::nullopt;
  result.step = *step;
  take_contacts(result.scene, contacts);
  take_iterations(result.scene);
  return result;
}

std::vector<SequencePlace> find_sequences(const std::vector<SequenceMember>& problems) {
  using Sequence = std::tuple<fs::path, ProblemForm, int, std::string>;  // the folder comes first
  struct Step {
    std::uint64_t number;
    std::size_t problem;
  };
  std::vector<SequencePlace> places(problems.size());
  std::map<Sequence, std::vector<Step>> sequences;
  for (std::size_t p = 0; p < problems.size(); ++p) {
    const SequenceMember& problem = problems[p];
    const fs::path path = fs::absolute(problem.path).lexically_normal();
    const auto step = time_step(path.stem().string(), problem.contacts);
    if (!step) continue;
    places[p].sequence = (fs::path(problem.path).parent_path() / step->scene).generic_string();
    sequences[{path.parent_path(), problem.form, problem.dimension, step->scene}].push_back(
        {step->step, p});
  }
  for (auto& [sequence, steps] : sequences) {
    std::stable_sort(steps.begin(), steps.end(),
                     [](const Step& a, const Step& b) { return a.number < b.number; });
    for (std::size_t k = 1; k < steps.size(); ++k) {
      const Step& before = steps[k - 1];
      const Step& after = steps[k];
      const SequenceMember& from = problems[before.problem];
      const SequenceMember& to = problems[after.problem];
      const bool same = from.contacts == to.contacts && from.unknowns == to.unknowns;
      if (before.number < after.number && from.contacts > 0 && to.contacts > 0 &&
          (same || (from.identified && to.identified)))
        places[after.problem].previous = before.problem;
    }
  }
  return places;
}

}  // namespace frictionbench::bench
