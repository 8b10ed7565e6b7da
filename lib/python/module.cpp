// frictionbench._native: reading, solving and judging by the library, for Python.

#include <dlfcn.h>
#include <pybind11/pybind11.h>
#include <stdlib.h>

#include <filesystem>

#include "answer.hpp"
#include "frictionbench/base/file_error.hpp"
#include "frictionbench/bench/measure/environment.hpp"
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

// The program finds its peers and data sets from where it is; here that is Python.
void offer_folder(const char* variable, const char* folder) {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&offer_folder), &info) == 0) return;
  const fs::path own = fs::absolute(info.dli_fname).parent_path();
  for (const char* root : {FRICTIONBENCH_ROOT_OF_BUILD, FRICTIONBENCH_ROOT_OF_INSTALLATION}) {
    const fs::path path = (own / root / folder).lexically_normal();
    std::error_code unknown;
    if (!fs::is_directory(path, unknown)) continue;
    setenv(variable, path.c_str(), 0);  // what the user says stays
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
  module.attr("__version__") = bench::version();
  offer_folder("FRICTIONBENCH_PEERS", FRICTIONBENCH_PEERS_FOLDER);
  offer_folder("FRICTIONBENCH_DATASETS", FRICTIONBENCH_DATASETS_FOLDER);
  bench::use_one_blas_thread();
  py::register_exception_translator(&translate);
  py::options options;
  options.disable_function_signatures();  // docstrings have them, in Python's words
  add_problem(module);
  add_answer(module);
  add_solve(module);
}

}  // namespace frictionbench::python
