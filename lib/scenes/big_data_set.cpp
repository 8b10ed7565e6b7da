// The recipes of datasets/big.
#include "frictionbench/scenes/data_set.hpp"

namespace frictionbench::scenes {

namespace {

// Grains in a box, or with `scene` elsewhere, from their fall to rest.
Recipe pile(const char* grains, const char* width, const char* seed, Assignments others,
            const char* snapshots, const char* scene = "packed_spheres") {
  Assignments parameters = {{"grains", grains},
                            {"width", width},
                            {"seed", seed},
                            {"steps", "400"},
                            {"snapshots", snapshots}};
  parameters.insert(parameters.end(), others.begin(), others.end());
  return {scene, parameters};
}

Recipe arch(const char* voussoirs, Assignments others) {
  Assignments parameters = {{"voussoirs", voussoirs}};
  parameters.insert(parameters.end(), others.begin(), others.end());
  return {"arch", parameters};
}

}  // namespace

// Structures first, then piles, each from small to large. The CCP of grains with large mass ratios is
// far from their NCP; walls and arches are a long way for sweeps; pyramids are strongly hyperstatic. A
// half circle stands from a friction coefficient of 0.31 to 0.32 and a thickness of 0.107 times the
// radius on: there are arches on either side of both.
std::vector<Recipe> big_data_set() {
  std::vector<Recipe> recipes;
  for (const char* rows : {"8", "12", "16", "24", "32", "64", "128"})
    recipes.push_back({"wall", {{"rows", rows}, {"columns", rows}}});
  recipes.push_back({"wall",
                     {{"rows", "16"},
                      {"columns", "16"},
                      {"ball_mass", "1000"},
                      {"ball_speed", "10"},
                      {"mu_spread", "0.4"}}});
  for (const char* levels : {"5", "6", "8", "10", "12", "16"})
    recipes.push_back({"pyramid", {{"levels", levels}}});
  recipes.push_back({"pyramid", {{"levels", "8"}, {"mass_ratio", "1000"}}});
  for (const char* boxes : {"200", "500", "1000"}) {
    recipes.push_back({"stack", {{"boxes", boxes}}});
    recipes.push_back({"stack", {{"boxes", boxes}, {"mass_ratio", "100"}}});
  }

  constexpr const char *grains = "400", *width = "0.862";
  recipes.insert(
      recipes.end(),
      {pile(grains, width, "1", {}, "4"), pile(grains, width, "2", {}, "4"),
       pile(grains, width, "3", {{"mu", "0"}}, "4"), pile(grains, width, "4", {{"mu", "0.2"}}, "4"),
       pile(grains, width, "5", {{"mu", "1"}}, "4"),
       pile(grains, width, "6", {{"mass_ratio", "10"}}, "4"),
       pile(grains, width, "7", {{"mass_ratio", "30"}, {"mu_spread", "0.3"}}, "4"),
       pile(grains, width, "8", {{"mass_ratio", "100"}}, "4"),
       pile(grains, width, "9", {{"mass_ratio", "1000"}}, "4"),
       pile(grains, width, "10", {{"mass_ratio", "10000"}}, "4")});
  for (const char* seed : {"1", "2"}) recipes.push_back(pile("1600", "1.368", seed, {}, "4"));
  recipes.push_back(pile("1600", "1.368", "3", {{"mass_ratio", "30"}}, "2"));
  recipes.push_back(pile("1600", "1.368", "4", {{"mass_ratio", "1000"}}, "2"));
  recipes.push_back(
      {"chute", {{"grains", "1600"}, {"width", "1.368"}, {"steps", "300"}, {"snapshots", "3"}}});
  recipes.push_back(pile("6400", "2.172", "1", {}, "4"));

  recipes.insert(
      recipes.end(),
      {arch("31", {}), arch("121", {}), arch("501", {{"radius", "10"}, {"thickness", "1.5"}}),
       arch("121", {{"mu", "0.32"}}), arch("121", {{"mu", "0.3"}}),
       arch("121", {{"thickness", "0.23"}}), arch("121", {{"thickness", "0.2"}}),
       arch("121", {{"thickness", "0.1"}, {"opening", "120"}, {"mu_spread", "0.3"}}),
       arch("121", {{"ball_mass", "3000"}, {"ball_speed", "0"}}), arch("31", {{"columns", "8"}}),
       arch("31", {{"columns", "8"}, {"mu", "0.3"}, {"mu_spread", "0.3"}}),
       arch("31", {{"columns", "8"}, {"ball_mass", "1000"}}), arch("61", {{"columns", "12"}})});
  constexpr const char* periodic = "periodic_box";
  recipes.insert(recipes.end(), {pile(grains, width, "1", {}, "4", periodic),
                                 pile(grains, width, "2", {{"mu", "0.2"}}, "2", periodic),
                                 pile(grains, width, "3", {{"mass_ratio", "100"}}, "2", periodic),
                                 pile("1600", "1.368", "1", {}, "4", periodic)});
  return recipes;
}

}  // namespace frictionbench::scenes
