#include "frictionbench/solvers/active_set/active_set.hpp"

#include <fmt/format.h>

#include <array>

#include "frictionbench/solver/registry.hpp"
#include "frictionbench/solvers/active_set/active_set_steps.hpp"

namespace frictionbench::solvers {

void ActiveSetSettings::describe(SettingFields& fields) {
  constexpr const char* source = "measured on steps of robots, see solvers/active_set/README.md";
  fields.add("steps", steps, at_least(0),
             "maximum number of Newton steps from the start, for each of two rho", source);
  fields.add("steps_after_sweeps", steps_after_sweeps, at_least(0),
             "maximum number of Newton steps after each of three series of sweeps", source);
}

namespace {

constexpr std::array rhos = {1.0, 4.0};     // in inverse mean diagonals of W_ii
constexpr std::array sweeps = {2, 10, 20};  // before the attempts that follow
constexpr const char* unsettled = "the active sets do not settle";

template <int Dim>
FewVector<Dim> start_of(const Solve& solve) {
  if (solve.starts_from_zero()) return FewVector<Dim>::Zero(solve.unknowns());
  return solve.start();
}

// The attempts from the start. \returns whether the solve ended.
template <int Dim>
bool ends_from_start(const ActiveSetSettings& settings, Solve& solve, ActiveSet<Dim>& method) {
  const FewVector<Dim> start = start_of<Dim>(solve);
  for (const double rho : rhos) {
    method.go_to(start);
    if (method.newton(settings.steps, rho)) return true;
    if (solve.contacts() > very_few_contacts) break;
  }
  return false;
}

template <int Dim>
void solve_by_active_sets(const ActiveSetSettings& settings, Solve& solve) {
  ActiveSet<Dim> method(solve);
  if (ends_from_start<Dim>(settings, solve, method)) return;
  method.go_to(start_of<Dim>(solve));
  for (const int count : sweeps) {
    if (method.sweep(count)) return;
    const FewVector<Dim> swept = method.r();
    if (method.newton(settings.steps_after_sweeps, rhos[0])) return;
    method.go_to(swept);
  }
  solve.stall(unsettled);
}

}  // namespace

void active_set_method(const ActiveSetSettings& settings, Solve& solve) {
  if (solve.contacts() > few_contacts) {
    solve.refuse(fmt::format("takes at most {} contacts, and the problem has {}", few_contacts,
                             solve.contacts()));
    return;
  }
  with_dimension(solve.problem().dimension(),
                 [&](auto dim) { solve_by_active_sets<dim()>(settings, solve); });
}

void active_sets_from_start(const ActiveSetSettings& settings, Solve& solve) {
  with_dimension(solve.problem().dimension(), [&](auto dim) {
    ActiveSet<dim()> method(solve);
    if (!ends_from_start<dim()>(settings, solve, method)) solve.stall(unsettled);
  });
}

RegisteredSolver ncp_active_set() {
  return solver_entry(
      {.name = "ncp-active-set",
       .model = ContactModel::ncp,
       .summary = "Newton's method by active sets on dense matrices, for at most 40 contacts",
       .sources = {"Alart and Curnier 1991", "frictionbench, solvers/active_set/README.md"}},
      active_set_method);
}

}  // namespace frictionbench::solvers
