#include "frictionbench/mujoco/extraction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <utility>

#include "frictionbench/base/file_error.hpp"
#include "frictionbench/fclib/file_rows.hpp"
#include "frictionbench/fclib/same_blocks.hpp"
#include "frictionbench/mujoco/internal/constraints.hpp"
#include "frictionbench/mujoco/internal/controls.hpp"
#include "frictionbench/mujoco/internal/engine.hpp"

namespace frictionbench::mujoco {

namespace {

using Triplets = std::vector<Eigen::Triplet<double, int>>;

constexpr const char* math_info =
    "Local: u = W r + q. Global: M v = H r + f, u = H^T v + w. NCP: K_mu contains r, orthogonal to "
    "u + (mu |u_T|, 0, 0) in its dual. Components (N, T1, T2); u_N > 0 opens a contact, r in N s. "
    "w_N = max(gap, 0) / h; v is the velocity of MuJoCo's degrees of freedom at the end of a "
    "semi-implicit Euler step. Other sets of the group frictionbench: the impulse is in the set, "
    "minus the corrected velocity in its normal cone.";

// The problem of a step before it is given away.
struct Rows {
  GlobalForm form;
  Vector mu;                       // of the friction cones, which come first
  std::vector<SetPointer> others;  // sets of all other blocks
  std::vector<fclib::BlockIdentity> bodies;
  Vector impulse;  // MuJoCo's, over the step
  Vector loads;    // impulses of all given forces
};

bool has_damped_joints(const mjModel& model) {
  return std::any_of(model.dof_damping, model.dof_damping + model.nv,
                     [](double damping) { return damping > 0; });
}

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
  SparseMatrix M(model.nv, model.nv);
  M.setFromTriplets(entries.begin(), entries.end());
  return M;
}

// Removes the constraints that are not contacts. \returns what their impulses change in the momentum.
Vector take_joints_out(std::vector<Constraint>& constraints, int dofs) {
  Vector momentum = Vector::Zero(dofs);
  std::erase_if(constraints, [&](const Constraint& constraint) {
    if (constraint.contact) return false;
    for (const auto& entry : constraint.columns)
      momentum[entry.row()] += entry.value() * constraint.impulse[entry.col()];
    return true;
  });
  return momentum;
}

// \param given impulses of constraints that are no blocks. \param v before the step.
Rows rows_of(const mjModel& model, const mjData& data, const std::vector<Constraint>& constraints,
             const Vector& given, const Vector& v) {
  Index unknowns = 0;
  for (const Constraint& constraint : constraints) unknowns += constraint.set->dimension();
  Rows rows;
  rows.form.w.resize(unknowns);
  rows.impulse.resize(unknowns);
  Triplets entries;
  std::vector<double> mu;
  Index start = 0;
  for (const Constraint& constraint : constraints) {
    const Index size = constraint.set->dimension();
    rows.form.w.segment(start, size) = constraint.w;
    rows.impulse.segment(start, size) = constraint.impulse;
    for (const auto& entry : constraint.columns)
      entries.emplace_back(entry.row(), static_cast<int>(start) + entry.col(), entry.value());
    rows.bodies.push_back(constraint.who);
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
  rows.loads = model.opt.timestep * Eigen::Map<const Vector>(data.qfrc_smooth, model.nv) + given;
  rows.form.f = rows.form.M * v + rows.loads;
  return rows;
}

// What MuJoCo's solver left of the balance of momentum, h (M a - forces - J^T f), when it stopped. With
// damped joints the step is solved again with the forces that were found, and nothing is left.
Vector left_by_solver(const mjModel& model, const mjData& data) {
  if (has_damped_joints(model)) return Vector::Zero(model.nv);
  Vector left(model.nv);
  mj_mulM(&model, &data, left.data(), data.qacc);
  return model.opt.timestep * (left - Eigen::Map<const Vector>(data.qfrc_smooth, model.nv) -
                               Eigen::Map<const Vector>(data.qfrc_constraint, model.nv));
}

// As Step has them. \param v before the step, data.qvel after it.
Balance balance_of(const mjModel& model, const mjData& data, const Rows& rows, const Vector& v) {
  if (model.nv == 0) return {};
  const Vector& loads = rows.loads;
  const Vector after = Eigen::Map<const Vector>(data.qvel, model.nv);
  const Vector left = left_by_solver(model, data);
  const SparseMatrix &M = rows.form.M, &H = rows.form.H;
  const Vector difference = M * after - M * v - loads - H * rows.impulse - left;
  const Vector size = M.cwiseAbs() * (after.cwiseAbs() + v.cwiseAbs()) + loads.cwiseAbs() +
                      H.cwiseAbs() * rows.impulse.cwiseAbs();
  const double largest = size.maxCoeff();
  if (!(largest > 0)) return {};
  return {difference.lpNorm<Eigen::Infinity>() / largest, left.lpNorm<Eigen::Infinity>() / largest};
}

// "8 friction, 2 interval", in the order of the blocks; "none".
std::string count_text(const std::vector<Constraint>& constraints) {
  std::string text;
  for (std::size_t i = 0; i < constraints.size();) {
    const std::string_view kind = constraints[i].set->kind();
    std::size_t end = i;
    while (end < constraints.size() && constraints[end].set->kind() == kind) ++end;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", end - i, kind);
    i = end;
  }
  return text.empty() ? "none" : text;
}

// What steps have in common.
struct Texts {
  std::string command, notes;
};

Texts texts_of(const Simulation& simulation, const Engine& engine) {
  const mjModel& model = engine.model();
  const auto file_name = [](const std::string& path) {
    return std::filesystem::path(path).filename().string();
  };
  Texts texts{"frictionbench extract " + file_name(simulation.model), ""};
  if (simulation.time_step) texts.command += fmt::format(" --dt {}", *simulation.time_step);
  if (!simulation.keyframe.empty()) texts.command += " --keyframe " + simulation.keyframe;
  if (simulation.control != "zero") texts.command += " --control " + file_name(simulation.control);
  if (simulation.contacts_only) texts.command += " --contacts-only";
  texts.notes = fmt::format("Moved by MuJoCo {} with its own soft contacts", version());
  for (const std::string& note : engine.notes()) texts.notes += ", " + note;
  if (has_damped_joints(model)) texts.notes += "; M has h times the damping of joints";
  if (simulation.contacts_only)
    texts.notes += "; MuJoCo's forces of limits, equalities and dry friction of joints are in f";
  texts.notes +=
      "; springs, actuators, gravity and other forces are in f. Overlap and open joints are not "
      "corrected.";
  return texts;
}

fclib::Info info_of(const std::string& name, const Texts& texts, const Engine& engine, int number,
                    const std::vector<Constraint>& constraints) {
  const mjModel& model = engine.model();
  return {
      fmt::format("{}, step {}", name, number),
      fmt::format("{}: state after {} steps of {} s; {} degrees of freedom; blocks: {}; units of "
                  "the model. {}",
                  texts.command, number, model.opt.timestep, model.nv, count_text(constraints),
                  texts.notes),
      math_info};
}

// \param v before the step.
fclib::ProblemFile problem_of(Rows rows, fclib::Info info, const Vector& v,
                              const std::optional<fclib::IdentifiedBlocks>& before,
                              const Vector& impulse_before) {
  const Vector u = rows.form.H.transpose() * v + rows.form.w;
  fclib::ProblemFile file{
      ContactProblem(3, std::move(rows.mu), std::move(rows.form), std::move(rows.others)),
      std::move(info),
      std::nullopt,
      {},
      {},
      std::move(rows.bodies)};
  if (before) {
    fclib::State guess;
    guess.v = v;
    guess.u = u.head(fclib::rows_in_file(file.problem).contacts);
    guess.r = before->bodies.empty() ? Vector::Zero(file.problem.unknowns())
                                     : fclib::impulse_of_same_blocks(*before, impulse_before,
                                                                     fclib::IdentifiedBlocks(file));
    file.guesses.push_back(std::move(guess));
  }
  return file;
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

}  // namespace

std::string version() {
  const int number = mj_version();
  return fmt::format("{}.{}.{}", number / 100, number / 10 % 10, number % 10);
}

Extract extract(const Simulation& simulation, const std::function<void(Step)>& take) {
  Engine engine(simulation);
  const mjModel& model = engine.model();
  const Controls controls = controls_named(simulation.control, model);
  const Texts texts = texts_of(simulation, engine);
  Extract result{std::filesystem::path(simulation.model).stem().string(),
                 model.nv,
                 model.nu,
                 model.opt.timestep,
                 0,
                 {},
                 {},
                 engine.notes()};
  ContactNames names;
  std::optional<fclib::IdentifiedBlocks> before;
  Vector impulse_before;
  for (int number = 0; number < simulation.steps; ++number) {
    const Vector v = Eigen::Map<const Vector>(engine.data().qvel, model.nv);
    controls(model, engine.data());
    engine.step();
    const mjData& data = engine.data();
    std::vector<Constraint> constraints = constraints_of(model, data, names.of(model, data));
    const Vector given = simulation.contacts_only ? take_joints_out(constraints, model.nv)
                                                  : Vector(Vector::Zero(model.nv));
    Rows rows = rows_of(model, data, constraints, given, v);
    const Balance balance = balance_of(model, data, rows, v);
    if (!(balance.error <= largest_imbalance))
      throw FileError(
          simulation.model, "",
          fmt::format("step {}: momentum is balanced only to {:.1e} by MuJoCo's own forces; the "
                      "model has something that is not in the problem",
                      number, balance.error));
    result.balance.error = std::max(result.balance.error, balance.error);
    result.balance.left_by_solver = std::max(result.balance.left_by_solver, balance.left_by_solver);
    Vector impulse = rows.impulse;
    if (number % simulation.every == 0) {
      for (const Constraint& constraint : constraints)
        ++result.blocks[std::string(constraint.set->kind())];
      ++result.steps;
      take({number,
            problem_of(std::move(rows), info_of(result.name, texts, engine, number, constraints), v,
                       before, impulse_before),
            balance});
    }
    before = blocks_of(constraints);
    impulse_before = std::move(impulse);
  }
  return result;
}

}  // namespace frictionbench::mujoco
