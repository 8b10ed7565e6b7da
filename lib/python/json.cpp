#include "json.hpp"

#include <nlohmann/json.hpp>

namespace frictionbench::python {

namespace py = pybind11;

py::object object_from(const nlohmann::json& json) {
  using Type = nlohmann::json::value_t;
  switch (json.type()) {
    case Type::object: {
      py::dict dict;
      for (const auto& [name, value] : json.items()) dict[py::str(name)] = object_from(value);
      return dict;
    }
    case Type::array: {
      py::list list;
      for (const auto& value : json) list.append(object_from(value));
      return list;
    }
    case Type::string:
      return py::str(json.get_ref<const std::string&>());
    case Type::boolean:
      return py::bool_(json.get<bool>());
    case Type::number_integer:
      return py::int_(json.get<std::int64_t>());
    case Type::number_unsigned:
      return py::int_(json.get<std::uint64_t>());
    case Type::number_float:
      return py::float_(json.get<double>());
    default:
      return py::none();
  }
}

}  // namespace frictionbench::python
