#include "frictionbench/scenes/same_contacts.hpp"

#include <algorithm>
#include <utility>

namespace frictionbench::scenes {

Vector impulse_of_same_contacts(int dimension, const std::vector<Contact>& before, const Vector& r,
                                const std::vector<Contact>& now) {
  // Lists of contacts are sorted by (a, b).
  const auto by_bodies = [](const Contact& x, const Contact& y) {
    return std::pair(x.a, x.b) < std::pair(y.a, y.b);
  };
  Vector same = Vector::Zero(dimension * static_cast<Index>(now.size()));
  std::vector<bool> taken(before.size(), false);
  for (std::size_t i = 0; i < now.size(); ++i) {
    const auto [first, last] = std::equal_range(before.begin(), before.end(), now[i], by_bodies);
    for (auto old = first; old != last; ++old) {
      // Corners of a face keep their order.
      const auto k = static_cast<std::size_t>(old - before.begin());
      if (taken[k] || old->fixture != now[i].fixture ||
          old->frame.col(0).dot(now[i].frame.col(0)) < 0.9)
        continue;
      taken[k] = true;
      same.segment(dimension * static_cast<Index>(i), dimension) =
          r.segment(dimension * static_cast<Index>(k), dimension);
      break;
    }
  }
  return same;
}

}  // namespace frictionbench::scenes
