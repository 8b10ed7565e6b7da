#include "simulation_summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "table.hpp"

namespace frictionbench::app {

using simulation::SimulationDocument;
using simulation::SimulationStep;

namespace {

struct Spread {
  double middle = 0, high = 0, largest = 0;
};
Spread spread(std::vector<double> values) {
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  const auto at = [&](double share) {
    return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
  };
  return {at(0.5), at(0.95), values.back()};
}

}  // namespace

std::string summary_text(const SimulationDocument& document) {
  const auto& steps = document.steps;
  if (steps.empty()) return "no steps\n";
  const auto of = [&](auto&& value) {
    std::vector<double> values;
    for (const SimulationStep& step : steps)
      if (const double number = value(step);
          step.contacts + step.other_blocks > 0 && std::isfinite(number))
        values.push_back(number);
    return spread(std::move(values));
  };
  const bool others = std::any_of(steps.begin(), steps.end(),
                                  [](const SimulationStep& step) { return step.other_blocks > 0; });
  Table table({others ? "of steps with contacts or joints" : "of steps with contacts", "median",
               "95 %", "largest"});
  const auto row = [&](const char* what, const Spread& values) {
    table.add_row({what, fmt::format("{:.3g}", values.middle), fmt::format("{:.3g}", values.high),
                   fmt::format("{:.3g}", values.largest)});
  };
  using Step = SimulationStep;
  row("contacts", of([](const Step& s) { return static_cast<double>(s.contacts); }));
  if (others)
    row("joints, limits", of([](const Step& s) { return static_cast<double>(s.other_blocks); }));
  row("iterations", of([](const Step& s) { return static_cast<double>(s.iterations); }));
  row("solve time (ms)", of([](const Step& s) { return 1e3 * s.solve_time; }));
  if (document.settings.start == simulation::Starts::both) {
    row("iterations from zero",
        of([](const Step& s) { return static_cast<double>(s.cold_iterations.value_or(0)); }));
    row("solve time from zero (ms)",
        of([](const Step& s) { return 1e3 * s.cold_solve_time.value_or(0); }));
  }
  row("residual", of([](const Step& s) { return s.residual; }));
  row("overlap (mm)", of([](const Step& s) { return 1e3 * s.overlap; }));
  row("creep (mm/s)", of([](const Step& s) { return 1e3 * s.creep; }));
  row("lift (mm/s)", of([](const Step& s) { return 1e3 * s.lift; }));

  const auto energy = [](const Step& s) { return s.kinetic_energy + s.potential_energy; };
  const auto solved =
      std::count_if(steps.begin(), steps.end(), [](const Step& s) { return s.solved; });
  std::string text =
      fmt::format("{} of {} steps solved by {}, {} at {:g}; {:g} s simulated\n", solved,
                  steps.size(), document.solver.id, name(document.settings.scale),
                  document.settings.tolerance, steps.back().time);
  text += table.text() + "\n";
  text += fmt::format(
      "energy {:.6g} J after the first step, {:.6g} J after the last; {:.3g} J of it kinetic\n",
      energy(steps.front()), energy(steps.back()), steps.back().kinetic_energy);
  return text;
}

}  // namespace frictionbench::app
