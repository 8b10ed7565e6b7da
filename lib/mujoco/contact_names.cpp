#include "frictionbench/mujoco/internal/contact_names.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

namespace frictionbench::mujoco {

namespace {

using Eigen::Vector3d;

Vector3d in_frame_of(const mjData& data, int geom, const Vector3d& point) {
  using Rows = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;
  const Eigen::Map<const Rows> axes(data.geom_xmat + 9 * geom);
  return axes.transpose() * (point - Eigen::Map<const Vector3d>(data.geom_xpos + 3 * geom));
}

// How far a contact may move on a geom between two steps. Planes have the radius 0.
double reach(const mjModel& model, int first, int second) {
  double radius = std::numeric_limits<double>::infinity();
  for (const int geom : {first, second})
    if (model.geom_rbound[geom] > 0) radius = std::min(radius, model.geom_rbound[geom]);
  return radius / 4;
}

}  // namespace

std::vector<fclib::BlockIdentity> ContactNames::of(const mjModel& model, const mjData& data) {
  std::map<Pair, std::vector<int>> contacts;
  for (int i = 0; i < data.ncon; ++i)
    contacts[{data.contact[i].geom1, data.contact[i].geom2}].push_back(i);

  std::vector<fclib::BlockIdentity> names(static_cast<std::size_t>(data.ncon));
  for (const auto& [geoms, indices] : contacts) {
    const auto [first, second] = geoms;
    const Pair bodies(model.geom_bodyid[first], model.geom_bodyid[second]);
    std::vector<Known> here;
    for (const int i : indices) {
      const Vector3d point = Eigen::Map<const Vector3d>(data.contact[i].pos);
      here.push_back({-1, in_frame_of(data, first, point), in_frame_of(data, second, point)});
    }

    // The nearest two first.
    std::vector<Known>& known = known_[geoms];
    const double farthest = reach(model, first, second);
    std::vector<std::tuple<double, std::size_t, std::size_t>> distances;
    for (std::size_t i = 0; i < here.size(); ++i)
      for (std::size_t j = 0; j < known.size(); ++j) {
        const double distance = std::min((here[i].on_first - known[j].on_first).norm(),
                                         (here[i].on_second - known[j].on_second).norm());
        if (distance < farthest) distances.emplace_back(distance, i, j);
      }
    std::ranges::sort(distances);
    std::vector<bool> taken(known.size(), false);
    for (const auto& [distance, i, j] : distances) {
      if (here[i].feature >= 0 || taken[j]) continue;
      here[i].feature = known[j].feature;
      known[j] = here[i];
      taken[j] = true;
    }
    for (std::size_t i = 0; i < here.size(); ++i) {
      if (here[i].feature < 0) {
        here[i].feature = next_feature_[bodies]++;
        known.push_back(here[i]);
      }
      names[static_cast<std::size_t>(indices[i])] = {bodies.first, bodies.second, here[i].feature};
    }
  }
  return names;
}

}  // namespace frictionbench::mujoco
