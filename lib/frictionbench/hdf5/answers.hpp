/// \file
/// Kept answers of a run: a compressed HDF5 file beside the results document.
///
/// Answers of a solver to a problem are the datasets `/impulse/<problem id>/<solver id>`, and
/// `/compliance/...` and `/velocity/...` if the solver chose or returned them, all float64. A slash in
/// an id makes a group within a group, which changes nothing for who looks the path up.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "frictionbench/base/file_error.hpp"
#include "frictionbench/math/types.hpp"

namespace frictionbench {

/// What a solver answered. All are empty if it gave none, and whatever it gave may be wrong.
struct Answer {
  Vector r;           ///< impulse, m
  Vector compliance;  ///< Result::compliance: m, or empty
  Vector velocity;    ///< Result::velocity: n, or empty
};

/// A file of answers that is being made; in memory until it is complete.
class AnswersWriter {
 public:
  /// \param path of the file, for error lines.
  explicit AnswersWriter(const std::string& path);
  ~AnswersWriter();
  AnswersWriter(const AnswersWriter&) = delete;
  AnswersWriter& operator=(const AnswersWriter&) = delete;

  /// Adds an answer that has an impulse. \throws FileError also if the pair has one already.
  void add(const std::string& problem, const std::string& solver, const Answer& answer);
  /// Writes the file (AtomicFile). To be called once, last. \returns its SHA-256.
  std::string finish();

 private:
  struct Image;
  std::string path_;
  std::unique_ptr<Image> image_;
};

/// A file of answers, open for reading.
class AnswersFile {
 public:
  /// \throws FileError if it cannot be read or is not HDF5.
  explicit AnswersFile(const std::string& path);
  ~AnswersFile();
  AnswersFile(const AnswersFile&) = delete;
  AnswersFile& operator=(const AnswersFile&) = delete;

  /// Nothing if the pair has none. \throws FileError if it is damaged.
  std::optional<Answer> read(const std::string& problem, const std::string& solver) const;

 private:
  struct File;
  std::unique_ptr<File> file_;
};

}  // namespace frictionbench
