# Install rules, and the CMake package that lets another project write find_package(frictionbench).

include(CMakePackageConfigHelpers)

install(TARGETS frictionbench frictionbench_solvers frictionbench_simulation frictionbench_scenes frictionbench_mujoco
                frictionbench_fetch frictionbench_cli
        EXPORT frictionbenchTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS frictionbench_app RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})

# Headers in a folder `internal`, and those in the folders of solver families, are the project's own
# business.
set(headers ${CMAKE_INSTALL_INCLUDEDIR}/frictionbench)
install(DIRECTORY lib/frictionbench/ DESTINATION ${headers}
        FILES_MATCHING PATTERN "*.hpp" PATTERN internal EXCLUDE)
install(DIRECTORY lib/simulation lib/scenes lib/mujoco DESTINATION ${headers}
        FILES_MATCHING PATTERN "*.hpp" PATTERN internal EXCLUDE)
install(DIRECTORY lib/fetch DESTINATION ${headers}
        FILES_MATCHING PATTERN "*.hpp" PATTERN internal EXCLUDE)
install(FILES lib/frictionbench/solver_plugin.h DESTINATION ${headers})
install(FILES lib/frictionbench/dump/fb_dump.h DESTINATION ${headers}/dump)
install(FILES solvers/register_all.hpp DESTINATION ${headers}/solvers)
install(FILES apps/frictionbench/main.hpp DESTINATION ${headers})

# Data sets by name, and the one that ships with its files.
set(datasets_dir ${CMAKE_INSTALL_DATADIR}/frictionbench/datasets)
file(GLOB data_sets CONFIGURE_DEPENDS datasets/*.json)
install(FILES ${data_sets} DESTINATION ${datasets_dir})
install(DIRECTORY datasets/default DESTINATION ${datasets_dir})

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/frictionbench)
install(EXPORT frictionbenchTargets NAMESPACE frictionbench:: DESTINATION ${package_dir})
configure_package_config_file(cmake/frictionbenchConfig.cmake.in
  ${CMAKE_CURRENT_BINARY_DIR}/frictionbenchConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/frictionbenchConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  ${CMAKE_CURRENT_BINARY_DIR}/frictionbenchConfig.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/frictionbenchConfigVersion.cmake
  cmake/FindQSoptEx.cmake
  cmake/FindMuJoCo.cmake
  cmake/FindSuiteSparse.cmake
  DESTINATION ${package_dir})
