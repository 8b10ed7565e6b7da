// frictionbench simulate: a scene or a model in a closed loop with a solver.

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "commands.hpp"
#include "frictionbench/base/atomic_file.hpp"
#include "frictionbench/base/file_error.hpp"
#include "frictionbench/base/sha256.hpp"
#include "frictionbench/mujoco/motion.hpp"
#include "frictionbench/scenes/catalogue.hpp"
#include "frictionbench/scenes/motion.hpp"
#include "frictionbench/simulation/document.hpp"
#include "frictionbench/simulation/members.hpp"
#include "frictionbench/simulation/picture.hpp"
#include "known_solvers.hpp"
#include "model_options.hpp"
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
  frictionbench simulate humanoid.xml --solver ncp-hybrid --animation humanoid.svg

In each step contacts are found, the solver is asked for their impulse, and the bodies move by that
impulse, solved or not. A word that ends in .xml or .mjb is a model in MuJoCo's format, and needs no
`model` before it. The solver runs in this process, once per step: for times to be published, use
`generate` or `extract`, and `run`. Pictures are SVG files, for any browser; red lines are impulses.
Where a step cannot be made, because boxes turn against each other by more than contacts are found
for, the solver does not take the step's constraints, or velocities grow without bounds, what was
simulated until then is written.
Exit code: 0 every step was solved, 1 not every step, 2 bad input.)";

constexpr const char* model_notes = R"(Examples:
  frictionbench simulate datasets/models/sliding-cube.xml --keyframe start --animation cube.svg
  frictionbench simulate humanoid.xml --keyframe stand --control stand.txt --csv humanoid.csv
  frictionbench simulate robot.xml --steps 0 --picture robot.svg

`frictionbench simulate MODEL.xml` does without the word `model`. MuJoCo finds contacts, inertia and forces, the solver
is asked for the impulses of contacts, limits, dry friction and equalities, which are hard (`frictionbench extract --help`),
and the model moves by v+ = M^-1 (H r + f). Positions, rotations and activations follow as in MuJoCo's semi-implicit Euler
step. Contacts come with the margins of the model: without one, where bodies overlap already. What overlaps is kept from
overlapping more (w = max(gap, 0) / h, as in extracted problems) and is pushed apart with --push-apart only, as is what
has opened at connect, weld and couplings. Each contact and joint starts from its own impulse in the step before.
Energies are MuJoCo's: gravity and springs of joints and tendons. Creep and lift are of contacts. Pictures show the geoms
that collide; meshes and height fields as boxes around them. Control files are those of `extract`.
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

struct ModelArguments : SimulateArguments {
  using SimulateArguments::SimulateArguments;
  mujoco::ModelSettings model;
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

// Standard output is for results: what foreign solvers print goes to standard error while this lives.
class PrintsAside {
 public:
  PrintsAside() {
    std::fflush(stdout);
    output_ = dup(STDOUT_FILENO);
    if (output_ >= 0) dup2(STDERR_FILENO, STDOUT_FILENO);
  }
  ~PrintsAside() {
    std::fflush(stdout);
    if (output_ < 0) return;
    dup2(output_, STDOUT_FILENO);
    close(output_);
  }
  PrintsAside(const PrintsAside&) = delete;
  PrintsAside& operator=(const PrintsAside&) = delete;

 private:
  int output_ = -1;  // the real one
};

// \returns false, after a line that says why, if the simulation cannot go on.
bool make_step(simulation::Simulation& simulation, int number, SimulationDocument& document) {
  try {
    const PrintsAside aside;
    document.steps.push_back(simulation.step());
    return true;
  } catch (const FileError& problem) {  // which names the step
    fmt::print(stderr, "error: {}\n", problem.what());
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
  for (const std::string& path : {arguments.animation, arguments.picture})
    if (!path.empty() && path != "-" && !path.ends_with(".svg"))
      throw std::invalid_argument(path + ": pictures are SVG; give it a name that ends in .svg");

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
    const bool is_last = step == arguments.steps;
    if (complete && (step % every == 0 || is_last)) document.frames.push_back(simulation.frame());
  }
  if (!complete && std::ssize(document.steps) % every != 0)
    document.frames.push_back(simulation.frame());  // where it stopped, unless it is there
  if (document.steps.empty() && !complete) return 2;
  write_outputs(arguments, document);
  for (const auto& note : document.about.value("notes", nlohmann::json::array()))
    fmt::print(check.text_stream(), "note: {}\n", note.get<std::string>());
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

int simulate_model(const ModelArguments& arguments) {
  const mujoco::ModelSettings& settings = arguments.model;
  return simulate(arguments, {settings.model, settings.control}, [&](SimulationDocument& document) {
    mujoco::MovedModel model = mujoco::make_motion(settings, arguments.after);
    document.kind = "model";
    document.about = {
        {"file", settings.model},           {"sha256", sha256_of_file(settings.model)},
        {"keyframe", settings.keyframe},    {"control", settings.control},
        {"after", arguments.after},         {"mujoco", mujoco::version()},
        {"degrees_of_freedom", model.dofs}, {"actuators", model.actuators},
        {"bodies", model.bodies},           {"notes", model.notes}};
    return std::move(model.motion);
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

void add_model(Command& command, const std::shared_ptr<ModelArguments>& arguments) {
  command.notes = model_notes;
  command.takes_word = [](const std::string& word) {
    return word.ends_with(".xml") || word.ends_with(".mjb");
  };
  command.refused = {
      {"--scheme", "is for scenes: models move as MuJoCo's semi-implicit Euler step moves them"},
      {"--restitution", "is for scenes: contacts of models do not bounce"},
      {"--stiffness", "is for scenes: contacts of models are rigid"},
      {"--relaxation-time", "is for scenes: contacts of models are rigid"},
  };
  add_model_options(command, arguments->model);
  add_solver_options(command, *arguments);
  command.option("--after", arguments->after,
                 "steps that MuJoCo makes first, with its own soft contacts, as `extract` does",
                 {.range = at_least(0)});
  command.described(arguments->settings);
  add_outputs(command, *arguments);
  command.run = [arguments] { return simulate_model(*arguments); };
}

}  // namespace

void add_simulate(Command& program, const CommandLine& words, const Registry& solvers) {
  Command& command =
      program.add("simulate", "Move a scene or a MuJoCo model by a solver's impulses");
  command.notes = notes;
  auto model = std::make_shared<ModelArguments>(solvers);
  model->command_line = words;
  add_model(command.add("model", "a model in MuJoCo's format, MODEL.xml or MODEL.mjb"), model);
  for (const scenes::Family& family : scenes::families()) {
    auto arguments = std::make_shared<SceneArguments>(solvers);
    arguments->command_line = words;
    add_scene(command.add(family.name, family.summary), family, arguments);
  }
}

}  // namespace frictionbench::app
