/// \file
/// The journal of a run: every finished piece of it is on disk before the next one starts.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <utility>

#include "frictionbench/bench/process/internal/pair_process.hpp"
#include "frictionbench/results/document/document.hpp"

namespace frictionbench::bench {

/// Thrown for a journal that cannot be written, or that belongs to another run.
class JournalError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What a journal holds: the pieces of a run that were finished.
struct JournalContents {
  std::map<std::string, results::ProblemEntry> problems;  ///< by id
  /// By problem and solver, with their finished rounds.
  std::map<std::pair<std::string, std::string>, results::Record> records;
  /// Impulses kept with records, those of the last round.
  std::map<std::pair<std::string, std::string>, Vector> answers;
  bool repaired = false;  ///< a last line that was cut off has been dropped
};

/// One JSON object per line: first the identity of the run, then problems, records and their later
/// rounds as they come.
/// Every line is flushed to the disk; a run killed at any moment loses only the pairs under way. The file is
/// locked (flock) while a Journal has it open.
class Journal {
 public:
  /// Starts a new journal. \param identity what a resumed run must have in common with this one.
  /// \throws JournalError if the file exists or cannot be written.
  static Journal start(const std::string& path, const nlohmann::json& identity);

  /// Opens a journal to continue it, and reads its contents. A last line that was cut off is
  /// removed.
  /// \throws JournalError if there is none, if another run has it open, if the file is not a journal,
  ///         or if its identity differs; the message says in what.
  static std::pair<Journal, JournalContents> resume(const std::string& path,
                                                    const nlohmann::json& identity);

  /// Deletes a journal, if it is there. \throws JournalError if another run has it open.
  static void discard(const std::string& path);

  ~Journal();
  Journal(Journal&& other) noexcept;
  Journal& operator=(Journal&&) = delete;

  /// \throws JournalError naming the file if it cannot be written, e.g. because the disk is full; a
  ///         partial line is removed, so that the journal stays usable.
  void add(const results::ProblemEntry& problem);
  /// \param kept the answer if the run keeps answers; its impulse where the next problem of a sequence
  ///        starts from it; otherwise empty.
  void add(const results::Record& record, const Answer& kept);
  /// A later round of a pair; its impulse is kept as that of a record is, or empty.
  void add(const results::Record& record, int round, const RoundOutcome& outcome);

 private:
  Journal(std::string path, int descriptor);
  void append(const nlohmann::json& line);

  std::string path_;
  int descriptor_ = -1;
};

/// Writes the answers in a journal, those of first rounds, to a file. \returns its SHA-256.
/// \throws JournalError if the journal cannot be read, FileError if the file cannot be written.
std::string write_answers(const std::string& journal, const std::string& path);

}  // namespace frictionbench::bench
