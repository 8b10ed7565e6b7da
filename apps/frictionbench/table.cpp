#include "table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

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

}  // namespace

std::string Table::text() const {
  const std::size_t columns = header_.size();
  std::vector<std::size_t> widths(columns);
  std::vector<bool> numeric(columns, true);
  for (std::size_t c = 0; c < columns; ++c) {
    widths[c] = width_of(header_[c]);
    for (const auto& row : rows_) {
      if (row.empty()) continue;
      widths[c] = std::max(widths[c], width_of(row[c]));
      if (!row[c].empty() && !is_number(row[c])) numeric[c] = false;
    }
  }

  std::string text;
  const auto append_line = [&](const std::vector<std::string>& cells) {
    std::string line;
    for (std::size_t c = 0; c < columns; ++c) {
      if (c > 0) line += "  ";
      append_cell(line, cells[c], widths[c], numeric[c]);
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
  };
  const auto append_rule = [&] {
    std::size_t total = 2 * (columns - 1);
    for (const std::size_t width : widths) total += width;
    text += std::string(total, '-') + '\n';
  };

  append_line(header_);
  append_rule();
  for (const auto& row : rows_) {
    if (row.empty())
      append_rule();
    else
      append_line(row);
  }
  return text;
}

std::string duration_text(double seconds) {
  const auto total = static_cast<long>(seconds + 0.5);
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
