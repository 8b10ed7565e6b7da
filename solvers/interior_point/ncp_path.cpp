#include "frictionbench/solvers/interior_point/ncp_path.hpp"

#include <algorithm>

#include "frictionbench/math/one_contact.hpp"
#include "frictionbench/solvers/interior_point/path_tracker.hpp"

namespace frictionbench::solvers {

namespace {

/// A way to start on the path and to go down it, tau by tau.
struct Descent {
  double reduction;  // of tau, from one centre to the next
  int patience;      // iterations to a centre
  int sweeps;        // of the first rescue at a tau
  int rescues;       // in all
};

constexpr int rescues_at_one_tau = 3;

template <int Dim>
class Attempts {
 public:
  Attempts(const NcpPathSettings& settings, Solve& solve)
      : settings_(settings),
        solve_(solve),
        sweeps_(solve.sweeps<Dim>()),
        tracker_(solve, settings.regularization) {}

  void run();

 private:
  bool chosen(PathStrategy strategy) const {
    return settings_.strategy == PathStrategy::all || settings_.strategy == strategy;
  }
  void sweep(int count, Vector& r) const;
  void rescue(double tau, int sweeps, Correction correction);
  void descend(double tau, const Descent& how);
  void follow();

  const NcpPathSettings& settings_;
  Solve& solve_;
  ContactSweeps<Dim> sweeps_;
  PathTracker<Dim> tracker_;
  int rescues_ = 0;  // for the record
};

template <int Dim>
void Attempts<Dim>::sweep(int count, Vector& r) const {
  for (int k = 0; k < count && !solve_.time_is_up(); ++k)
    sweeps_.sweep([&](Index i) {
      r.segment<Dim>(Dim * i) =
          solve_one_contact(sweeps_.W(i), sweeps_.free_velocity(i, r), sweeps_.mu(i));
    });
}

// From the impulse of the last point, sweeps and then to a point at this tau.
template <int Dim>
void Attempts<Dim>::rescue(double tau, int sweeps, Correction correction) {
  Vector r = tracker_.impulse();
  sweep(sweeps, r);
  tracker_.enter(r, tau, correction);
  solve_.report("rescues", ++rescues_);
}

// From centre to centre. One that is not found is looked for again after sweeps, twice as many each
// time.
template <int Dim>
void Attempts<Dim>::descend(double tau, const Descent& how) {
  int at_this_tau = 0;
  for (int rescues = 0;;) {
    if (tracker_.centre(tau, Correction::norm, how.patience)) {
      tau *= how.reduction;
      at_this_tau = 0;
      continue;
    }
    if (tracker_.ended() || rescues == how.rescues || at_this_tau == rescues_at_one_tau) return;
    rescue(tau, how.sweeps << at_this_tau, Correction::norm);
    ++rescues;
    ++at_this_tau;
  }
}

// Around folds. Where it gets stuck all the same, on from another point at the same tau.
template <int Dim>
void Attempts<Dim>::follow() {
  constexpr Descent how{.reduction = 0, .patience = 40, .sweeps = 300, .rescues = 8};
  if (!tracker_.centre_relaxation(settings_.entry) || !tracker_.correct_relaxation()) return;
  tracker_.follow();
  for (int rescues = 0; rescues < how.rescues && !tracker_.ended(); ++rescues) {
    const double tau = tracker_.tau();
    rescue(tau, how.sweeps << std::min(rescues, rescues_at_one_tau), Correction::smooth);
    if (tracker_.centre(tau, Correction::smooth, how.patience)) tracker_.follow();
  }
}

template <int Dim>
void Attempts<Dim>::run() {
  if (chosen(PathStrategy::relaxation)) {
    if (tracker_.centre_relaxation(settings_.entry))
      descend(settings_.entry, {.reduction = 0.3, .patience = 25, .sweeps = 200, .rescues = 8});
    if (tracker_.ended()) return;
  }
  if (chosen(PathStrategy::sweeps)) {
    Vector r = solve_.start();
    sweep(1000, r);
    constexpr double tau = 1e-3;
    tracker_.enter(r, tau, Correction::norm);
    descend(tau, {.reduction = 0.6, .patience = 40, .sweeps = 300, .rescues = 8});
    if (tracker_.ended()) return;
  }
  if (chosen(PathStrategy::arclength)) follow();
  if (!tracker_.ended()) solve_.stall("lost the central path");
}

}  // namespace

void NcpPathSettings::describe(SettingFields& fields) {
  constexpr const char* measured =
      "measured on the piles of PrimitiveSoup, see results/paper/ncp-solvers.md";
  describe_scaling(fields, scaling);
  fields.add("strategy", strategy,
             {{"all", PathStrategy::all},
              {"relaxation", PathStrategy::relaxation},
              {"sweeps", PathStrategy::sweeps},
              {"arclength", PathStrategy::arclength}},
             "where the path is entered, and how it is followed: from the CCP, from Gauss-Seidel "
             "sweeps, from the CCP around folds, or one after the other",
             measured);
  fields.add("entry", entry, positive(), "tau at which the path of the NCP is entered from the CCP",
             measured);
  fields.add("regularization", regularization, at_least(0),
             "eps: eps tau I is added to W, so that contacts which press against each other have a "
             "central path",
             measured);
}

void ncp_path_method(const NcpPathSettings& settings, Solve& solve) {
  solve.use(settings.scaling);
  with_dimension(solve.problem().dimension(),
                 [&](auto dim) { Attempts<dim()>(settings, solve).run(); });
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
       .zero_diagonal = false},
      ncp_path_method);
}

}  // namespace frictionbench::solvers
