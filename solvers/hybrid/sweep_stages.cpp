#include "frictionbench/solvers/hybrid/sweep_stages.hpp"

#include <algorithm>
#include <cmath>

#include "frictionbench/solvers/active_set/active_set.hpp"
#include "frictionbench/solvers/active_set/active_set_steps.hpp"
#include "frictionbench/solvers/gauss_seidel/block_alone.hpp"
#include "frictionbench/solvers/gauss_seidel/sweep_momentum.hpp"
#include "frictionbench/solvers/hybrid/budget.hpp"
#include "frictionbench/solvers/hybrid/forecast.hpp"

namespace frictionbench::solvers {

namespace {

constexpr int longest_interval = 8;  // sweeps between evaluations, each as costly as one
constexpr int too_few_sweeps = 4;    // to be worth their setup
constexpr int fewest_sweeps = 200;   // before the forecast counts in stage 4

// Until solved or expected not to be. Residuals are evaluated after 1, 2, 4, 8 and then every 8 sweeps, or
// earlier where the forecast expects them solved.
// \param fewest sweeps before the forecast counts. \param most sweeps.
// \param between `between(sweeps, r, u)` tries something else after residuals were evaluated, and
//        returns whether it has ended the stage.
template <typename Rows, typename Between>
void sweep(Solve& stage, const Rows& W, int fewest, int most, const Between& between) {
  Forecast forecast(stage.tolerance());
  int made = 0;
  bool is_sweeping = true;
  stage.give_up_when([&](int, const ConeResiduals& residuals) {
    if (!is_sweeping) return false;
    forecast.add(made, residuals);
    return made >= most || (made >= fewest && forecast.iterations_left() > most - made);
  });

  SweepMomentum momentum(W);
  Vector r = stage.start();
  int next_judgement = 1;
  while (stage.begin_iteration()) {
    momentum.extrapolate(r);
    W.sweep([&](Index i) { W.of(r, i) = solve_alone(W, i, r); });
    ++made;
    if (made < std::min(next_judgement, most) && !stage.is_last_iteration()) continue;
    stage.answer_unsolved_with(r);
    const Vector u = W.velocity(r);
    if (stage.ends(r, u)) return;
    is_sweeping = false;
    if (between(made, r, u)) return;
    is_sweeping = true;
    const double longest = std::min(made, longest_interval);
    next_judgement =
        made + static_cast<int>(std::clamp(std::ceil(forecast.iterations_left()), 1.0, longest));
  }
}
template <typename Rows>
void sweep(Solve& stage, const Rows& W, int fewest, int most) {
  sweep(stage, W, fewest, most, [](int, const Vector&, const Vector&) { return false; });
}

// The same in turns with attempts by active sets: the first after two sweeps, each other one when the
// sweeps since have cost as much as it may. \param work of one sweep.
template <int Dim>
void sweep_in_turns(Solve& stage, const ContactSweeps<Dim>& W, int fewest, int most, double work) {
  const int steps = ActiveSetSettings().steps_after_sweeps;
  ActiveSet<Dim> newton(stage);
  int last = 0;
  sweep(stage, W, fewest, most, [&](int sweeps, const Vector& r, const Vector& u) {
    if (sweeps < 2) return false;
    newton.go_to(r, u);
    if (last > 0 && (sweeps - last) * work < steps * newton.step_work()) return false;
    last = sweeps;
    return newton.newton(steps, 1);
  });
}

}  // namespace

void first_sweeps(bool active_sets, bool uncoupled, Solve& stage) {
  stage.with_sweeps([&]<typename Rows>(const Rows& W) {
    const PredictedWork work(stage.W(), W);
    const int fewest = work.sweeps(work.admm_setup());
    const int most = work.sweeps(work.interior_point());
    if (fewest < too_few_sweeps && !uncoupled)
      return stage.stall("sweeps would cost more than the methods that follow");
    if constexpr (requires { Rows::dimension; })
      if (active_sets) return sweep_in_turns(stage, W, fewest, most, work.sweep());
    sweep(stage, W, fewest, most);
  });
}

void more_sweeps(Solve& stage) {
  const int most = stage.most_iterations();
  stage.with_sweeps([&](const auto& W) { sweep(stage, W, fewest_sweeps, most); });
}

void sweeps_to_the_end(Solve& stage) {
  const int all = stage.most_iterations();
  stage.with_sweeps([&](const auto& W) { sweep(stage, W, all, all); });
}

}  // namespace frictionbench::solvers
