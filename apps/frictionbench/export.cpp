// frictionbench export: results files as one table.

#include <memory>

#include "commands.hpp"
#include "frictionbench/base/atomic_file.hpp"
#include "frictionbench/results/document/flat_records.hpp"
#include "frictionbench/results/document/json.hpp"
#include "outputs.hpp"
#include "table.hpp"

namespace frictionbench::app {

namespace {

constexpr const char* notes = R"help(Examples:
  frictionbench export results.json --csv -o results.csv
  frictionbench export monday.json tuesday.json --csv > both.csv
  frictionbench export results.json --json

One row per record, a pair of problem and solver. Columns are the members of results files by their dotted
names (`frictionbench list schema` has their meaning and units) and the same for every file:
  file                       the results file
  run.criterion, ...         how the run was judged and what it was limited to
  problem.id, problem.contacts, ..., solver.id, solver.name, solver.model, ...
  solved, residual           under the run's criterion, scale and tolerance
  status, message, solved.ncp.relative, verdict.ncp.max, iterations, work.products, time.solve.median, ...
Numbers have all their digits, what is not measured is empty, and lists such as `history` are JSON.

In Python:
  import pandas
  table = pandas.read_csv("results.csv")
  solved = table[table["solved"]]
  print(solved.groupby(["problem.family", "solver.id"])["time.solve.median"].describe())
  print(table.pivot(index="problem.id", columns="solver.id", values="residual")))help";

struct ExportArguments {
  std::vector<std::string> paths;
  TableOptions table;
  std::string output = "-";
  bool force = false;
};

void add_records(const std::string& path, Table& table, const results::FlatTable& records) {
  for (const auto& values : records.rows) {
    std::vector<Cell> cells{Cell::data(path)};
    for (const auto& value : values) cells.push_back(Cell::data(value));
    table.add_row(std::move(cells));
  }
}

int export_command(const ExportArguments& arguments) {
  const TableFormat format = arguments.table.format(TableFormat::csv);
  OutputCheck(arguments.force, arguments.paths).add(arguments.output);
  std::optional<Table> table;
  for (const std::string& path : arguments.paths) {
    const results::FlatTable records = results::flat_records(results::read_document(path));
    if (!table) {
      std::vector<Column> columns{{"", "file"}};
      for (const std::string& name : records.columns) columns.emplace_back("", name);
      table.emplace(std::move(columns));
    }
    add_records(path, *table, records);
  }
  write_file(arguments.output, formatted(*table, format));
  return 0;
}

}  // namespace

void add_export(Command& program) {
  auto arguments = std::make_shared<ExportArguments>();
  Command& command = program.add("export", "Write results files as one table, a row per record");
  command.notes = notes;
  command.option("RESULTS", arguments->paths, "results files of `frictionbench run`",
                 {.required = true});
  arguments->table.add_to(command);
  command.option("-o,--output", arguments->output, "file to write", {.value = "FILE"});
  command.option("--force", arguments->force, "overwrite the output file");
  command.run = [arguments] { return export_command(*arguments); };
}

}  // namespace frictionbench::app
