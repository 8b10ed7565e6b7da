/// \file
/// Between numpy or scipy.sparse and the library's vectors and matrices. All of it needs the GIL.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include "frictionbench/problem/contact_problem.hpp"

namespace frictionbench::python {

namespace py = pybind11;

/// A copy of whatever numpy takes for an array of numbers of one axis, of any length.
/// \param what names it in errors. \throws py::type_error if it is none; py::value_error for more axes.
Vector vector_from(const py::handle& array, const char* what);

/// A copy of numbers that go with the rows of contacts: of one axis, or as rows of `dimension` components.
/// \throws as vector_from(), also for another number of components.
Vector rows_from(const py::handle& array, int dimension, const char* what);

/// A copy of a matrix of scipy.sparse or numpy; entries given several times are summed.
/// \throws py::type_error if it is none; py::value_error for more than 2^31 - 1 entries.
SparseMatrix matrix_from(const py::handle& matrix, const char* what);

/// An array that takes over the numbers of `values`.
py::array array_of(Vector values);

/// The rows of a problem's blocks: (contacts, dimension) for a plain problem, else flat, m.
/// \param array of m numbers.
py::array by_contact(const ContactProblem& problem, const py::array& array);

/// A read-only array of numbers that `owner` keeps.
py::array view_of(const Vector& values, const py::handle& owner);

/// A scipy.sparse.csr_matrix of read-only arrays that `owner` keeps.
py::object view_of(const SparseMatrix& matrix, const py::handle& owner);

}  // namespace frictionbench::python
