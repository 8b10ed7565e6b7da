#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>
#include <vector>

#include "frictionbench/base/deadline.hpp"
#include "frictionbench/solver/registry.hpp"
#include "frictionbench/solvers/external/problem_block.hpp"
#include "frictionbench/solvers/external/solver_process.hpp"

namespace frictionbench::solvers {

using nlohmann::json;

namespace {

/// A program of the user's: any language that reads and writes lines. README.md has its protocol.
///
/// The program starts once for each processor that runs solve on, before the first solve there, and
/// again after it crashed, hung or answered something else. Its start is not timed; what is, is from
/// the problem in our memory to its answer in our memory.
struct External {
  std::string command;
  std::string name = "external";
  ContactModel model = ContactModel::ncp;
  double start_limit = 60;  // s

  void describe(SettingFields& fields) {
    fields.add("command", command, "how to start the program, for /bin/sh", "");
    fields.add("name", name, "the solver's name in results", "the name of this solver");
    fields.add("model", model,
               {{"ncp", ContactModel::ncp}, {"ccp", ContactModel::ccp}, {"lcp", ContactModel::lcp}},
               "the problem that the program solves, which its answers are judged by",
               "that of most solvers here");
    fields.add("start_limit", start_limit, positive(),
               "time that the program has to start and answer the greeting, s",
               "long enough for a just-in-time compiler");
  }
};

const SolverInfo external_info = {.name = "external",
                                  .model = ContactModel::ncp,
                                  .summary = "a program of your own, in any language",
                                  .sources = {"frictionbench, solvers/external/README.md"}};

// The program keeps its time limit itself; it is killed when it overruns it by this much.
constexpr std::chrono::seconds overrun{1};

constexpr int most_failed_starts = 3;  // in a row: a fourth would fail, too

// A member of an answer, or `otherwise` without it. Throws ProcessError for one of another type.
template <typename T>
T member(const json& answer, const char* name, const T& otherwise) try {
  return answer.value(name, otherwise);
} catch (const json::exception&) {
  throw ProcessError(
      fmt::format("answered with {} = {}, which is of another type", name, answer[name].dump()));
}

double number(const std::string& name, const json& value) {
  if (!value.is_number())
    throw ProcessError(
        fmt::format("answered with {} = {}, which is not a number", name, value.dump()));
  return value;
}

Status status_of(const json& answer) try {
  return from_name<Status>(member(answer, "status", std::string()));
} catch (const std::invalid_argument& error) {
  throw ProcessError(fmt::format("answered: {}", error.what()));
}

// The running programs of a solver.
class Programs : public std::enable_shared_from_this<Programs> {
 public:
  explicit Programs(External settings) : settings_(std::move(settings)) {}

  std::unique_ptr<Lease> lend(const Workplace& workplace);

  // The answer to a problem, in a process forked while a program is lent, or in this one.
  Result solve(const ContactProblem& problem, const Limits& limits, const Vector& start);

 private:
  class Lent;
  // A program, or why there is none.
  struct Started {
    std::shared_ptr<SolverProcess> program;
    std::string failure;
  };

  Started take(const Workplace& workplace);
  void put_back(const Started& started);
  Result answer(SolverProcess& program, const ContactProblem& problem, const Limits& limits,
                const Vector& start) const;

  External settings_;
  std::mutex mutex_;
  std::vector<std::shared_ptr<SolverProcess>> idle_;
  int failed_starts_ = 0;  // one after the other
  std::string failure_;    // of the last of them
  Started lent_;           // the last one: that of the process forked after it
  pid_t lender_ = -1;      // the process that lent it
};

class Programs::Lent final : public Lease {
 public:
  Lent(std::shared_ptr<Programs> programs, Started started)
      : programs_(std::move(programs)), started_(std::move(started)) {}
  ~Lent() override { programs_->put_back(started_); }
  std::vector<int> descriptors() const override {
    return started_.program ? started_.program->descriptors() : std::vector<int>();
  }

