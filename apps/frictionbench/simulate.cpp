// frictionbench simulate: a scene in a closed loop with a solver.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "frictionbench/base/atomic_file.hpp"
#include "frictionbench/scenes/catalogue.hpp"
#include "frictionbench/scenes/simulation_document.hpp"
#include "known_solvers.hpp"
#include "outputs.hpp"
#include "scene_options.hpp"
#include "table.hpp"

namespace frictionbench::app {

namespace {

constexpr const char* notes = R"(Examples:
  frictionbench simulate sliding_box --solver ncp-hybrid --steps 200 --animation box.svg
  frictionbench simulate stack --boxes 5 --mass-ratio 100 --solver ncp-pgs --start both
  frictionbench simulate packed_spheres --grains 50 --solver ncp-hybrid --steps 400 -o spheres.json
  frictionbench simulate pushed_box --solver raisim --csv box.csv

In each step contacts are found, the solver is asked for their impulse, and the bodies move by that
impulse, solved or not. The solver runs in this process, once per step: for times to be published, use
`generate` and `run`. Pictures are SVG files, for any browser; red lines are impulses.
Where a step cannot be made, because boxes turn against each other by more than contacts are found
for, what was simulated until then is written.
Exit code: 0 every step was solved, 1 not every step, 2 bad input.)";

struct SimulateArguments {
  explicit SimulateArguments(const Registry& registry) : known(registry) {}

  KnownSolvers known;
  std::string solver = "ncp-hybrid";
  scenes::SimulationSettings settings;
  int steps = 200;
  int after = 0;
  std::optional<int> every;
  std::string json, csv, animation, picture;
  bool force = false;
  CommandLine command_line;
};

// Frames of a trajectory, unless the user says which.
constexpr int usual_frames = 100;

scenes::World initial_world(const std::string& family, Assignments parameters, int after,
                            std::string& command) {
  parameters.emplace_back("steps", std::to_string(after));
  parameters.emplace_back("snapshots", "1");
  const scenes::Scene scene = scenes::find_family(family).make(parameters);
  command = scene.command;
  return scenes::snapshots(scene).back().world;
}

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

std::string summary(const scenes::SimulationDocument& document) {
  const auto& steps = document.steps;
  const auto of = [&](auto&& value) {
    std::vector<double> values;
    for (const scenes::SimulationStep& step : steps)
      if (const double number = value(step); step.contacts > 0 && std::isfinite(number))
        values.push_back(number);
    return spread(std::move(values));
  };
  Table table({"of steps with contacts", "median", "95 %", "largest"});
  const auto row = [&](const char* what, const Spread& values) {
    table.add_row({what, fmt::format("{:.3g}", values.middle), fmt::format("{:.3g}", values.high),
                   fmt::format("{:.3g}", values.largest)});
  };
  using Step = scenes::SimulationStep;
  row("contacts", of([](const Step& s) { return static_cast<double>(s.contacts); }));
  row("iterations", of([](const Step& s) { return static_cast<double>(s.iterations); }));
  row("solve time (ms)", of([](const Step& s) { return 1e3 * s.solve_time; }));
  if (document.settings.start == scenes::Starts::both) {
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

void write_outputs(const SimulateArguments& arguments, const scenes::SimulationDocument& document) {
  const auto write = [](const std::string& path, auto&& text) {
    if (!path.empty()) write_file(path, text());
  };
  write(arguments.json, [&] { return scenes::to_json(document).dump(1) + "\n"; });
  write(arguments.csv, [&] { return scenes::steps_csv(document.steps); });
  write(arguments.animation, [&] {
    return scenes::svg_animation(document.frames, std::max(1.0, document.steps.back().time));
  });
  write(arguments.picture, [&] { return scenes::svg_picture(document.frames.back()); });
}

// \returns false, after a line that says why, if the simulation cannot go on.
bool make_step(scenes::Simulation& simulation, int number, scenes::SimulationDocument& document) {
  try {
    document.steps.push_back(simulation.step());
    return true;
  } catch (const std::runtime_error& problem) {
    fmt::print(stderr, "error: step {}: {}\n", number, problem.what());
    return false;
  }
}

int simulate(const std::string& family, const Assignments& parameters,
             const SimulateArguments& arguments) {
  OutputCheck check(arguments.force, {});
  for (const std::string& path :
       {arguments.json, arguments.csv, arguments.animation, arguments.picture})
    check.add(path);

  scenes::SimulationDocument document;
  document.command = arguments.command_line;
  document.settings = arguments.settings;
  document.solver = arguments.known.load().make(arguments.solver);
  scenes::Simulation simulation(initial_world(family, parameters, arguments.after, document.scene),
                                document.solver, arguments.settings);
  document.time_step = simulation.world().time_step;

  const int every = arguments.every.value_or(std::max(1, arguments.steps / usual_frames));
  document.frames.push_back({0, simulation.world(), {}, {}});
  bool complete = true;
  for (int step = 1; step <= arguments.steps && complete; ++step) {
    complete = make_step(simulation, step, document);
    if (step % every == 0 || step == arguments.steps || !complete)
      document.frames.push_back(
          {simulation.time(), simulation.world(), simulation.contacts(), simulation.impulse()});
  }
  if (document.steps.empty()) return 2;
  write_outputs(arguments, document);
  fmt::print(check.text_stream(), "{}", summary(document));
  const bool solved = std::all_of(document.steps.begin(), document.steps.end(),
                                  [](const scenes::SimulationStep& step) { return step.solved; });
  return complete && solved ? 0 : 1;
}

void add_scene(Command& command, const scenes::Family& family,
               const std::shared_ptr<SimulateArguments>& arguments) {
  command.group = "Scenes";
  SimulateArguments& a = *arguments;
  command.option("--solver", a.solver, "the solver, with settings: \"ncp-admm(p=0.08)\"",
                 {.value = "SOLVER", .suggest = a.known.names()});
  a.known.add_option(command);
  command.option("--steps", a.steps, "time steps", {.range = at_least(1)});
  command.option(
      "--after", a.after,
      "steps that the scene is settled for first, as `generate` does, without the solver",
      {.range = at_least(0)});
  command.described(a.settings);
  command.option("-o,--output", a.json, "write steps and trajectory as JSON", {.value = "FILE"});
  command.option("--csv", a.csv, "write the steps as CSV", {.value = "FILE"});
  command.option("--animation", a.animation, "write an animation, SVG", {.value = "FILE"});
  command.option("--picture", a.picture, "write a picture of the end, SVG", {.value = "FILE"});
  command.option(
      "--every", a.every,
      "steps between the frames of trajectory and animation; about 100 frames by default",
      {.range = at_least(1)});
  command.option("--force", a.force, "overwrite existing files");
  const SceneOptions parameters(command, family, {"steps", "snapshots"});
  command.run = [name = family.name, parameters, arguments] {
    return simulate(name, parameters.assignments(), *arguments);
  };
}

}  // namespace

void add_simulate(Command& program, const CommandLine& words, const Registry& solvers) {
  Command& command = program.add("simulate", "Move a scene by the impulses of a solver");
  command.notes = notes;
  for (const scenes::Family& family : scenes::families()) {
    auto arguments = std::make_shared<SimulateArguments>(solvers);
    arguments->command_line = words;
    add_scene(command.add(family.name, family.summary), family, arguments);
  }
}

}  // namespace frictionbench::app
