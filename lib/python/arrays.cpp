#include "arrays.hpp"

#include <fmt/format.h>

#include <climits>
#include <utility>

namespace frictionbench::python {

namespace {

using Numbers = py::array_t<double, py::array::c_style | py::array::forcecast>;

// Without this numpy makes numbers of texts, drops imaginary parts, and shows what a mask hides.
void require_real_numbers(const py::handle& array, const char* what) {
  const py::array any = py::hasattr(array, "dtype") ? py::array() : py::array::ensure(array);
  const py::object type =
      py::hasattr(array, "dtype") ? array.attr("dtype") : py::object(any.dtype());
  const auto kind = type.attr("kind").cast<std::string>();
  if (std::string("biuf").find(kind) == std::string::npos)
    throw py::type_error(
        fmt::format("{}: expected real numbers, not {}", what, py::str(type).cast<std::string>()));
  if (py::hasattr(array, "mask"))
    throw py::type_error(fmt::format("{}: expected an array without a mask", what));
}

Numbers numbers_from(const py::handle& array, const char* what) {
  Numbers numbers = Numbers::ensure(array);  // clears the error of numpy
  if (!numbers || array.is_none())
    throw py::type_error(fmt::format("{}: expected an array of numbers, not {}", what,
                                     Py_TYPE(array.ptr())->tp_name));
  require_real_numbers(array, what);
  return numbers;
}

Vector copy_of(const Numbers& numbers) {
  return Eigen::Map<const Vector>(numbers.data(), numbers.size());
}

template <typename T>
py::array read_only(const T* values, Index size, const py::handle& owner) {
  py::array_t<T> array(size, values, owner);
  array.attr("setflags")(py::arg("write") = false);
  return array;
}

py::object csr_type() { return py::module_::import("scipy.sparse").attr("csr_matrix"); }

// The matrix with its entries sorted and each there once; a copy unless it is so already.
py::object canonical_csr(const py::handle& matrix, const char* what) {
  const py::object type = csr_type();
  py::object csr;
  try {
    csr = type(matrix, py::arg("dtype") = "float64");
  } catch (const py::error_already_set&) {
    throw py::type_error(fmt::format("{}: expected a matrix of scipy.sparse or numpy, not {}", what,
                                     Py_TYPE(matrix.ptr())->tp_name));
  }
  require_real_numbers(matrix, what);
  try {
    csr.attr("check_format")(true);  // scipy looks at the indices of a matrix only when asked to
  } catch (const py::error_already_set& error) {
    throw py::value_error(fmt::format("{}: {}", what, py::str(error.value()).cast<std::string>()));
  }
  if (!csr.attr("has_canonical_format").cast<bool>()) {
    csr = csr.attr("copy")();
    csr.attr("sum_duplicates")();
  }
  return csr;
}

}  // namespace

Vector vector_from(const py::handle& array, const char* what) {
  const Numbers numbers = numbers_from(array, what);
  if (numbers.ndim() != 1)
    throw py::value_error(fmt::format("{}: has {} axes, expected 1", what, numbers.ndim()));
  return copy_of(numbers);
}

Vector rows_from(const py::handle& array, int dimension, const char* what) {
  const Numbers numbers = numbers_from(array, what);
  if (numbers.ndim() == 1) return copy_of(numbers);
  if (numbers.ndim() != 2)
    throw py::value_error(fmt::format("{}: has {} axes, expected 1 or 2", what, numbers.ndim()));
  if (numbers.shape(1) != dimension)
    throw py::value_error(fmt::format("{}: has {} components per contact, expected {}", what,
                                      numbers.shape(1), dimension));
  return copy_of(numbers);
}

SparseMatrix matrix_from(const py::handle& matrix, const char* what) {
  const py::object csr = canonical_csr(matrix, what);
  const auto [rows, cols] = csr.attr("shape").cast<std::pair<py::ssize_t, py::ssize_t>>();
  const auto values = csr.attr("data").cast<Numbers>();
  if (values.size() > INT_MAX || rows > INT_MAX || cols > INT_MAX)
    throw py::value_error(fmt::format("{}: is too large", what));
  using Indices = py::array_t<int, py::array::c_style | py::array::forcecast>;
  const auto indices = csr.attr("indices").cast<Indices>();
  const auto starts = csr.attr("indptr").cast<Indices>();
  return Eigen::Map<const SparseMatrix>(rows, cols, values.size(), starts.data(), indices.data(),
                                        values.data());
}

py::array array_of(Vector values) {
  auto* const kept = new Vector(std::move(values));
  const py::capsule owner(kept, [](void* vector) { delete static_cast<Vector*>(vector); });
  return py::array_t<double>(kept->size(), kept->data(), owner);
}

py::array by_contact(const ContactProblem& problem, const py::array& array) {
  if (!problem.is_plain()) return array;
  return py::reinterpret_borrow<py::array>(
      array.attr("reshape")(problem.contacts(), problem.dimension()));
}

py::array view_of(const Vector& values, const py::handle& owner) {
  return read_only(values.data(), values.size(), owner);
}

py::object view_of(const SparseMatrix& matrix, const py::handle& owner) {
  const Index entries = matrix.nonZeros();
  const py::tuple arrays =
      py::make_tuple(read_only(matrix.valuePtr(), entries, owner),
                     read_only(matrix.innerIndexPtr(), entries, owner),
                     read_only(matrix.outerIndexPtr(), matrix.rows() + 1, owner));
  return csr_type()(arrays, py::arg("shape") = py::make_tuple(matrix.rows(), matrix.cols()),
                    py::arg("copy") = false);
}

}  // namespace frictionbench::python
