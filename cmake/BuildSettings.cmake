# Flags that every target of this project is compiled with.

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

add_library(frictionbench_build_settings INTERFACE)
target_compile_options(frictionbench_build_settings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion)
# Libraries that go into shared ones, Python's and those of users, are position-independent. They are as fast
# as others, because no library replaces their functions.
target_compile_options(frictionbench_build_settings INTERFACE
  $<$<BOOL:$<TARGET_PROPERTY:POSITION_INDEPENDENT_CODE>>:-fno-semantic-interposition>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # False warnings of GCC 12: in std::string's operator+ and replace (GCC bug 105329), and about packet
  # loads in Eigen that short vectors never reach.
  target_compile_options(frictionbench_build_settings INTERFACE
    -Wno-restrict -Wno-stringop-overflow -Wno-array-bounds)
endif()
if(FRICTIONBENCH_NATIVE)
  target_compile_options(frictionbench_build_settings INTERFACE -march=native)
endif()
if(FRICTIONBENCH_SANITIZE)
  target_compile_options(frictionbench_build_settings INTERFACE
    -fsanitize=${FRICTIONBENCH_SANITIZE} -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  target_link_options(frictionbench_build_settings INTERFACE -fsanitize=${FRICTIONBENCH_SANITIZE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # Instrumented, std::regex looks to GCC as if it used uninitialised members; and its thread sanitizer
    # does not follow the fences in std::shared_ptr, which are correct.
    target_compile_options(frictionbench_build_settings INTERFACE -Wno-maybe-uninitialized -Wno-tsan)
  endif()
endif()

# Eigen's assertions cost speed in every small vector; sanitize and debug builds keep them.
if(CMAKE_BUILD_TYPE STREQUAL "RelWithDebInfo" AND FRICTIONBENCH_SANITIZE)
  string(REPLACE "-DNDEBUG" "" CMAKE_CXX_FLAGS_RELWITHDEBINFO "${CMAKE_CXX_FLAGS_RELWITHDEBINFO}")
endif()

# Precompiles headers that nearly every source of `target` includes, and those given, which halves the
# time a small file takes. Every source still includes what it uses, so a build with
# CMAKE_DISABLE_PRECOMPILE_HEADERS=ON works too.
function(frictionbench_precompile target)
  target_precompile_headers(${target} PRIVATE
    <Eigen/Core> <Eigen/SparseCore> <fmt/format.h>
    <algorithm> <functional> <map> <memory> <optional> <string> <vector> ${ARGN})
endfunction()
