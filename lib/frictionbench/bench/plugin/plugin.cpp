#include "frictionbench/bench/plugin/plugin.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <list>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <variant>

#include "frictionbench/base/deadline.hpp"
#include "frictionbench/base/sha256.hpp"
#include "frictionbench/base/text.hpp"
#include "frictionbench/bench/process/internal/worker.hpp"
#include "frictionbench/solver_plugin.h"

namespace frictionbench::bench {

using nlohmann::json;

namespace {

constexpr double describe_limit = 60;  // s

// The functions of a library.
struct Library {
  decltype(&frictionbench_plugin_version) version = nullptr;
  decltype(&frictionbench_describe) describe = nullptr;
  decltype(&frictionbench_solve) solve = nullptr;
};

// Throws PluginError.
Library open_library(const std::string& path) {
  void* const handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) throw PluginError(dlerror());
  const auto find = [&](const char* name, auto& function) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(handle, name));
    if (!function)
      throw PluginError(fmt::format("{}: does not export {}, see solver_plugin.h", path, name));
  };
  Library library;
  find("frictionbench_plugin_version", library.version);
  find("frictionbench_describe", library.describe);
  find("frictionbench_solve", library.solve);
  return library;
}

// The description, from a process of its own.
json description_of(const std::string& path) {
  const auto fail = [&](const std::string& what) {
    return PluginError(fmt::format("{}: {}", path, what));
  };
  const WorkerOutcome outcome = run_in_child(
      [&] {
        const Library library = open_library(path);
        if (const int version = library.version(); version != FRICTIONBENCH_PLUGIN_VERSION)
          throw PluginError(
              fmt::format("{}: is of version {} of solver_plugin.h, and this program of {}", path,
                          version, FRICTIONBENCH_PLUGIN_VERSION));
        const char* const text = library.describe();
        return std::string(text ? text : "");
      },
      {.wall = describe_limit});
  using End = WorkerOutcome::End;
  if (outcome.end == End::threw) throw PluginError(one_line(outcome.payload));
  if (outcome.end == End::timed_out) throw fail("did not describe its solvers in time");
  if (outcome.end != End::finished)
    throw fail(fmt::format("ended the process that loaded it{}{}",
                           outcome.standard_error.empty() ? "" : ": ", outcome.standard_error));
  json description = json::parse(outcome.payload, nullptr, false);
  if (!description.is_object() || !description.contains("solvers"))
    throw fail("frictionbench_describe() did not return {\"solvers\": [...]}");
  return description;
}

// Settings that are known only when the program runs. Copies of a description refer to values of
// their own.
class Settings {
 public:
  // Throws json::exception and std::invalid_argument.
  explicit Settings(const json& described) {
    for (const json& setting : described) {
      const std::string type = setting.at("type");
      Value& value = values_.emplace_back();
      value.name = setting.at("name");
      value.help = setting.value("help", "");
      const json& given = setting.at("default");
      if (type == "number")
        value.value = given.get<double>();
      else if (type == "integer")
        value.value = given.get<int>();
      else if (type == "boolean")
        value.value = given.get<bool>();
      else if (type == "text")
        value.value = given.get<std::string>();
      else
        throw std::invalid_argument(
            fmt::format("'{}' is not a type: number, integer, boolean or text", type));
    }
  }

  void describe(SettingFields& fields) {
    for (Value& setting : values_)
      std::visit(
          [&](auto& value) {
            using T = std::decay_t<decltype(value)>;
            if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, std::string>)
              fields.add(setting.name, value, setting.help, "");
            else
              fields.add(setting.name, value, any_number(), setting.help, "");
          },
          setting.value);
  }

 private:
  struct Value {
    std::string name, help;
    SettingValue value;
  };
  std::list<Value> values_;
};

// The problem as the library sees it; of all arrays only those are copied that need another storage.
class Asked {
 public:
  Asked(const ContactProblem& problem, const Limits& limits, bool by_columns,
        const SettingValues& settings)
      : by_columns_(by_columns), ones_(Vector::Ones(problem.contacts())) {
    const auto local = problem.local();
    const auto unit = [&](const Vector& x) { return x.size() > 0 ? x.data() : ones_.data(); };
    problem_.dimension = problem.dimension();
    problem_.contacts = problem.contacts();
    problem_.W = matrix(local.W);
    problem_.q = local.q.data();
    problem_.mu = problem.mu().data();
    if (problem.compliance().size() > 0) problem_.R = problem.compliance().data();
    if (const GlobalForm* global = problem.global()) {
      problem_.M = matrix(global->M);
      problem_.H = matrix(global->H);
      problem_.f = global->f.data();
      problem_.w = global->w.data();
    }
    problem_.tolerance = limits.tolerance;
    problem_.impulse_unit = unit(limits.units.impulse);
    problem_.velocity_unit = unit(limits.units.velocity);
    problem_.max_iterations = limits.max_iterations;
    problem_.time_limit = seconds_until(limits.deadline);
    for (const auto& [name, value] : settings) {
      texts_.push_back(text_of(value));
      const double number = std::visit(
          [](const auto& x) {
            if constexpr (std::is_convertible_v<decltype(x), double>)
              return static_cast<double>(x);
            else
              return 0.0;
          },
          value);
      settings_.push_back({name.c_str(), number, texts_.back().c_str()});
    }
    problem_.settings = settings_.data();
    problem_.settings_count = static_cast<std::int64_t>(settings_.size());
  }
  Asked(const Asked&) = delete;
  Asked& operator=(const Asked&) = delete;

