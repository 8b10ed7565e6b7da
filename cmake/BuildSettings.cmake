# Flags that every target of this project is compiled with.

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

add_library(frictionbench_build_settings INTERFACE)
target_compile_options(frictionbench_build_settings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # GCC 12 warns of std::string's own operator+ (GCC bug 105329), and of packet loads in Eigen that are
  # never reached for the short vectors at hand.
  target_compile_options(frictionbench_build_settings INTERFACE -Wno-restrict -Wno-array-bounds)
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
