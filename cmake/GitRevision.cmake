# Writes OUTPUT with the revision of SOURCE_DIR, only if it changed. Run at every build.

execute_process(COMMAND git rev-parse HEAD WORKING_DIRECTORY ${SOURCE_DIR}
                OUTPUT_VARIABLE revision OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET
                RESULT_VARIABLE failed)
set(dirty false)
if(failed)
  set(revision "")
else()
  execute_process(COMMAND git status --porcelain WORKING_DIRECTORY ${SOURCE_DIR}
                  OUTPUT_VARIABLE changes ERROR_QUIET)
  if(changes)
    set(dirty true)
  endif()
endif()

set(text "#pragma once\n\n#define FRICTIONBENCH_GIT_REVISION \"${revision}\"\n#define FRICTIONBENCH_GIT_DIRTY ${dirty}\n")
set(old "")
if(EXISTS ${OUTPUT})
  file(READ ${OUTPUT} old)
endif()
if(NOT old STREQUAL text)
  file(WRITE ${OUTPUT} "${text}")
endif()
