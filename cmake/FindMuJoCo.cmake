# Finds MuJoCo 2.2, as Debian 12's libmujoco-dev has it: a header and a library, without a CMake package.
#
# Defines MuJoCo_FOUND, MuJoCo_VERSION, MuJoCo_INCLUDE_DIR, MuJoCo_LIBRARY and the target MuJoCo::MuJoCo.

find_path(MuJoCo_INCLUDE_DIR mujoco/mujoco.h)
find_library(MuJoCo_LIBRARY mujoco)

if(MuJoCo_INCLUDE_DIR)
  file(STRINGS ${MuJoCo_INCLUDE_DIR}/mujoco/mujoco.h line REGEX "#define mjVERSION_HEADER +[0-9]+")
  string(REGEX REPLACE ".* ([0-9]+)([0-9])([0-9])$" "\\1.\\2.\\3" MuJoCo_VERSION "${line}")
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(MuJoCo
  REQUIRED_VARS MuJoCo_LIBRARY MuJoCo_INCLUDE_DIR
  VERSION_VAR MuJoCo_VERSION
  HANDLE_VERSION_RANGE)
mark_as_advanced(MuJoCo_INCLUDE_DIR MuJoCo_LIBRARY)

if(MuJoCo_FOUND AND NOT TARGET MuJoCo::MuJoCo)
  add_library(MuJoCo::MuJoCo UNKNOWN IMPORTED)
  set_target_properties(MuJoCo::MuJoCo PROPERTIES
    IMPORTED_LOCATION ${MuJoCo_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${MuJoCo_INCLUDE_DIR})
endif()
