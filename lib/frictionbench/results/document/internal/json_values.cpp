#include <fmt/format.h>

#include <cmath>

#include "frictionbench/results/document/internal/json_fields.hpp"

namespace frictionbench::results {

std::string described(const WrongValue& error) {
  if (error.place.empty()) return error.what();
  const std::size_t start = error.place.front() == '.' ? 1 : 0;
  return fmt::format("{}: {}", error.place.substr(start), error.what());
}

WrongValue unexpected(const char* what, const json& value) {
  constexpr std::size_t longest = 60;
  const std::string text = value.is_structured()
                               ? value.type_name()
                               : value.dump(-1, ' ', false, json::error_handler_t::replace);
  return WrongValue(fmt::format("expected {}, is {}", what,
                                text.size() > longest ? value.type_name() : text.c_str()));
}

json to_value(double value) { return std::isfinite(value) ? json(value) : json(nullptr); }
json to_value(const std::string& value) { return value; }
json to_value(const SettingValue& value) {
  return std::visit(
      [](const auto& held) -> json {
        if constexpr (std::same_as<std::decay_t<decltype(held)>, double>) return to_value(held);
        return held;
      },
      value);
}

void from_value(const json& value, bool& into) {
  if (!value.is_boolean()) throw unexpected("true or false", value);
  into = value.get<bool>();
}

void from_value(const json& value, double& into) {
  if (!value.is_number() && !value.is_null()) throw unexpected("a number", value);
  into = value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>();
}

void from_value(const json& value, std::string& into) {
  if (!value.is_string()) throw unexpected("a text", value);
  into = value.get_ref<const std::string&>();
}

void from_value(const json& value, SettingValue& into) {
  if (value.is_boolean()) {
    into = value.get<bool>();
  } else if (value.is_string()) {
    into = value.get<std::string>();
  } else if (value.is_number_integer()) {
    from_value(value, into.emplace<int>());
  } else {
    from_value(value, into.emplace<double>());
  }
}

}  // namespace frictionbench::results
