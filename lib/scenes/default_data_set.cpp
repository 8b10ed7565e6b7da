// The recipes of datasets/default.
#include "frictionbench/scenes/data_set.hpp"

namespace frictionbench::scenes {

// Small problems are in local form, larger ones in global form, in which files grow with the number
// of contacts and not with its square. Every regime in which solvers behave differently is covered:
// sticking, sliding and opening contacts, hyperstatic structures, mass ratios up to 1e4, no
// friction, no contacts.
std::vector<Recipe> default_data_set() {
  using enum Forms;
  std::vector<Recipe> recipes;

  // [LeLidec24] Fig. 13 has two cubes; [Carpentier24] Fig. 1 fifteen, hit by a ball.
  for (const char* ratio : {"1", "10", "100", "1000", "10000"}) {
    recipes.push_back({"stack", {{"boxes", "2"}, {"mass_ratio", ratio}}, local});
    recipes.push_back({"stack", {{"boxes", "5"}, {"mass_ratio", ratio}}, local});
  }
  recipes.insert(
      recipes.end(),
      {{"stack", {{"boxes", "1"}}, both},
       {"stack", {{"boxes", "5"}, {"mu", "0"}, {"offset", "0.03"}}, local},
       {"stack", {{"boxes", "5"}, {"pull", "0.5"}}, local},
       {"stack", {{"boxes", "5"}, {"pull", "4"}, {"mu_spread", "0.3"}}, local},
       {"stack", {{"boxes", "10"}, {"mass_ratio", "100"}}, global},
       {"stack", {{"boxes", "15"}, {"mass_ratio", "10000"}}, global},
       {"stack",
        {{"boxes", "15"}, {"mass_ratio", "10000"}, {"ball_mass", "1000"}, {"ball_speed", "2"}},
        global}});

  for (const char* push : {"0.5", "0.95", "1.05", "2"})
    recipes.push_back({"pushed_box", {{"push", push}, {"direction", "30"}}, local});
  recipes.insert(
      recipes.end(),
      {{"pushed_box", {{"push", "0.9"}, {"slenderness", "3"}, {"push_height", "1"}}, global},
       {"pushed_box_2d", {{"push", "0.5"}}, both},
       {"pushed_box_2d", {{"push", "1.5"}}, local},
       {"pushed_box_2d", {{"push", "0.9"}, {"slenderness", "3"}, {"push_height", "1"}}, local},
       {"sliding_box", {{"speed", "0.02"}}, local},
       {"sliding_box", {{"direction", "20"}}, local},
       {"sliding_box", {{"speed", "0.3"}, {"spin", "8"}}, local},
       {"sliding_box", {{"speed", "0"}, {"slope", "25"}}, local},
       {"sliding_box", {{"speed", "0"}, {"slope", "30"}}, global},

       {"wall", {{"rows", "3"}, {"columns", "2"}}, local},
       {"wall", {{"rows", "4"}, {"columns", "3"}, {"mu_spread", "0.4"}}, global},
       {"wall", {{"rows", "6"}, {"columns", "5"}}, global},
       {"wall", {{"rows", "3"}, {"columns", "2"}, {"ball_mass", "10"}}, local},
       {"wall",
        {{"rows", "6"}, {"columns", "4"}, {"ball_mass", "100"}, {"ball_speed", "10"}},
        global},

       {"pyramid", {{"levels", "2"}}, local},
       {"pyramid", {{"levels", "2"}, {"mass_ratio", "1000"}}, local},
       {"pyramid", {{"levels", "3"}}, global},
       {"pyramid", {{"levels", "3"}, {"mass_ratio", "100"}}, global},
       {"pyramid", {{"levels", "4"}}, global},

       {"packed_spheres", {{"steps", "0"}}, local},
       {"packed_spheres", {{"grains", "20"}, {"width", "0.3"}, {"steps", "160"}}, local},
       {"packed_spheres", {{"steps", "400"}, {"snapshots", "4"}}, global},
       {"packed_spheres", {{"mu", "0"}, {"steps", "400"}, {"snapshots", "2"}}, global},
       {"packed_spheres", {{"mass_ratio", "1000"}, {"steps", "400"}, {"snapshots", "2"}}, global},
       {"packed_spheres", {{"grains", "100"}, {"steps", "600"}, {"snapshots", "1"}}, global},
       {"disks_2d", {{"steps", "400"}, {"snapshots", "4"}}, local},
       {"disks_2d",
        {{"grains", "100"}, {"width", "0.8"}, {"steps", "500"}, {"snapshots", "1"}},
        global}});
  return recipes;
}

}  // namespace frictionbench::scenes
