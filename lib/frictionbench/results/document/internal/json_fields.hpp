/// \file
/// Described structs as JSON objects (base/describe.hpp), and single values: what is not measured,
/// NaN or infinite is null. The descriptions of a document (description.hpp) use three more
/// functions of a visitor: object(), derived() and members_of().
#pragma once

#include <array>
#include <cmath>
#include <concepts>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "frictionbench/results/document/document.hpp"

namespace frictionbench::results {

using nlohmann::json;

/// A value that is not what it should be. Callers that know more of the way to it put that before
/// `place`, so that it ends as "records[17].time.solve".
struct WrongValue : std::runtime_error {
  explicit WrongValue(const std::string& reason) : std::runtime_error(reason) {}
  std::string place;
};

/// "PLACE: what is wrong" in one line.
std::string described(const WrongValue& error);

/// "expected WHAT, is VALUE"; a long value is named by its type.
WrongValue unexpected(const char* what, const json& value);

/// A text that is never empty.
constexpr Field named(const char* what) { return {.help = what, .range = at_least(1)}; }
/// A text that is null where it is not known or there is nothing to say.
constexpr Field text_or_null(const char* what) { return {.help = what, .nullable = true}; }
constexpr Field sha256_field{.help = "SHA-256 of the file", .pattern = "^[0-9a-f]{64}$"};

class JsonWriter;

template <typename T>
concept Described = std::is_class_v<T> && requires(JsonWriter& visit, const T& value) {
  describe(visit, value);
};

/// A std::vector or std::array.
template <typename T>
concept List = requires(const T& list) {
  list.data()[0];
  list.begin();
}
&&!std::same_as<T, std::string>;

json to_value(double value);
json to_value(const std::string& text);
json to_value(const SettingValue& value);
template <std::integral T>
json to_value(T value) {
  return value;
}
template <Named Enum>
json to_value(Enum value) {
  return name(value);
}
template <Textual T>
json to_value(const T& value) {
  return text(value);
}
template <Described T>
json to_value(const T& value);
template <List T>
json to_value(const T& list);
template <typename T>
json to_value(const std::map<std::string, T>& values);
template <typename T>
json to_value(const std::optional<T>& value) {
  return value ? to_value(*value) : json(nullptr);
}
template <List T>
json to_value(const T& list) {
  json values = json::array();
  for (const auto& element : list) values.push_back(to_value(element));
  return values;
}
template <typename T>
json to_value(const std::map<std::string, T>& values) {
  json object = json::object();
  for (const auto& [name, value] : values) object[name] = to_value(value);
  return object;
}

/// Reads a value into `into`. \throws WrongValue
void from_value(const json& value, bool& into);
void from_value(const json& value, double& into);  ///< NaN from null
void from_value(const json& value, std::string& into);
void from_value(const json& value, SettingValue& into);
template <std::signed_integral T>
void from_value(const json& value, T& into) {
  const auto* number = value.get_ptr<const json::number_integer_t*>();
  if (!number || *number < std::numeric_limits<T>::min() || *number > std::numeric_limits<T>::max())
    throw unexpected("a whole number", value);
  into = static_cast<T>(*number);
}
template <Named Enum>
void from_value(const json& value, Enum& into) {
  std::string text;
  from_value(value, text);
  try {
    into = from_name<Enum>(text);
  } catch (const std::invalid_argument& error) {
    throw WrongValue(error.what());
  }
}
template <Textual T>
void from_value(const json& value, T& into) {
  std::string given;
  from_value(value, given);
  try {
    from_text(given, into);
  } catch (const std::invalid_argument& error) {
    throw WrongValue(error.what());
  }
}
template <Described T>
void from_value(const json& value, T& into);
template <typename T>
void from_value(const json& value, std::vector<T>& into);
template <typename T, std::size_t N>
void from_value(const json& value, std::array<T, N>& into);
template <typename T>
void from_value(const json& value, std::map<std::string, T>& into);

/// Reads with `read`; what is wrong is said to be at `place`.
template <typename Read>
void read_at(const std::string& place, Read&& read) try {
  read();
} catch (WrongValue& error) {
  error.place = place + error.place;
  throw;
}

template <typename T>
void element_from_value(const json& value, std::size_t index, T& into) {
  read_at("[" + std::to_string(index) + "]", [&] { from_value(value, into); });
}
template <typename T>
void from_value(const json& value, std::optional<T>& into) {
  into.reset();
  if (!value.is_null()) from_value(value, into.emplace());
}
template <typename T>
void from_value(const json& value, std::vector<T>& into) {
  if (!value.is_array()) throw unexpected("a list", value);
  into.assign(value.size(), T{});
  for (std::size_t k = 0; k < value.size(); ++k) element_from_value(value[k], k, into[k]);
}
template <typename T, std::size_t N>
void from_value(const json& value, std::array<T, N>& into) {
  if (!value.is_array() || value.size() != N)
    throw unexpected(("a list of " + std::to_string(N)).c_str(), value);
  for (std::size_t k = 0; k < N; ++k) element_from_value(value[k], k, into[k]);
}
template <typename T>
void from_value(const json& value, std::map<std::string, T>& into) {
  if (!value.is_object()) throw unexpected("an object", value);
  into.clear();
  for (const auto& item : value.items())  // no structured binding: Clang 14 cannot capture one
    read_at("." + item.key(), [&] { from_value(item.value(), into[item.key()]); });
}

/// What a nullable field holds where JSON has null: nothing, or for an index -1.
template <typename T>
T null_value() {
  if constexpr (std::signed_integral<T>) return -1;
  if constexpr (std::floating_point<T>) return std::numeric_limits<T>::quiet_NaN();
  return T{};
}
template <typename T>
bool is_null(const T& value) {
  if constexpr (requires { value.empty(); }) return value.empty();
  if constexpr (std::signed_integral<T>) return value < 0;
  return false;
}

/// Makes a JSON object of the fields that it is told of.
class JsonWriter {
 public:
  /// \param least leaves out fields that fewer documents must agree in.
  explicit JsonWriter(Agreement least = Agreement::none) : least_(least) {}

