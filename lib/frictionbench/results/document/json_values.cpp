#include "frictionbench/results/document/json_values.hpp"

#include <fmt/format.h>

#include <cmath>

namespace frictionbench::results {

namespace {

std::string_view name(ProblemForm form) { return form == ProblemForm::local ? "local" : "global"; }

const std::string& text_of(const json& value) {
  if (!value.is_string()) throw unexpected("a text", value);
  return value.get_ref<const std::string&>();
}

// One of a few values that have names.
template <typename Enum>
Enum named(const json& value, std::initializer_list<Enum> values, const char* what) {
  for (const Enum candidate : values)
    if (name(candidate) == text_of(value)) return candidate;
  throw unexpected(what, value);
}

// What the library's own readers of names say is wrong.
template <typename Reader>
auto read_text(const json& value, Reader&& reader) try {
  return reader(text_of(value));
} catch (const std::invalid_argument& error) {
  throw WrongValue(error.what());
}

}  // namespace

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
json to_value(const json& value) { return value; }
json to_value(Criterion criterion) { return frictionbench::name(criterion); }
json to_value(ContactModel model) { return frictionbench::name(model); }
json to_value(ProblemForm form) { return name(form); }
json to_value(Status status) { return frictionbench::name(status); }
json to_value(Start start) { return name(start); }
json to_value(const Shard& shard) { return text(shard); }

void from_value(const json& value, bool& into) {
  if (!value.is_boolean()) throw unexpected("true or false", value);
  into = value.get<bool>();
}

void from_value(const json& value, double& into) {
  if (!value.is_number() && !value.is_null()) throw unexpected("a number", value);
  into = value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>();
}

void from_value(const json& value, std::string& into) { into = text_of(value); }

void from_value(const json& value, json& into) { into = value; }

void from_value(const json& value, Criterion& into) {
  into = read_text(value, from_name<Criterion>);
}

void from_value(const json& value, ContactModel& into) {
  into = named(value, {ContactModel::ncp, ContactModel::ccp, ContactModel::lcp}, "ncp, ccp or lcp");
}

void from_value(const json& value, ProblemForm& into) {
  into = named(value, {ProblemForm::local, ProblemForm::global}, "local or global");
}

void from_value(const json& value, Status& into) { into = read_text(value, status_from_name); }

void from_value(const json& value, Start& into) { into = read_text(value, from_name<Start>); }

void from_value(const json& value, Shard& into) { into = read_text(value, shard_from_text); }

}  // namespace frictionbench::results
