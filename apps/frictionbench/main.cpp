// frictionbench: reads FCLIB problems, runs contact solvers on them, judges their answers.

#include "main.hpp"

#include "frictionbench/solvers/register_all.hpp"

int main(int argc, char** argv) {
  return frictionbench::main(argc, argv, frictionbench::solvers::all_solvers());
}
