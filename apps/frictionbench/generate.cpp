// frictionbench generate: FCLIB problems from scenes.

#include <fmt/format.h>

#include <deque>
#include <memory>

#include "commands.hpp"
#include "frictionbench/scenes/data_set.hpp"

namespace frictionbench::app {

namespace {

constexpr const char* examples = R"(Examples:
  frictionbench generate --list
  frictionbench generate stack --help                                        its parameters
  frictionbench generate stack --boxes 10 --mass-ratio 1e3 -o problems
  frictionbench generate wall --rows 8 --ball-mass 50 --form both -o problems
  frictionbench generate packed_spheres --steps 400 --snapshots 8 --seed 2 -o problems
  frictionbench generate all -o datasets/default --force                     the set that ships)";

// Where and how to write; the same options for every scene.
struct Output {
  std::string folder;
  bool overwrite = false;
};

void add_output_options(CLI::App& command, Output& output) {
  command.add_option("-o,--output", output.folder, "folder to write to; made if it is not there")
      ->required()
      ->type_name("FOLDER");
  command.add_flag("--force", output.overwrite, "replace files that exist already");
}

scenes::Forms forms_named(const std::string& name) {
  if (name == "both") return scenes::Forms::both;
  return name == "global" ? scenes::Forms::global : scenes::Forms::local;
}

int write(const std::vector<scenes::Recipe>& recipes, const Output& output) {
  const auto rows = scenes::write_data_set(recipes, output.folder, output.overwrite);
  for (const scenes::ManifestRow& row : rows) fmt::print("{}\n", row.path);
  fmt::print("{} problem{} in {}\n", rows.size(), rows.size() == 1 ? "" : "s", output.folder);
  return 0;
}

void add_scene(CLI::App& generate, Action& action, const scenes::Family& family,
               const std::shared_ptr<Output>& output) {
  CLI::App* command = generate.add_subcommand(family.name, family.summary)->group("Scenes");
  add_output_options(*command, *output);
  auto form = std::make_shared<std::string>("local");
  command->add_option("--form", *form, "local: W, q; global: M, H, f, w; or both")
      ->check(CLI::IsMember({"local", "global", "both"}).description(""))
      ->type_name("local|global|both")
      ->capture_default_str();

  // Values go to the scene as text: it knows what is legal.
  auto values = std::make_shared<std::deque<std::pair<std::string, std::string>>>();
  for (const SettingField& field : family.fields) {
    auto& [name, value] = values->emplace_back(field.name, "");
    command->add_option(scenes::option_name(name), value, field.help)
        ->type_name(field.type)
        ->default_str(field.get().dump())
        ->group("Parameters (SI units)");
  }
  command->callback([&action, name = family.name, values, form, output] {
    action = [name, values, form, output] {
      scenes::Assignments parameters;
      for (const auto& [parameter, value] : *values)
        if (!value.empty()) parameters.emplace_back(parameter, value);
      return write({{name, parameters, forms_named(*form)}}, *output);
    };
  });
}

int list() {
  for (const scenes::Family& family : scenes::families())
    fmt::print("{:<16} {}\n", family.name, family.summary);
  return 0;
}

}  // namespace

void add_generate(CLI::App& app, Action& action) {
  CLI::App* generate = app.add_subcommand("generate", "Make FCLIB problems from scenes");
  generate->footer(examples);
  generate->require_subcommand(0, 1);

  auto show_list = std::make_shared<bool>(false);
  generate->add_flag("--list", *show_list, "list the scenes");

  auto output = std::make_shared<Output>();
  CLI::App* all = generate->add_subcommand("all", "the data set that ships in datasets/default");
  all->alias("default")->group("Scenes");
  add_output_options(*all, *output);
  all->callback([&action, output] {
    action = [output] { return write(scenes::default_data_set(), *output); };
  });
  for (const scenes::Family& family : scenes::families())
    add_scene(*generate, action, family, output);

  generate->callback([&action, generate, show_list] {
    if (*show_list)
      action = list;
    else if (generate->get_subcommands().empty())
      throw CLI::RequiredError("generate: a scene, `all` or --list");
  });
}

}  // namespace frictionbench::app
