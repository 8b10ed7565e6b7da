/// \file
#pragma once

namespace frictionbench {

/// CHOLMOD reports a lack of memory as it does an indefinite matrix: what it makes is not there.
/// \param status of its last call (cholmod_common). \throws std::bad_alloc if memory is why that failed,
/// or sizes beyond its integers.
void check_memory(int status);

}  // namespace frictionbench
