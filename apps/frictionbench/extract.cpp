// frictionbench extract: FCLIB problems from models in MuJoCo's format.

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <memory>
#include <optional>
#include <regex>
#include <set>
#include <stdexcept>

#include "commands.hpp"
#include "frictionbench/base/atomic_file.hpp"
#include "frictionbench/base/number_of.hpp"
#include "frictionbench/base/sha256.hpp"
#include "frictionbench/fclib/parts.hpp"
#include "frictionbench/fclib/writer.hpp"
#include "frictionbench/mujoco/extraction.hpp"
#include "frictionbench/scenes/data_set.hpp"
#include "model_options.hpp"

namespace frictionbench::app {

namespace {

namespace fs = std::filesystem;

constexpr const char* notes = R"help(Examples:
  frictionbench extract datasets/models/hand-cube.xml -o problems
  frictionbench extract humanoid.xml --steps 1000 --every 1 --control random:1 -o problems
  frictionbench extract humanoid.xml --keyframe squat --control squat.txt --dt 1e-3 -o problems
  frictionbench extract humanoid.xml --form both -o problems

MODEL is a file in MuJoCo's format. MuJoCo simulates it, with its own soft contacts; `frictionbench simulate MODEL.xml`
moves it by the impulses of a solver instead. Each chosen step is also a problem of rigid bodies, which is written:
inertia M, Jacobians H of all constraints, forces f. Contacts are blocks of the sets friction (condim 1 and 3) or
elliptic (4, 6, and 3 with two coefficients), joints and tendons of the sets interval (limits, dry friction) and
equality (connect, weld, couplings); `frictionbench list sets`. Springs, dampers,
actuators and all other forces are given loads in f, and the description in each file says what differs from the model.
With --contacts-only MuJoCo's own forces at limits, equalities and dry friction are such loads, too: problems that solvers
of contacts alone take, those of an LCP among them.
The first guess of a file has MuJoCo's impulses of the step before, so --warm-start guess starts from them.

Files are FOLDER/NAME/NAME-FORM-CONTACTS-STEP.hdf5, where STEP is the number of steps taken before; FOLDER/MANIFEST.csv
lists them. In every step, MuJoCo's own impulses must balance the momentum of the problem to 1e-9, and the worst is
printed. A control file has a line per time: the time in seconds, and a number for each actuator; `#` begins a comment.
Times between two lines get values between theirs. datasets/models has models and control files.)help";

enum class Forms { global, local, both };
constexpr auto describe(Forms) {
  using enum Forms;
  return enum_names<Forms>(
      "form", {{global, "global", "M, H, f, w"}, {local, "local", "W, q"}, {both, "both"}});
}

struct ExtractArguments {
  mujoco::Simulation simulation;
  Forms form = Forms::global;
  std::string folder;
  std::string name;  // of the motion; the model's if empty
  bool force = false;
};

// A name as names of files have it: manifests and shells take these characters as they are.
std::string safe_name(std::string name) {
  std::ranges::replace_if(
      name,
      [](unsigned char c) { return std::isalnum(c) == 0 && c != '_' && c != '-' && c != '.'; },
      '_');
  return name;
}

// Files of an earlier extraction of that name, by their paths in the folder.
std::set<std::string> earlier_files(const fs::path& folder, const std::string& name) {
  std::set<std::string> files;
  if (!fs::is_directory(folder / name)) return files;
  static const std::regex tail("-(local|global)-[0-9]+-[0-9]+\\.hdf5");
  for (const fs::directory_entry& entry : fs::directory_iterator(folder / name)) {
    const std::string file = entry.path().filename().string();
    if (file.starts_with(name) && std::regex_match(file.substr(name.size()), tail))
      files.insert(fmt::format("{}/{}", name, file));
  }
  return files;
}

// Writes problems of one motion, and lists them in the manifest.
class Writer {
 public:
  Writer(const ExtractArguments& arguments, std::string name)
      : folder_(arguments.folder), name_(std::move(name)), forms_(arguments.form) {
    if (fs::exists(folder_ / scenes::manifest_name))
      scenes::read_manifest(folder_ / scenes::manifest_name);  // an invalid one, before the work
    const std::set<std::string> earlier = earlier_files(folder_, name_);
    if (!earlier.empty() && !arguments.force)
      throw FileError(
          (folder_ / *earlier.begin()).string(), "",
          fmt::format("already exists, and {} more of its kind; choose another folder, or "
                      "--force to replace them all",
                      earlier.size() - 1));
    for (const std::string& file : earlier) fs::remove(folder_ / file);
    removed_ = earlier;
    std::error_code error;
    fs::create_directories(folder_ / name_, error);
    if (error) throw FileError((folder_ / name_).string(), "", error.message());
  }

