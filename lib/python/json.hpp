/// \file
/// JSON as Python has it: dict, list, str, bool, int, float and None.
#pragma once

#include <pybind11/pybind11.h>

#include <nlohmann/json_fwd.hpp>

namespace frictionbench::python {

/// Needs the GIL.
pybind11::object object_from(const nlohmann::json& json);

}  // namespace frictionbench::python
