# Installs BUILD_DIR below WORK_DIR, moves the installation, builds CONSUMER against it and runs both
# programs.

file(REMOVE_RECURSE ${WORK_DIR})

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}\nended with ${result}:\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD_DIR} --config ${CONFIG} --prefix ${WORK_DIR}/installed)

# A package that only works where it was installed first has a path in it that it should not have.
file(RENAME ${WORK_DIR}/installed ${WORK_DIR}/moved)

run(${WORK_DIR}/moved/${BINDIR}/frictionbench --version)
if(NOT output STREQUAL "frictionbench ${VERSION}\n")
  message(FATAL_ERROR "frictionbench --version printed: ${output}")
endif()

run(${CMAKE_COMMAND} -S ${CONSUMER} -B ${WORK_DIR}/consumer -G ${GENERATOR}
  -D CMAKE_BUILD_TYPE=${CONFIG} -D CMAKE_CXX_COMPILER=${COMPILER} -D CMAKE_PREFIX_PATH=${WORK_DIR}/moved)
run(${CMAKE_COMMAND} --build ${WORK_DIR}/consumer --config ${CONFIG})
run(${WORK_DIR}/consumer/one_contact)
message(STATUS "${output}")
