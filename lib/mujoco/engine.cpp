#include "frictionbench/mujoco/internal/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <csetjmp>
#include <functional>

#include "frictionbench/base/file_error.hpp"

namespace frictionbench::mujoco {

namespace {

// mju_error() must not return, and ends the process unless a handler leaves it otherwise.
thread_local std::jmp_buf on_error;
thread_local std::string error_text;

void leave(const char* text) {
  error_text = text;
  std::longjmp(on_error, 1);
}

void ignore(const char*) {
}  // a warning would go to a file MUJOCO_LOG.TXT; the counts in mjData say it

// Calls MuJoCo. \returns the text of mju_error(), empty without one. Nothing between here and there may
// have a destructor that longjmp would skip.
template <typename Call>
std::string error_of(const Call& call) {
  mju_user_error = leave;
  mju_user_warning = ignore;
  error_text.clear();
  if (setjmp(on_error) == 0) call();
  return error_text;
}

std::string one_line(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

}  // namespace

Engine::Engine(const Simulation& simulation) : path_(simulation.model) {
  std::array<char, 1000> reason{};
  mjModel* model = nullptr;
  std::string error = error_of([&] {
    model = mj_loadXML(path_.c_str(), nullptr, reason.data(), static_cast<int>(reason.size()));
  });
  model_.reset(model);
  if (!model) fail("not a model: " + one_line(error.empty() ? reason.data() : error));

  mjOption& option = model_->opt;
  if (simulation.time_step) option.timestep = *simulation.time_step;
  if (option.integrator != mjINT_EULER) {
    notes_.push_back(
        fmt::format("semi-implicit Euler steps instead of the model's integrator, {}",
                    option.integrator == mjINT_RK4 ? "Runge-Kutta" : "implicit in velocity"));
    option.integrator = mjINT_EULER;
  }
  mjData* data = nullptr;
  error = error_of([&] { data = mj_makeData(model_.get()); });
  data_.reset(data);
  if (!data) fail(error.empty() ? "not enough memory" : one_line(error));
  start_at(simulation.keyframe);
}

void Engine::start_at(const std::string& keyframe) {
  if (keyframe.empty()) return;
  int key = mj_name2id(model_.get(), mjOBJ_KEY, keyframe.c_str());
  if (key < 0) {
    const char* const end = keyframe.data() + keyframe.size();
    const auto [stop, wrong] = std::from_chars(keyframe.data(), end, key);
    if (wrong != std::errc() || stop != end || key < 0 || key >= model_->nkey) {
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

void Engine::step() {
  const std::string error = error_of([&] { mj_step(model_.get(), data_.get()); });
  const std::string where = fmt::format("step {}: ", steps_);
  if (!error.empty()) fail(where + one_line(error));
  const auto warned = [&](mjtWarning kind) { return data_->warning[kind].number > 0; };
  if (warned(mjWARN_CONTACTFULL) || warned(mjWARN_CNSTRFULL))
    fail(where +
         fmt::format(
             "more contacts or constraints than the model has room for; raise nconmax (now {}) "
             "or njmax (now {}) of its <size>",
             model_->nconmax, model_->njmax));
  if (warned(mjWARN_BADQPOS) || warned(mjWARN_BADQVEL) || warned(mjWARN_BADQACC))
    fail(where + "the simulation is unstable; try a shorter time step or other controls");
  ++steps_;
}

void Engine::fail(const std::string& reason) const { throw FileError(path_, "", reason); }

}  // namespace frictionbench::mujoco
