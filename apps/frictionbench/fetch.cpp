// frictionbench fetch: data sets from where they are published.

#include "frictionbench/fetch/fetch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <stdexcept>
#include <utility>

#include "commands.hpp"
#include "fetch_progress.hpp"
#include "selections.hpp"

namespace frictionbench::app {

namespace {

namespace fs = std::filesystem;

constexpr const char* notes = R"help(Examples:
  frictionbench fetch fclib/Local/siconos/Chain                 then `frictionbench run fclib/Local/siconos/Chain`
  frictionbench fetch fclib --size-class 1001-6000 --limit 20
  frictionbench fetch fclib/Global --to problems                then `frictionbench run problems`
  frictionbench fetch fclib --dry-run                           how many files, how much
  frictionbench fetch fclib --from https://mirror.example/fclib-library --from /mnt/fclib-library

Every file is checked by its size and SHA-256 before it gets its name. Until then it is NAME.part, which the next fetch
continues if the server can, so an interrupted fetch loses nothing: repeat the command. Without --to, files go where
names are looked up, below $XDG_CACHE_HOME/frictionbench/datasets (~/.cache/frictionbench/datasets).

--from names the folder of the set elsewhere: a web address, or a folder on this machine such as a git clone of it.
Given several times, they are tried in turn. Pointers of Git LFS are followed. Proxies are taken from the environment
(https_proxy, no_proxy).

--size-class takes the number of contacts from the names of files. Files whose names do not tell it are left out then,
and counted. Of what is left, --limit takes the first file of each folder, then the second, and so on.

Exit code: 0 all files are there, 1 some are not, 2 none is or the command is wrong.)help";

struct FetchArguments {
  std::vector<std::string> names;
  std::optional<long> limit;
  std::vector<std::string> size_classes, from;
  std::string folder;
  fetch::Settings settings;
  bool dry_run = false;
  bool force = false;
  bool quiet = false;
};

// Keeps the files of these size classes. \returns how many it dropped because their class is not known.
std::size_t keep_sizes(const std::vector<std::string>& names, datasets::Selection& selection) {
  if (names.empty()) return 0;
  std::vector<datasets::SizeClass> wanted;
  for (const std::string& name : names) wanted.push_back(from_name<datasets::SizeClass>(name));
  const std::size_t unknown =
      std::erase_if(selection.files, [](const datasets::SetFile* file) { return !file->contacts; });
  std::erase_if(selection.files, [&](const datasets::SetFile* file) {
    return std::count(wanted.begin(), wanted.end(), datasets::size_class(*file->contacts)) == 0;
  });
  return unknown;
}

// In turn from each folder, so that few files show much of a set.
void keep_first(std::size_t limit, std::vector<const datasets::SetFile*>& files) {
  std::map<std::string, std::size_t> seen;
  std::vector<std::pair<std::size_t, const datasets::SetFile*>> turns;
  for (const datasets::SetFile* file : files)
    turns.emplace_back(seen[datasets::folder_of(*file)]++, file);
  std::stable_sort(turns.begin(), turns.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  files.clear();
  for (std::size_t k = 0; k < std::min(limit, turns.size()); ++k) files.push_back(turns[k].second);
}

datasets::Selection chosen(const FetchArguments& arguments, datasets::Selection selection) {
  const std::size_t all = selection.files.size();
  const std::size_t unknown = keep_sizes(arguments.size_classes, selection);
  if (unknown > 0 && !arguments.quiet)
    fmt::print(stderr, "{}: left out {} of {} whose names do not tell the number of contacts\n",
               selection.name, unknown, files_text(all));
  if (selection.files.empty())
    throw std::invalid_argument(
        fmt::format("{}: no file is known to be of this size class", selection.name));
  if (arguments.limit) keep_first(static_cast<std::size_t>(*arguments.limit), selection.files);
  return selection;
}

fetch::Source source_of(const FetchArguments& arguments, const datasets::Selection& selection) {
  const datasets::DataSet& set = *selection.set;
  fetch::Source source{set.addresses, set.lfs};
  if (!arguments.from.empty()) source.addresses.clear();
  try {
    for (const std::string& address : arguments.from)
      source.addresses.push_back(fetch::address_of(address));
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(fmt::format("--from: {}", error.what()));
  }
  if (!source.addresses.empty()) return source;
  throw std::invalid_argument(
      fmt::format("{}: is not published; {}", selection.name,
                  datasets::how_to_get(selection, bytes_of(selection.files))));
}

// What is left of interrupted downloads is there already.
std::uint64_t missing_bytes(const fs::path& folder, const datasets::SetFile& file) {
  std::error_code not_there;
  if (fs::exists(folder / file.path, not_there)) return 0;
  const std::uintmax_t part =
      fs::file_size(fetch::part_of((folder / file.path).string()), not_there);
  return not_there ? file.bytes : file.bytes - std::min<std::uint64_t>(part, file.bytes);
}

void check_space(const fs::path& folder, const std::vector<const datasets::SetFile*>& files) {
  std::uint64_t missing = 0;
  for (const datasets::SetFile* file : files) missing += missing_bytes(folder, *file);
  fs::path there = fs::absolute(folder);
  while (!fs::exists(there) && there.has_relative_path()) there = there.parent_path();
  std::error_code unknown;
  const fs::space_info space = fs::space(there, unknown);
  if (!unknown && space.available < missing)
    throw FileError(
        folder.string(), "",
        fmt::format("{} are needed, {} are free; free some, name another folder with "
                    "--to, or take fewer files with --limit",
                    datasets::size_text(missing), datasets::size_text(space.available)));
}

// Reports what could not be fetched, each reason once.
void report(const std::vector<fetch::Failure>& failures) {
  std::map<std::string, std::size_t> shared;
  for (const fetch::Failure& failure : failures) ++shared[failure.reason];
  for (const fetch::Failure& failure : failures) {
    const std::size_t others = std::exchange(shared[failure.reason], 0);
    if (others == 0) continue;
    fmt::print(stderr, "error: {}{}: {}\n", failure.path,
               others > 1 ? fmt::format(" and {} more", others - 1) : "", failure.reason);
  }
}

// \returns the number of files that are not there afterwards.
std::size_t fetch_one(const FetchArguments& arguments, const datasets::Selection& selection) {
  const fs::path folder = arguments.folder.empty() ? datasets::cache_folder(*selection.set)
                                                   : fs::path(arguments.folder);
  if (arguments.dry_run) {
    fmt::print("{}: {}, {}, to {}\n", selection.name, files_text(selection.files.size()),
               datasets::size_text(bytes_of(selection.files)), folder.string());
    return 0;
  }
  const fetch::Source source = source_of(arguments, selection);
  check_space(folder, selection.files);
  fetch::Outcome outcome;
  {
    FetchProgress progress(selection.name, arguments.quiet);
    outcome = fetch::fetch(source, selection.files, folder, arguments.settings,
                           arguments.force ? fetch::Different::replace : fetch::Different::keep,
                           &progress);
  }
  report(outcome.failures);
  if (!arguments.quiet)
    fmt::print("{}: {} fetched, {} there already{}; in {}\n", selection.name,
               files_text(outcome.fetched), outcome.already_there,
               outcome.failures.empty()
                   ? ""
                   : fmt::format(", {} not there: repeat the command to continue",
                                 outcome.failures.size()),
               folder.string());
  return outcome.failures.size();
}

int fetch_command(const FetchArguments& arguments) {
  std::vector<datasets::Selection> all;
  for (datasets::Selection& selection : selections(arguments.names))
    all.push_back(chosen(arguments, std::move(selection)));
  std::size_t files = 0, missing = 0;
  for (const datasets::Selection& selection : all) {
    files += selection.files.size();
    missing += fetch_one(arguments, selection);
  }
  return missing == 0 ? 0 : missing < files ? 1 : 2;
}

}  // namespace

void add_fetch(Command& program) {
  auto arguments = std::make_shared<FetchArguments>();
  Command& command = program.add("fetch", "Download data sets");
  command.notes = notes;
  command.option("NAMES", arguments->names,
                 "sets, SET/FOLDER or SET/FILE; `frictionbench datasets` lists them",
                 {.suggest = set_names(), .required = true});
  command.option("--limit", arguments->limit, "only so many files of each name",
                 {.range = at_least(1)});
  command.option("--size-class", arguments->size_classes, "only problems of so many contacts",
                 {.value = "CLASS", .choices = names_of<datasets::SizeClass>()});
  command.option("--to", arguments->folder,
                 "put them there instead, and name that folder to other commands",
                 {.value = "FOLDER"});
  command.option("--from", arguments->from, "where the files are, instead of the set's addresses",
                 {.value = "ADDRESS"});
  command.add_config_file();
  command.described(arguments->settings);
  command.option("--dry-run", arguments->dry_run, "only print how many files, and their size");
  command.option("--force", arguments->force, "replace files that are there and are different");
  command.option("--quiet", arguments->quiet, "errors only");
  command.run = [arguments] { return fetch_command(*arguments); };
}

}  // namespace frictionbench::app
