/// \file
/// A struct describes its fields once, in a function next to it:
///
///     struct Limits {
///       double time_limit = 60;
///       std::optional<std::int64_t> memory;
///     };
///     void describe(auto& visit, Is<Limits> auto& limits) {
///       visit("time_limit", limits.time_limit,
///             {.help = "wall-clock limit of a solve", .unit = "s", .range = positive()});
///       visit("memory", limits.memory, {.help = "address space of a solve", .unit = "bytes"});
///     }
///
/// A visitor is whatever is called with every field: one adds options to a command line, others
/// write and read JSON, make the JSON Schema, or compare two structs. Types of fields tell the
/// rest: a std::optional may be absent, a Named enum has choices, a described struct is an object.
///
/// A visitor of results documents (results/document/internal/json_fields.hpp) has more functions:
/// objects that are not structs, values that follow from others, and members of a part.
#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <type_traits>

#include "frictionbench/base/enum_names.hpp"
#include "frictionbench/base/range.hpp"

namespace frictionbench {

/// T, or const T: a description serves readers and writers.
template <typename T, typename Struct>
concept Is = std::same_as<std::remove_const_t<T>, Struct>;

/// Which documents must agree in a field. Each value includes the ones before it.
enum class Agreement {
  none,     ///< may differ between parts of one run: number of jobs, time of the start
  run,      ///< shards of one run, and a run that is resumed
  results,  ///< results that are compared
};

/// What there is to say about a field besides its name, type and value. Help is a phrase without a
/// full stop at its end. Fields are named as in JSON; a command line has `--max-iterations` for
/// `max_iterations`.
struct Field {
  const char* help = "";          ///< meaning; ends up in --help and in the JSON Schema
  const char* unit = "";          ///< "s", "bytes"; empty for counts and pure numbers
  Range range = any_number();     ///< of a number; of the length of a text or list
  const char* pattern = nullptr;  ///< regular expression of a text
  const char* choices = nullptr;  ///< "zero|guess": of an enum, if not all of its names are legal
  Agreement agreement = Agreement::none;  ///< where a difference is an error
  const char* label = nullptr;  ///< "the tolerance": in messages; the name if there is none
  bool nullable = false;        ///< an empty text or list, a negative index, NaN: null in JSON
  bool added_later = false;     ///< earlier documents of the same version do not have it
};

/// A field that counts something.
constexpr Field counted(const char* what) { return {.help = what, .range = at_least(0)}; }

/// A measured size: >= 0, in JSON null where it is not finite.
constexpr Field measured(const char* what, const char* unit = "") {
  return {.help = what, .unit = unit, .range = at_least(0), .nullable = true};
}

/// A type that files and command lines have as one text, such as a shard, "3/8". Beside it stand
/// text(value); from_text(text, value), which throws std::invalid_argument; and text_pattern(value),
/// a regular expression of its texts.
template <typename T>
concept Textual = requires(const T& value, T& into, std::string_view given) {
  { text(value) } -> std::convertible_to<std::string>;
  from_text(given, into);
  { text_pattern(value) } -> std::convertible_to<const char*>;
};

/// The part of `value` that is its base class `Base`, const if `value` is.
template <typename Base, std::derived_from<Base> T>
constexpr auto& part(T& value) {
  return static_cast<std::conditional_t<std::is_const_v<T>, const Base, Base>&>(value);
}

}  // namespace frictionbench
