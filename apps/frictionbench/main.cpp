// frictionbench: reads FCLIB problems, runs contact solvers on them, judges their answers.

#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <stdexcept>

#include "commands.hpp"
#include "frictionbench/bench/measure/environment.hpp"

namespace {

constexpr const char* description =
    "Benchmarks frictional contact solvers on FCLIB problems.\n"
    "Every answer is judged by the same criteria, whatever its solver says of itself.";

constexpr const char* examples = R"help(Examples:
  frictionbench list solvers                              what is registered
  frictionbench run datasets/default -o results.json      every solver on every problem of a folder
  frictionbench summary results.json                      the outcome as a table
  frictionbench compare baseline.json results.json        what got better or worse
  frictionbench solve FILE --solver ncp-pgs --history     one problem, iteration by iteration

`frictionbench COMMAND --help` explains a command.
Exit code: 0 done, 1 done but something was left out, not solved or worse, 2 bad input.)help";

}  // namespace

int main(int argc, char** argv) {
  using namespace frictionbench;
  bench::use_one_blas_thread();

  CLI::App app(description, "frictionbench");
  app.footer(examples);
  app.set_version_flag("--version", "frictionbench " + bench::version());
  app.require_subcommand(1);

  app::Action action;
  app::CommandLine command_line(argv, argv + argc);
  command_line[0] = "frictionbench";  // not where it happens to be installed
  app::add_run(app, action, command_line);
  app::add_solve(app, action, command_line);
  app::add_list(app, action);
  app::add_info(app, action);
  app::add_summary(app, action);
  app::add_merge(app, action);
  app::add_compare(app, action);
  app::add_generate(app, action);

  try {
    app.parse(argc, argv);
    const int exit_code = action();
    if (std::fflush(stdout) != 0) throw std::runtime_error("standard output cannot be written");
    return exit_code;
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    fmt::print(stderr, "error: {}\n", app::explain(app, error, command_line));
    return 2;
  } catch (const std::exception& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return 2;
  }
}
