// frictionbench simulate: a scene in a closed loop with a solver.

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "frictionbench/base/atomic_file.hpp"
#include "frictionbench/scenes/catalogue.hpp"
#include "frictionbench/scenes/motion.hpp"
#include "frictionbench/simulation/document.hpp"
#include "frictionbench/simulation/members.hpp"
#include "frictionbench/simulation/picture.hpp"
#include "known_solvers.hpp"
#include "outputs.hpp"
#include "scene_options.hpp"
#include "simulation_summary.hpp"

namespace frictionbench::app {

namespace {

using simulation::SimulationDocument;

constexpr const char* notes = R"(Examples:
  frictionbench simulate sliding_box --solver ncp-hybrid --steps 200 --animation box.svg
  frictionbench simulate stack --boxes 5 --mass-ratio 100 --solver ncp-pgs --start both
  frictionbench simulate packed_spheres --grains 50 --solver ncp-hybrid --steps 400 -o spheres.json
  frictionbench simulate pushed_box --solver raisim --csv box.csv

In each step contacts are found, the solver is asked for their impulse, and the bodies move by that
impulse, solved or not. The solver runs in this process, once per step: for times to be published, use
`generate` and `run`. Pictures are SVG files, for any browser; red lines are impulses.
Where a step cannot be made, because boxes turn against each other by more than contacts are found
for, or the solver does not take it, what was simulated until then is written.
Exit code: 0 every step was solved, 1 not every step, 2 bad input.)";

struct SimulateArguments {
  explicit SimulateArguments(const Registry& registry) : known(registry) {}

  KnownSolvers known;
  std::string solver = "ncp-hybrid";
  simulation::SimulationSettings settings;
  int steps = 200;
  int after = 0;
  std::optional<int> every;
  std::string json, csv, animation, picture;
  bool force = false;
  CommandLine command_line;
};

struct SceneArguments : SimulateArguments {
  using SimulateArguments::SimulateArguments;
  scenes::MotionSettings motion;
};

// Frames of a trajectory, unless the user says which.
constexpr int usual_frames = 100;

void write_outputs(const SimulateArguments& arguments, const SimulationDocument& document) {
  const auto write = [](const std::string& path, auto&& text) {
    if (!path.empty()) write_file(path, text());
  };
  write(arguments.json, [&] { return simulation::to_json(document).dump(1) + "\n"; });
  write(arguments.csv, [&] { return simulation::steps_csv(document.steps); });
  write(arguments.animation, [&] {
    return simulation::svg_animation(document.frames, std::max(1.0, document.frames.back().time));
  });
  write(arguments.picture, [&] { return simulation::svg_picture(document.frames.back()); });
}

// \returns false, after a line that says why, if the simulation cannot go on.
bool make_step(simulation::Simulation& simulation, int number, SimulationDocument& document) {
  try {
    document.steps.push_back(simulation.step());
    return true;
  } catch (const std::runtime_error& problem) {
    fmt::print(stderr, "error: step {}: {}\n", number, problem.what());
  }
  return false;
}

// What moves, once the outputs are known to be possible. Says in the document what it is.
using MakeMotion = std::function<std::unique_ptr<simulation::Motion>(SimulationDocument&)>;

int simulate(const SimulateArguments& arguments, std::vector<std::string> inputs,
             const MakeMotion& make_motion) {
  OutputCheck check(arguments.force, std::move(inputs));
  for (const std::string& path :
       {arguments.json, arguments.csv, arguments.animation, arguments.picture})
    check.add(path);

  SimulationDocument document;
  document.command = arguments.command_line;
  document.settings = arguments.settings;
  document.own_settings = nlohmann::json::object();
  document.solver = arguments.known.load().make(arguments.solver);
  const std::unique_ptr<simulation::Motion> motion = make_motion(document);
  document.about["time_step"] = motion->time_step();
  simulation::Simulation simulation(*motion, document.solver, arguments.settings);

  const int every = arguments.every.value_or(std::max(1, arguments.steps / usual_frames));
  document.frames.push_back(simulation.frame());
  bool complete = true;
  for (int step = 1; step <= arguments.steps && complete; ++step) {
    complete = make_step(simulation, step, document);
    if (step % every == 0 || step == arguments.steps || !complete)
      document.frames.push_back(simulation.frame());
  }
  if (document.steps.empty() && !complete) return 2;
  write_outputs(arguments, document);
  fmt::print(check.text_stream(), "{}", summary_text(document));
  const bool solved =
      std::all_of(document.steps.begin(), document.steps.end(),
                  [](const simulation::SimulationStep& step) { return step.solved; });
  return complete && solved ? 0 : 1;
}

int simulate_scene(const std::string& family, Assignments parameters,
                   const SceneArguments& arguments) {
  return simulate(arguments, {}, [&](SimulationDocument& document) {
    parameters.emplace_back("steps", std::to_string(arguments.after));
    parameters.emplace_back("snapshots", "1");
    const scenes::Scene scene = scenes::find_family(family).make(parameters);
    document.kind = "scene";
    document.about = {{"command", scene.command}};
    document.own_settings = simulation::members(arguments.motion);
    return std::make_unique<scenes::WorldMotion>(scenes::snapshots(scene).back().world,
                                                 arguments.motion);
  });
}

void add_solver_options(Command& command, SimulateArguments& a) {
  command.option("--solver", a.solver, "the solver, with settings: \"ncp-admm(p=0.08)\"",
                 {.value = "SOLVER", .suggest = a.known.names()});
  a.known.add_option(command);
  command.option("--steps", a.steps, "time steps; 0: only the start, for a picture of it",
                 {.range = at_least(0)});
}

void add_outputs(Command& command, SimulateArguments& a) {
  command.option("-o,--output", a.json, "write steps and trajectory as JSON", {.value = "FILE"});
  command.option("--csv", a.csv, "write the steps as CSV", {.value = "FILE"});
  command.option("--animation", a.animation, "write an animation, SVG", {.value = "FILE"});
  command.option("--picture", a.picture, "write a picture of the end, SVG", {.value = "FILE"});
  command.option(
      "--every", a.every,
      "steps between the frames of trajectory and animation; about 100 frames by default",
      {.range = at_least(1)});
  command.option("--force", a.force, "overwrite existing files");
}

void add_scene(Command& command, const scenes::Family& family,
               const std::shared_ptr<SceneArguments>& arguments) {
  command.group = "Scenes";
  add_solver_options(command, *arguments);
  command.option(
      "--after", arguments->after,
      "steps that the scene is settled for first, as `generate` does, without the solver",
      {.range = at_least(0)});
  command.described(arguments->settings);
  command.described(arguments->motion);
  add_outputs(command, *arguments);
  const SceneOptions parameters(command, family, {"steps", "snapshots"});
  command.run = [name = family.name, parameters, arguments] {
    return simulate_scene(name, parameters.assignments(), *arguments);
  };
}

}  // namespace

void add_simulate(Command& program, const CommandLine& words, const Registry& solvers) {
  Command& command = program.add("simulate", "Move a scene by the impulses of a solver");
  command.notes = notes;
  for (const scenes::Family& family : scenes::families()) {
    auto arguments = std::make_shared<SceneArguments>(solvers);
    arguments->command_line = words;
    add_scene(command.add(family.name, family.summary), family, arguments);
  }
}

}  // namespace frictionbench::app
