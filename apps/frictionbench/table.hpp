/// \file
/// Tables for people and for programs, and times in the unit that suits them.
#pragma once

#include <concepts>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "command_line.hpp"

namespace frictionbench::app {

/// A column of a table.
struct Column {
  std::string heading;  ///< in text; a column without one is not shown to people
  std::string name;     ///< in CSV and JSON; a column without one is not there

  /// One word for both.
  Column(std::string word) : heading(word), name(std::move(word)) {}
  Column(const char* word) : Column(std::string(word)) {}
  Column(std::string heading_, std::string name_)
      : heading(std::move(heading_)), name(std::move(name_)) {}
};

/// A value with all its digits, and what people see of it.
struct Cell {
  nlohmann::json value;  ///< null: nothing
  std::string text;      ///< empty: nothing

  Cell() = default;
  Cell(std::string both) : text(std::move(both)) {
    if (!text.empty()) value = text;
  }
  Cell(const char* both) : Cell(std::string(both)) {}
  Cell(std::integral auto number) : value(number), text(std::to_string(number)) {}
  Cell(nlohmann::json value_, std::string text_)
      : value(std::move(value_)), text(std::move(text_)) {}
  /// Of a column that people do not see.
  static Cell data(nlohmann::json value) { return {std::move(value), {}}; }
};

/// Rows of cells under a header.
class Table {
 public:
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}
  /// \param header one word per column, as a std::vector<std::string>.
  template <std::same_as<std::vector<std::string>> Texts>
  explicit Table(const Texts& header) : columns_(header.begin(), header.end()) {}

  void add_row(std::vector<Cell> cells) { rows_.push_back(std::move(cells)); }
  /// \param texts as a std::vector<std::string>.
  template <std::same_as<std::vector<std::string>> Texts>
  void add_row(const Texts& texts) {
    rows_.emplace_back(texts.begin(), texts.end());
  }
  void add_rule() { rows_.push_back({}); }  ///< a horizontal line, in text only
  bool empty() const { return rows_.empty(); }

  /// For people: columns aligned, numbers to the right, text to the left, a newline after every line.
  std::string text() const;
  /// A line of names and a line per row, lists and objects as JSON, nothing where there is no value.
  /// Quoted as RFC 4180 says; lines end with a newline alone.
  std::string csv() const;
  /// A list of objects with the names of the columns, one per line.
  std::string json() const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<Cell>> rows_;  // a rule has no cells
};

/// In which form a command prints its tables.
enum class TableFormat { text, csv, json };

/// The options --json and --csv.
class TableOptions {
 public:
  /// Adds them to a command, which this object must outlive.
  void add_to(Command& command);

  /// \throws std::invalid_argument for both options.
  TableFormat format(TableFormat without_option = TableFormat::text) const;

 private:
  bool csv_ = false, json_ = false;
};

/// \param text what people see, if it is not the table alone.
std::string formatted(const Table& table, TableFormat format, const std::string& text = {});

/// A stretch of time as people say it: "12 s", "3:05 min", "1:30 h".
std::string duration_text(double seconds);

/// A measured time in the unit that suits it: "12.3 us", "4.56 ms", "7.89 s".
std::string measured_text(double seconds);

}  // namespace frictionbench::app
