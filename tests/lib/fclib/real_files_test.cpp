/// Files as the world has them.

#include "support/real_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>

#include "frictionbench/fclib/reader.hpp"
#include "frictionbench/problem/facts.hpp"
#include "lib/fclib/same_problem.hpp"

namespace frictionbench::fclib {
namespace {

namespace fs = std::filesystem;

ProblemFile read_variant(const std::string& name) {
  return read_problem(fs::path(FRICTIONBENCH_FCLIB_DATA) / "variants" / (name + ".hdf5"));
}

TEST(RealFiles, AllStoragesOfOneProblemReadTheSame) {
  SKIP_WITHOUT_REAL_FILES("variants");
  const std::map<std::string, std::vector<std::string>> siblings{
      {"local_csr",
       {"local_csc", "local_triplet", "local_csr_gzip", "local_no_info", "local_matrix_info",
        "local_triplet_nzmax_larger", "local_triplet_duplicates", "local_two_guesses"}},
      {"local_2d_csr", {"local_2d_csc", "local_2d_triplet"}},
      {"local_mixed_csr", {"local_mixed_csc", "local_mixed_triplet"}},
      {"global_triplet", {"global_csc", "global_csr"}},
      {"global_mixed_triplet", {"global_mixed_csc", "global_mixed_csr"}}};
  std::size_t count = 0;
  for (const auto& [first, others] : siblings) {
    const ProblemFile expected = read_variant(first);
    EXPECT_EQ(expected.problem.bilateral_rows(), first.find("mixed") == std::string::npos ? 0 : 2);
    EXPECT_EQ(expected.problem.dimension(), first.find("2d") == std::string::npos ? 3 : 2);
    for (const std::string& name : others) {
      SCOPED_TRACE(name);
      test::expect_same(read_variant(name).problem, expected.problem);
    }
    count += 1 + others.size();
  }
  EXPECT_EQ(count, test::real_files("variants").size());
  EXPECT_EQ(read_variant("local_two_guesses").guesses.size(), 2u);
  EXPECT_EQ(read_variant("local_no_info").info.title, "");
  EXPECT_NE(read_variant("local_csr").info.title, "");
}

/// Cells of a line of comma-separated values; a quoted cell may contain commas.
std::vector<std::string> cells(const std::string& line) {
  std::vector<std::string> result(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      result.emplace_back();
    else
      result.back() += c;
  }
  return result;
}

TEST(RealFiles, HaveTheSizesOfTheManifest) {
  SKIP_WITHOUT_REAL_FILES("fclib");
  const fs::path root = fs::path(FRICTIONBENCH_FCLIB_DATA) / "fclib";
  std::ifstream manifest(root / "MANIFEST.csv");
  std::string line;
  std::getline(manifest, line);
  const std::vector<std::string> header = cells(line);
  std::map<std::string, int> checked;
  while (std::getline(manifest, line)) {
    const std::vector<std::string> row = cells(line);
    ASSERT_EQ(row.size(), header.size()) << line;
    std::map<std::string, std::string> value;
    for (std::size_t k = 0; k < row.size(); ++k) value[header[k]] = row[k];
    SCOPED_TRACE(value["path"]);
    const std::string path = root / value["path"];
    ++checked[value["kind"]];

    const bool rolling = value["kind"].starts_with("rolling");
    const ProblemFile file = read_problem(path);
    const ContactProblem& problem = file.problem;
    EXPECT_EQ(rolling ? 5 : problem.dimension(), std::stoi(value["spacedim"]));
    EXPECT_EQ(problem.contacts(), std::stoi(value["n_contacts"]));
    if (problem.contacts() > 0) {
      const ProblemFacts facts = facts_of(problem);
      EXPECT_NEAR(facts.mu_min, std::stod(value["mu_min"]), 1e-5);
      EXPECT_NEAR(facts.mu_max, std::stod(value["mu_max"]), 1e-5);
    }
    if (problem.form() == ProblemForm::local) {
      EXPECT_EQ(problem.local().W.nonZeros(), std::stoi(value["nnz_W"]));
    } else {
      EXPECT_EQ(problem.global()->f.size(), std::stoi(value["n_dofs"]));
      EXPECT_EQ(problem.global()->M.nonZeros(), std::stoi(value["nnz_M"]));
      EXPECT_EQ(problem.global()->H.nonZeros(), std::stoi(value["nnz_H"]));
    }
    EXPECT_EQ(file.solution.has_value(), value["has_solution"] == "1");
    EXPECT_EQ(file.guesses.empty(), value["has_guess"] != "1");
  }
  for (const auto& [kind, count] : checked)
    EXPECT_EQ(static_cast<std::size_t>(count), test::real_files("fclib/" + kind).size()) << kind;
}

}  // namespace
}  // namespace frictionbench::fclib
