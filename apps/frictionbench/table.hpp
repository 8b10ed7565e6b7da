/// \file
/// Plain text tables for terminals.
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

}  // namespace frictionbench::app
