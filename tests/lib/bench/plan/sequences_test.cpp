#include "frictionbench/bench/plan/internal/sequences.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace frictionbench::bench {
namespace {

using testing::ElementsAre;

struct Name {
  const char* text;
  Index contacts;
  const char* scene;
  std::uint64_t step;
};

// Real files, of the public collection and of the project's own data set.
const Name names[] = {
    {"gen-drop-BoxesStack-i000010-12-03720", 12, "gen-drop-BoxesStack", 3720},
    {"gen-v40-IllConditionedStack-i000002-10-00100", 10, "gen-v40-IllConditionedStack", 100},
    {"Capsules-i100-1090", 276, "Capsules", 1090},
    {"Chute_1000-i0626-454-77", 454, "Chute_1000", 77},
    {"LMGC_945_SP_Box_PL-i01608-5023-00319", 5023, "LMGC_945_SP_Box_PL", 319},
    {"BoxStacks-ndof-450-nc-640-14", 640, "BoxStacks-ndof-450", 14},
    {"fc2d_granularflowonwall_02020_00213", 2020, "fc2d_granularflowonwall", 213},
    {"Stack-mass_ratio10-local-20-00000", 20, "Stack-mass_ratio10-local", 0},
    {"Stack-boxes2-mass_ratio10-local-8-00000", 8, "Stack-boxes2-mass_ratio10-local", 0},
    {"NESpheres_10_1", 9, "NESpheres_10", 1},  // ten spheres, nine contacts
    {"00042", 7, "", 42},
};

TEST(TimeStep, IsReadFromNamesAsTheyAre) {
  for (const Name& name : names) {
    const auto read = time_step(name.text, name.contacts);
    ASSERT_TRUE(read) << name.text;
    EXPECT_EQ(read->scene, name.scene) << name.text;
    EXPECT_EQ(read->step, name.step) << name.text;
  }
}

TEST(TimeStep, IsNotGuessedFromOtherNames) {
  for (const char* name : {"GFC3D_Example1", "Rover1039", "Stack-mass_ratio10", "CubeH8", "box-",
                           "", "Confeti-ex13-1contact-Fc3D-SBM", "scene-99999999999999999999999"})
    EXPECT_FALSE(time_step(name, 1)) << name;
}

SequenceMember member(const std::string& folder, const std::string& name, Index contacts) {
  return {"data/" + folder + "/" + name + ".hdf5", ProblemForm::local, 3, contacts, 3 * contacts};
}

std::vector<std::optional<std::size_t>> previous(const std::vector<SequenceMember>& problems) {
  std::vector<std::optional<std::size_t>> found;
  for (const SequencePlace& place : find_sequences(problems)) found.push_back(place.previous);
  return found;
}

const std::optional<std::size_t> none;

TEST(Sequences, GoByTheTimeStepNotByTheName) {
  EXPECT_THAT(
      previous({member("F", "S-i000010-12-03720", 12), member("F", "S-i000011-12-03560", 12),
                member("F", "S-i001000-12-00900", 12)}),
      ElementsAre(1, 2, none));
  EXPECT_THAT(previous({member("F", "S-12-100", 12), member("F", "S-12-20", 12)}),
              ElementsAre(1, none));
}

TEST(Sequences, EndWhereTheContactsChange) {
  EXPECT_THAT(previous({member("F", "S-20-00040", 20), member("F", "S-33-00080", 33),
                        member("F", "S-33-00120", 33), member("F", "S-20-00160", 20)}),
              ElementsAre(none, none, 1, none));
  EXPECT_THAT(previous({member("F", "S-0-1", 0), member("F", "S-0-2", 0)}), ElementsAre(none, none))
      << "without contacts there is nothing to start from";
  std::vector<SequenceMember> limits{member("F", "S-20-00040", 20), member("F", "S-20-00080", 20)};
  limits[1].unknowns = 61;
  EXPECT_THAT(previous(limits), ElementsAre(none, none)) << "a limit more";
}

TEST(Sequences, KeepScenesFormsAndFoldersApart) {
  EXPECT_THAT(previous({member("F", "S-mass_ratio10-local-8-00001", 8),
                        member("F", "S-mass_ratio100-local-8-00002", 8),
                        member("G", "S-mass_ratio10-local-8-00003", 8)}),
              ElementsAre(none, none, none));
  auto global = member("F", "S-8-00002", 8);
  global.form = ProblemForm::global;
  EXPECT_THAT(previous({member("F", "S-8-00001", 8), global}), ElementsAre(none, none));
  auto flat = member("F", "S-8-00002", 8);
  flat.dimension = 2;
  EXPECT_THAT(previous({member("F", "S-8-00001", 8), flat}), ElementsAre(none, none));
}

TEST(Sequences, OfOneStepNoProblemComesAfterTheOther) {
  EXPECT_THAT(previous({member("F", "S-i1-8-00005", 8), member("F", "S-i2-8-00005", 8),
                        member("F", "S-i3-8-00006", 8)}),
              ElementsAre(none, none, 1));
}

TEST(Sequences, HaveNames) {
  const auto places =
      find_sequences({member("F", "S-i1-8-00005", 8), member("F", "GFC3D_Example1", 1)});
  EXPECT_EQ(places[0].sequence, "data/F/S");
  EXPECT_EQ(places[1].sequence, "");
}

}  // namespace
}  // namespace frictionbench::bench
