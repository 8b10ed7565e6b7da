#include "frictionbench/mujoco/internal/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <csetjmp>
#include <filesystem>

#include "frictionbench/base/file_error.hpp"
#include "frictionbench/base/text.hpp"

namespace frictionbench::mujoco {

namespace {

// mju_error() must not return, and ends the process unless a handler leaves it otherwise.
thread_local std::jmp_buf on_error;
thread_local std::string error_text, warning_text;

void leave(const char* text) {
  error_text = text;
  std::longjmp(on_error, 1);
}

// A warning would go to a file MUJOCO_LOG.TXT; the counts in mjData say it.
void keep(const char* text) { warning_text = text; }

// Calls MuJoCo. \returns the text of mju_error(), empty without one. Nothing between here and there may
// have a destructor that longjmp would skip.
template <typename Call>
std::string error_of(const Call& call) {
  mju_user_error = leave;
  mju_user_warning = keep;
  error_text.clear();
  warning_text.clear();
  if (setjmp(on_error) == 0) call();
  return error_text;
}

std::string one_line(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

}  // namespace

std::string version() {
  const int number = mj_version();
  return fmt::format("{}.{}.{}", number / 100, number / 10 % 10, number % 10);
}

void Engine::load() {
  if (!std::filesystem::exists(path_)) fail("no such file");
  std::array<char, 1000> reason{};
  mjModel* model = nullptr;
  const bool compiled = path_.ends_with(".mjb");
  const std::string error = error_of([&] {
    if (compiled)
      model = mj_loadModel(path_.c_str(), nullptr);
    else
      model = mj_loadXML(path_.c_str(), nullptr, reason.data(), static_cast<int>(reason.size()));
  });
  model_.reset(model);
  if (model) return;
  const std::string why = compiled ? warning_text : std::string(reason.data());
  fail("not a model: " + one_line(error.empty() ? why : error));
}

Engine::Engine(const ModelSettings& settings) : path_(settings.model) {
  load();
  mjOption& option = model_->opt;
  option.enableflags |= mjENBL_ENERGY;  // without it, look() has none
  if (settings.time_step) option.timestep = *settings.time_step;
  if (option.integrator != mjINT_EULER) {
    notes_.push_back(
        fmt::format("semi-implicit Euler steps instead of the model's integrator, {}",
                    option.integrator == mjINT_RK4 ? "Runge-Kutta" : "implicit in velocity"));
    option.integrator = mjINT_EULER;
  }
  mjData* data = nullptr;
  const std::string error = error_of([&] { data = mj_makeData(model_.get()); });
  data_.reset(data);
  if (!data) fail(error.empty() ? "not enough memory" : one_line(error));
  start_at(settings.keyframe);
}

void Engine::start_at(const std::string& keyframe) {
  if (keyframe.empty()) return;
  int key = mj_name2id(model_.get(), mjOBJ_KEY, keyframe.c_str());
  if (key < 0) {
    key = number_in<int>(keyframe).value_or(-1);
    if (key < 0 || key >= model_->nkey) {
      std::string names;
      for (int k = 0; k < model_->nkey; ++k) {
        const char* const name = mj_id2name(model_.get(), mjOBJ_KEY, k);
        names +=
            fmt::format("{}{}", k == 0 ? "; there are " : ", ", name ? name : fmt::to_string(k));
      }
      fail(fmt::format("no keyframe '{}'{}", keyframe, names.empty() ? "; there are none" : names));
    }
  }
  mj_resetDataKeyframe(model_.get(), data_.get(), key);
}

template <typename Call>
void Engine::call(const Call& function) {
  const std::string error = error_of(function);
  if (!error.empty()) fail(where() + one_line(error));
}

std::string Engine::where() const { return fmt::format("step {}: ", steps_); }

void Engine::fail_as_unstable() const {
  fail(where() + "the simulation is unstable; try a shorter time step or other controls");
}

void Engine::check_warnings() const {
  const auto warned = [&](mjtWarning kind) { return data_->warning[kind].number > 0; };
  if (warned(mjWARN_CONTACTFULL) || warned(mjWARN_CNSTRFULL))
    fail(where() +
         fmt::format(
             "more contacts or constraints than the model has room for; raise nconmax (now {}) "
             "or njmax (now {}) of its <size>",
             model_->nconmax, model_->njmax));
  if (warned(mjWARN_BADQPOS) || warned(mjWARN_BADQVEL) || warned(mjWARN_BADQACC))
    fail_as_unstable();
}

void Engine::step() {
  call([&] { mj_step(model_.get(), data_.get()); });
  check_warnings();
  ++steps_;
}

void Engine::look() {
  call([&] {
    mj_fwdPosition(model_.get(), data_.get());
    mj_energyPos(model_.get(), data_.get());
    mj_energyVel(model_.get(), data_.get());
  });
}

void Engine::sum_forces() {
  if (model_->nv == 0) fail("the model has no joints, so that nothing moves");
  call([&] {
    mj_fwdVelocity(model_.get(), data_.get());
    mj_fwdActuation(model_.get(), data_.get());
    mj_fwdAcceleration(model_.get(), data_.get());
  });
  check_warnings();
}

void Engine::move(const Vector& v, const Vector& constraint_impulse) {
  if (!(v.array().abs() < mjMAXVAL).all()) fail_as_unstable();
  // mj_Euler() moves by the acceleration, or with damped joints by the forces of constraints.
  const double h = model_->opt.timestep;
  Eigen::Map<Vector> acceleration(data_->qacc, model_->nv);
  acceleration = (v - Eigen::Map<const Vector>(data_->qvel, model_->nv)) / h;
  Eigen::Map<Vector>(data_->qfrc_constraint, model_->nv) = constraint_impulse / h;
  call([&] { mj_Euler(model_.get(), data_.get()); });
  ++steps_;
}

void Engine::fail(const std::string& reason) const { throw FileError(path_, "", reason); }

}  // namespace frictionbench::mujoco
