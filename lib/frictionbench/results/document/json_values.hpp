/// \file
/// How single values go to JSON and back: what is not measured, NaN or infinite is null. Internal.
#pragma once

#include <concepts>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "frictionbench/results/document/document.hpp"

namespace frictionbench::results {

using nlohmann::json;

/// A value that is not what it should be. Whoever knows more of the way to it puts that before
/// `place`, so that it ends as "records[17].time.solve".
struct WrongValue : std::runtime_error {
  explicit WrongValue(const std::string& reason) : std::runtime_error(reason) {}
  std::string place;
};

/// "PLACE: what is wrong" in one line.
std::string described(const WrongValue& error);

/// "expected WHAT, is VALUE"; a long value is named by its type.
WrongValue unexpected(const char* what, const json& value);

/// Writes a value, or null instead of it.
json to_value(double value);
json to_value(const std::string& text);
json to_value(const json& value);
json to_value(Criterion criterion);
json to_value(ContactModel model);
json to_value(ProblemForm form);
json to_value(Status status);
json to_value(Start start);
json to_value(const Shard& shard);
template <std::integral T>
json to_value(T value) {
  return value;
}

/// Reads a value into `into`. \throws WrongValue
void from_value(const json& value, bool& into);
void from_value(const json& value, double& into);  ///< NaN from null
void from_value(const json& value, std::string& into);
void from_value(const json& value, json& into);
void from_value(const json& value, Criterion& into);
void from_value(const json& value, ContactModel& into);
void from_value(const json& value, ProblemForm& into);
void from_value(const json& value, Status& into);
void from_value(const json& value, Start& into);
void from_value(const json& value, Shard& into);
template <std::signed_integral T>
void from_value(const json& value, T& into) {
  const auto* number = value.get_ptr<const json::number_integer_t*>();
  if (!number || *number < std::numeric_limits<T>::min() || *number > std::numeric_limits<T>::max())
    throw unexpected("a whole number", value);
  into = static_cast<T>(*number);
}

}  // namespace frictionbench::results
