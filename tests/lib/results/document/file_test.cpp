// Results documents on disk: what is written is read again, and what is damaged is refused with
// the place of the damage.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "frictionbench/base/file_error.hpp"
#include "frictionbench/results/document/json.hpp"
#include "support/documents.hpp"
#include "support/temporary_folder.hpp"

namespace frictionbench::results {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class ResultsFile : public testing::Test {
 protected:
  std::string written(const Document& document) {
    write_document(path_, document);
    std::ifstream file(path_);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
  }
  Document read(const std::string& text) {
    std::ofstream(path_) << text;
    return read_document(path_);
  }
  // The reason for which the text is refused, without the name of the file.
  std::string refusal(const std::string& text) {
    try {
      read(text);
    } catch (const ResultsError& error) {
      EXPECT_THAT(error.what(), StartsWith(path_ + ": "));
      EXPECT_THAT(error.what(), Not(HasSubstr("\n")));
      return std::string(error.what()).substr(path_.size() + 2);
    }
    return "accepted";
  }
  // The same for a document with one value changed.
  std::string refusal_of(const json::json_pointer& place, const json& value) {
    json changed = to_json(document_);
    changed[place] = value;
    return refusal(changed.dump());
  }
  std::string refusal_without(const std::string& parent, const std::string& member) {
    json changed = to_json(document_);
    changed[json::json_pointer(parent)].erase(member);
    return refusal(changed.dump());
  }

