#include <fmt/format.h>

#include <memory>

#include "commands.hpp"
#include "frictionbench/results/json.hpp"
#include "summary_table.hpp"

namespace frictionbench::app {

void add_summary(CLI::App& app, Action& action) {
  auto path = std::make_shared<std::string>();
  CLI::App* command =
      app.add_subcommand("summary", "Print a results file as a table of families and solvers");
  command->add_option("RESULTS", *path, "results file of `frictionbench run`")->required();
  command->footer("Examples:\n  frictionbench summary results.json");
  command->callback([&action, path] {
    action = [path] {
      fmt::print("{}", summary_text(results::read_document(*path)));
      return 0;
    };
  });
}

}  // namespace frictionbench::app
