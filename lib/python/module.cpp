// frictionbench._native: reading, solving and judging by the library, for Python.

#include <dlfcn.h>
#include <pybind11/pybind11.h>

#include <filesystem>
#include <system_error>

#include "answer.hpp"
#include "frictionbench/base/file_error.hpp"
#include "frictionbench/base/program_folder.hpp"
#include "frictionbench/base/version.hpp"
#include "frictionbench/bench/measure/blas.hpp"
#include "frictionbench/bench/plan/problems.hpp"
#include "frictionbench/bench/plugin/plugin.hpp"
#include "frictionbench/problem/contact_problem.hpp"
#include "problem.hpp"
#include "solve.hpp"

namespace frictionbench::python {

namespace {

namespace fs = std::filesystem;

constexpr const char* module_text =
    "Reads contact problems, solves them and judges impulses, by the C++ library of "
    "frictionbench.\n\n"
    "From the first use on, BLAS and OpenMP have one thread in this process, as in the program: "
    "answers\n"
    "are those of one core, whatever the machine.";

// The program finds peers and data sets from its own folder. Here that is where it was built or installed
// together with this module.
void find_program_folder() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&find_program_folder), &info) == 0) return;
  const fs::path own = fs::absolute(info.dli_fname).parent_path();
  for (const char* folder :
       {FRICTIONBENCH_PROGRAM_IN_BUILD, FRICTIONBENCH_PROGRAM_IN_INSTALLATION}) {
    std::error_code unknown;
    if (!fs::is_directory(own / folder, unknown)) continue;
    set_program_folder((own / folder).lexically_normal());
    return;
  }
}

// Errors of input, one line each; the rest stays what pybind11 makes of it.
void translate(std::exception_ptr pointer) try {
  if (pointer) std::rethrow_exception(pointer);
} catch (const FileError& error) {
  PyErr_SetString(PyExc_ValueError, error.what());
} catch (const InvalidProblem& error) {
  PyErr_SetString(PyExc_ValueError, error.what());
} catch (const bench::SelectionError& error) {
  PyErr_SetString(PyExc_ValueError, error.what());
} catch (const bench::PluginError& error) {
  PyErr_SetString(PyExc_ValueError, error.what());
}

}  // namespace

PYBIND11_MODULE(_native, module) {
  module.doc() = module_text;
  module.attr("__version__") = version();
  find_program_folder();
  bench::prepare_blas();
  py::register_exception_translator(&translate);
  py::options options;
  options.disable_function_signatures();  // docstrings have them, in Python's words
  add_problem(module);
  add_answer(module);
  add_solve(module);
}

}  // namespace frictionbench::python
