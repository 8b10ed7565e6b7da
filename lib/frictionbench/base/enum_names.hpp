/// \file
/// Names of the values of an enum, listed once next to it:
///
///     enum class Start { zero, guess };
///     constexpr auto describe(Start) {
///       return enum_names<Start>("start", {{Start::zero, "zero", "no impulse at any contact"},
///                                          {Start::guess, "guess", "the file's first guess"}});
///     }
///
/// From that list come name(), from_name(), the choices of command line options, and the JSON
/// Schema.
#pragma once

#include <array>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "frictionbench/base/suggestions.hpp"

namespace frictionbench {

/// One value of an enum, as text.
template <typename Enum>
struct EnumName {
  Enum value;                     ///< the enum's own
  std::string_view name;          ///< in files, on command lines and in messages
  std::string_view meaning = {};  ///< a phrase; empty if the name says it all
};

/// What describe() of an enum returns.
template <typename Enum, std::size_t N>
struct EnumNames {
  std::string_view kind;                 ///< what a value is called in messages: "status"
  std::array<EnumName<Enum>, N> values;  ///< in the order of help and schema
};

/// For describe(): deduces the number of values. \param kind as EnumNames::kind.
template <typename Enum, std::size_t N>
constexpr EnumNames<Enum, N> enum_names(std::string_view kind, const EnumName<Enum> (&values)[N]) {
  return {kind, std::to_array(values)};
}

/// An enum whose names are listed.
template <typename Enum>
concept Named = std::is_enum_v<Enum> && requires(Enum value) {
  describe(value).values;
};

/// \throws std::logic_error for a value that has no name.
template <Named Enum>
constexpr std::string_view name(Enum value) {
  for (const auto& known : describe(Enum{}).values)
    if (known.value == value) return known.name;
  throw std::logic_error("a value of an enum has no name");
}

/// Every name, in the order of the list.
template <Named Enum>
std::vector<std::string> names_of() {
  std::vector<std::string> names;
  for (const auto& known : describe(Enum{}).values) names.emplace_back(known.name);
  return names;
}

/// \throws std::invalid_argument for an unknown name, with the nearest known ones.
template <Named Enum>
Enum from_name(std::string_view text) {
  for (const auto& known : describe(Enum{}).values)
    if (known.name == text) return known.value;
  throw std::invalid_argument(unknown_name(describe(Enum{}).kind, text, names_of<Enum>()));
}

}  // namespace frictionbench
