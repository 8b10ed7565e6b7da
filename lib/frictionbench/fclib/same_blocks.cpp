#include "frictionbench/fclib/same_blocks.hpp"

#include <deque>
#include <map>
#include <tuple>

namespace frictionbench::fclib {

Vector impulse_of_same_blocks(const IdentifiedBlocks& before, const Vector& r,
                              const IdentifiedBlocks& now) {
  if (before.bodies.empty() || now.bodies.empty())
    return r.size() == now.shape.order() ? r : Vector();
  using Key = std::tuple<int, int, int, Index>;  // bodies, feature, rows
  const auto key = [](const IdentifiedBlocks& blocks, Index i) -> Key {
    const BlockIdentity& who = blocks.bodies[static_cast<std::size_t>(i)];
    return {who.first, who.second, who.feature, blocks.shape.rows(i)};
  };
  std::map<Key, std::deque<Index>> known;
  for (Index i = 0; i < before.shape.count(); ++i) known[key(before, i)].push_back(i);

  Vector start = Vector::Zero(now.shape.order());
  for (Index i = 0; i < now.shape.count(); ++i) {
    const auto same = known.find(key(now, i));
    if (same == known.end() || same->second.empty()) continue;
    const Index old = same->second.front();
    same->second.pop_front();
    start.segment(now.shape.start(i), now.shape.rows(i)) =
        r.segment(before.shape.start(old), before.shape.rows(old));
  }
  return start;
}

}  // namespace frictionbench::fclib
