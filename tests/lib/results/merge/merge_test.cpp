#include "frictionbench/results/merge/merge.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "frictionbench/results/document/json.hpp"
#include "support/documents.hpp"

namespace frictionbench::results {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// What `run --shard number/count` would have left of the whole run, pairs dealt out in turn.
NamedDocument shard_of(const Document& whole, const std::vector<PlannedProblem>& plan, int number,
                       int count) {
  NamedDocument shard{"shard" + std::to_string(number) + ".json", whole};
  Document& document = shard.document;
  document.run.shard = Shard{number, count};
  document.run.plan = plan;
  document.run.command = {"frictionbench",           "run", "data",        "--shard",
                          text(*document.run.shard), "-o",  "results.json"};
  document.records.clear();
  for (std::size_t k = 0; k < whole.records.size(); ++k)
    if (k % static_cast<std::size_t>(count) == static_cast<std::size_t>(number - 1))
      document.records.push_back(whole.records[k]);
  std::erase_if(document.problems, [&](const ProblemEntry& problem) {
    return std::none_of(document.records.begin(), document.records.end(),
                        [&](const Record& record) { return record.problem == problem.id; });
  });
  return shard;
}

json without_run(const Document& document) {
  json value = to_json(document);
  value.erase("run");
  return value;
}

// Five problems, of which the fourth cannot be read, and two solvers, in three shards.
class Merge : public testing::Test {
 protected:
  Merge() {
    for (const ProblemEntry& problem : whole_.problems)
      plan_.push_back({problem.id, problem.path, problem.sha256});
    const auto unreadable = [](const auto& entry) { return entry.id == "A/3"; };
    std::erase_if(whole_.problems, unreadable);
    std::erase_if(whole_.records, [](const Record& record) { return record.problem == "A/3"; });
    whole_.unreadable = {{"data/A/3.hdf5", "data/A/3.hdf5: is no HDF5 file"}};
    plan_[3].sha256 = "";
    for (int number = 1; number <= 3; ++number)
      shards_.push_back(shard_of(whole_, plan_, number, 3));
  }

  std::string refusal() const {
    try {
      merge(shards_);
    } catch (const MergeError& error) {
      EXPECT_THAT(error.what(), testing::Not(HasSubstr("\n")));
      return error.what();
    }
    return "merged";
  }
  RunInfo& run(std::size_t k) { return shards_[k].document.run; }

