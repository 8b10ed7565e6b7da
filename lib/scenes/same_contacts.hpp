/// \file
/// Which contacts of one step are those of the step before.
#pragma once

#include <vector>

#include "frictionbench/scenes/contacts.hpp"

namespace frictionbench::scenes {

/// Impulses of the step before, for the contacts that are still there; zero for the others. A
/// contact is the same if it is between the same bodies, planes and fixtures and its normal has
/// turned by less than 26 degrees; of several between two bodies, the first is the first.
/// \param before, now as detect_contacts() orders them. \param r of `before`, dimension times their number.
/// \returns dimension times the number of contacts `now`.
Vector impulse_of_same_contacts(int dimension, const std::vector<Contact>& before, const Vector& r,
                                const std::vector<Contact>& now);

}  // namespace frictionbench::scenes
