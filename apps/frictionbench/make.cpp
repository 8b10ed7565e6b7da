// frictionbench make: data sets from their scenes.

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <stdexcept>

#include "commands.hpp"
#include "frictionbench/scenes/make_set.hpp"
#include "outputs.hpp"
#include "selections.hpp"

namespace frictionbench::app {

namespace {

namespace fs = std::filesystem;

constexpr const char* notes = R"help(Examples:
  frictionbench make big                       a quarter of an hour; then `frictionbench run big`
  frictionbench make big/Arch --to problems
  frictionbench make default --to datasets/default --record datasets/default.json --force
      after a change of its scenes: new files, and the description of a new version

Every file is compared with the SHA-256 that the description of the set has. One that is different is left out and
reported, and the exit code is 1; a build with other processor options than the presets' (-march=native) changes last
digits. Files that are there already are not made again. Without --to, they are made where names are looked up, below
$XDG_CACHE_HOME/frictionbench/datasets (~/.cache/frictionbench/datasets). `frictionbench datasets` lists all sets.)help";

struct MakeArguments {
  std::vector<std::string> names;
  std::string folder, record;
  bool force = false;
  bool quiet = false;
};

std::function<void(const std::string&)> report(const MakeArguments& arguments) {
  return [quiet = arguments.quiet](const std::string& path) {
    if (quiet) return;
    fmt::print("{}\n", path);
    std::fflush(stdout);  // the next scene may take minutes
  };
}

int record(const MakeArguments& arguments) {
  const datasets::DataSet* const set =
      arguments.names.size() == 1 ? datasets::known().find(arguments.names[0]) : nullptr;
  if (!set) throw std::invalid_argument("--record: give the name of one whole data set");
  if (arguments.folder.empty())
    throw std::invalid_argument("--record: say with --to where to make the files");
  OutputCheck(arguments.force, {}).add(arguments.record);
  const datasets::DataSet recorded =
      scenes::record_set(*set, arguments.folder, arguments.force, report(arguments));
  datasets::write_data_set_file(recorded, arguments.record);
  if (arguments.quiet) return 0;
  const bool same = recorded.files == set->files;
  fmt::print("{} in {}, {}\n", files_text(recorded.files.size()), arguments.folder,
             same ? "the same as before"
                  : fmt::format("not the same as before: give {} another version than {}",
                                arguments.record, set->version));
  return 0;
}

bool ships(const datasets::Selection& selection) {
  const fs::path folder = selection.set->folder;
  return !folder.empty() && std::all_of(selection.files.begin(), selection.files.end(),
                                        [&](const datasets::SetFile* file) {
                                          return fs::exists(folder / file->path);
                                        });
}

int make(const MakeArguments& arguments, const datasets::Selection& selection) {
  if (arguments.folder.empty() && ships(selection)) {
    if (!arguments.quiet)
      fmt::print("{} of {} ship in {}; to make them elsewhere, give --to FOLDER\n",
                 files_text(selection.files.size()), selection.set->title_with_version(),
                 selection.set->folder);
    return 0;
  }
  const fs::path folder = arguments.folder.empty() ? datasets::cache_folder(*selection.set)
                                                   : fs::path(arguments.folder);
  const scenes::MadeSet result =
      scenes::make_set(selection, folder, arguments.force, report(arguments));
  for (const std::string& line : result.different) fmt::print(stderr, "error: {}\n", line);
  if (!arguments.quiet)
    fmt::print(
        "{} of {}: {} made in {}, {} there already{}\n", files_text(selection.files.size()),
        selection.set->title_with_version(), result.made, folder.string(), result.already_there,
        result.different.empty() ? "" : fmt::format(", {} left out", result.different.size()));
  return result.different.empty() ? 0 : 1;
}

int make_command(const MakeArguments& arguments) {
  if (!arguments.record.empty()) return record(arguments);
  int code = 0;
  for (const datasets::Selection& selection : selections(arguments.names))
    code = std::max(code, make(arguments, selection));
  return code;
}

}  // namespace

void add_make(Command& program) {
  auto arguments = std::make_shared<MakeArguments>();
  Command& command = program.add("make", "Make the files of data sets from their scenes");
  command.notes = notes;
  command.option("NAMES", arguments->names, "sets, SET/FOLDER or SET/FILE",
                 {.suggest = set_names(), .required = true});
  command.option("--to", arguments->folder,
                 "make them there instead, and name that folder to other commands",
                 {.value = "FOLDER"});
  command.option("--record", arguments->record,
                 "write a description with the files as they come, for a new version of a set",
                 {.value = "FILE"});
  command.option("--force", arguments->force, "replace files that are there and are different");
  command.option("--quiet", arguments->quiet, "errors only");
  command.run = [arguments] { return make_command(*arguments); };
}

}  // namespace frictionbench::app
