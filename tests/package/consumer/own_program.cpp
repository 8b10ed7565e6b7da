// The program `frictionbench` with a solver of this project's own.

#include <frictionbench/main.hpp>
#include <frictionbench/solvers/register_all.hpp>

namespace {

using namespace frictionbench;

// The impulse of the start, which is zero: solves what takes off.
struct Nothing {
  void describe(SettingFields&) {}
};

void do_nothing(const Nothing&, Solve& solve) {
  while (solve.begin_iteration())
    if (solve.ends(solve.start(), solve.W().velocity(solve.start()))) return;
}

}  // namespace

int main(int argc, char** argv) {
  Registry solvers = solvers::all_solvers();
  solvers.add(solver_entry({.name = "nothing",
                            .model = ContactModel::ncp,
                            .summary = "the impulse zero",
                            .sources = {"this file"}},
                           do_nothing));
  return frictionbench::main(argc, argv, solvers);
}
