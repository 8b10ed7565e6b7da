/// \file
/// The journal of a run: every finished piece of it is on disk before the next one starts.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "frictionbench/results/document/document.hpp"

namespace frictionbench::bench {

/// A journal that cannot be written, or does not belong to the run that wants to resume.
class JournalError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What a journal holds: the pieces of a run that were finished.
struct JournalContents {
  std::map<std::string, results::ProblemEntry> problems;                   ///< by id
  std::map<std::pair<std::string, std::string>, results::Record> records;  ///< by problem, solver
  std::map<std::pair<std::string, std::string>, Vector> answers;  ///< impulses kept with records
  bool repaired = false;  ///< a last line that was cut off has been dropped
};

/// One JSON object a line: first the identity of the run, then problems and records as they come.
/// Lines are appended whole and flushed to the disk; a run killed at any moment loses the piece it
/// was at.
class Journal {
 public:
  /// Starts a new journal. \param identity what a resumed run must have in common with this one.
  /// \throws JournalError if the file exists or cannot be written.
  static Journal start(const std::string& path, const nlohmann::json& identity);

  /// Opens a journal to go on with it, and reads what it holds. A last line that was cut off is
  /// removed. \throws JournalError if there is none, if it is no journal, or if its identity is
  /// another one; the message says what differs.
  static std::pair<Journal, JournalContents> resume(const std::string& path,
                                                    const nlohmann::json& identity);

  ~Journal();
  Journal(Journal&& other) noexcept;
  Journal& operator=(Journal&&) = delete;

  /// \throws JournalError naming the file if it cannot be written, the disk being full for example;
  /// what was written of the line is taken back, so that the journal stays usable.
  void add(const results::ProblemEntry& problem);
  /// \param r the impulse, where the next problem of a sequence starts from it; otherwise empty.
  void add(const results::Record& record, const Vector& r);

 private:
  Journal(std::string path, int descriptor) : path_(std::move(path)), descriptor_(descriptor) {}
  void append(const nlohmann::json& line);

  std::string path_;
  int descriptor_ = -1;
};

}  // namespace frictionbench::bench
