#include "frictionbench/solvers/interior_point/ncp_path.hpp"

#include <algorithm>

#include "frictionbench/solvers/gauss_seidel/block_alone.hpp"
#include "frictionbench/solvers/interior_point/path_tracker.hpp"

namespace frictionbench::solvers {

namespace {

constexpr int first_sweeps = 1000;  // of attempt 2
constexpr double first_tau = 1e-3;  // after them
constexpr double reduction = 0.6;   // of tau, from one centre to the next
constexpr int patience = 40;        // iterations to a centre
constexpr int rescue_sweeps = 300;  // of the first rescue
constexpr int most_rescues = 8;     // of an attempt
constexpr int rescues_at_one_tau = 3;

template <typename Coordinates>
class Attempts {
 public:
  Attempts(const Coordinates& coordinates, const NcpPathSettings& settings, Solve& solve)
      : settings_(settings),
        solve_(solve),
        sweeps_(solve.problem(), solve.work()),
        tracker_(coordinates, solve, settings.regularization) {}

  void run();

 private:
  bool chosen(PathStrategy strategy) const {
    return settings_.strategy == PathStrategy::all || settings_.strategy == strategy;
  }
  void sweep(int count, Vector& r) const;
  void rescue(double tau, int again, Correction correction);
  void follow();
  void descend();

  const NcpPathSettings& settings_;
  Solve& solve_;
  typename Coordinates::Rows sweeps_;
  PathTracker<Coordinates> tracker_;
  int rescues_ = 0;  // for the record
};

template <typename Coordinates>
void Attempts<Coordinates>::sweep(int count, Vector& r) const {
  for (int k = 0; k < count && !solve_.time_is_up(); ++k)
    sweeps_.sweep([&](Index i) { sweeps_.of(r, i) = solve_alone(sweeps_, i, r); });
}

// From the impulse of the last point, sweeps and then to a point at this tau. \param again how often
// that was done before.
template <typename Coordinates>
void Attempts<Coordinates>::rescue(double tau, int again, Correction correction) {
  Vector r = tracker_.impulse();
  sweep(rescue_sweeps << std::min(again, rescues_at_one_tau), r);
  tracker_.enter(r, tau, correction);
  solve_.report("rescues", ++rescues_);
}

template <typename Coordinates>
void Attempts<Coordinates>::follow() {
  if (!tracker_.centre_relaxation(settings_.entry)) return;
  tracker_.follow();
  for (int rescues = 0; rescues < most_rescues && !tracker_.ended(); ++rescues) {
    const double tau = tracker_.tau();
    rescue(tau, rescues, Correction::smooth);
    if (tracker_.centre(tau, Correction::smooth, patience)) tracker_.follow();
  }
}

// From centre to centre.
template <typename Coordinates>
void Attempts<Coordinates>::descend() {
  Vector r = solve_.start();
  sweep(first_sweeps, r);
  double tau = first_tau;
  tracker_.enter(r, tau, Correction::norm);
  int at_this_tau = 0;
  for (int rescues = 0;;) {
    if (tracker_.centre(tau, Correction::norm, patience)) {
      tau *= reduction;
      at_this_tau = 0;
      continue;
    }
    if (tracker_.ended() || rescues == most_rescues || at_this_tau == rescues_at_one_tau) return;
    rescue(tau, at_this_tau++, Correction::norm);
    ++rescues;
  }
}

template <typename Coordinates>
void Attempts<Coordinates>::run() {
  if (chosen(PathStrategy::arclength)) follow();
  if (chosen(PathStrategy::sweeps) && !tracker_.ended()) descend();
  if (!tracker_.ended()) solve_.stall("lost the central path");
}

}  // namespace

void NcpPathSettings::describe(SettingFields& fields) {
  constexpr const char* measured =
      "measured on the piles of PrimitiveSoup, see results/paper/ncp-solvers.md";
  describe_scaling(fields, scaling);
  fields.add("strategy", strategy,
             {{"all", PathStrategy::all},
              {"arclength", PathStrategy::arclength},
              {"sweeps", PathStrategy::sweeps}},
             "how the path is entered and followed: from the CCP and around folds, from "
             "Gauss-Seidel sweeps to ever smaller tau, or one after the other",
             measured);
  fields.add("entry", entry, positive(), "tau at which the path starts, in the CCP", measured);
  fields.add("regularization", regularization, at_least(0),
             "eps: eps tau I is added to W, so that contacts which press against each other have a "
             "central path",
             measured);
}

void ncp_path_method(const NcpPathSettings& settings, Solve& solve) {
  solve.use(settings.scaling);
  with_cones(solve, [&](const auto& coordinates) { Attempts(coordinates, settings, solve).run(); });
}

RegisteredSolver ncp_path() {
  return solver_entry(
      {.name = "ncp-path",
       .model = ContactModel::ncp,
       .summary = "interior point method that keeps to the feasible central path, around its folds",
       .sources = {"frictionbench, solvers/interior_point/README.md",
                   "Acary, Armand, Nguyen, Shpakovych, HAL hal-03913568, 2022",
                   "Keller, Numerical solution of bifurcation and nonlinear eigenvalue problems, "
                   "1977"},
       .every_set = true},
      ncp_path_method);
}

}  // namespace frictionbench::solvers
