// frictionbench generate: FCLIB problems from scenes.

#include <fmt/format.h>

#include <memory>

#include "commands.hpp"
#include "frictionbench/base/atomic_file.hpp"
#include "frictionbench/base/number_of.hpp"
#include "frictionbench/scenes/data_set.hpp"
#include "scene_options.hpp"

namespace frictionbench::app {

namespace {

constexpr const char* notes = R"(Examples:
  frictionbench generate --list
  frictionbench generate stack --help                                        its parameters
  frictionbench generate stack --boxes 10 --mass-ratio 1e3 -o problems
  frictionbench generate wall --rows 8 --ball-mass 50 --form both -o problems
  frictionbench generate packed_spheres --steps 400 --snapshots 8 --seed 2 -o problems

`frictionbench make` makes the data sets that have names, scene by scene.)";

// Where and how to write; the same options for every scene.
struct Output {
  std::string folder;
  bool overwrite = false;
};

void add_output_options(Command& command, Output& output) {
  command.option("-o,--output", output.folder, "folder to write to; created if it does not exist",
                 {.value = "FOLDER", .required = true});
  command.option("--force", output.overwrite, "replace files that exist already");
}

int write(const std::vector<scenes::Recipe>& recipes, const Output& output) {
  if (is_standard_output(output.folder))
    throw std::invalid_argument("--output: several files cannot go to standard output");
  const auto rows = scenes::write_data_set(recipes, output.folder, output.overwrite);
  for (const scenes::ManifestRow& row : rows) fmt::print("{}\n", row.path);
  fmt::print("{} in {}\n", number_of(rows.size(), "problem"), output.folder);
  return 0;
}

void add_scene(Command& generate, const scenes::Family& family,
               const std::shared_ptr<Output>& output) {
  Command& command = generate.add(family.name, family.summary);
  command.group = "Scenes";
  add_output_options(command, *output);
  auto form = std::make_shared<scenes::Forms>(scenes::Forms::by_size);
  command.option("--form", *form,
                 fmt::format("local: W, q; global: M, H, f, w; both; or by-size, global above {} "
                             "contacts, where W makes large files",
                             scenes::largest_local),
                 {.value = "FORM"});

  auto compliance = std::make_shared<std::optional<ComplianceRule>>();
  command.option("--compliance", *compliance,
                 "compliance R of every contact in u = W r + R r + q: VALUE for each component, or "
                 "diag:ALPHA for ALPHA times the diagonal of W; rigid by default",
                 {.value = "VALUE|diag:ALPHA"});

  const SceneOptions parameters(command, family);
  command.run = [name = family.name, parameters, form, compliance, output] {
    return write({{name, parameters.assignments(), *form, *compliance}}, *output);
  };
}

int list() {
  for (const scenes::Family& family : scenes::families())
    fmt::print("{:<16} {}\n", family.name, family.summary);
  return 0;
}

}  // namespace

void add_generate(Command& program) {
  Command& generate = program.add("generate", "Make FCLIB problems from scenes");
  generate.notes = notes;
  auto show_list = std::make_shared<bool>(false);
  generate.option("--list", *show_list, "list the scenes");
  generate.run = [show_list] {
    if (!*show_list) throw std::invalid_argument("generate needs a scene or --list");
    return list();
  };

  auto output = std::make_shared<Output>();
  for (const scenes::Family& family : scenes::families()) add_scene(generate, family, output);
}

}  // namespace frictionbench::app
