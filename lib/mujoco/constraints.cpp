#include "frictionbench/mujoco/internal/constraints.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "frictionbench/sets/sets.hpp"

namespace frictionbench::mujoco {

namespace {

using Eigen::Vector3d;

constexpr double infinity = std::numeric_limits<double>::infinity();

// Who a constraint other than a contact is: its number among those of its kind, the kind, which is
// negative where a contact has a body, and which of the limits.
fclib::BlockIdentity who_of(int type, int id, int limit = 0) { return {id, -1 - type, limit}; }

// The speed of opening that a contact or a limit must not fall short of, with the sign of w.
double speed_to_close(double gap, double push_apart, const mjModel& model) {
  if (gap < 0 && push_apart == 0) return 0;  // not -0
  return (gap < 0 ? push_apart * gap : gap) / model.opt.timestep;
}

// Columns of a contact for one of its bodies: the velocity of the body at the point, along the axes of
// the frame, and its angular velocity about them. MuJoCo's rows are those of the second body minus those
// of the first, of friction first the tangents, then spin about the normal, and rolling about the tangents.
void add_body(const mjModel& model, const mjData& data, const mjContact& contact, int geom,
              double sign, int rows, Constraint& constraint) {
  int body = model.geom_bodyid[geom];
  while (body > 0 && model.body_dofnum[body] == 0) body = model.body_parentid[body];
  if (body == 0) return;
  const double* const origin = data.subtree_com + 3 * model.body_rootid[body];
  const Vector3d arm = Eigen::Map<const Vector3d>(contact.pos) - Eigen::Map<const Vector3d>(origin);
  int dof = model.body_dofadr[body] + model.body_dofnum[body] - 1;
  for (; dof >= 0; dof = model.dof_parentid[dof]) {
    const Eigen::Map<const Vector3d> turn(data.cdof + 6 * dof), move(data.cdof + 6 * dof + 3);
    const Vector3d velocity = move + turn.cross(arm);
    for (int row = 0; row < rows; ++row) {
      const Eigen::Map<const Vector3d> axis(contact.frame + 3 * (row % 3));
      constraint.columns.emplace_back(dof, row,
                                      sign * axis.dot(row < 3 ? velocity : Vector3d(turn)));
    }
  }
}

SetPointer set_of(const mjContact& contact) {
  const double* const mu = contact.friction;
  if (contact.dim == 1) return friction_cone(0);
  if (contact.dim == 3 && mu[0] == mu[1]) return friction_cone(mu[0]);
  return elliptic_cone({mu, mu + contact.dim - 1});
}

Constraint contact_constraint(const mjModel& model, const mjData& data, int index,
                              const fclib::BlockIdentity& who, double push_apart) {
  const mjContact& contact = data.contact[index];
  Constraint constraint{set_of(contact), who, {}, {}, index, contact.efc_address};
  const int rows = static_cast<int>(constraint.set->dimension());
  add_body(model, data, contact, contact.geom1, -1, rows, constraint);
  add_body(model, data, contact, contact.geom2, 1, rows, constraint);
  constraint.w = BlockVector::Zero(rows);
  constraint.w[0] = speed_to_close(contact.dist, push_apart, model);
  return constraint;
}

// Row `row` of MuJoCo's Jacobian as a column of a constraint.
void add_row(const mjModel& model, const mjData& data, int row, int column,
             Constraint& constraint) {
  if (mj_isSparse(&model) != 0) {
    const int begin = data.efc_J_rowadr[row];
    for (int k = begin; k < begin + data.efc_J_rownnz[row]; ++k)
      constraint.columns.emplace_back(data.efc_J_colind[k], column, data.efc_J[k]);
    return;
  }
  for (int dof = 0; dof < model.nv; ++dof) {
    const double value = data.efc_J[static_cast<std::ptrdiff_t>(row) * model.nv + dof];
    if (value != 0) constraint.columns.emplace_back(dof, column, value);
  }
}

int rows_of_equality(const mjModel& model, int id) {
  switch (model.eq_type[id]) {
    case mjEQ_CONNECT:
      return 3;
    case mjEQ_WELD:
      return 6;
    default:
      return 1;
  }
}

// 0 for a lower limit, 1 for an upper one; ball joints have one limit.
int which_limit(const mjModel& model, const mjData& data, int row, const Constraint& constraint) {
  const int id = data.efc_id[row];
  if (data.efc_type[row] == mjCNSTR_LIMIT_JOINT)
    return model.jnt_type[id] != mjJNT_BALL && constraint.columns[0].value() < 0 ? 1 : 0;
  const double above =
      data.ten_length[id] - model.tendon_range[2 * static_cast<std::ptrdiff_t>(id)];
  return std::abs(data.efc_pos[row] - above) < 1e-9 * (1 + std::abs(above)) ? 0 : 1;
}

// The constraint of a row of MuJoCo's that is not a contact's, and those behind it that belong to it.
Constraint joint_constraint(const mjModel& model, const mjData& data, int row, double push_apart) {
  const int type = data.efc_type[row], id = data.efc_id[row];
  const double h = model.opt.timestep;
  const int rows = type == mjCNSTR_EQUALITY ? rows_of_equality(model, id) : 1;
  Constraint constraint{nullptr, who_of(type, id), BlockVector::Zero(rows), {}, -1, row};
  for (int k = 0; k < rows; ++k) add_row(model, data, row + k, k, constraint);
  if (type == mjCNSTR_EQUALITY) {
    constraint.set = equality(rows);
    if (push_apart > 0)
      constraint.w = push_apart / h * Eigen::Map<const Vector>(data.efc_pos + row, rows);
  } else if (type == mjCNSTR_FRICTION_DOF || type == mjCNSTR_FRICTION_TENDON) {
    const double most = h * data.efc_frictionloss[row];
    constraint.set = interval(-most, most);
  } else {
    constraint.set = interval(0, infinity);
    constraint.who = who_of(type, id, which_limit(model, data, row, constraint));
    constraint.w[0] = speed_to_close(data.efc_pos[row], push_apart, model);
  }
  return constraint;
}

// Friction cones come first, and bilateral rows right behind them, as in FCLIB's files.
int place_of(const Constraint& constraint) {
  if (constraint.set->kind() == "friction") return 0;
  return constraint.set->is_whole_space() ? 1 : 2;
}

}  // namespace

std::vector<Constraint> constraints_of(const mjModel& model, const mjData& data,
                                       const std::vector<fclib::BlockIdentity>& names,
                                       double push_apart) {
  std::vector<Constraint> constraints;
  for (int i = 0; i < data.ncon; ++i)
    if (data.contact[i].efc_address >= 0)
      constraints.push_back(
          contact_constraint(model, data, i, names[static_cast<std::size_t>(i)], push_apart));
  for (int row = 0; row < data.nefc && data.efc_type[row] < mjCNSTR_CONTACT_FRICTIONLESS;) {
    constraints.push_back(joint_constraint(model, data, row, push_apart));
    row += static_cast<int>(constraints.back().set->dimension());
  }
  std::ranges::stable_sort(constraints, {}, place_of);
  return constraints;
}

BlockVector mujoco_impulse(const mjModel& model, const mjData& data, const Constraint& constraint) {
  const Index rows = constraint.set->dimension();
  if (constraint.contact < 0)
    return model.opt.timestep * Eigen::Map<const Vector>(data.efc_force + constraint.row, rows);
  std::array<double, 6> force{};
  mj_contactForce(&model, &data, constraint.contact, force.data());
  return model.opt.timestep * Eigen::Map<const Vector>(force.data(), rows);
}

}  // namespace frictionbench::mujoco
