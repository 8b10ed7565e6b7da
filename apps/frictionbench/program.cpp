#include <fmt/format.h>

#include "commands.hpp"
#include "frictionbench/base/version.hpp"
#include "frictionbench/bench/measure/blas.hpp"
#include "main.hpp"

namespace {

constexpr const char* summary =
    "Benchmarks frictional contact solvers on FCLIB problems.\n"
    "Every answer is judged by the same criteria, whatever its solver reports.";

constexpr const char* notes = R"help(Examples:
  frictionbench list solvers                              what is registered
  frictionbench run datasets/default -o results.json      every solver on every problem of a folder
  frictionbench datasets                                  problems that have names, here or to be fetched
  frictionbench summary results.json                      the outcome as a table
  frictionbench compare baseline.json results.json        what got better or worse
  frictionbench solve FILE --solver ncp-pgs --history     one problem, iteration by iteration

`frictionbench COMMAND --help` explains a command. Where a command writes a file, `-` is standard output.
Exit code: 0 done; 1 done but something was left out, worse, or, where one answer is asked for, not solved; 2 bad
input; 3 not comparable; 130 interrupted.)help";

}  // namespace

int frictionbench::main(int argc, char** argv, const Registry& solvers) {
  bench::prepare_blas();

  app::CommandLine words(argv, argv + argc);
  words[0] = "frictionbench";  // not where it happens to be installed
  app::Command program(words[0], summary);
  program.notes = notes;
  std::string generated;
  program.option("--generate", generated,
                 "print the manual page, or the completion script of a shell, and exit",
                 {.value = "KIND", .choices = {"man", "bash", "zsh", "fish"}});
  program.run = [&] {
    fmt::print("{}", generated == "man" ? manual_page(program, version())
                                        : completion_script(program, generated));
    return 0;
  };
  app::add_run(program, words, solvers);
  app::add_solve(program, words, solvers);
  app::add_list(program, solvers);
  app::add_conformance(program, solvers);
  app::add_judge(program);
  app::add_inverse(program);
  app::add_info(program);
  app::add_summary(program);
  app::add_export(program);
  app::add_merge(program);
  app::add_rejudge(program);
  app::add_compare(program);
  app::add_generate(program);
  app::add_simulate(program, words, solvers);
  app::add_convert(program);
  app::add_dump(program);
  app::add_extract(program);
  app::add_datasets(program);
  app::add_fetch(program);
  app::add_make(program);
  return app::run(program, version(), words);
}
