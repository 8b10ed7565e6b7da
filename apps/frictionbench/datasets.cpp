// frictionbench datasets: data sets that have names.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>

#include "commands.hpp"
#include "selections.hpp"
#include "table.hpp"

namespace frictionbench::app {

namespace {

constexpr const char* notes = R"help(Examples:
  frictionbench datasets                             every data set that is known
  frictionbench datasets fclib                       its folders, sources and references
  frictionbench datasets fclib/Local/siconos --json
  frictionbench fetch fclib/Local/siconos/Chain      downloads files
  frictionbench make big                             makes the files of a set from its scenes
  frictionbench run fclib/Local/siconos/Chain        where a command takes files, names work, too

`here` is the number of files on this machine: those that ship, and those below $XDG_CACHE_HOME/frictionbench/datasets
(~/.cache/frictionbench/datasets). A set is a JSON file; to add your own, put it into a folder that the environment
variable FRICTIONBENCH_DATASETS names. datasets/README.md of the sources has its members.

`contacts` is their range as names of files tell it; empty where they do not.)help";

struct DatasetsArguments {
  std::vector<std::string> names;
  TableOptions table;
};

Cell size_cell(std::uint64_t bytes) { return {bytes, datasets::size_text(bytes)}; }

std::string origin_of(const datasets::DataSet& set) {
  if (!set.folder.empty()) return "ships, made from scenes";
  if (!set.addresses.empty()) return "fetch";
  return set.scenes.empty() ? "not published" : "make";
}

std::size_t here(const datasets::DataSet& set) {
  return static_cast<std::size_t>(std::count_if(
      set.files.begin(), set.files.end(),
      [&](const datasets::SetFile& file) { return datasets::find_file(set, file).has_value(); }));
}

int list_sets(TableFormat format) {
  Table table({{"set", "name"},
               "version",
               "files",
               {"size", "bytes"},
               "here",
               {"by", "origin"},
               "title",
               {"", "home"},
               {"", "references"},
               {"", "addresses"}});
  for (const datasets::DataSet& set : datasets::known().sets())
    table.add_row({set.name, set.version, set.files.size(), size_cell(set.bytes()), here(set),
                   origin_of(set), set.title, Cell::data(set.home), Cell::data(set.references),
                   Cell::data(set.addresses)});
  if (table.empty() && format == TableFormat::text) {
    fmt::print(
        "no data sets are known: the folder share/frictionbench/datasets of the installation is "
        "missing; FRICTIONBENCH_DATASETS may name another\n");
    return 0;
  }
  fmt::print("{}", formatted(table, format));
  return 0;
}

// What people want to know of a set before they fetch it or cite it.
void print_about(const datasets::DataSet& set) {
  fmt::print("{} {}: {}\n", set.name, set.version, set.title);
  if (!set.home.empty()) fmt::print("  {}\n", set.home);
  for (const std::string& reference : set.references) fmt::print("  {}\n", reference);
  for (const std::string& address : set.addresses) fmt::print("  files: {}\n", address);
  if (!set.scenes.empty())
    fmt::print("  {} scenes, `frictionbench make {}`\n", set.scenes.size(), set.name);
  if (!set.folder.empty()) fmt::print("  ships in {}\n", set.folder);
  fmt::print("\n");
}

struct Folder {
  std::size_t files = 0, here = 0;
  std::uint64_t bytes = 0;
  std::optional<std::int64_t> fewest = {}, most = {};  // contacts; empty if a file does not tell
  bool told = true;
};

Folder& operator+=(Folder& folder, const datasets::SetFile& file) {
  ++folder.files;
  folder.bytes += file.bytes;
  folder.told &= file.contacts.has_value();
  if (!file.contacts) return folder;
  folder.fewest = std::min(folder.fewest.value_or(*file.contacts), *file.contacts);
  folder.most = std::max(folder.most.value_or(*file.contacts), *file.contacts);
  return folder;
}

Cell contacts_cell(const Folder& folder) {
  if (!folder.told || !folder.fewest) return {};
  return {nlohmann::json{*folder.fewest, *folder.most},
          *folder.fewest == *folder.most ? std::to_string(*folder.most)
                                         : fmt::format("{} to {}", *folder.fewest, *folder.most)};
}

int list_folders(const DatasetsArguments& arguments, TableFormat format) {
  Table table({{"folder", "name"}, "files", {"size", "bytes"}, "contacts", "here"});
  const datasets::DataSet* last = nullptr;
  for (const datasets::Selection& selection : selections(arguments.names)) {
    std::map<std::string, Folder> folders;
    for (const datasets::SetFile* file : selection.files) {
      Folder& folder = folders[datasets::folder_of(*file)];
      folder += *file;
      folder.here += datasets::find_file(*selection.set, *file).has_value();
    }
    if (format == TableFormat::text && selection.set != last) print_about(*selection.set);
    last = selection.set;
    for (const auto& [name, folder] : folders)
      table.add_row({fmt::format("{}{}{}", selection.set->name, name.empty() ? "" : "/", name),
                     folder.files, size_cell(folder.bytes), contacts_cell(folder), folder.here});
  }
  fmt::print("{}", formatted(table, format));
  return 0;
}

}  // namespace

void add_datasets(Command& program) {
  auto arguments = std::make_shared<DatasetsArguments>();
  Command& command =
      program.add("datasets", "List data sets that have names: sizes, sources and references");
  command.notes = notes;
  command.option("NAMES", arguments->names, "sets, or SET/FOLDER; all sets if none is given",
                 {.suggest = set_names()});
  arguments->table.add_to(command);
  command.run = [arguments] {
    const TableFormat format = arguments->table.format();
    return arguments->names.empty() ? list_sets(format) : list_folders(*arguments, format);
  };
}

}  // namespace frictionbench::app
