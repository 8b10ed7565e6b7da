/// \file
#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include "frictionbench/results/document/document.hpp"
#include "table.hpp"

namespace frictionbench::app {

/// "ncp (relative)", with the compliance if one was asked for.
std::string criterion_text(const results::JudgeSettings& settings);

/// What a table of outcomes has besides.
struct SummaryOptions {
  bool creep = false;  ///< columns for creep, lift and model gap
};

/// The summary of a document as text: how it was judged, a table of families and solvers, and what
/// was left out.
std::string summary_text(const results::Document& document, const SummaryOptions& options = {});

/// Prints the summary of a document that was written to `path` on `stream`, and the path on
/// standard error.
void print_written(const results::Document& document, const std::string& path, std::FILE* stream);

/// A document and the file that it was read from.
struct SummarizedFile {
  std::string path;
  results::Document document;
};

/// The summaries of several documents, each under a line that says when and by which revision it
/// was made; of one document its summary alone.
std::string summary_text(const std::vector<SummarizedFile>& files, const SummaryOptions& options);

/// The rows of all these summaries in one table. \param options what people see of it.
Table outcome_table(const std::vector<SummarizedFile>& files, const SummaryOptions& options);

/// How a solver did over several runs.
struct History {
  Table table;       ///< a row per run that has the solver
  std::string text;  ///< for people: the table under a title, and the runs without the solver
};
/// One solver (by id) over several runs, a row each in the order in which they were started.
/// \param family the one to show; all problems of a run if it is empty or "all".
/// \throws std::invalid_argument if no file has the solver or the family.
History history_of(std::vector<SummarizedFile> files, const std::string& solver,
                   const std::string& family, const SummaryOptions& options);

/// "revision 48a745a0c (changed)": the commit, and whether the sources differed from it.
std::string revision_text(const results::RunInfo& run);

}  // namespace frictionbench::app
