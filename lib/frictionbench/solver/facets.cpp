#include "frictionbench/solver/facets.hpp"

#include <utility>

namespace frictionbench {

void describe_facets(SettingFields& fields, int& facets, std::string source) {
  fields.add("facets", facets, at_least(3),
             "number of facets of the friction pyramid in 3D: the solver's own model, which the "
             "criterion lcp has if --facets says the same; with an odd number, friction differs in "
             "opposite directions",
             std::move(source));
}

}  // namespace frictionbench
