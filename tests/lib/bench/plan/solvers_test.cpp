#include "frictionbench/bench/plan/solvers.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "frictionbench/bench/plan/problems.hpp"
#include "support/temporary_folder.hpp"

namespace frictionbench::bench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct Factor {
  double factor = 1;
  void describe(SettingFields& fields) {
    fields.add("factor", factor, any_number(), "a factor", "nowhere");
  }
};

RegisteredSolver described(SolverInfo info) {
  return solver_entry<Factor>(std::move(info),
                              [](const Factor&, Solve& solve) { solve.stall("a dummy"); });
}

RegisteredSolver named(const std::string& name, ContactModel model, std::string required = {}) {
  RegisteredSolver entry = described({.name = name, .model = model});
  entry.required = std::move(required);
  return entry;
}

Registry registry() {
  Registry all;
  all.add(named("ccp-a", ContactModel::ccp));
  all.add(named("ncp-a", ContactModel::ncp));
  all.add(named("ncp-b", ContactModel::ncp));
  all.add(named("needy", ContactModel::ncp, "factor"));
  all.add(described({.name = "rows", .contacts = false, .bilateral = Bilateral::block}));
  return all;
}

std::vector<std::string> ids(const std::vector<std::string>& texts,
                             const std::vector<std::string>& excluded = {}) {
  std::vector<std::string> found;
  for (const ConfiguredSolver& solver : find_solvers(registry(), texts, excluded))
    found.push_back(solver.id);
  return found;
}

std::string complaint(const std::vector<std::string>& texts,
                      const std::vector<std::string>& excluded = {}) {
  try {
    ids(texts, excluded);
  } catch (const std::exception& error) {
    return error.what();
  }
  return "accepted";
}

TEST(FindSolvers, WithoutATextAllThatAreReady) {
  EXPECT_THAT(ids({}), ElementsAre("ccp-a", "ncp-a", "ncp-b"));
}

TEST(FindSolvers, SolversWithoutContactsOnlyByTheirNames) {
  EXPECT_THAT(ids({"rows"}), ElementsAre("rows"));
  EXPECT_THAT(ids({"r*"}), ElementsAre("rows"));
  EXPECT_THAT(ids({"model=ncp"}), ElementsAre("ncp-a", "ncp-b"));
}

TEST(FindSolvers, TakesNamesPatternsAndModelsInTheirOrder) {
  EXPECT_THAT(ids({"ncp-b", "ccp-a(factor=2)"}), ElementsAre("ncp-b", "ccp-a(factor=2)"));
  EXPECT_THAT(ids({"ncp-b", "ncp-*"}), ElementsAre("ncp-b", "ncp-a"));
  EXPECT_THAT(ids({"?cp-a"}), ElementsAre("ccp-a", "ncp-a"));
  EXPECT_THAT(ids({"model=ncp", "model=ccp"}), ElementsAre("ncp-a", "ncp-b", "ccp-a"));
  EXPECT_THAT(ids({"needy(factor=3)"}), ElementsAre("needy(factor=3)"));
}

TEST(FindSolvers, LeavesOutWhatIsExcluded) {
  EXPECT_THAT(ids({}, {"ncp-*"}), ElementsAre("ccp-a"));
  EXPECT_THAT(ids({"ncp-a", "ncp-a(factor=2)"}, {"ncp-a"}), ElementsAre("ncp-a(factor=2)"));
  EXPECT_THAT(ids({"model=ncp"}, {"ncp-b", "ccp-a"}), ElementsAre("ncp-a"));
  EXPECT_THAT(complaint({"ncp-a"}, {"*"}), HasSubstr("every solver is excluded"));
}

TEST(FindSolvers, ReadsLists) {
  const test::TemporaryFolder folder;
  const std::string list = (folder.path() / "solvers.txt").string();
  std::ofstream(list) << "# the ones to compare\n\n  ncp-b(factor=0.5)  \nccp-*\n";
  EXPECT_THAT(ids({"@" + list, "ncp-a"}), ElementsAre("ncp-b(factor=0.5)", "ccp-a", "ncp-a"));
  EXPECT_THROW(ids({"@" + list + ".absent"}), SelectionError);
  EXPECT_THAT(complaint({"@" + list + ".absent"}), HasSubstr("this list of solvers"));
}

TEST(FindSolvers, SaysWhatItDoesNotKnow) {
  EXPECT_THAT(complaint({"ncp-c"}), HasSubstr("unknown solver 'ncp-c'"));
  EXPECT_THAT(complaint({"lcp-*"}), HasSubstr("no solver matches 'lcp-*'; there are ccp-a, ncp-a"));
  EXPECT_THAT(complaint({"model=lcp"}), HasSubstr("no solver matches 'model=lcp'"));
  EXPECT_THAT(complaint({"model=qp"}), HasSubstr("'qp'"));
  EXPECT_THAT(complaint({"ncp-a(factor=x)"}), HasSubstr("factor = 'x' is not a number"));
}

}  // namespace
}  // namespace frictionbench::bench