  const frictionbench_problem* get() const { return &problem_; }

 private:
  using ColumnMatrix = Eigen::SparseMatrix<double, Eigen::ColMajor, int>;

  template <typename Matrix>
  static frictionbench_matrix view(const Matrix& matrix) {
    return {matrix.rows(), matrix.cols(), matrix.outerIndexPtr(), matrix.innerIndexPtr(),
            matrix.valuePtr()};
  }
  frictionbench_matrix matrix(const SparseMatrix& given) {
    if (by_columns_) return view(columns_.emplace_back(given));
    if (given.isCompressed()) return view(given);
    rows_.emplace_back(given).makeCompressed();
    return view(rows_.back());
  }

  bool by_columns_;
  Vector ones_;
  std::list<ColumnMatrix> columns_;
  std::list<SparseMatrix> rows_;
  std::list<std::string> texts_;
  std::vector<frictionbench_setting> settings_;
  frictionbench_problem problem_{};
};

// In the order of frictionbench_status.
constexpr std::array statuses = {Status::converged,  Status::max_iterations, Status::stalled,
                                 Status::inaccurate, Status::diverged,       Status::refused,
                                 Status::time_limit, Status::error};

Result solve(const Library& library, const std::string& name, const Asked& asked, Vector start,
             const Vector& compliance) {
  Result result;
  result.r = std::move(start);
  Vector softened = compliance;
  frictionbench_answer answer{};
  answer.r = result.r.data();
  answer.compliance = softened.data();
  answer.status = FRICTIONBENCH_FAILED;
  answer.sink = &result.reported;
  answer.report = [](void* sink, const char* counter, double value) {
    (*static_cast<decltype(result.reported)*>(sink))[counter] = value;
  };
  const int code = [&] {
    // Of all plug-ins: two peers may be made of one library.
    static std::mutex one_at_a_time;
    const std::lock_guard lock(one_at_a_time);
    return library.solve(name.c_str(), asked.get(), &answer);
  }();
  if (softened != compliance) result.compliance = std::move(softened);
  const auto end = std::find(std::begin(answer.message), std::end(answer.message), '\0');
  result.message.assign(std::begin(answer.message), end);
  result.iterations = static_cast<int>(answer.iterations);
  const auto status = static_cast<std::size_t>(answer.status);
  if (code != 0) {
    result.status = Status::error;
    result.message = fmt::format("frictionbench_solve() returned {}{}{}", code,
                                 result.message.empty() ? "" : ": ", result.message);
  } else if (status >= statuses.size()) {
    result.status = Status::error;
    result.message =
        fmt::format("answered with the status {}, which does not exist", answer.status);
  } else {
    result.status = statuses[status];
  }
  return result;
}

// Throws json::exception and std::invalid_argument.
RegisteredSolver entry_of(const json& described, const Library& library, const std::string& path,
                          const std::string& version, const std::string& sha256) {
  SolverInfo info;
  info.name = described.at("name");
  info.model = from_name<ContactModel>(described.at("model").get<std::string>());
  info.summary = described.value("summary", "");
  info.sources = {
      fmt::format("{}{}{}, SHA-256 {}", version, version.empty() ? "" : ", ", path, sha256)};
  if (described.contains("dimensions")) {
    const auto dimensions = described["dimensions"].get<std::vector<int>>();
    info.two_dimensional = std::count(dimensions.begin(), dimensions.end(), 2) > 0;
    info.three_dimensional = std::count(dimensions.begin(), dimensions.end(), 3) > 0;
  }
  const std::string storage = described.value("storage", "rows");
  if (storage != "rows" && storage != "columns")
    throw std::invalid_argument(fmt::format("storage '{}' must be rows or columns", storage));
  const bool by_columns = storage == "columns";

  const Settings defaults(described.value("settings", json::array()));
  Settings shown = defaults;
  SettingFields fields;
  shown.describe(fields);
  const auto make = [=](const Assignments& assignments, const Registry&) {
    Settings settings = defaults;
    SettingFields own;
    settings.describe(own);
    const SettingValues implied = own.values();
    own.assign(assignments);
    const SettingValues values = own.values();
    const auto run = [=](const ContactProblem& problem, const Limits& limits, const Vector& start,
                         Observer&, Result) {
      const Asked asked(problem, limits, by_columns, values);
      const auto or_zero = [&](const Vector& x) {
        return x.size() > 0 ? x : Vector::Zero(problem.unknowns());
      };
      return solve(library, info.name, asked, or_zero(start), or_zero(problem.compliance()));
    };
    SettingValues recorded = values;
    if (!version.empty()) recorded.emplace_back("library", version);
    recorded.emplace_back("library_sha256", sha256);
    return ConfiguredSolver{canonical_id(info.name, own, implied), recorded,
                            std::make_shared<Solver>(info, run)};
  };
  return {info, {}, fields.descriptions(), {}, make};
}

}  // namespace

void load_plugin(const std::string& given, Registry& registry) {
  // dlopen() searches the system's folders for a name without a slash.
  const std::string path = std::filesystem::absolute(given).string();
  if (!std::filesystem::exists(path)) throw PluginError(path + ": no such file");
  const json description = description_of(path);
  const Library library = open_library(path);
  const std::string sha256 = sha256_of_file(path);
  try {
    const std::string version = description.value("library", "");
    for (const json& solver : description["solvers"])
      registry.add(entry_of(solver, library, given, version, sha256));
  } catch (const std::exception& error) {
    throw PluginError(fmt::format("{}: its description is wrong: {}", path, error.what()));
  }
}

}  // namespace frictionbench::bench