  template <typename T>
  void operator()(const char* name, const T& value, const Field& field) {
    if (field.agreement < least_) return;
    object_[name] = all_null_ || (field.nullable && is_null(value)) ? json() : to_value(value);
  }
  /// Follows from other fields: written, and compared when it is read.
  template <typename T>
  void derived(const char* name, const T& value, const Field& field) {
    (*this)(name, value, field);
  }
  /// An object inside that is not a struct of its own: `list` is given the visitor of its members.
  template <typename List>
  void object(const char* name, const Field& field, List&& list) {
    if (field.agreement < least_) return;
    JsonWriter inside;
    list(inside);
    object_[name] = std::move(inside.object_);
  }
  /// Fields of `part` that are members of this object, null without it: `list` is given the visitor
  /// and the part.
  template <typename T, typename List>
  void members_of(const std::optional<T>& part, List&& list) {
    static const T none{};
    all_null_ = !part;
    list(*this, part ? *part : none);
    all_null_ = false;
  }

  json take() { return std::move(object_); }

 private:
  Agreement least_;
  bool all_null_ = false;
  json object_ = json::object();
};

/// Whether a derived member has the value that the others give, up to the rounding of another build.
template <typename T>
bool follows(const T& said, const T& value) {
  return said == value;
}
inline bool follows(double said, double value) {
  constexpr double rounding = 1e-12;
  if (!std::isfinite(said) || !std::isfinite(value))
    return !std::isfinite(said) && !std::isfinite(value);
  return std::abs(said - value) <= rounding * std::abs(value);
}
template <typename T>
bool follows(const std::optional<T>& said, const std::optional<T>& value) {
  return said && value ? follows(*said, *value) : said.has_value() == value.has_value();
}

/// Fills in the fields that it is told of from a JSON object; unknown members are ignored.
/// \throws WrongValue, naming the member.
class JsonReader {
 public:
  explicit JsonReader(const json& object) : object_(object) {
    if (!object.is_object()) throw unexpected("an object", object);
  }

  template <typename T>
  void operator()(const char* name, T& into, const Field& field) {
    if (field.added_later && !object_.contains(name)) return;
    const json& value = member(name);
    if (field.nullable && value.is_null())
      into = null_value<T>();
    else
      read_at("." + std::string(name), [&] { from_value(value, into); });
  }
  template <typename T>
  void derived(const char* name, const T& value, const Field& field) {
    if (!object_.contains(name)) return;
    T said{};
    (*this)(name, said, field);
    if (!follows(said, value))
      read_at("." + std::string(name), [&] {
        throw WrongValue("is " + member(name).dump() + ", and from the members beside it follows " +
                         to_value(value).dump());
      });
  }
  template <typename List>
  void object(const char* name, const Field&, List&& list) {
    const json& value = member(name);
    read_at("." + std::string(name), [&] {
      JsonReader inside(value);
      list(inside);
    });
  }
  template <typename T, typename List>
  void members_of(std::optional<T>& part, List&& list) {
    if (part) list(*this, *part);
  }

 private:
  const json& member(const char* name) const {
    const auto found = object_.find(name);
    if (found == object_.end()) throw WrongValue(std::string("has no member '") + name + "'");
    return *found;
  }

  const json& object_;
};

template <Described T>
json to_value(const T& value) {
  JsonWriter visit;
  describe(visit, value);
  return visit.take();
}

template <Described T>
void from_value(const json& value, T& into) {
  JsonReader visit(value);
  describe(visit, into);
}

/// The fields of a struct in which documents must agree.
template <Described T>
json agreed_fields(const T& value, Agreement least) {
  JsonWriter visit(least);
  describe(visit, value);
  return visit.take();
}

}  // namespace frictionbench::results
