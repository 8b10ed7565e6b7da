# Installs BUILD_DIR below WORK_DIR, moves the installation, builds CONSUMER against it and runs both programs.

file(REMOVE_RECURSE ${WORK_DIR})

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}\nexited with ${result}:\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD_DIR} --config ${CONFIG} --prefix ${WORK_DIR}/installed)

# The package must not contain the path where it was installed first.
file(RENAME ${WORK_DIR}/installed ${WORK_DIR}/moved)

foreach(file IN ITEMS man/man1/frictionbench.1 bash-completion/completions/frictionbench
    zsh/site-functions/_frictionbench fish/vendor_completions.d/frictionbench.fish)
  file(READ ${WORK_DIR}/moved/share/${file} text)
  if(NOT text MATCHES "frictionbench")
    message(FATAL_ERROR "share/${file} is not installed or empty")
  endif()
endforeach()

run(${WORK_DIR}/moved/${BINDIR}/frictionbench --version)
if(NOT output STREQUAL "frictionbench ${VERSION}\n")
  message(FATAL_ERROR "frictionbench --version printed: ${output}")
endif()

run(${CMAKE_COMMAND} -S ${CONSUMER} -B ${WORK_DIR}/consumer -G ${GENERATOR}
  -D CMAKE_BUILD_TYPE=${CONFIG} -D CMAKE_CXX_COMPILER=${COMPILER} -D CMAKE_PREFIX_PATH=${WORK_DIR}/moved)
run(${CMAKE_COMMAND} --build ${WORK_DIR}/consumer --config ${CONFIG})
run(${WORK_DIR}/consumer/one_contact)
message(STATUS "${output}")
run(${WORK_DIR}/consumer/own_program list solvers nothing ncp-pgs)
if(NOT output MATCHES "nothing: the impulse zero.*ncp-pgs: ")
  message(FATAL_ERROR "own_program list solvers printed: ${output}")
endif()
