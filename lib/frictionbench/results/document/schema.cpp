// The JSON Schema of results documents, from the descriptions that reading and writing follow.

#include <algorithm>
#include <cmath>

#include "frictionbench/results/document/internal/description.hpp"
#include "frictionbench/results/document/json.hpp"

namespace frictionbench::results {

namespace {

using Schema = nlohmann::ordered_json;

Schema number(const Field& field, const char* type) {
  Schema schema{{"type", type}};
  const Range& range = field.range;
  const auto bound = [](double value) {
    return value == std::floor(value) ? Schema(std::int64_t(value)) : Schema(value);
  };
  if (std::isfinite(range.low))
    schema[range.low_included ? "minimum" : "exclusiveMinimum"] = bound(range.low);
  if (std::isfinite(range.high))
    schema[range.high_included ? "maximum" : "exclusiveMaximum"] = bound(range.high);
  return schema;
}

template <typename T>
Schema schema_of(const T& value, const Field& field);

// Makes the schema of an object of the fields that it is told of.
class SchemaWriter {
 public:
  template <typename T>
  void operator()(const char* name, const T& value, const Field& field) {
    add(name, schema_of(value, field), field);
  }
  template <typename T>
  void derived(const char* name, const T& value, const Field& field) {
    (*this)(name, value, field);
  }
  template <typename List>
  void object(const char* name, const Field& field, List&& list) {
    SchemaWriter inside;
    list(inside);
    add(name, inside.take(), field);
  }
  template <typename T, typename List>
  void members_of(const std::optional<T>&, List&& list) {
    const T value{};
    list(*this, value);
  }

  Schema take() {
    return {{"type", "object"},
            {"required", std::move(required_)},
            {"properties", std::move(properties_)}};
  }

 private:
  void add(const char* name, Schema schema, const Field& field) {
    std::string help = field.help;
    if (*field.unit) help += help.empty() ? field.unit : std::string(", ") + field.unit;
    Schema described = Schema::object();
    if (!help.empty()) described["description"] = help;
    described.update(schema);
    if (schema.contains("description"))
      described["description"] = help + schema["description"].template get<std::string>();
    properties_[name] = std::move(described);
    if (!field.added_later) required_.push_back(name);
  }

  Schema properties_ = Schema::object();
  Schema required_ = Schema::array();
};

// "expects TYPE" becomes "expects TYPE or null".
Schema or_null(Schema schema) {
  if (schema.contains("type") && schema["type"].is_string())
    schema["type"] = {schema["type"], "null"};
  return schema;
}

// The names, and in the description what they mean.
template <Named Enum>
Schema choices(const Field& field) {
  Schema names = Schema::array();
  std::string meanings;
  const std::string legal = field.choices ? "|" + std::string(field.choices) + "|" : "";
  for (const auto& known : describe(Enum{}).values) {
    const std::string name(known.name);
    if (!legal.empty() && legal.find("|" + name + "|") == std::string::npos) continue;
    names.push_back(name);
    if (!known.meaning.empty()) meanings += "; " + name + ": " + std::string(known.meaning);
  }
  return {{"enum", names}, {"description", meanings}};
}

template <typename T>
struct is_optional : std::false_type {};
template <typename T>
struct is_optional<std::optional<T>> : std::true_type {};

template <typename T>
Schema schema_without_null(const T& value, const Field& field) {
  if constexpr (std::same_as<T, bool>) {
    return {{"type", "boolean"}};
  } else if constexpr (std::integral<T>) {
    return number(field, "integer");
  } else if constexpr (std::floating_point<T>) {
    return number(field, "number");
  } else if constexpr (Named<T>) {
    return choices<T>(field);
  } else if constexpr (Textual<T>) {
    return {{"type", "string"}, {"pattern", text_pattern(value)}};
  } else if constexpr (std::same_as<T, SettingValue>) {
    return {{"type", {"number", "boolean", "string", "null"}}};
  } else if constexpr (std::same_as<T, std::string>) {
    Schema schema{{"type", "string"}};
    if (field.range.low > 0) schema["minLength"] = std::int64_t(field.range.low);
    if (field.pattern) schema["pattern"] = field.pattern;
    return schema;
  } else if constexpr (requires { typename T::mapped_type; }) {
    const Field may_be_null{.nullable = std::floating_point<typename T::mapped_type>};
    return {{"type", "object"},
            {"additionalProperties", schema_of(typename T::mapped_type{}, may_be_null)}};
  } else if constexpr (Described<T>) {
    SchemaWriter visit;
    describe(visit, value);
    return visit.take();
  } else {  // a list
    using Element = typename T::value_type;
    Field of_element;
    if constexpr (std::floating_point<Element>) of_element.range = at_least(0);
    Schema schema{{"type", "array"}, {"items", schema_of(Element{}, of_element)}};
    const auto fixed = [&] {
      if constexpr (requires { std::tuple_size<T>::value; })
        return std::int64_t(std::tuple_size_v<T>);
      return std::int64_t(0);
    }();
    if (const auto least = std::max<double>(double(fixed), field.range.low); least > 0)
      schema["minItems"] = std::int64_t(least);
    if (fixed > 0) schema["maxItems"] = fixed;
    if (fixed == 0 && std::isfinite(field.range.high))
      schema["maxItems"] = std::int64_t(field.range.high);
    return schema;
  }
}

template <typename T>
Schema schema_of(const T& value, const Field& field) {
  if constexpr (is_optional<T>::value)
    return or_null(schema_without_null(typename T::value_type{}, field));
  else
    return field.nullable ? or_null(schema_without_null(value, field))
                          : schema_without_null(value, field);
}

// Indented; what fits into a line stays on it.
std::string pretty(const Schema& value, std::size_t indent = 0) {
  constexpr std::size_t line = 120;
  const std::string flat = value.dump();
  if (!value.is_structured() || value.empty() || indent + flat.size() <= line) return flat;
  std::string text = value.is_object() ? "{" : "[";
  for (const auto& [name, element] : value.items()) {
    text += text.size() == 1 ? "\n" : ",\n";
    text.append(indent + 2, ' ');
    if (value.is_object()) text += Schema(name).dump() + ": ";
    text += pretty(element, indent + 2);
  }
  return text + "\n" + std::string(indent, ' ') + (value.is_object() ? "}" : "]");
}

}  // namespace

std::string results_schema() {
  Schema schema{
      {"$schema", "https://json-schema.org/draft/2020-12/schema"},
      {"title", "frictionbench results, version 2"},
      {"description",
       "What `frictionbench run` writes: how the run was made, the problems, the solvers, and one "
       "record for every pair of them. Generated from the program: `frictionbench list schema`. "
       "null means not measured or not defined; NaN and Inf never occur. Members may be added in "
       "later releases; a member that is renamed or changes its meaning makes a new "
       "schema_version. Residuals are in the units of the problem file."}};
  schema.update(schema_of(Document{}, {}));
  schema["properties"]["schema"] = {{"const", schema_name}};
  schema["properties"]["schema_version"] = {{"const", schema_version}};
  return pretty(schema) + "\n";
}

}  // namespace frictionbench::results
