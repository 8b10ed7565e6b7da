#include "frictionbench/formats/internal/words.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "frictionbench/base/file_error.hpp"
#include "frictionbench/base/text.hpp"

namespace frictionbench::formats {
namespace {

constexpr std::string_view blanks = " \t\r\n\v\f";

// As number_in(), with a '+' before the number, too.
template <typename Number>
std::optional<Number> signed_number_in(std::string_view word) {
  if (word.starts_with('+')) word.remove_prefix(1);
  return number_in<Number>(word);
}

// A word that may be a whole damaged file.
std::string quoted(std::string_view word) {
  constexpr std::size_t longest = 40;
  return "'" + one_line(word.substr(0, longest)) + (word.size() > longest ? "...'" : "'");
}

}  // namespace

bool is_integer(std::string_view word) { return signed_number_in<int>(word).has_value(); }

void Words::skip_blanks() {
  const std::size_t skipped = std::min(left_.find_first_not_of(blanks), left_.size());
  line_ += std::ranges::count(left_.substr(0, skipped), '\n');
  left_.remove_prefix(skipped);
}

bool Words::at_end() {
  skip_blanks();
  return left_.empty();
}

std::string_view Words::peek(int ahead) const {
  Words copy = *this;
  for (; ahead > 0; --ahead)
    if (!copy.at_end()) copy.word("");
  return copy.at_end() ? std::string_view() : copy.word("");
}

std::string_view Words::word(std::string_view meaning) {
  if (at_end())
    throw FileError(one_line(path_), fmt::format("line {}", line_),
                    fmt::format("the file ends, expected {}: it is truncated", meaning));
  word_line_ = line_;
  const std::string_view word = left_.substr(0, left_.find_first_of(blanks));
  left_.remove_prefix(word.size());
  return word;
}

void Words::expect(std::string_view wanted) {
  if (const std::string_view found = word(wanted); found != wanted)
    fail(fmt::format("is {}, expected {}", quoted(found), wanted));
}

int Words::integer(std::string_view meaning) {
  const std::string_view found = word(meaning);
  const auto value = signed_number_in<int>(found);
  if (!value) fail(fmt::format("is {}, expected {}, a whole number", quoted(found), meaning));
  return *value;
}

int Words::count(std::string_view meaning) {
  const int value = integer(meaning);
  if (value < 0) fail(fmt::format("is {}, expected {}, at least 0", value, meaning));
  if (static_cast<std::size_t>(value) > bytes_left())
    fail(fmt::format("is {} ({}), more than the rest of the file can hold; is it truncated?", value,
                     meaning));
  return value;
}

double Words::real(std::string_view meaning) {
  const std::string_view found = word(meaning);
  const auto value = signed_number_in<double>(found);
  if (!value) fail(fmt::format("is {}, expected {}, a number", quoted(found), meaning));
  return *value;
}

Vector Words::reals(int size, std::string_view meaning) {
  Vector values(size);
  for (double& value : values) value = real(meaning);
  return values;
}

std::vector<int> Words::integers(int size, std::string_view meaning) {
  std::vector<int> values(static_cast<std::size_t>(size));
  for (int& value : values) value = integer(meaning);
  return values;
}

std::string_view Words::rest_of_line() {
  std::string_view rest = left_.substr(0, left_.find('\n'));
  left_.remove_prefix(std::min(rest.size() + 1, left_.size()));
  ++line_;
  rest.remove_prefix(std::min(rest.find_first_not_of(blanks), rest.size()));
  return rest.substr(0, rest.find_last_not_of(blanks) + 1);
}

void Words::fail(const std::string& reason) const {
  throw FileError(one_line(path_), fmt::format("line {}", word_line_), reason);
}

}  // namespace frictionbench::formats
