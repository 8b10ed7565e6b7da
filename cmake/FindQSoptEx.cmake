# Finds QSopt_ex, the linear programming solver in rational arithmetic, and GMP, which it stands on.
#
# Defines QSoptEx_FOUND and the target QSoptEx::QSoptEx.

find_path(QSOPT_EX_INCLUDE_DIR qsopt_ex/QSopt_ex.h)
find_library(QSOPT_EX_LIBRARY qsopt_ex)
find_path(GMPXX_INCLUDE_DIR gmpxx.h)
find_library(GMP_LIBRARY gmp)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(QSoptEx
  REQUIRED_VARS QSOPT_EX_LIBRARY QSOPT_EX_INCLUDE_DIR GMP_LIBRARY GMPXX_INCLUDE_DIR)
mark_as_advanced(QSOPT_EX_LIBRARY QSOPT_EX_INCLUDE_DIR GMP_LIBRARY GMPXX_INCLUDE_DIR)

if(QSoptEx_FOUND AND NOT TARGET QSoptEx::QSoptEx)
  add_library(QSoptEx::QSoptEx UNKNOWN IMPORTED)
  set_target_properties(QSoptEx::QSoptEx PROPERTIES
    IMPORTED_LOCATION ${QSOPT_EX_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES "${QSOPT_EX_INCLUDE_DIR};${GMPXX_INCLUDE_DIR}"
    INTERFACE_LINK_LIBRARIES ${GMP_LIBRARY})
endif()
