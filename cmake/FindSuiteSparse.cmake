# Finds SuiteSparse CHOLMOD and UMFPACK where they come without CMake packages of their own
# (SuiteSparse < 7).
#
# Defines SuiteSparse_FOUND, CHOLMOD_VERSION and the targets SuiteSparse::CHOLMOD and SuiteSparse::UMFPACK.

find_path(CHOLMOD_INCLUDE_DIR cholmod.h PATH_SUFFIXES suitesparse)
find_library(CHOLMOD_LIBRARY cholmod)
find_library(UMFPACK_LIBRARY umfpack)
find_library(SUITESPARSECONFIG_LIBRARY suitesparseconfig)

if(CHOLMOD_INCLUDE_DIR)
  foreach(part MAIN SUB SUBSUB)
    file(STRINGS ${CHOLMOD_INCLUDE_DIR}/cholmod_core.h line
         REGEX "#define CHOLMOD_${part}_VERSION +[0-9]+")
    string(REGEX MATCH "[0-9]+$" CHOLMOD_${part} "${line}")
  endforeach()
  set(CHOLMOD_VERSION ${CHOLMOD_MAIN}.${CHOLMOD_SUB}.${CHOLMOD_SUBSUB})
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(SuiteSparse
  REQUIRED_VARS CHOLMOD_LIBRARY CHOLMOD_INCLUDE_DIR UMFPACK_LIBRARY SUITESPARSECONFIG_LIBRARY
  VERSION_VAR CHOLMOD_VERSION)
mark_as_advanced(CHOLMOD_INCLUDE_DIR CHOLMOD_LIBRARY UMFPACK_LIBRARY SUITESPARSECONFIG_LIBRARY)

if(SuiteSparse_FOUND AND NOT TARGET SuiteSparse::CHOLMOD)
  add_library(SuiteSparse::CHOLMOD UNKNOWN IMPORTED)
  set_target_properties(SuiteSparse::CHOLMOD PROPERTIES
    IMPORTED_LOCATION ${CHOLMOD_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${CHOLMOD_INCLUDE_DIR}
    INTERFACE_LINK_LIBRARIES ${SUITESPARSECONFIG_LIBRARY})
  add_library(SuiteSparse::UMFPACK UNKNOWN IMPORTED)
  set_target_properties(SuiteSparse::UMFPACK PROPERTIES
    IMPORTED_LOCATION ${UMFPACK_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${CHOLMOD_INCLUDE_DIR}
    INTERFACE_LINK_LIBRARIES SuiteSparse::CHOLMOD)
endif()