  Document whole_ = test::document(5, 2);
  std::vector<PlannedProblem> plan_;
  std::vector<NamedDocument> shards_;
};

TEST_F(Merge, GivesTheDocumentOfOneMachine) {
  const Merged merged = merge(shards_);
  EXPECT_EQ(without_run(merged.document), without_run(whole_));
  EXPECT_THAT(merged.missing, IsEmpty());
  EXPECT_THAT(merged.absent, IsEmpty());
  EXPECT_EQ(merged.shortfall(), "");
  EXPECT_EQ(merged.pairs, 8u);
  // Of the run, only what tells how the shards were made is new.
  json run = to_json(merged.document)["run"];
  run["shards"] = nullptr;
  EXPECT_EQ(run, to_json(whole_)["run"]);
}

TEST_F(Merge, DoesNotDependOnTheOrderOfArguments) {
  const json expected = to_json(merge(shards_).document);
  std::sort(shards_.begin(), shards_.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  do {
    EXPECT_EQ(to_json(merge(shards_).document), expected);
  } while (std::next_permutation(shards_.begin(), shards_.end(),
                                 [](const auto& a, const auto& b) { return a.name < b.name; }));
}

TEST_F(Merge, OneShardMayBeTheWholeRun) {
  EXPECT_EQ(without_run(merge({shard_of(whole_, plan_, 1, 1)}).document), without_run(whole_));
}

TEST_F(Merge, PathsMayDifferBetweenMachines) {
  for (PlannedProblem& problem : run(1).plan) problem.path = "/elsewhere/" + problem.path;
  for (ProblemEntry& problem : shards_[1].document.problems)
    problem.path = "/elsewhere/" + problem.path;
  for (Unreadable& file : shards_[1].document.unreadable) file.path = "/elsewhere/" + file.path;
  EXPECT_EQ(without_run(merge(shards_).document), without_run(whole_));
}

TEST_F(Merge, TellsHowTheShardsWereMade) {
  run(0).command = {"frictionbench", "run", "--shard=1/3", "data", "-o", "results.json"};
  run(0).started = "2026-01-31T10:30:00Z";
  run(2).started = "2026-01-31T09:00:00Z";
  run(1).finished = "2026-02-01T00:00:00Z";
  run(1).jobs = 8;
  run(1).warnings.push_back("load average was 3.00 at the start");
  const RunInfo merged = merge(shards_).document.run;
  EXPECT_THAT(merged.command, ElementsAre("frictionbench", "run", "data", "-o", "results.json"));
  EXPECT_EQ(merged.started, "2026-01-31T09:00:00Z");
  EXPECT_EQ(merged.finished, "2026-02-01T00:00:00Z");
  EXPECT_EQ(merged.jobs, 8);
  EXPECT_THAT(merged.warnings, ElementsAre("the build has uncommitted changes",
                                           "shard 2/3: load average was 3.00 at the start"));
  ASSERT_EQ(merged.shards.size(), 3u);
  EXPECT_EQ(merged.shards[1].shard, (Shard{2, 3}));
  EXPECT_EQ(merged.shards[1].command, run(1).command);
  EXPECT_EQ(merged.shards[1].started, run(1).started);
  EXPECT_EQ(merged.shards[1].finished, run(1).finished);
  EXPECT_EQ(merged.shards[1].host.cpu, run(1).host.cpu);
  EXPECT_EQ(merged.shards[1].warnings, run(1).warnings);
}

TEST_F(Merge, WarnsOfDifferentProcessors) {
  run(2).host.cpu = "Another processor";
  const RunInfo merged = merge(shards_).document.run;
  EXPECT_THAT(merged.warnings.back(), HasSubstr("('A processor', 'Another processor')"));
  EXPECT_EQ(merged.host.cpu, "");
  EXPECT_EQ(merged.host.cores, run(0).host.cores) << "what they have in common is kept";
}

TEST_F(Merge, TheKernelThatOpenBlasChoseIsNoDifferenceOfTheBuild) {
  run(1).build.libraries.blas = "OpenBLAS 0.3.21 DYNAMIC_ARCH NO_AFFINITY Zen SINGLE_THREADED";
  for (const std::size_t k : {0u, 2u})
    run(k).build.libraries.blas =
        "OpenBLAS 0.3.21 DYNAMIC_ARCH NO_AFFINITY Haswell SINGLE_THREADED";
  EXPECT_THAT(merge(shards_).missing, IsEmpty());
  run(1).build.libraries.blas = "OpenBLAS 0.3.26 DYNAMIC_ARCH NO_AFFINITY Zen SINGLE_THREADED";
  EXPECT_THAT(refusal(), HasSubstr("build.libraries.blas is \"OpenBLAS 0.3.21\""));
}

TEST_F(Merge, NamesMissingPairsAndAbsentShards) {
  shards_.erase(shards_.begin() + 1);  // pairs 1, 4 and 7
  const Merged merged = merge(shards_);
  EXPECT_THAT(merged.missing, ElementsAre(MissingPair{"A/0", "s1"}, MissingPair{"A/2", "s0"},
                                          MissingPair{"A/4", "s1"}));
  EXPECT_THAT(merged.absent, ElementsAre(Shard{2, 3}));
  EXPECT_EQ(merged.shortfall(), "3 of 8 pairs are missing: shard 2/3 was not given");
  EXPECT_EQ(merged.document.run.warnings.back(), merged.shortfall());
  EXPECT_EQ(merged.document.records.size(), 5u);

  shards_.pop_back();
  EXPECT_EQ(merge(shards_).shortfall(), "5 of 8 pairs are missing: shards 2/3, 3/3 were not given");
}

TEST_F(Merge, NamesPairsThatNoShardHas) {
  shards_[0].document.records.pop_back();
  const Merged merged = merge(shards_);
  EXPECT_THAT(merged.missing, ElementsAre(MissingPair{"A/4", "s0"}));
  EXPECT_EQ(merged.shortfall(), "1 of 8 pairs is missing though every shard was given");
}

// A mass matrix turns out to be singular only where a pair needs it: in some shards.
TEST_F(Merge, AProblemMayBeUnreadableInOneShardOnly) {
  for (NamedDocument& shard : shards_) {
    std::erase_if(shard.document.problems, [](const auto& problem) { return problem.id == "A/1"; });
    std::erase_if(shard.document.records,
                  [](const auto& record) { return record.problem == "A/1"; });
  }
  shards_[2].document.unreadable.insert(shards_[2].document.unreadable.begin(),
                                        {"data/A/1.hdf5", "data/A/1.hdf5: M: is singular"});
  const Merged merged = merge(shards_);
  EXPECT_THAT(merged.missing, IsEmpty());
  ASSERT_EQ(merged.document.unreadable.size(), 2u);
  EXPECT_EQ(merged.document.unreadable[0].path, "data/A/1.hdf5") << "in the order of the plan";
}

TEST_F(Merge, RefusesWhatIsNoShard) {
  shards_[1].document.run.shard.reset();
  EXPECT_EQ(refusal(),
            "shard2.json: is a whole run, not a shard; `frictionbench run --shard i/n` makes "
            "shards");
  shards_[1].document.run.shards.emplace_back();
  EXPECT_EQ(refusal(), "shard2.json: is merged already; give its shards instead");
}

TEST_F(Merge, RefusesShardsOfAnotherDivision) {
  shards_[2] = shard_of(whole_, plan_, 3, 4);
  EXPECT_EQ(refusal(),
            "shard2.json and shard3.json do not belong to the same run: the first is shard 2/3, "
            "the second "
            "shard 3/4");
}

TEST_F(Merge, RefusesAShardThatIsThereTwice) {
  shards_.push_back(shards_[0]);
  shards_.back().name = "again.json";
  EXPECT_EQ(refusal(),
            "shard1.json and again.json do not belong to the same run: both are shard 1/3");
}

TEST_F(Merge, RefusesOtherConditions) {
  const auto refused = [&](auto change) {
    const RunInfo kept = run(1);
    change(run(1));
    const std::string reason = refusal();
    run(1) = kept;
    const std::string expected = "shard1.json and shard2.json do not belong to the same run: ";
    EXPECT_THAT(reason, testing::StartsWith(expected));
    return reason.substr(std::min(reason.size(), expected.size()));
  };
  EXPECT_EQ(refused([](RunInfo& run) { run.criterion = Criterion::ccp; }),
            "criterion is \"ncp\" in the first and \"ccp\" in the second");
  EXPECT_EQ(refused([](RunInfo& run) { run.tolerance = 1e-8; }),
            "tolerance is 1e-06 in the first and 1e-08 in the second");
  EXPECT_EQ(refused([](RunInfo& run) { run.scale = Scale::scaled; }),
            "scale is \"relative\" in the first and \"scaled\" in the second");
  EXPECT_THAT(refused([](RunInfo& run) { run.history = true; }), HasSubstr("history"));
  EXPECT_THAT(refused([](RunInfo& run) { run.max_iterations = 7; }), HasSubstr("max_iterations"));
  EXPECT_THAT(refused([](RunInfo& run) { run.time_limit = 7; }), HasSubstr("time_limit"));
  EXPECT_THAT(refused([](RunInfo& run) { run.memory_limit.reset(); }), HasSubstr("memory_limit"));
  EXPECT_THAT(refused([](RunInfo& run) { run.repeat_time = 7; }), HasSubstr("repeat_time"));
  EXPECT_THAT(refused([](RunInfo& run) { run.seed = 7; }), HasSubstr("seed"));
  EXPECT_EQ(refused([](RunInfo& run) { run.warm_start = Start::zero; }),
            "warm_start is \"guess\" in the first and \"zero\" in the second");
  EXPECT_THAT(refused([](RunInfo& run) { run.sequence = false; }), HasSubstr("sequence"));
  EXPECT_THAT(refused([](RunInfo& run) { run.version = "7"; }), HasSubstr("version"));
  EXPECT_THAT(refused([](RunInfo& run) { run.git_revision = "abc"; }), HasSubstr("git.revision"));
  EXPECT_EQ(refused([](RunInfo& run) { run.git_dirty = true; }),
            "git.dirty is false in the first and true in the second");
  EXPECT_THAT(refused([](RunInfo& run) { run.build.flags = "-O0"; }), HasSubstr("build.flags"));
  EXPECT_EQ(refused([](RunInfo& run) { run.build.libraries.blas = "0.3.26"; }),
            "build.libraries.blas is \"0.3.21\" in the first and \"0.3.26\" in the second");
  EXPECT_EQ(refused([](RunInfo& run) { run.build.libraries.blas.clear(); }),
            "build.libraries.blas is \"0.3.21\" in the first and null in the second");
}

TEST_F(Merge, RefusesAnotherPlan) {
  run(2).plan[1].sha256 = std::string(64, 'f');
  EXPECT_EQ(refusal(),
            "shard2.json and shard3.json do not belong to the same run: problem 'A/1' is "
            "data/A/1.hdf5 with "
            "SHA-256 " +
                plan_[1].sha256 + " in the first and data/A/1.hdf5 with SHA-256 " +
                std::string(64, 'f') + " in the second");
  run(2).plan[1].sha256 = "";
  EXPECT_THAT(refusal(), HasSubstr("data/A/1.hdf5, which could not be read, in the second"));

  run(2).plan = plan_;
  run(2).plan.pop_back();
  EXPECT_THAT(refusal(), HasSubstr("problem 'A/4' is only in the first"));
  run(2).plan = plan_;
  run(2).plan.push_back({"B/0", "data/B/0.hdf5", std::string(64, 'f')});
  EXPECT_THAT(refusal(), HasSubstr("problem 'B/0' is only in the second"));
  run(2).plan = plan_;
  std::swap(run(2).plan[0], run(2).plan[1]);
  EXPECT_THAT(refusal(), HasSubstr("their problems are in a different order"));
}

TEST_F(Merge, RefusesOtherSolvers) {
  auto& solvers = shards_[0].document.solvers;
  const auto kept = solvers;
  solvers[1].settings["tau"] = 7;
  EXPECT_EQ(refusal(),
            "shard1.json and shard2.json do not belong to the same run: s1.settings.tau is 7 in "
            "the first and "
            "1 in the second");
  solvers = kept;
  solvers.pop_back();
  EXPECT_THAT(refusal(), HasSubstr("solver 's1' is only in the second"));
}

TEST_F(Merge, RefusesTwoRecordsOfOnePair) {
  shards_[2].document.records.push_back(shards_[0].document.records[0]);
  EXPECT_EQ(refusal(), "shard1.json and shard3.json both have a record of s0 on A/0");
}

TEST_F(Merge, RefusesRecordsOfAProblemThatIsUnreadableElsewhere) {
  shards_[2].document.unreadable.push_back({"data/A/0.hdf5", "data/A/0.hdf5: M: is singular"});
  EXPECT_EQ(refusal(),
            "problem 'A/0' is unreadable in shard3.json and has a record in shard1.json");
}

TEST_F(Merge, RefusesWhatIsNotInThePlan) {
  Document& document = shards_[0].document;
  const Document kept = document;
  document.records[0].problem = "B/7";
  EXPECT_EQ(refusal(), "shard1.json: problem 'B/7' is not in the plan of its run");
  document = kept;
  document.records[0].solver = "s7";
  EXPECT_EQ(refusal(), "shard1.json: solver 's7' is not in the plan of its run");
  document = kept;
  document.unreadable[0].path = "7.hdf5";
  EXPECT_EQ(refusal(), "shard1.json: unreadable file '7.hdf5' is not in the plan of its run");
  document = kept;
  document.problems[0].sha256 = std::string(64, 'f');
  EXPECT_THAT(refusal(), HasSubstr("shard1.json: problem 'A/0' has SHA-256 ffff"));
}

}  // namespace
}  // namespace frictionbench::results
