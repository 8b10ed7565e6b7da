#include "frictionbench/solvers/staggered/convex_sequence.hpp"

namespace frictionbench::solvers {

void ConvexSequenceSettings::describe(SettingFields& fields) {
  inner.describe(fields);
  describe_scaling(fields, scaling);
}

}  // namespace frictionbench::solvers
