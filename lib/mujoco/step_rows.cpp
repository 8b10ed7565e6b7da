#include "frictionbench/mujoco/internal/step_rows.hpp"

#include <algorithm>
#include <utility>

#include "frictionbench/math/sparse.hpp"

namespace frictionbench::mujoco {

namespace {

// MuJoCo's inertia, and what its Euler step adds: h times the damping of joints.
SparseMatrix inertia(const mjModel& model, const mjData& data) {
  Triplets entries;
  for (int i = 0; i < model.nv; ++i) {
    int address = model.dof_Madr[i];
    entries.emplace_back(i, i, data.qM[address] + model.opt.timestep * model.dof_damping[i]);
    for (int j = model.dof_parentid[i]; j >= 0; j = model.dof_parentid[j]) {
      const double value = data.qM[++address];
      if (value == 0) continue;
      entries.emplace_back(i, j, value);
      entries.emplace_back(j, i, value);
    }
  }
  return assembled(model.nv, model.nv, entries);
}

}  // namespace

Vector loads_of(const mjModel& model, const mjData& data) {
  return model.opt.timestep * Eigen::Map<const Vector>(data.qfrc_smooth, model.nv);
}

StepRows step_rows(const mjModel& model, const mjData& data,
                   const std::vector<Constraint>& constraints, const Vector& loads,
                   const Vector& v) {
  Index unknowns = 0;
  for (const Constraint& constraint : constraints) unknowns += constraint.set->dimension();
  StepRows rows;
  rows.form.w.resize(unknowns);
  Triplets entries;
  std::vector<double> mu;
  Index start = 0;
  for (const Constraint& constraint : constraints) {
    const Index size = constraint.set->dimension();
    rows.form.w.segment(start, size) = constraint.w;
    for (const auto& entry : constraint.columns)
      entries.emplace_back(entry.row(), static_cast<int>(start) + entry.col(), entry.value());
    if (constraint.set->kind() == "friction")
      mu.push_back(*constraint.set->mu());
    else
      rows.others.push_back(constraint.set);
    start += size;
  }
  rows.mu = Eigen::Map<const Vector>(mu.data(), static_cast<Index>(mu.size()));
  rows.form.H.resize(model.nv, unknowns);
  rows.form.H.setFromTriplets(entries.begin(), entries.end());
  rows.form.H.prune(0.0, 0.0);  // bodies of one tree move together with the joints that carry both
  rows.form.M = inertia(model, data);
  rows.form.f = rows.form.M * v + loads;
  return rows;
}

fclib::IdentifiedBlocks blocks_of(const std::vector<Constraint>& constraints) {
  std::vector<Index> starts{0};
  std::vector<fclib::BlockIdentity> bodies;
  for (const Constraint& constraint : constraints) {
    starts.push_back(starts.back() + constraint.set->dimension());
    bodies.push_back(constraint.who);
  }
  return {std::move(starts), std::move(bodies)};
}

bool has_damped_joints(const mjModel& model) {
  return std::any_of(model.dof_damping, model.dof_damping + model.nv,
                     [](double damping) { return damping > 0; });
}

}  // namespace frictionbench::mujoco
