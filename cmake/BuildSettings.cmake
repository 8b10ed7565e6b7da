# Flags that every target of this project is compiled with.

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

add_library(frictionbench_build_settings INTERFACE)
target_compile_options(frictionbench_build_settings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # GCC 12 warns of std::string's own operator+ and replace (GCC bug 105329), and of packet loads in Eigen
  # that are never reached for the short vectors at hand.
  target_compile_options(frictionbench_build_settings INTERFACE
    -Wno-restrict -Wno-stringop-overflow -Wno-array-bounds)
endif()
if(FRICTIONBENCH_NATIVE)
  target_compile_options(frictionbench_build_settings INTERFACE -march=native)
endif()
if(FRICTIONBENCH_SANITIZE)
  target_compile_options(frictionbench_build_settings INTERFACE
    -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  target_link_options(frictionbench_build_settings INTERFACE -fsanitize=address,undefined)
  # Instrumentation hides from GCC what initialises the innards of std::regex.
  target_compile_options(frictionbench_build_settings INTERFACE -Wno-maybe-uninitialized)
endif()

# Eigen's assertions cost speed in every small vector; sanitize and debug builds keep them.
if(CMAKE_BUILD_TYPE STREQUAL "RelWithDebInfo" AND FRICTIONBENCH_SANITIZE)
  string(REPLACE "-DNDEBUG" "" CMAKE_CXX_FLAGS_RELWITHDEBINFO "${CMAKE_CXX_FLAGS_RELWITHDEBINFO}")
endif()

# Precompiles the headers that nearly every source of `target` parses, and those given: it halves the time
# of a small file. Every source still includes what it uses, so a build without this is the same
# (CMAKE_DISABLE_PRECOMPILE_HEADERS).
function(frictionbench_precompile target)
  target_precompile_headers(${target} PRIVATE
    <Eigen/Core> <Eigen/SparseCore> <fmt/format.h>
    <algorithm> <functional> <map> <memory> <optional> <string> <vector> ${ARGN})
endfunction()
