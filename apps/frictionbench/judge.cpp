// frictionbench judge: the verdict alone.

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "frictionbench/bench/measure/in_process.hpp"
#include "frictionbench/bench/plan/problems.hpp"
#include "frictionbench/fclib/reader.hpp"
#include "frictionbench/results/document/json.hpp"
#include "number_file.hpp"
#include "summary_table.hpp"
#include "verdict_text.hpp"

namespace frictionbench::app {

namespace {

constexpr const char* notes = R"help(Examples:
  frictionbench judge FILE.hdf5 --impulse r.txt
  frictionbench judge FILE.hdf5 --impulse r.txt --criterion ccp --scale absolute --tolerance 1e-8
  frictionbench judge FILE.hdf5 --impulse r.txt --json

The impulse is text: one number per line, m of them, contact by contact, the normal component first, as
`solve --write-impulse` writes it. `nan` and `inf` are numbers, too: no criterion accepts them.
Exit code: 0 solved under the criterion, 1 not solved, 2 bad input.)help";

struct JudgeArguments {
  std::string problem, impulse;
  results::JudgeSettings settings;
  bool json = false;
};

int judge_command(const JudgeArguments& arguments) {
  const results::JudgeSettings& settings = arguments.settings;
  bench::check_without_solver(settings);
  const std::string path = bench::find_problem(arguments.problem, "judge takes one file").path;
  const ContactProblem problem =
      bench::prepared(fclib::read_problem(path).problem, path, settings.compliance);

  const results::Record record =
      bench::judge_impulse(problem, read_numbers(arguments.impulse, problem.unknowns()), settings);
  const bool solved = record.solved.under(settings.criterion, settings.scale);
  if (arguments.json)
    fmt::print("{}\n", results::verdict_json(record).dump(1));
  else
    fmt::print("{} under {} at {:g}\n\n{}", solved ? "solved" : "not solved",
               criterion_text(settings), settings.tolerance, verdict_text(record));
  return solved ? 0 : 1;
}

}  // namespace

void add_judge(Command& program) {
  auto arguments = std::make_shared<JudgeArguments>();
  Command& command = program.add("judge", "Print the verdict on an impulse from anywhere");
  command.notes = notes;
  command.option("PROBLEM", arguments->problem, "FCLIB file", {.required = true});
  command.option("--impulse", arguments->impulse, "the impulse r as text, one number per line",
                 {.value = "FILE", .required = true});
  command.described(arguments->settings);
  command.option("--json", arguments->json, "print JSON, with the names of results files");
  command.run = [arguments] { return judge_command(*arguments); };
}

}  // namespace frictionbench::app
