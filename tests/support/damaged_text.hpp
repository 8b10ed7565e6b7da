/// \file
/// Text with damage, for readers that must say so or read on.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "frictionbench/base/file_error.hpp"

namespace frictionbench::test {

/// Cuts `text` everywhere and changes each of its bytes to a few others. The reader may take what
/// is left for a problem, and otherwise throws a FileError that names the file, never anything else.
/// \param read what gets the text, of a file "damaged.txt".
template <typename Read>
void expect_errors_or_problems(const std::string& text, const Read& read) {
  int errors = 0;
  const auto try_to_read = [&](const std::string& damaged) {
    try {
      read(damaged);
    } catch (const FileError& error) {
      ++errors;
      EXPECT_TRUE(std::string(error.what()).starts_with("damaged.txt: ")) << error.what();
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
    }
  };
  for (std::size_t size = 0; size < text.size(); ++size) try_to_read(text.substr(0, size));
  EXPECT_GT(errors, static_cast<int>(text.size()) / 2);
  for (std::size_t at = 0; at < text.size(); ++at)
    for (const char byte : {'9', '-', ' ', 'x', '\n', '.', '\0', '\xff'}) {
      std::string damaged = text;
      damaged[at] = byte;
      try_to_read(damaged);
    }
}

/// Cuts `text` after each of its words but the last ones: every such text must be refused.
/// \param read as above.
template <typename Read>
void expect_error_for_every_missing_word(std::string text, const Read& read) {
  const std::string blanks = " \t\n";
  const std::size_t whole = text.find_last_not_of(blanks);
  for (std::size_t end = whole; end != std::string::npos;) {
    const std::size_t start = text.find_last_of(blanks, end);
    end = start == std::string::npos ? start : text.find_last_not_of(blanks, start);
    text.resize(end == std::string::npos ? 0 : end + 1);
    EXPECT_THROW(read(text), FileError) << text;
  }
}

}  // namespace frictionbench::test
