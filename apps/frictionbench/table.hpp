/// \file
/// Plain text for terminals: tables, and times in the unit that suits them.
#pragma once

#include <string>
#include <vector>

namespace frictionbench::app {

/// Rows of cells under a header, columns aligned: numbers to the right, text to the left.
class Table {
 public:
  explicit Table(std::vector<std::string> header) : header_(std::move(header)) {}

  void add_row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  void add_rule() { rows_.push_back({}); }  ///< a horizontal line
  bool empty() const { return rows_.empty(); }

  /// The table as text, a newline after every line.
  std::string text() const;

 private:
  std::vector<std::string> header_;
  std::vector<std::vector<std::string>> rows_;
};

/// A stretch of time as people say it: "12 s", "3:05 min", "1:30 h".
std::string duration_text(double seconds);

/// A measured time in the unit that suits it: "12.3 us", "4.56 ms", "7.89 s".
std::string measured_text(double seconds);

}  // namespace frictionbench::app
