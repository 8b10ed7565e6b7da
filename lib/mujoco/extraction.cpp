#include "frictionbench/mujoco/extraction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <utility>

#include "frictionbench/base/file_error.hpp"
#include "frictionbench/fclib/file_rows.hpp"
#include "frictionbench/mujoco/internal/controls.hpp"
#include "frictionbench/mujoco/internal/engine.hpp"
#include "frictionbench/mujoco/internal/step_rows.hpp"

namespace frictionbench::mujoco {

namespace {

constexpr const char* math_info =
    "Local: u = W r + q. Global: M v = H r + f, u = H^T v + w. NCP: K_mu contains r, orthogonal to "
    "u + (mu |u_T|, 0, 0) in its dual. Components (N, T1, T2); u_N > 0 opens a contact, r in N s. "
    "w_N = max(gap, 0) / h; v is the velocity of MuJoCo's degrees of freedom at the end of a "
    "semi-implicit Euler step. Other sets of the group frictionbench: the impulse is in the set, "
    "minus the corrected velocity in its normal cone.";

// Removes the constraints that are not contacts. \returns what MuJoCo's own impulses of these change in the
// momentum.
Vector take_joints_out(const mjModel& model, const mjData& data,
                       std::vector<Constraint>& constraints) {
  Vector momentum = Vector::Zero(model.nv);
  std::erase_if(constraints, [&](const Constraint& constraint) {
    if (constraint.contact >= 0) return false;
    const BlockVector impulse = mujoco_impulse(model, data, constraint);
    for (const auto& entry : constraint.columns)
      momentum[entry.row()] += entry.value() * impulse[entry.col()];
    return true;
  });
  return momentum;
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

// MuJoCo's own, over the step.
Vector mujoco_impulses(const mjModel& model, const mjData& data,
                       const std::vector<Constraint>& constraints, Index unknowns) {
  Vector r(unknowns);
  Index start = 0;
  for (const Constraint& constraint : constraints) {
    const Index size = constraint.set->dimension();
    r.segment(start, size) = mujoco_impulse(model, data, constraint);
    start += size;
  }
  return r;
}

// As Step has them. \param loads, r as in the problem. \param v before the step, data.qvel after it.
Balance balance_of(const mjModel& model, const mjData& data, const GlobalForm& form,
                   const Vector& loads, const Vector& r, const Vector& v) {
  if (model.nv == 0) return {};
  const Vector after = Eigen::Map<const Vector>(data.qvel, model.nv);
  const Vector left = left_by_solver(model, data);
  const SparseMatrix &M = form.M, &H = form.H;
  const Vector difference = M * after - M * v - loads - H * r - left;
  const Vector size = M.cwiseAbs() * (after.cwiseAbs() + v.cwiseAbs()) + loads.cwiseAbs() +
                      H.cwiseAbs() * r.cwiseAbs();
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
fclib::ProblemFile problem_of(StepRows rows, std::vector<fclib::BlockIdentity> bodies,
                              fclib::Info info, const Vector& v,
                              const std::optional<fclib::IdentifiedBlocks>& before,
                              const Vector& impulse_before) {
  const Vector u = rows.form.H.transpose() * v + rows.form.w;
  fclib::ProblemFile file{
      ContactProblem(3, std::move(rows.mu), std::move(rows.form), std::move(rows.others)),
      std::move(info),
      std::nullopt,
      {},
      {},
      std::move(bodies)};
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

}  // namespace

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
    std::vector<Constraint> constraints = constraints_of(model, data, names.of(model, data), 0);
    const Vector given = simulation.contacts_only ? take_joints_out(model, data, constraints)
                                                  : Vector(Vector::Zero(model.nv));
    const Vector loads = loads_of(model, data) + given;
    fclib::IdentifiedBlocks blocks = blocks_of(constraints);
    StepRows rows = step_rows(model, data, constraints, loads, v);
    Vector impulse = mujoco_impulses(model, data, constraints, blocks.shape.order());
    const Balance balance = balance_of(model, data, rows.form, loads, impulse, v);
    if (!(balance.error <= largest_imbalance))
      throw FileError(
          simulation.model, "",
          fmt::format("step {}: momentum is balanced only to {:.1e} by MuJoCo's own forces; the "
                      "model has something that is not in the problem",
                      number, balance.error));
    result.balance.error = std::max(result.balance.error, balance.error);
    result.balance.left_by_solver = std::max(result.balance.left_by_solver, balance.left_by_solver);
    if (number % simulation.every == 0) {
      for (const Constraint& constraint : constraints)
        ++result.blocks[std::string(constraint.set->kind())];
      ++result.steps;
      take({number,
            problem_of(std::move(rows), blocks.bodies,
                       info_of(result.name, texts, engine, number, constraints), v, before,
                       impulse_before),
            balance});
    }
    before = std::move(blocks);
    impulse_before = std::move(impulse);
  }
  return result;
}

}  // namespace frictionbench::mujoco
