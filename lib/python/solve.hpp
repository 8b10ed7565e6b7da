/// \file
/// The functions solve(), judge() and solvers() of Python.
#pragma once

#include <pybind11/pybind11.h>

namespace frictionbench::python {

/// Adds the functions.
void add_solve(pybind11::module_& module);

}  // namespace frictionbench::python