  test::TemporaryFolder folder_;
  std::string path_ = folder_.file("x.json");
  Document document_ = test::document(3, 2);
};

TEST_F(ResultsFile, IsReadAsItWasWritten) {
  document_.unreadable.push_back({"x.hdf5", "x.hdf5: no"});
  document_.records[0].history = {{1, {0.5, 0.25, NAN, -1}, 3}};
  document_.problems[0].mu_min = document_.problems[0].mu_max = NAN;  // it has no contacts
  document_.records[1].verdict->momentum.reset();
  const json expected = json::parse(to_json(document_).dump());  // NaN is null
  EXPECT_EQ(to_json(read(written(document_))), expected);
  EXPECT_EQ(json::parse(written(document_)), expected);
}

TEST_F(ResultsFile, OfAShardIsReadAsItWasWritten) {
  document_.run.shard = Shard{2, 3};
  document_.run.plan = {{"A/0", "data/A/0.hdf5", std::string(64, 'a')}, {"A/1", "broken", ""}};
  const Document shard = read(written(document_));
  EXPECT_EQ(shard.run.shard, document_.run.shard);
  EXPECT_EQ(shard.run.plan, document_.run.plan);
  EXPECT_EQ(to_json(shard), to_json(document_));
}

TEST_F(ResultsFile, OfMergedShardsIsReadAsItWasWritten) {
  document_.run.shards = {{Shard{1, 1}, {"frictionbench"}, "", "", document_.run.host, {"slow"}}};
  EXPECT_EQ(to_json(read(written(document_))), to_json(document_));
}

TEST_F(ResultsFile, HasMembersInOrderAndAnEntryALine) {
  const std::string text = written(document_);
  const auto members = ordered_json::parse(text);
  std::vector<std::string> names;
  for (const auto& [name, value] : members.items()) names.push_back(name);
  EXPECT_THAT(names, testing::ElementsAre("schema", "schema_version", "run", "problems", "solvers",
                                          "records", "unreadable"));
  std::istringstream lines(text);
  int records = 0;
  for (std::string line; std::getline(lines, line);)
    if (line.find("\"memory_peak\"") != std::string::npos) {
      ++records;
      if (line.back() == ',') line.pop_back();
      EXPECT_TRUE(json::parse(line).is_object());
    }
  EXPECT_EQ(records, 6);
}

TEST_F(ResultsFile, MayHaveItsMembersInAnyOrder) {
  // json sorts them: records come before the schema.
  EXPECT_EQ(to_json(read(to_json(document_).dump())), to_json(document_));
}

TEST_F(ResultsFile, MayHaveMembersThatALaterVersionAdded) {
  json later = to_json(document_);
  for (const char* place :
       {"/more", "/run/more", "/problems/0/more", "/records/1/more", "/records/1/time/more"})
    later[json::json_pointer(place)] = {{"a", {1, {2, 3}}}, {"b", nullptr}};
  EXPECT_EQ(to_json(read(later.dump())), to_json(document_));
}

// The document as version 1 had it, without the members that were added to that in the end.
json of_version_1(const Document& document) {
  json earlier = to_json(document);
  earlier["schema_version"] = 1;
  for (const char* name : {"scale", "shards", "warm_start", "sequence", "history", "condition",
                           "time_step", "compliance"})
    earlier["run"].erase(name);
  for (json& problem : earlier["problems"])
    for (const char* name : {"compliance_min", "compliance_max", "islands"}) problem.erase(name);
  earlier["run"]["criterion"] = "ncp_scaled";
  for (json& solver : earlier["solvers"]) solver.erase("exact");
  for (json& problem : earlier["problems"])
    for (const char* name : {"compliance_min", "compliance_max", "islands"}) problem.erase(name);
  for (json& record : earlier["records"]) {
    for (const char* name : {"hardware", "start", "previous", "stage", "own_model"})
      record.erase(name);
    record["fired"] = record["stop_reason"] == "none" ? json() : json("residuals");
    record["claimed"] = record["reported"];
    record.erase("stop_reason");
    record.erase("reported");
    for (const char* name : {"concurrent_pairs", "cholesky", "cholesky_equivalents"})
      record["time"].erase(name);
    if (record["time"]["solve"].is_object()) record["time"]["solve"].erase("values");
    if (json& verdict = record["verdict"]; verdict.is_object()) {
      for (const char* name : {"scale", "creep", "lift", "time_step"}) verdict.erase(name);
      for (const char* model : {"ncp", "ccp", "lcp"}) verdict[model].erase("relative");
    }
    const json solved = record["solved"];
    record["solved"] = {{"ncp", solved["ncp"]["absolute"]},
                        {"ncp_scaled", solved["ncp"]["scaled"]},
                        {"ccp", solved["ccp"]["absolute"]},
                        {"ccp_scaled", solved["ccp"]["scaled"]},
                        {"lcp", solved["lcp"]["absolute"]}};
    json& work = record["work"];
    work["factorizations"] = work["factorizations"]["cholesky"].get<int>() + 2;
  }
  return earlier;
}

TEST_F(ResultsFile, OfVersion1IsRead) {
  json earlier = of_version_1(document_);
  for (json& record : earlier["records"])
    if (record["solver"] == earlier["solvers"][0]["id"]) record["solver"] = "ccp-desaxce(tau=4)";
  earlier["solvers"][0]["id"] = "ccp-desaxce(tau=4)";
  earlier["solvers"][0]["name"] = "ccp-desaxce";
  earlier["records"][1]["fired"] = "interior point";
  const Document document = read(earlier.dump());
  EXPECT_EQ(document.run.criterion, Criterion::ncp);
  EXPECT_EQ(document.run.scale, Scale::scaled);
  EXPECT_EQ(document.run.warm_start, Start::zero);
  EXPECT_FALSE(document.run.sequence);
  EXPECT_FALSE(document.run.time_step);
  EXPECT_FALSE(document.run.compliance);
  EXPECT_EQ(document.problems[0].compliance_max, 0) << "contacts were rigid";
  EXPECT_EQ(document.problems[0].islands, -1);
  EXPECT_FALSE(document.solvers[0].exact);
  EXPECT_EQ(document.solvers[0].name, "ncp-desaxce");
  EXPECT_EQ(document.solvers[0].id, "ncp-desaxce(tau=4)");
  const Record& record = document.records[0];
  EXPECT_EQ(record.solver, "ncp-desaxce(tau=4)");
  EXPECT_EQ(record.stop_reason, StopReason::residuals);
  EXPECT_EQ(record.stage, "");
  EXPECT_EQ(document.records[1].stage, "interior point");
  EXPECT_EQ(record.reported, document_.records[0].reported);
  EXPECT_TRUE(record.solved.ncp.absolute);
  EXPECT_TRUE(record.solved.lcp.scaled) << "follows from the verdict";
  EXPECT_EQ(record.work.factorizations.all(), document_.records[0].work.factorizations.all());
  EXPECT_FALSE(record.hardware.cycles);
  EXPECT_TRUE(record.time.solve->values.empty());
  EXPECT_EQ(document.records[1].start, Start::zero);
  EXPECT_EQ(record.iterations, document_.records[0].iterations);
  EXPECT_FALSE(record.own_model);
  EXPECT_FALSE(record.time.cholesky);
  EXPECT_FALSE(record.time.cholesky_equivalents());
  ASSERT_TRUE(record.verdict);
  for (const ModelResiduals& residuals :
       {record.verdict->ncp, record.verdict->ccp, record.verdict->lcp})
    EXPECT_TRUE(std::isnan(residuals.relative));
  EXPECT_TRUE(std::isnan(record.verdict->creep) && std::isnan(record.verdict->lift));
  EXPECT_FALSE(record.verdict->time_step);
  for (const SolvedAt& solved : {record.solved.ncp, record.solved.ccp, record.solved.lcp}) {
    EXPECT_FALSE(solved.relative) << "it was not measured";
    EXPECT_FALSE(solved.force);
  }
  EXPECT_EQ(record.solved.native.absolute, record.solved.ncp.absolute) << "the solver's model";
  EXPECT_EQ(record.solved.native.scaled, record.solved.ncp.scaled);

  const Document again = read(written(document));
  EXPECT_EQ(to_json(again), to_json(document)) << "written as version 2";
}

// What `native` means follows from the model of the solver.
TEST_F(ResultsFile, OfVersion1HasTheNativeVerdictOfTheSolversModel) {
  for (const auto& [model, absolute] :
       {std::pair{ContactModel::ncp, true}, std::pair{ContactModel::ccp, false},
        std::pair{ContactModel::lcp, true}}) {
    for (SolverEntry& solver : document_.solvers) solver.model = model;
    json earlier = of_version_1(document_);
    earlier["records"][0]["solved"]["ccp"] = false;
    EXPECT_EQ(read(earlier.dump()).records[0].solved.native.absolute, absolute) << name(model);
  }
  json foreign = of_version_1(document_);
  foreign["records"][0]["solver"] = "nobody";
  EXPECT_FALSE(read(foreign.dump()).records[0].solved.native.absolute);
}

TEST_F(ResultsFile, CutOffAnywhereIsRefused) {
  const std::string text = written(document_);
  for (std::size_t length = 0; length < text.size() - 2; length += 97)
    EXPECT_EQ(refusal(text.substr(0, length)), "is truncated or not JSON") << length;
}

TEST_F(ResultsFile, WhatIsNotJsonIsRefused) {
  EXPECT_EQ(refusal("nothing of the kind"), "is not JSON at byte 2");
  EXPECT_THAT(refusal(written(document_) + "{}"), StartsWith("is not JSON at byte "));
  EXPECT_EQ(refusal(R"({"a": 1e999})"), "has a number that is out of range");
}

TEST_F(ResultsFile, ForeignJsonIsRefusedAsForeign) {
  const std::string foreign = "is not a frictionbench results document";
  for (const char* text : {"{}", "[]", "3", "null", R"("text")", R"([[{"records": 1}]])",
                           R"({"records": [1, 2]})", R"({"problems": {}, "records": 5})",
                           R"({"records": [{"problem": 3}], "schema": "another"})",
                           R"({"schema": {"schema": "frictionbench-results"}})"})
    EXPECT_EQ(refusal(text), foreign) << text;
  EXPECT_EQ(refusal_without("", "schema"), foreign);
}

TEST_F(ResultsFile, OfAnotherVersionIsRefused) {
  EXPECT_EQ(refusal_of("/schema_version"_json_pointer, 3),
            "has schema version 3; this program reads versions 1 and 2");
  EXPECT_EQ(refusal_of("/schema_version"_json_pointer, "1"),
            "has schema version \"1\"; this program reads versions 1 and 2");
  EXPECT_EQ(refusal(R"({"records": [3], "schema": "frictionbench-results", "schema_version": 3})"),
            "has schema version 3; this program reads versions 1 and 2")
      << "a later version may have other records";
}

TEST_F(ResultsFile, AWrongMemberIsNamed) {
  EXPECT_EQ(refusal_of("/records/4/status"_json_pointer, 3),
            "records[4].status: expected a text, is 3");
  EXPECT_THAT(refusal_of("/records/4/status"_json_pointer, "good"),
              StartsWith("records[4].status: unknown status 'good'; known: converged, "));
  EXPECT_EQ(refusal_of("/records/0/time/solve/values/7"_json_pointer, "x"),
            "records[0].time.solve.values[7]: expected a number, is \"x\"");
  EXPECT_EQ(refusal_of("/records/0/verdict/lcp/dual"_json_pointer, json::object()),
            "records[0].verdict.lcp.dual: expected a number, is object");
  EXPECT_EQ(refusal_of("/records/0/reported/dual"_json_pointer, true),
            "records[0].reported.dual: expected a number, is true");
  EXPECT_EQ(refusal_of("/records/0/iterations"_json_pointer, 1.5),
            "records[0].iterations: expected a whole number, is 1.5");
  EXPECT_EQ(refusal_of("/records/0/iterations"_json_pointer, std::int64_t{1} << 40),
            "records[0].iterations: expected a whole number, is 1099511627776");
  EXPECT_EQ(refusal_of("/records/0/solved/ccp/scaled"_json_pointer, nullptr),
            "records[0].solved.ccp.scaled: expected true or false, is null");
  EXPECT_EQ(refusal_of("/records/2"_json_pointer, 7), "records[2]: expected an object, is 7");
  EXPECT_EQ(refusal_of("/records/2"_json_pointer, json::array({1})),
            "records[2]: expected an object, is array");
  EXPECT_EQ(refusal_of("/problems/1/form"_json_pointer, "round"),
            "problems[1].form: unknown form 'round'; known: local, global");
  EXPECT_EQ(refusal_of("/solvers/1/model"_json_pointer, 7),
            "solvers[1].model: expected a text, is 7");
  EXPECT_EQ(refusal_of("/run/git/revision"_json_pointer, 5),
            "run.git.revision: expected a text, is 5");
  EXPECT_EQ(refusal_of("/run/shard"_json_pointer, "4/3"),
            "run.shard: '4/3' is not a valid shard; expected i/n with 1 <= i <= n, e.g. 3/8");
  EXPECT_EQ(refusal_of("/run"_json_pointer, json::array({1, 2})), "run: expected no list");
  EXPECT_EQ(refusal_of("/records"_json_pointer, json::object({{"a", 1}})),
            "records: expected a list, is object");
}

TEST_F(ResultsFile, WhatFollowsFromOtherMembersMustNotContradictThem) {
  for (const char* place : {"verdict/ncp/max", "verdict/lcp/scaled", "time/cholesky_equivalents"}) {
    const json::json_pointer member("/records/0/" + std::string(place));
    const double value = to_json(document_).at(member).get<double>();
    EXPECT_EQ(refusal_of(member, value * (1 + 1e-14)), "accepted") << "rounding of another build";
    EXPECT_THAT(refusal_of(member, value * 1.001), HasSubstr(", and from the members beside it"));
    EXPECT_THAT(refusal_of(member, nullptr), HasSubstr(": is null, and from the members"));
  }
}

TEST_F(ResultsFile, AMissingMemberIsNamed) {
  for (const char* member : {"run", "problems", "solvers", "records", "unreadable"})
    EXPECT_EQ(refusal_without("", member), std::string("has no member '") + member + "'");
  EXPECT_EQ(refusal_without("/records/3/work", "pivots"),
            "records[3].work: has no member 'pivots'");
  EXPECT_EQ(refusal_without("/run", "host"), "run: has no member 'host'");
}

TEST_F(ResultsFile, AMemberThatIsThereTwiceIsRefused) {
  const std::string text = written(document_);
  EXPECT_EQ(refusal(text.substr(0, text.rfind('}')) + R"(, "records": []})"),
            "records: is there twice");
}

TEST_F(ResultsFile, SaysThatItCannotBeWritten) {
  const std::string nowhere = folder_.file("no folder/x.json");
  try {
    write_document(nowhere, document_);
    ADD_FAILURE() << "written";
  } catch (const FileError& error) {
    EXPECT_EQ(error.what(), nowhere + ": cannot be written: No such file or directory");
  }
}

}  // namespace
}  // namespace frictionbench::results