 private:
  std::shared_ptr<Programs> programs_;
  Started started_;
};

Programs::Started Programs::take(const Workplace& workplace) {
  const std::lock_guard lock(mutex_);
  for (auto& program : idle_)
    if (program->workplace() == workplace) {
      std::swap(program, idle_.back());
      Started started{std::move(idle_.back()), {}};
      idle_.pop_back();
      if (started.program->ready()) return started;
      break;  // it ended meanwhile
    }
  if (failed_starts_ == most_failed_starts) return {nullptr, failure_};
  try {
    Started started{
        std::make_shared<SolverProcess>(settings_.command, workplace, settings_.start_limit), {}};
    failed_starts_ = 0;
    return started;
  } catch (const ProcessError& error) {
    ++failed_starts_;
    failure_ = error.what();
    return {nullptr, failure_};
  }
}

void Programs::put_back(const Started& started) {
  if (!started.program) return;
  if (!started.program->ready()) return started.program->kill();
  const std::lock_guard lock(mutex_);
  idle_.push_back(started.program);
}

std::unique_ptr<Lease> Programs::lend(const Workplace& workplace) {
  lent_ = take(workplace);
  lender_ = getpid();
  return std::make_unique<Lent>(shared_from_this(), lent_);
}

Result Programs::solve(const ContactProblem& problem, const Limits& limits, const Vector& start) {
  const bool is_fork = lender_ > 0 && lender_ != getpid();
  const Started started = is_fork ? lent_ : take({});
  if (!started.program)
    throw std::runtime_error(
        fmt::format("the program '{}' {}", settings_.command, started.failure));
  try {
    Result result = answer(*started.program, problem, limits, start);
    if (!is_fork) put_back(started);
    return result;
  } catch (const ProcessTimeout& timeout) {
    Result late;
    late.status = Status::time_limit;
    late.stop_reason = StopReason::time_limit;
    late.message = fmt::format("the program {}", timeout.what());
    return late;
  } catch (const ProcessError& error) {
    throw std::runtime_error(fmt::format("the program {}", error.what()));
  }
}

Result Programs::answer(SolverProcess& program, const ContactProblem& problem, const Limits& limits,
                        const Vector& start) const {
  const json arrays = write_block(program.block(), problem, limits, start);
  json request = {{"dimension", problem.dimension()},
                  {"contacts", problem.contacts()},
                  {"model", frictionbench::name(settings_.model)},
                  {"tolerance", limits.tolerance},
                  {"max_iterations", limits.max_iterations},
                  {"time_limit", nullptr},
                  {"file", program.block_path()},
                  {"arrays", arrays}};
  auto deadline = limits.deadline;
  if (const double left = seconds_until(deadline); std::isfinite(left)) {
    request["time_limit"] = left;
    deadline += overrun;
  }
  const json said = program.ask(std::move(request), deadline);

  Result result;
  result.status = status_of(said);
  result.message = member(said, "message", std::string());
  result.iterations = member(said, "iterations", 0);
  const json counters = member(said, "counters", json::object());
  for (const auto& [counter, value] : counters.items())
    result.reported[counter] = number(counter, value);
  if (said.contains("solve_time"))
    result.reported["solve_time"] = number("solve_time", said["solve_time"]);
  result.r = read_array(program.block(), arrays, "r");
  Vector compliance = read_array(program.block(), arrays, "compliance");
  if (compliance != read_array(program.block(), arrays, "R"))
    result.compliance = std::move(compliance);
  return result;
}

// Records must not pass for those of another solver.
void check_name(const std::string& name, const Registry& registry) {
  const auto is_odd = [](unsigned char c) {
    return !std::isalnum(c) && c != '-' && c != '_' && c != '.';
  };
  if (name.empty() || std::any_of(name.begin(), name.end(), is_odd))
    throw std::invalid_argument(
        fmt::format("name = '{}' must consist of letters, digits, '-', '_' and '.'", name));
  for (const RegisteredSolver& solver : registry.solvers())
    if (solver.info.name == name && name != external_info.name)
      throw std::invalid_argument(
          fmt::format("name = '{}' is that of a registered solver; choose another", name));
}

ConfiguredSolver make_external(const Assignments& assignments, const Registry& registry) {
  External settings;
  SettingFields fields;
  settings.describe(fields);
  const SettingValues defaults = fields.values();
  fields.assign(assignments);
  if (settings.command.empty())
    throw std::invalid_argument("command is missing: external(command='python3 my_solver.py')");
  check_name(settings.name, registry);

  SolverInfo info = external_info;
  info.name = settings.name;
  info.model = settings.model;
  const bool has_own_name = settings.name != External().name;
  const auto programs = std::make_shared<Programs>(settings);
  return {has_own_name ? settings.name : canonical_id(external_info.name, fields, defaults),
          fields.values(),
          std::make_shared<Solver>(
              info,
              [programs](const ContactProblem& problem, const Limits& limits, const Vector& start,
                         Observer&, Result) { return programs->solve(problem, limits, start); },
              [programs](const Workplace& workplace) { return programs->lend(workplace); })};
}

}  // namespace

RegisteredSolver external() {
  External settings;
  SettingFields fields;
  settings.describe(fields);
  return {external_info, "command", fields.descriptions(), {}, make_external};
}

}  // namespace frictionbench::solvers
