#include "table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <stdexcept>

namespace frictionbench::app {

namespace {

// Width in characters: UTF-8 continuation bytes take no room.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

bool is_number(const std::string& text) {
  return !text.empty() && (std::isdigit(static_cast<unsigned char>(text[0])) || text[0] == '-');
}

void append_cell(std::string& line, const std::string& cell, std::size_t width, bool to_right) {
  const std::string padding(width - width_of(cell), ' ');
  line += to_right ? padding + cell : cell + padding;
}

// Texts from files may be of another encoding.
template <typename Json>
std::string json_text(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string csv_field(const nlohmann::json& value) {
  if (value.is_null() || (value.is_number_float() && !std::isfinite(value.get<double>())))
    return {};
  std::string text = value.is_string() ? value.get<std::string>() : json_text(value);
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted;
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return '"' + quoted + '"';
}

}  // namespace

std::string Table::text() const {
  std::vector<std::size_t> shown;  // columns
  for (std::size_t c = 0; c < columns_.size(); ++c)
    if (!columns_[c].heading.empty()) shown.push_back(c);
  std::vector<std::size_t> widths(columns_.size());
  std::vector<bool> numeric(columns_.size(), true);
  for (const std::size_t c : shown) {
    widths[c] = width_of(columns_[c].heading);
    for (const auto& row : rows_) {
      if (row.empty()) continue;
      widths[c] = std::max(widths[c], width_of(row[c].text));
      if (!row[c].text.empty() && !is_number(row[c].text)) numeric[c] = false;
    }
  }

  std::string text;
  const auto append_line = [&](const auto& text_of) {
    std::string line;
    for (const std::size_t c : shown) {
      if (c != shown.front()) line += "  ";
      append_cell(line, text_of(c), widths[c], numeric[c]);
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
  };
  const auto append_rule = [&] {
    std::size_t total = 2 * (shown.size() - 1);
    for (const std::size_t c : shown) total += widths[c];
    text += std::string(total, '-') + '\n';
  };

  append_line([&](std::size_t c) { return columns_[c].heading; });
  append_rule();
  for (const auto& row : rows_) {
    if (row.empty())
      append_rule();
    else
      append_line([&](std::size_t c) { return row[c].text; });
  }
  return text;
}

std::string Table::csv() const {
  std::string text;
  const auto append_line = [&](const auto& value_of) {
    bool first = true;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      if (columns_[c].name.empty()) continue;
      if (!first) text += ',';
      text += csv_field(value_of(c));
      first = false;
    }
    text += '\n';
  };
  append_line([&](std::size_t c) { return nlohmann::json(columns_[c].name); });
  for (const auto& row : rows_)
    if (!row.empty()) append_line([&](std::size_t c) { return row[c].value; });
  return text;
}

std::string Table::json() const {
  std::string text;
  for (const auto& row : rows_) {
    if (row.empty()) continue;
    nlohmann::ordered_json object = nlohmann::ordered_json::object();
    for (std::size_t c = 0; c < columns_.size(); ++c)
      if (!columns_[c].name.empty()) object[columns_[c].name] = row[c].value;
    text += (text.empty() ? "[\n" : ",\n") + json_text(object);
  }
  return text.empty() ? "[]\n" : text + "\n]\n";
}

void TableOptions::add_to(Command& command) {
  command.option("--json", json_, "as JSON: a list of objects, numbers with all their digits");
  command.option("--csv", csv_, "as CSV: a line of names, then a line per object of --json");
}

TableFormat TableOptions::format(TableFormat without_option) const {
  if (csv_ && json_)
    throw std::invalid_argument("--csv and --json exclude each other: give only one");
  return csv_ ? TableFormat::csv : json_ ? TableFormat::json : without_option;
}

std::string formatted(const Table& table, TableFormat format, const std::string& text) {
  if (format == TableFormat::csv) return table.csv();
  if (format == TableFormat::json) return table.json();
  return text.empty() ? table.text() : text;
}

std::string duration_text(double seconds) {
  const long total = std::lround(seconds);
  if (total < 60) return fmt::format("{} s", total);
  if (total < 3600) return fmt::format("{}:{:02} min", total / 60, total % 60);
  return fmt::format("{}:{:02} h", total / 3600, total / 60 % 60);
}

std::string measured_text(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.1f} us", seconds * 1e6);
  if (seconds < 1) return fmt::format("{:.2f} ms", seconds * 1e3);
  return fmt::format("{:.2f} s", seconds);
}

}  // namespace frictionbench::app
