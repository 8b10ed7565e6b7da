/// \file
/// A text file, word by word.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "frictionbench/math/types.hpp"

namespace frictionbench::formats {

/// Words of a text, separated by blanks and line ends. Errors name the line. Numbers do not depend on
/// the locale.
class Words {
 public:
  /// \param path for error lines. \param text must outlive it.
  Words(std::string path, std::string_view text) : path_(std::move(path)), left_(text) {}

  bool at_end();                               ///< whether no word is left
  std::string_view peek(int ahead = 0) const;  ///< a word that comes, not taken; empty at the end
  /// The next word. \param meaning of it, for the error line if there is none, here and below.
  std::string_view word(std::string_view meaning);
  void expect(std::string_view wanted);   ///< takes the next word, which must be this one
  int integer(std::string_view meaning);  ///< any int
  int count(std::string_view meaning);    ///< >= 0, and not more than bytes that are left
  double real(std::string_view meaning);  ///< `nan` and `inf` are real numbers, too
  Vector reals(int size, std::string_view meaning);  ///< so many
  std::vector<int> integers(int size, std::string_view meaning);
  /// What is left of the line of the last word, without blanks at its ends; then the next line begins.
  std::string_view rest_of_line();

  std::size_t bytes_left() const { return left_.size(); }

  /// Throws FileError for the line of the word that was taken last.
  [[noreturn]] void fail(const std::string& reason) const;

 private:
  void skip_blanks();

  std::string path_;
  std::string_view left_;
  long line_ = 1;       // of what is left
  long word_line_ = 1;  // of the last word
};

/// Whether a word is a whole number and nothing else.
bool is_integer(std::string_view word);

}  // namespace frictionbench::formats
