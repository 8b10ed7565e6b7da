// frictionbench convert: problems from one format, form or size to another.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <stdexcept>

#include "commands.hpp"
#include "frictionbench/base/atomic_file.hpp"
#include "frictionbench/base/number_of.hpp"
#include "frictionbench/base/text.hpp"
#include "frictionbench/bench/plan/problems.hpp"
#include "frictionbench/fclib/parts.hpp"
#include "frictionbench/fclib/writer.hpp"
#include "frictionbench/formats/formats.hpp"
#include "frictionbench/formats/siconos.hpp"
#include "frictionbench/math/components.hpp"
#include "frictionbench/problem/islands.hpp"
#include "number_list.hpp"
#include "outputs.hpp"

namespace frictionbench::app {

namespace {

namespace fs = std::filesystem;

constexpr const char* notes = R"help(Examples:
  frictionbench convert step42.txt -o step42.hdf5           what fb_dump.h left; see `frictionbench dump --help`
  frictionbench convert Rover1039.dat -o Rover1039.hdf5     Siconos' text
  frictionbench convert FILE.hdf5 -o FILE.dat               to Siconos' text
  frictionbench convert FILE.hdf5 -o local.hdf5 --form local --gzip 6
  frictionbench convert FILE.hdf5 -o few.hdf5 --contacts 0,3,5-9
  frictionbench convert FOLDER -o islands --islands         a file for each island

The content says which format an input has:
  FCLIB (HDF5), with all that frictionbench adds to it
  Siconos' text: local, global and rolling problems, dense, in blocks and sparse
  records of Kamino (HDF5): joints, limits and contacts of each group DualProblem
  the text of fb_dump.h and fb_dump.py (`frictionbench dump`)
Of folders, files *.hdf5 and *.h5 are read.

Output is FCLIB, or Siconos' text if the output's name ends in .dat. Siconos' text has contacts only: bilateral
rows, other sets and compliance are refused; information, solution and guesses are left out. Several problems
go to a folder, under the names of their files with `-island0` or the record's name added.

--contacts counts contacts from 0. Joints, limits and, in a global problem, bodies stay. A stored solution stays
only if no contact that is left out acts on the others. Islands are parts of a problem that do not act on each
other; their solutions, put together, solve the whole. An island of a global problem has the bodies it touches.
A line in the file's description says what was done.)help";

enum class OutputFormat { fclib, siconos };
constexpr auto describe(OutputFormat) {
  using enum OutputFormat;
  return enum_names<OutputFormat>("format",
                                  {{fclib, "fclib", "HDF5"}, {siconos, "siconos", "text"}});
}

struct ConvertArguments {
  std::vector<std::string> inputs;
  std::string output;
  std::string form, storage, contacts;
  std::optional<OutputFormat> format;
  int gzip = 0;
  bool islands = false;
  bool force = false;
};

// A problem on its way from a file to another.
struct Item {
  std::string input;              // path
  std::string stem;               // name of the output without extension
  std::vector<std::string> done;  // to the problem
  fclib::ProblemFile file;
};

OutputFormat output_format(const ConvertArguments& arguments) {
  if (arguments.format) return *arguments.format;
  return fs::path(arguments.output).extension() == ".dat" ? OutputFormat::siconos
                                                          : OutputFormat::fclib;
}

const char* extension(OutputFormat format) {
  return format == OutputFormat::fclib ? ".hdf5" : ".dat";
}

fclib::Storage fclib_storage(const std::string& storage, ProblemForm form) {
  if (storage == "dense" || storage == "blocks")
    throw std::invalid_argument("--storage " + storage +
                                ": FCLIB has triplet, csc and csr; Siconos' text has " + storage);
  if (storage == "triplet") return fclib::Storage::triplet;
  if (storage == "csc") return fclib::Storage::compressed_columns;
  if (storage == "csr") return fclib::Storage::compressed_rows;
  return form == ProblemForm::local ? fclib::Storage::compressed_rows : fclib::Storage::triplet;
}

formats::SiconosStorage siconos_storage(const std::string& storage, ProblemForm form) {
  using enum formats::SiconosStorage;
  if (storage == "csr")
    throw std::invalid_argument(
        "--storage csr: Siconos does not read it; its text has dense, blocks, triplet and csc");
  if (storage == "dense") return dense;
  if (storage == "blocks") return blocks;
  if (storage == "triplet") return triplet;
  if (storage == "csc") return compressed_columns;
  return form == ProblemForm::local ? blocks : triplet;
}

// "Worlds/boxes/frames/12" as a part of a file's name.
std::string name_part(std::string name) {
  std::ranges::replace_if(
      name, [](char c) { return c == '/' || c == ' '; }, '-');
  return name;
}

std::vector<Item> read_items(const ConvertArguments& arguments, std::vector<std::string>& paths) {
  std::vector<Item> items;
  for (const bench::ProblemSource& source : bench::find_problems(arguments.inputs)) {
    paths.push_back(source.path);
    formats::FoundProblems found = formats::read_any(source.path);
    for (formats::FoundProblem& problem : found.problems) {
      const fs::path path(source.path);
      std::string from = one_line(path.filename().string());
      if (!problem.name.empty()) from += ", " + problem.name;
      Item item{source.path,
                path.stem().string(),
                {fmt::format("from {} ({})", from, name(found.format))},
                std::move(problem.file)};
      if (!problem.name.empty()) item.stem += "-" + name_part(problem.name);
      items.push_back(std::move(item));
    }
  }
  return items;
}

void change_form(Item& item, const std::string& form) {
  if (form.empty() || form == name(item.file.problem.form())) return;
  if (form == "global")
    throw FileError(
        item.input, "",
        "is in local form, and W does not tell what M and H are; leave out --form global");
  item.file = fclib::in_local_form(item.file);
  item.done.push_back("reduced to local form");
}

void keep_contacts(Item& item, const std::string& list) {
  if (list.empty()) return;
  const ContactProblem& problem = item.file.problem;
  const std::vector<Index> chosen = parse_numbers("--contacts", list);
  if (chosen.back() >= problem.contacts())
    throw FileError(item.input, "",
                    fmt::format("has {} contacts, from 0; --contacts asks for {}",
                                problem.contacts(), chosen.back()));
  std::vector<Index> blocks;
  Index contact = 0;
  for (Index i = 0; i < problem.blocks(); ++i) {
    const bool is_contact =
        problem.is_plain() || problem.layout()->sets[static_cast<std::size_t>(i)]->mu().has_value();
    if (!is_contact || std::ranges::binary_search(chosen, contact)) blocks.push_back(i);
    if (is_contact) ++contact;
  }
  item.done.push_back(fmt::format("contacts {} of {}", list, problem.contacts()));
  if (std::ssize(blocks) == problem.blocks()) return;
  item.file = fclib::part_of(item.file, blocks, Bodies::all);
}

// One item for each island.
std::vector<Item> split(const Item& item) {
  std::vector<Item> parts;
  const auto all = members(islands(item.file.problem));
  for (std::size_t k = 0; k < all.size(); ++k) {
    Item part{item.input, fmt::format("{}-island{}", item.stem, k), item.done,
              fclib::part_of(item.file, all[k], Bodies::touched)};
    part.done.push_back(fmt::format("island {} of {}", k, all.size()));
    parts.push_back(std::move(part));
  }
  return parts;
}

// What is written of a state: one that has nothing is none.
void drop_empty_states(fclib::ProblemFile& file) {
  const auto is_empty = [](const fclib::State& state) { return !state.v && !state.u && !state.r; };
  if (file.solution && is_empty(*file.solution)) file.solution.reset();
  std::erase_if(file.guesses, is_empty);
}

// What is known of a file's problem, and not of all that became of it.
void tell_what_is_lost(const std::string& input, const fclib::ProblemFile& file,
                       const std::vector<Item>& items) {
  const auto any_lacks = [&](const auto& has) {
    return has(file) &&
           !std::ranges::all_of(items, [&](const Item& item) { return has(item.file); });
  };
  const auto has_solution = [](const fclib::ProblemFile& one) { return one.solution.has_value(); };
  const auto has_velocity = [](const fclib::ProblemFile& one) {
    return one.solution && one.solution->v.has_value();
  };
  if (any_lacks(has_solution))
    fmt::print(stderr,
               "{}: left out: the solution, where other contacts act on those that are kept\n",
               input);
  else if (any_lacks(has_velocity))
    fmt::print(stderr, "{}: left out: v of the solution, which is of the whole or needs M\n",
               input);
}

std::vector<Item> change(std::vector<Item> items, const ConvertArguments& arguments) {
  std::vector<Item> changed;
  std::vector<std::string> without_islands;
  for (Item& item : items) try {
      const std::string input = item.input;
      const fclib::ProblemFile before = item.file;
      change_form(item, arguments.form);
      keep_contacts(item, arguments.contacts);
      std::vector<Item> parts;
      if (arguments.islands)
        parts = split(item);
      else
        parts.push_back(std::move(item));
      if (parts.empty()) without_islands.push_back(input);
      tell_what_is_lost(input, before, parts);
      std::ranges::move(parts, std::back_inserter(changed));
    } catch (const InvalidProblem& invalid) {
      throw FileError(item.input, invalid.piece(), invalid.reason());
    }
  if (changed.empty())
    throw std::invalid_argument("--islands: no input has a contact, so there are no islands");
  for (const std::string& input : without_islands)
    fmt::print(stderr, "{}: has no contact, so no file is written for it\n", input);
  return changed;
}

// Paths of the outputs; a folder that several of them need is made.
std::vector<std::string> output_paths(const std::vector<Item>& items,
                                      const ConvertArguments& arguments) {
  const std::string& output = arguments.output;
  const bool to_folder = fs::is_directory(output) || output.ends_with('/') || items.size() > 1 ||
                         arguments.islands || arguments.inputs.size() > 1;
  if (!to_folder) return {output};
  if (is_standard_output(output))
    throw std::invalid_argument("--output: several files cannot go to standard output");
  const fs::path wanted = fs::path(output).extension();
  if (fs::is_regular_file(output) || wanted == ".hdf5" || wanted == ".h5" || wanted == ".dat")
    throw std::invalid_argument(
        output + ": several problems may come out, each a file; name a folder by --output");
  std::error_code error;
  fs::create_directories(output, error);
  if (error)
    throw std::invalid_argument(fmt::format("{}: cannot be made: {}", output, error.message()));
  std::vector<std::string> paths;
  for (const Item& item : items)
    paths.push_back(
        (fs::path(output) / (item.stem + extension(output_format(arguments)))).string());
  return paths;
}

// What the output's format has no place for, though the problem is the same without it.
std::vector<std::string> left_out(const fclib::ProblemFile& file, OutputFormat format) {
  std::vector<std::string> names;
  if (format == OutputFormat::fclib) return names;
  if (file.solution) names.emplace_back("solution");
  if (!file.guesses.empty()) names.emplace_back("guesses");
  if (!file.bodies.empty()) names.emplace_back("bodies");
  return names;
}

void write(Item& item, const std::string& path, const ConvertArguments& arguments) {
  const OutputFormat format = output_format(arguments);
  fclib::ProblemFile& file = item.file;
  if (format == OutputFormat::siconos) {
    const formats::SiconosStorage storage = siconos_storage(arguments.storage, file.problem.form());
    try {
      write_file(path, formats::siconos_text(file.problem, storage));
    } catch (const std::invalid_argument& error) {
      throw FileError(item.input, "", error.what());
    }
    return;
  }
  std::string& description = file.info.description;
  if (!description.empty() && !description.ends_with('\n')) description += '\n';
  description += fmt::format("frictionbench convert: {}", fmt::join(item.done, "; "));
  fclib::write_problem(
      path, file,
      fclib::Encoding{.storage = fclib_storage(arguments.storage, file.problem.form()),
                      .gzip = arguments.gzip,
                      .existing = Existing::replace});
}

int convert_command(const ConvertArguments& arguments) {
  const OutputFormat format = output_format(arguments);
  if (format == OutputFormat::siconos && arguments.gzip > 0)
    throw std::invalid_argument(
        "--gzip: Siconos' text is not compressed; compress the file itself");
  std::vector<std::string> inputs;
  std::vector<Item> items = change(read_items(arguments, inputs), arguments);
  const std::vector<std::string> paths = output_paths(items, arguments);
  OutputCheck check(arguments.force, inputs);
  for (const std::string& path : paths) check.add(path);

  std::FILE* const out = check.text_stream();
  for (std::size_t k = 0; k < items.size(); ++k) {
    Item& item = items[k];
    const auto tell_what_is_left_out = [&](const fclib::State& state) {
      for (const std::string& misfit : state.misfits)
        fmt::print(out, "{}: left out: {}\n", item.input, misfit);
    };
    if (item.file.solution) tell_what_is_left_out(*item.file.solution);
    for (const fclib::State& guess : item.file.guesses) tell_what_is_left_out(guess);
    drop_empty_states(item.file);
    write(item, paths[k], arguments);
    const ContactProblem& problem = item.file.problem;
    fmt::print(
        out, "{}: {}, {}D, {}, {} unknowns\n", paths[k], name(problem.form()), problem.dimension(),
        number_of(static_cast<std::size_t>(problem.contacts()), "contact"), problem.unknowns());
    if (const auto lost = left_out(item.file, format); !lost.empty())
      fmt::print(out, "  left out, because Siconos' text has no place for it: {}\n",
                 fmt::join(lost, ", "));
  }
  return 0;
}

}  // namespace

void add_convert(Command& program) {
  auto arguments = std::make_shared<ConvertArguments>();
  Command& command =
      program.add("convert", "Write problems in another format, form or storage, or parts of them");
  command.notes = notes;
  command.option("INPUT", arguments->inputs, "problem files, folders or @LISTs",
                 {.required = true});
  command.option("-o,--output", arguments->output,
                 "file to write, or folder for several; a folder is created if it does not exist",
                 {.value = "FILE|FOLDER", .required = true});
  command.option("--format", arguments->format,
                 "of the output; by its name if absent: siconos for .dat, else fclib",
                 {.choices = names_of<OutputFormat>()});
  command.option("--form", arguments->form,
                 "form of the output, that of the input if absent; local reduces M and H to W",
                 {.value = "FORM", .choices = {"local", "global"}});
  command.option("--storage", arguments->storage,
                 "of matrices. fclib: csr (default for local), triplet (global), csc; siconos: "
                 "blocks (local), triplet (global), dense, csc",
                 {.value = "STORAGE", .choices = {"triplet", "csc", "csr", "dense", "blocks"}});
  command.option(
      "--gzip", arguments->gzip,
      "compress what is stored, 1 (fast) to 9 (small), 0 not at all; every HDF5 reads it",
      {.value = "LEVEL", .range = {.low = 0, .high = 9}});
  command.option("--contacts", arguments->contacts, "keep these contacts only: 0,3,5-9",
                 {.value = "LIST"});
  command.option("--islands", arguments->islands, "write a file for each island");
  command.option("--force", arguments->force, "overwrite existing files");
  command.run = [arguments] { return convert_command(*arguments); };
}

}  // namespace frictionbench::app
