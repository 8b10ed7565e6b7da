# What a results file says of the build: compiler, flags and versions that only CMake knows.
# The git revision is looked up at build time, so that it is never stale.

string(TOUPPER "${CMAKE_BUILD_TYPE}" build_type_upper)
set(FRICTIONBENCH_BUILD_FLAGS "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${build_type_upper}}")
if(FRICTIONBENCH_NATIVE)
  string(APPEND FRICTIONBENCH_BUILD_FLAGS " -march=native")
endif()
if(FRICTIONBENCH_SANITIZE)
  string(APPEND FRICTIONBENCH_BUILD_FLAGS " -fsanitize=${FRICTIONBENCH_SANITIZE}")
endif()
string(REGEX REPLACE " +" " " FRICTIONBENCH_BUILD_FLAGS "${FRICTIONBENCH_BUILD_FLAGS}")
string(STRIP "${FRICTIONBENCH_BUILD_FLAGS}" FRICTIONBENCH_BUILD_FLAGS)

set(FRICTIONBENCH_BUILD_INFO_DIR ${CMAKE_BINARY_DIR}/build_info)
configure_file(cmake/build_info.hpp.in ${FRICTIONBENCH_BUILD_INFO_DIR}/frictionbench_build_info.hpp @ONLY)

add_custom_target(frictionbench_git_revision
  COMMAND ${CMAKE_COMMAND}
    -D SOURCE_DIR=${CMAKE_CURRENT_SOURCE_DIR}
    -D OUTPUT=${FRICTIONBENCH_BUILD_INFO_DIR}/frictionbench_git_revision.hpp
    -P ${CMAKE_CURRENT_SOURCE_DIR}/cmake/GitRevision.cmake
  BYPRODUCTS ${FRICTIONBENCH_BUILD_INFO_DIR}/frictionbench_git_revision.hpp)
