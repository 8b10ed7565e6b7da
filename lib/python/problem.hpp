/// \file
/// The class Problem of Python.
#pragma once

#include <pybind11/pybind11.h>

#include <string>

#include "arrays.hpp"
#include "frictionbench/fclib/problem_file.hpp"

namespace frictionbench::python {

/// What a file holds, or a problem made of arrays.
struct Problem {
  fclib::ProblemFile file;
  std::string path;  ///< "Problem" if it was not read from a file: names it in errors
};

/// m numbers of the rows of a problem, as (contacts, dimension) or flat.
/// \throws py::value_error for another number of them.
Vector rows_of(const ContactProblem& problem, const py::handle& array, const char* what);

/// Adds the class and the function read().
void add_problem(py::module_& module);

}  // namespace frictionbench::python
