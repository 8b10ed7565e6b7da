#include "frictionbench/mujoco/motion.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "frictionbench/fclib/same_blocks.hpp"
#include "frictionbench/mujoco/internal/controls.hpp"
#include "frictionbench/mujoco/internal/engine.hpp"
#include "frictionbench/mujoco/internal/geoms.hpp"
#include "frictionbench/mujoco/internal/step_rows.hpp"

namespace frictionbench::mujoco {

namespace {

using simulation::Vector3;

// A contact of a step, for what is shown of it later.
struct Place {
  int first, second;  // bodies
  Vector3 point;
  Eigen::Matrix3d frame;  // columns N, T1, T2
  Index row;              // of the problem
};

// A step that has a problem.
struct Stated {
  ContactProblem problem;
  fclib::IdentifiedBlocks blocks;
  std::vector<Place> contacts;
  double overlap = 0;
};

int body_of(const mjModel& model, int geom) {
  const int body = model.geom_bodyid[geom];
  return model.body_weldid[body] == 0 ? simulation::Solid::fixed : number_of(body);
}

Place place_of(const mjModel& model, const mjContact& contact, Index row) {
  using Rows = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;
  // The normal points to the second geom.
  return {body_of(model, contact.geom2), body_of(model, contact.geom1),
          Eigen::Map<const Vector3>(contact.pos), Eigen::Map<const Rows>(contact.frame).transpose(),
          row};
}

class ModelMotion final : public simulation::Motion {
 public:
  ModelMotion(const ModelSettings& settings, int after)
      : engine_(settings), controls_(controls_named(settings.control, engine_.model())) {
    for (int step = 0; step < after; ++step) {
      controls_(engine_.model(), engine_.data());
      engine_.step();
    }
    engine_.look();
  }

  simulation::StepProblem next(double push_apart) override {
    controls_(engine_.model(), engine_.data());
    engine_.sum_forces();
    const mjModel& model = engine_.model();
    const mjData& data = engine_.data();
    const std::vector<Constraint> constraints =
        constraints_of(model, data, names_.of(model, data), push_apart);
    StepRows rows = step_rows(model, data, constraints, loads_of(model, data), velocity());
    next_.emplace(
        Stated{ContactProblem(3, std::move(rows.mu), std::move(rows.form), std::move(rows.others)),
               blocks_of(constraints),
               {}});
    for (std::size_t i = 0; i < constraints.size(); ++i) {
      if (constraints[i].contact < 0) continue;
      const mjContact& contact = data.contact[constraints[i].contact];
      next_->contacts.push_back(
          place_of(model, contact, next_->blocks.shape.start(static_cast<Index>(i))));
      next_->overlap = std::max(next_->overlap, -contact.dist);
    }
    return {next_->problem, start(), static_cast<Index>(next_->contacts.size()), next_->overlap};
  }

  void move(const Vector& r) override {
    const Vector momentum = next_->problem.global()->H * r;
    engine_.move(next_->problem.generalized_velocity(r), momentum);
    last_ = std::exchange(next_, std::nullopt);
    impulse_ = r;
    engine_.look();
  }

  double time_step() const override { return engine_.model().opt.timestep; }

  simulation::Energies energies() const override {
    return {engine_.data().energy[1], engine_.data().energy[0]};
  }

  simulation::Frame frame() const override {
    simulation::Frame frame = frame_of(engine_.model(), engine_.data());
    if (!last_) return frame;
    for (const Place& contact : last_->contacts)
      frame.impulses.push_back({contact.first, contact.second, contact.point,
                                contact.frame * impulse_.segment<3>(contact.row)});
    return frame;
  }

  const Engine& engine() const { return engine_; }

 private:
  Vector velocity() const {
    return Eigen::Map<const Vector>(engine_.data().qvel, engine_.model().nv);
  }

  // Of the problem that is next.
  Vector start() const {
    if (!last_ || last_->blocks.bodies.empty() || next_->blocks.bodies.empty())
      return Vector::Zero(next_->problem.unknowns());
    return fclib::impulse_of_same_blocks(last_->blocks, impulse_, next_->blocks);
  }

  Engine engine_;
  Controls controls_;
  ContactNames names_;
  std::optional<Stated> last_, next_;
  Vector impulse_;  // of the last step
};

}  // namespace

MovedModel make_motion(const ModelSettings& settings, int after) {
  auto motion = std::make_unique<ModelMotion>(settings, after);
  const mjModel& model = motion->engine().model();
  MovedModel made{nullptr, {}, model.nv, model.nu, motion->engine().notes()};
  for (int body = 1; body < model.nbody; ++body) {
    const char* const name = mj_id2name(&model, mjOBJ_BODY, body);
    made.bodies.emplace_back(name ? name : "");
  }
  made.motion = std::move(motion);
  return made;
}

}  // namespace frictionbench::mujoco
