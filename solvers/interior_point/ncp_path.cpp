#include "frictionbench/solvers/interior_point/ncp_path.hpp"

#include <algorithm>
#include <array>

#include "frictionbench/solvers/gauss_seidel/block_alone.hpp"
#include "frictionbench/solvers/interior_point/path_tracker.hpp"

namespace frictionbench::solvers {

namespace {

// Iterations without tau being halved, after which it is the other way's turn.
constexpr int first_turn = 50;
constexpr int second_turn = 200;
constexpr int last_turn = 1000;

constexpr int first_sweeps = 1000;
constexpr double first_tau = 1e-3;    // after them
constexpr double largest_leap = 0.4;  // share of tau
constexpr double smallest_leap = 0.02;
constexpr std::array other_leaps = {0.6, 0.3, 0.15};  // tried where all failed
constexpr int patience = 40;                          // iterations to a centre
constexpr int longest_pass = 60;                      // iterations
constexpr double passed = 0.8;                        // of the tau where leaps failed
constexpr double ahead = 0.9;  // of that tau, from where they are tried again

constexpr int rescue_sweeps = 300;  // of the first rescue
constexpr int longer_rescues = 3;   // that follow, with twice as many each
constexpr int most_rescues = 8;     // of a path

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
  void rescue(int again, Correction correction);
  void follow();
  void leap();
  bool pass(int left);
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

// From the impulse of the last point, sweeps and then to a point at its tau. \param again how often
// that was done before.
template <typename Coordinates>
void Attempts<Coordinates>::rescue(int again, Correction correction) {
  Vector r = tracker_.impulse();
  sweep(rescue_sweeps << std::min(again, longer_rescues), r);
  tracker_.enter(r, tracker_.tau(), correction);
  solve_.report("rescues", ++rescues_);
}

// Along the path, and where it is lost, sweeps and on.
template <typename Coordinates>
void Attempts<Coordinates>::follow() {
  tracker_.follow(last_turn, Folds::leapt);
  for (int rescues = 0; rescues < most_rescues && !tracker_.ended(); ++rescues) {
    rescue(rescues, Correction::smooth);
    if (tracker_.centre(Correction::smooth, patience)) tracker_.follow(last_turn, Folds::leapt);
  }
}

// From centre to centre, as far apart as they are found. Whether a leap finds a way past folds has little to do
// with its length, so that a few others are tried before giving up.
template <typename Coordinates>
void Attempts<Coordinates>::leap() {
  const auto leaps = [&](double share) { return tracker_.leap(share, patience); };
  do {
    for (double share = largest_leap; share > smallest_leap && !tracker_.ended();)
      share = leaps(share) ? std::min(largest_leap, 2 * share) : share / 4;
  } while (std::ranges::any_of(other_leaps, leaps));
}

// Along the path, past what leaps do not get over; where they remain impossible, as far as it leads.
// \param left iterations without tau being halved. \returns whether they are possible again.
template <typename Coordinates>
bool Attempts<Coordinates>::pass(int left) {
  const double tau = tracker_.tau();
  if (!tracker_.centre(Correction::smooth, patience)) return false;
  tracker_.follow(longest_pass, Folds::leapt, passed * tau);
  if (!(tracker_.tau() < ahead * tau)) return false;
  const auto place = tracker_.place();
  if (tracker_.centre(Correction::norm, patience)) return true;
  if (tracker_.ended()) return false;
  tracker_.go_to(place);
  tracker_.follow(left, Folds::leapt);
  return false;
}

// From sweeps.
template <typename Coordinates>
void Attempts<Coordinates>::descend() {
  Vector r = solve_.start();
  sweep(first_sweeps, r);
  tracker_.enter(r, first_tau, Correction::norm);
  Halvings halvings(tracker_.tau(), tracker_.iterations());
  const auto left = [&] {
    return second_turn - halvings.since_last(tracker_.tau(), tracker_.iterations());
  };
  for (int rescues = 0; left() > 0; ++rescues) {
    if (tracker_.centre(Correction::norm, patience)) {
      leap();
      while (pass(left())) leap();
    }
    if (tracker_.ended() || rescues == most_rescues) return;
    rescue(rescues, Correction::norm);
  }
}

// In turns, so that neither way waits for the other to give up.
template <typename Coordinates>
void Attempts<Coordinates>::run() {
  const bool descends = chosen(PathStrategy::sweeps);
  const bool follows =
      chosen(PathStrategy::arclength) && tracker_.centre_relaxation(settings_.entry);
  if (follows && descends) tracker_.follow(first_turn, Folds::followed);
  if (descends && !tracker_.ended()) {
    const auto place = tracker_.place();
    descend();
    if (!tracker_.ended()) tracker_.go_to(place);
  }
  if (follows && !tracker_.ended()) follow();
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
             "Gauss-Seidel sweeps in leaps to ever smaller tau, or in turns",
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
