// frictionbench dump: what simulators need to leave a problem in a file.

#include <memory>
#include <stdexcept>

#include "commands.hpp"
#include "dump_sources.hpp"

namespace frictionbench::app {

namespace {

constexpr const char* notes = R"help(Examples:
  frictionbench dump --header > fb_dump.h                 for C and C++
  frictionbench dump --python > fb_dump.py                for Python with NumPy
  frictionbench convert step42.txt -o step42.hdf5         what they wrote, for every other command

Copy the file into a simulator and call its one function at a step that fails: it writes the contact problem, with
the impulse that the simulator's own solver ended with, as text that keeps every bit of every number. The comment at
the head of the file says how. `convert` makes an FCLIB file of it, with the impulse as its first guess:

  frictionbench solve step42.hdf5 --solver ncp-hybrid
  frictionbench run step42.hdf5 -o results.json           how all solvers fare)help";

struct DumpArguments {
  bool header = false;
  bool python = false;
};

int dump_command(const DumpArguments& arguments) {
  if (arguments.header == arguments.python)
    throw std::invalid_argument("dump takes one of --header (for C and C++) and --python");
  std::fputs(arguments.header ? fb_dump_header : fb_dump_python, stdout);
  return 0;
}

}  // namespace

void add_dump(Command& program) {
  auto arguments = std::make_shared<DumpArguments>();
  Command& command = program.add(
      "dump", "Print code by which any simulator leaves a problem that `convert` reads");
  command.notes = notes;
  command.option("--header", arguments->header, "print fb_dump.h, for C and C++");
  command.option("--python", arguments->python, "print fb_dump.py, for Python with NumPy");
  command.run = [arguments] { return dump_command(*arguments); };
}

}  // namespace frictionbench::app
