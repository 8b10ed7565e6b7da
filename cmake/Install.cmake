# Install rules, and the CMake package that lets another project write find_package(frictionbench).

include(CMakePackageConfigHelpers)

install(TARGETS frictionbench frictionbench_solvers frictionbench_scenes
        EXPORT frictionbenchTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS frictionbench_app RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})

# Manual page and completions, which the program generates from the description behind its --help.
set(generated ${CMAKE_CURRENT_BINARY_DIR}/share)
file(MAKE_DIRECTORY ${generated})
foreach(entry IN ITEMS
    man:frictionbench.1:${CMAKE_INSTALL_MANDIR}/man1
    bash:frictionbench:${CMAKE_INSTALL_DATADIR}/bash-completion/completions
    zsh:_frictionbench:${CMAKE_INSTALL_DATADIR}/zsh/site-functions
    fish:frictionbench.fish:${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
  string(REPLACE ":" ";" entry ${entry})
  list(POP_FRONT entry kind file folder)
  install(FILES ${generated}/${file} DESTINATION ${folder})
  list(APPEND generate COMMAND frictionbench_app --generate ${kind} > ${generated}/${file})
endforeach()
add_custom_command(OUTPUT ${generated}/frictionbench.1 ${generate} DEPENDS frictionbench_app VERBATIM)
add_custom_target(frictionbench_share ALL DEPENDS ${generated}/frictionbench.1)

# Headers in a folder `internal` are the project's own business.
set(headers ${CMAKE_INSTALL_INCLUDEDIR}/frictionbench)
install(DIRECTORY lib/frictionbench/ DESTINATION ${headers}
        FILES_MATCHING PATTERN "*.hpp" PATTERN internal EXCLUDE)
install(DIRECTORY lib/scenes solvers DESTINATION ${headers}
        FILES_MATCHING PATTERN "*.hpp" PATTERN internal EXCLUDE)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/frictionbench)
install(EXPORT frictionbenchTargets NAMESPACE frictionbench:: DESTINATION ${package_dir})
configure_package_config_file(cmake/frictionbenchConfig.cmake.in
  ${CMAKE_CURRENT_BINARY_DIR}/frictionbenchConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/frictionbenchConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  ${CMAKE_CURRENT_BINARY_DIR}/frictionbenchConfig.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/frictionbenchConfigVersion.cmake
  cmake/FindSuiteSparse.cmake
  DESTINATION ${package_dir})
