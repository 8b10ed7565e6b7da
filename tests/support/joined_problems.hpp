/// \file
/// Problems put together and rearranged, for what must not depend on that.
#pragma once

#include <vector>

#include "frictionbench/problem/contact_problem.hpp"

namespace frictionbench::test {

/// Independent problems of one dimension in one local problem, with their compliance.
ContactProblem join(const std::vector<ContactProblem>& problems);

/// Independent rigid problems in global form, of one dimension, in one global problem.
ContactProblem join_global(const std::vector<ContactProblem>& problems);

/// The same contacts in another order. \param order of each new contact, which one it was.
ContactProblem reordered(const ContactProblem& problem, const std::vector<Index>& order);

}  // namespace frictionbench::test
