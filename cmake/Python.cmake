# Finds what the Python bindings (lib/python) need. They are left out where that is missing.
#
# Sets FRICTIONBENCH_PYTHON_BINDINGS, and Python_EXECUTABLE to the interpreter that they are for: Debian's,
# as its packages have numpy and scipy for no other, unless -D Python_EXECUTABLE=... names one.

set(FRICTIONBENCH_PYTHON_BINDINGS FALSE)
if(FRICTIONBENCH_SANITIZE)
  message(STATUS "Python bindings: left out; no Python loads a library with sanitizers")
  return()
endif()
if(NOT Python_EXECUTABLE AND EXISTS /usr/bin/python3)
  set(Python_EXECUTABLE /usr/bin/python3 CACHE FILEPATH "Python that the bindings are for")
endif()
set(PYBIND11_FINDPYTHON TRUE)
find_package(Python COMPONENTS Interpreter Development.Module QUIET)
if(Python_FOUND)
  find_package(pybind11 2.10 CONFIG QUIET)
endif()
if(NOT Python_FOUND OR NOT pybind11_FOUND)
  message(STATUS "Python bindings: python3-dev or pybind11-dev not found; `import frictionbench` will say so")
  return()
endif()
message(STATUS "Python bindings: for Python ${Python_VERSION}, ${Python_EXECUTABLE}")
set(FRICTIONBENCH_PYTHON_BINDINGS TRUE)
