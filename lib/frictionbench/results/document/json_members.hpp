/// \file
/// Structs as JSON objects: what a struct consists of is listed once, in a function
///
///     void members(auto& archive, Is<Point> auto& point) {
///       archive("x", point.x);            // as a member of the same name
///       archive.optional("y", point.y);   // came later: older documents do not have it
///     }
///
/// which a MemberWriter and a MemberReader both follow. Internal.
#pragma once

#include <concepts>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "frictionbench/results/document/json_values.hpp"

namespace frictionbench::results {

/// A text or list that is written as null when it is empty.
template <typename T>
struct NullIfEmpty {
  T& value;
};
template <typename T>
NullIfEmpty<T> null_if_empty(T& value) {
  return {value};
}

/// An index that is written as null when there is none (-1).
template <typename T>
struct NullIfNegative {
  T& value;
};
template <typename T>
NullIfNegative<T> null_if_negative(T& value) {
  return {value};
}

class MemberWriter;
class MemberReader;

template <typename T>
concept Listed = std::is_class_v<T> && requires(MemberWriter& archive, const T& value) {
  members(archive, value);
};

template <Listed T>
json to_value(const T& value);
template <typename T>
json to_value(const std::optional<T>& value);
template <typename T>
json to_value(const std::vector<T>& list);
template <typename T>
json to_value(const std::map<std::string, T>& values);
template <typename T>
json to_value(const NullIfEmpty<T>& wrapped);
template <typename T>
json to_value(const NullIfNegative<T>& wrapped);

template <Listed T>
void from_value(const json& value, T& into);
template <typename T>
void from_value(const json& value, std::optional<T>& into);
template <typename T>
void from_value(const json& value, std::vector<T>& into);
template <typename T>
void from_value(const json& value, std::map<std::string, T>& into);
template <typename T>
void from_value(const json& value, NullIfEmpty<T>& into);
template <typename T>
void from_value(const json& value, NullIfNegative<T>& into);

/// Makes a JSON object of what it is told.
class MemberWriter {
 public:
  template <typename T>
  void operator()(const char* name, const T& value) {
    object_[name] = to_value(value);
  }
  template <typename T>
  void optional(const char* name, const T& value) {
    (*this)(name, value);
  }
  /// Follows from other members: written, never read.
  template <typename T>
  void derived(const char* name, const T& value) {
    (*this)(name, value);
  }
  void null(const char* name) { object_[name] = nullptr; }

  /// An object inside that is no struct of its own: `list` is given the archive of its members.
  template <typename List>
  void object(const char* name, List&& list) {
    MemberWriter inside;
    list(inside);
    object_[name] = std::move(inside.object_);
  }

  json take() { return std::move(object_); }

 private:
  json object_ = json::object();
};

/// Fills in what it is told from a JSON object; members that nobody asks for are let be.
/// \throws WrongValue, naming the member.
class MemberReader {
 public:
  explicit MemberReader(const json& object) : object_(object) {
    if (!object.is_object()) throw unexpected("an object", object);
  }

  template <typename T>
  void operator()(const char* name, T&& into) {
    const json& value = member(name);
    at(name, [&] { from_value(value, into); });
  }
  template <typename T>
  void optional(const char* name, T&& into) {
    if (object_.contains(name)) (*this)(name, into);
  }
  template <typename T>
  void derived(const char*, const T&) {}
  void null(const char*) {}

  template <typename List>
  void object(const char* name, List&& list) {
    const json& value = member(name);
    at(name, [&] {
      MemberReader inside(value);
      list(inside);
    });
  }

 private:
  const json& member(const char* name) const {
    const auto found = object_.find(name);
    if (found == object_.end()) throw WrongValue(std::string("has no member '") + name + "'");
    return *found;
  }

  template <typename Read>
  static void at(const char* name, Read&& read) try {
    read();
  } catch (WrongValue& error) {
    error.place = "." + (name + error.place);
    throw;
  }

  const json& object_;
};

/// Reads element `index` of a list. \throws WrongValue, naming the element.
template <typename T>
void element_from_value(const json& value, std::size_t index, T& into) try {
  from_value(value, into);
} catch (WrongValue& error) {
  error.place = "[" + std::to_string(index) + "]" + error.place;
  throw;
}

template <Listed T>
json to_value(const T& value) {
  MemberWriter writer;
  members(writer, value);
  return writer.take();
}

template <typename T>
json to_value(const std::optional<T>& value) {
  return value ? to_value(*value) : json(nullptr);
}

template <typename T>
json to_value(const std::vector<T>& list) {
  json values = json::array();
  for (const T& element : list) values.push_back(to_value(element));
  return values;
}

template <typename T>
json to_value(const std::map<std::string, T>& values) {
  json object = json::object();
  for (const auto& [name, value] : values) object[name] = to_value(value);
  return object;
}

template <typename T>
json to_value(const NullIfEmpty<T>& wrapped) {
  return wrapped.value.empty() ? json(nullptr) : to_value(wrapped.value);
}

template <typename T>
json to_value(const NullIfNegative<T>& wrapped) {
  return wrapped.value < 0 ? json(nullptr) : to_value(wrapped.value);
}

template <Listed T>
void from_value(const json& value, T& into) {
  MemberReader reader(value);
  members(reader, into);
}

template <typename T>
void from_value(const json& value, std::optional<T>& into) {
  into.reset();
  if (!value.is_null()) from_value(value, into.emplace());
}

template <typename T>
void from_value(const json& value, std::vector<T>& into) {
  if (!value.is_array()) throw unexpected("a list", value);
  into.clear();
  into.reserve(value.size());
  for (std::size_t k = 0; k < value.size(); ++k)
    element_from_value(value[k], k, into.emplace_back());
}

template <typename T>
void from_value(const json& value, std::map<std::string, T>& into) {
  if (!value.is_object()) throw unexpected("an object", value);
  into.clear();
  for (const auto& [name, element] : value.items()) {
    T& element_into = into[name];
    try {
      from_value(element, element_into);
    } catch (WrongValue& error) {
      error.place = "." + (name + error.place);
      throw;
    }
  }
}

template <typename T>
void from_value(const json& value, NullIfEmpty<T>& into) {
  into.value.clear();
  if (!value.is_null()) from_value(value, into.value);
}

template <typename T>
void from_value(const json& value, NullIfNegative<T>& into) {
  into.value = -1;
  if (!value.is_null()) from_value(value, into.value);
}

}  // namespace frictionbench::results
