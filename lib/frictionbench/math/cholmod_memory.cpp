#include "frictionbench/math/cholmod_memory.hpp"

#include <cholmod.h>

#include <new>

namespace frictionbench {

void check_memory(int status) {
  if (status == CHOLMOD_OUT_OF_MEMORY || status == CHOLMOD_TOO_LARGE) throw std::bad_alloc();
}

}  // namespace frictionbench
