/// \file
/// Described structs (base/describe.hpp) of simulations as JSON objects.
#pragma once

#include <cmath>
#include <concepts>
#include <nlohmann/json.hpp>
#include <optional>

#include "frictionbench/base/describe.hpp"

namespace frictionbench::simulation {

/// A value as JSON: an enum by its name, null for numbers that are not finite.
template <typename T>
nlohmann::json value_of(const T& value) {
  if constexpr (Named<T>)
    return name(value);
  else if constexpr (std::floating_point<T>)
    return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json();
  else
    return value;
}
/// The same of a value that may be absent: null, then.
template <typename T>
nlohmann::json value_of(const std::optional<T>& value) {
  return value ? value_of(*value) : nlohmann::json();
}

/// The described fields of a struct, in their order.
template <typename Struct>
nlohmann::ordered_json members(const Struct& value) {
  nlohmann::ordered_json object;
  const auto add = [&](const char* name, const auto& field, const Field&) {
    object[name] = value_of(field);
  };
  describe(add, value);
  return object;
}

}  // namespace frictionbench::simulation