  void write(const mujoco::Step& step) {
    const Index dofs = step.file.problem.global()->f.size();
    if (forms_ != Forms::local) write(step.number, dofs, step.file, fclib::Storage::triplet);
    if (forms_ != Forms::global)
      write(step.number, dofs, fclib::in_local_form(step.file), fclib::Storage::compressed_rows);
  }

  void finish() const { scenes::update_manifest(folder_, rows_, removed_); }

  std::size_t problems() const { return rows_.size(); }

 private:
  void write(int step, Index dofs, const fclib::ProblemFile& file, fclib::Storage storage) {
    scenes::ManifestRow row = scenes::manifest_row(file.problem);
    row.family = name_;
    row.dofs = dofs;
    row.path = fmt::format("{0}/{0}-{1}-{2}-{3:05}.hdf5", name_, frictionbench::name(row.form),
                           row.contacts, step);
    const fs::path path = folder_ / row.path;
    fclib::write_problem(path.string(), file, storage);
    row.sha256 = sha256_of_file(path.string());
    rows_.push_back(std::move(row));
  }

  fs::path folder_;
  std::string name_;
  Forms forms_;
  std::set<std::string> removed_;
  std::vector<scenes::ManifestRow> rows_;
};

std::string blocks_text(const mujoco::Extract& extract) {
  std::string text;
  for (const auto& [kind, count] : extract.blocks)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, kind);
  return text.empty() ? "no contacts or other constraints in any of them" : "blocks " + text;
}

int extract_command(const ExtractArguments& arguments) {
  if (is_standard_output(arguments.folder))
    throw std::invalid_argument("--output: several files cannot go to standard output");
  const std::string name =
      safe_name(arguments.name.empty() ? fs::path(arguments.simulation.model).stem().string()
                                       : arguments.name);
  std::optional<Writer> writer;  // made when the model is known to be one
  mujoco::Extract extract;
  try {
    extract = mujoco::extract(arguments.simulation, [&](const mujoco::Step& step) {
      if (!writer) writer.emplace(arguments, name);
      writer->write(step);
    });
  } catch (...) {
    if (writer) writer->finish();  // what was written before is complete
    throw;
  }
  writer->finish();
  for (const std::string& note : extract.notes) fmt::print("note: {}\n", note);
  fmt::print("{}: {} degrees of freedom, {} actuators, steps of {} s\n", name, extract.dofs,
             extract.actuators, extract.time_step);
  fmt::print("{} in {}: {}\n", number_of(writer->problems(), "problem"),
             (fs::path(arguments.folder) / name).string(), blocks_text(extract));
  fmt::print("momentum balanced by MuJoCo's own impulses to {:.1e}\n", extract.balance.error);
  if (extract.balance.left_by_solver > mujoco::largest_imbalance)
    fmt::print(
        "note: MuJoCo's solver stopped with up to {:.1e} of the momentum unbalanced; the "
        "model's solver, iterations and tolerance decide that\n",
        extract.balance.left_by_solver);
  return 0;
}

}  // namespace

void add_extract(Command& program) {
  auto arguments = std::make_shared<ExtractArguments>();
  mujoco::Simulation& simulation = arguments->simulation;
  Command& command =
      program.add("extract", "Make FCLIB problems from models in MuJoCo's format: robots, bodies");
  command.notes = notes;
  add_model_options(command, simulation);
  command.option("--steps", simulation.steps, "time steps to simulate", {.range = at_least(1)});
  command.option("--every", simulation.every, "write the steps 0, N, 2 N, ...",
                 {.value = "N", .range = at_least(1)});
  command.option(
      "--contacts-only", simulation.contacts_only,
      "limits, equalities and dry friction become given forces: those that MuJoCo found");
  command.option("--form", arguments->form, "form of the problems", {.value = "FORM"});
  command.option("-o,--output", arguments->folder,
                 "folder to write to; created if it does not exist",
                 {.value = "FOLDER", .required = true});
  command.option(
      "--name", arguments->name,
      "of the folder and the files, and with them the family of the problems; the model's "
      "by default");
  command.option("--force", arguments->force, "replace files of that name that exist already");
  command.run = [arguments] { return extract_command(*arguments); };
}

}  // namespace frictionbench::app
