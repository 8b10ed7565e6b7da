# Writes the complete solver that solvers/README.md shows, its first block of C++ after "Adding a solver",
# to a source file of the build tree, and puts that file's name into readme_example.

set(readme ${PROJECT_SOURCE_DIR}/solvers/README.md)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${readme})
file(READ ${readme} text)
string(REGEX MATCH "## Adding a solver[^`]*```cpp\n([^`]*)```" unused "${text}")
if(CMAKE_MATCH_1 STREQUAL "")
  message(FATAL_ERROR "${readme} has no example of a solver")
endif()
set(readme_example ${CMAKE_CURRENT_BINARY_DIR}/readme_example/ccp_gradient.cpp)
file(CONFIGURE OUTPUT ${readme_example} CONTENT "${CMAKE_MATCH_1}" @ONLY)
