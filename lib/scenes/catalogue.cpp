#include "frictionbench/scenes/catalogue.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "frictionbench/base/option_name.hpp"
#include "frictionbench/base/suggestions.hpp"
#include "frictionbench/scenes/internal/families.hpp"
#include "frictionbench/scenes/settling.hpp"

namespace frictionbench::scenes {

namespace {

// Not part of the variant, because file names contain the step anyway.
bool concerns_time(const std::string& parameter) {
  return parameter == "steps" || parameter == "snapshots";
}

template <typename Parameters>
Scene make_scene(const Family& family, World (*build)(const Parameters&),
                 const Assignments& assignments) {
  Parameters parameters;
  SettingFields fields;
  parameters.describe(fields);
  fields.assign(assignments);

  Scene scene;
  scene.family = family.folder;
  scene.summary = family.summary;
  scene.command = family.name;
  const SettingValues values = fields.values();
  for (std::size_t k = 0; k < values.size(); ++k) {
    const auto& [name, value] = values[k];
    if (value == family.parameters[k].default_value) continue;
    scene.command += fmt::format(" {} {}", option_name(name), text_of(value));
    if (concerns_time(name)) continue;
    scene.variant += fmt::format("{}{}{}", scene.variant.empty() ? "" : "-", name, text_of(value));
  }
  if (scene.variant.empty()) scene.variant = "default";
  scene.steps = parameters.steps;
  scene.snapshots = parameters.snapshots;
  scene.world = build(parameters);
  return scene;
}

template <typename Parameters>
Family make_family(std::string name, std::string folder, std::string summary,
                   World (*build)(const Parameters&)) {
  Parameters defaults;
  SettingFields described;
  defaults.describe(described);
  Family family{std::move(name), std::move(folder), std::move(summary), described.descriptions(),
                nullptr};
  family.make = [family, build](const Assignments& assignments) {
    return make_scene<Parameters>(family, build, assignments);
  };
  return family;
}

}  // namespace

const std::vector<Family>& families() {
  static const std::vector<Family> table = {
      make_family("stack", "Stack",
                  "cubes on one another, light below heavy; at rest, pulled at or hit by a ball",
                  stack),
      make_family("pushed_box", "PushedBox",
                  "a box pushed along the ground: sticks, slides or tips over", pushed_box),
      make_family("pushed_box_2d", "PushedBox2D", "the same in the plane", pushed_box_2d),
      make_family("sliding_box", "SlidingBox",
                  "a box that slides on a level or inclined plane, turning or not", sliding_box),
      make_family("spring_cylinder", "SpringCylinder",
                  "a cylinder that rolls back and forth on a spring, in the plane",
                  spring_cylinder),
      make_family("wall", "Wall", "a brick wall in running bond; at rest or hit by a ball", wall),
      make_family("arch", "Arch",
                  "a masonry arch of wedges or a barrel vault; at rest or hit by a ball", arch),
      make_family("pyramid", "Pyramid",
                  "cubes over a square, each resting on four: strongly hyperstatic", pyramid),
      make_family("packed_spheres", "PackedSpheres",
                  "balls dropped into an open box: from free fall over impacts to rest",
                  packed_spheres),
      make_family("periodic_box", "PeriodicBox",
                  "balls dropped on a floor that repeats itself along x and y: no walls",
                  periodic_box),
      make_family("chute", "Chute", "balls that flow down an incline between two walls", chute),
      make_family("chain", "Chain", "a chain of links that hangs between two fixed ones", chain),
      make_family("hoist", "Hoist",
                  "a chain over a rod, loaded at one end and pulled down at the other", hoist),
      make_family("rings", "Rings", "short chains that hang in each other by larger rings", rings),
      make_family("net", "Net", "a net of rings and links into which a ball, a box or rods fall",
                  net),
      make_family("disks_2d", "Disks2D", "disks dropped into an open box in the plane", disks_2d),
  };
  return table;
}

const Family& find_family(const std::string& name) {
  std::vector<std::string> known;
  for (const Family& family : families()) {
    if (family.name == name) return family;
    known.push_back(family.name);
  }
  throw std::invalid_argument(unknown_name("scene", name, known));
}

std::vector<Snapshot> snapshots(const Scene& scene) {
  Settling settling;
  std::vector<Snapshot> taken;
  World world = scene.world;
  int step = 0;
  const auto with_place = [&](const std::runtime_error& error) {
    return fmt::format("{}: step {}: {}; ask for fewer steps", scene.family, step, error.what());
  };
  for (std::int64_t k = 1; k <= scene.snapshots; ++k) {
    const int target = static_cast<int>(scene.steps * k / scene.snapshots);
    if (!taken.empty() && target == taken.back().step) continue;
    try {
      for (; step < target; ++step) settling.step(world);
      taken.push_back({step, world, detect_contacts(world)});
    } catch (const UnsupportedContact& error) {
      throw UnsupportedContact(with_place(error));
    } catch (const UnstableStep& error) {
      throw UnstableStep(with_place(error));
    }
  }
  return taken;
}

}  // namespace frictionbench::scenes
