/// \file
/// How single values go to JSON and back: what is not measured, NaN or infinite is null. Internal.
#pragma once

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace frictionbench::results {

using nlohmann::json;

inline json number(double value) { return std::isfinite(value) ? json(value) : json(nullptr); }

template <typename T>
json or_null(const std::optional<T>& value) {
  return value ? json(*value) : json(nullptr);
}

inline json text_or_null(const std::string& text) {
  return text.empty() ? json(nullptr) : json(text);
}

inline double number_from(const json& value) {
  return value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>();
}

template <typename T>
std::optional<T> optional_from(const json& value) {
  return value.is_null() ? std::nullopt : std::optional<T>(value.get<T>());
}

inline std::string text_from(const json& value) {
  return value.is_null() ? "" : value.get<std::string>();
}

}  // namespace frictionbench::results
