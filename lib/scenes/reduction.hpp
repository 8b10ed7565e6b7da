/// \file
/// Leaving out contacts that hold nothing up which others do not.
#pragma once

#include <vector>

#include "frictionbench/scenes/contacts.hpp"

namespace frictionbench::scenes {

/// Contacts without the unnecessary ones of [YamaneNakamura08] (IV-C): those "within some small distance
/// δ from another point or inside the contact area". What the paper leaves open is read as follows.
///
/// Only contacts of the same two bodies, or of a body and the same plane or fixture, whose normals agree
/// within max_box_angle are compared. Of two that are within δ the one with the smaller gap stays, of equal
/// ones the earlier. The others, if they lie within δ of one plane at right angles to the normal of the
/// first, have their convex hull as contact area; its corners stay, and points inside of it and on its
/// edges go.
///
/// What is left can still be redundant: a box stands on three of its four corners. Contacts that open stay,
/// because they may close when others push (as the paper found).
///
/// \param delta m, > 0; the paper's is 1e-3.
/// \returns what is left, in the same order.
std::vector<Contact> reduced(const std::vector<Contact>& contacts, double delta);

}  // namespace frictionbench::scenes
