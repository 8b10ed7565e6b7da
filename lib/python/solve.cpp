#include "solve.hpp"

#include <fmt/format.h>

#include <map>
#include <mutex>
#include <nlohmann/json.hpp>

#include "answer.hpp"
#include "frictionbench/bench/measure/entries.hpp"
#include "frictionbench/bench/measure/in_process.hpp"
#include "frictionbench/bench/plan/problems.hpp"
#include "frictionbench/bench/plugin/peers.hpp"
#include "frictionbench/results/document/solver_json.hpp"
#include "frictionbench/solvers/register_all.hpp"
#include "json.hpp"
#include "options.hpp"
#include "problem.hpp"

namespace frictionbench::python {

namespace {

constexpr const char* solve_text = R"doc(solve(problem, solver, **options) -> Answer

Solves a problem in this process, and judges the answer as `frictionbench solve` does: the same answer,
the same verdict, bit for bit. Other Python threads run meanwhile, and may solve, too; solvers of plug-ins and
peers take turns.

A solver that crashes takes Python with it, and one that does not look at its time limit is not stopped;
for such solvers there is `frictionbench run`, with a process for each solve.

  problem  a Problem
  solver   'ncp-pgs', or with settings: 'ncp-admm(rho_update=linear,tau=4)'; see solvers()
  start    impulses to start from, in the shape of those of an answer, instead of warm_start
  history  True: solve once more, and keep the iterations
  plugin   shared libraries with solvers, a path or a list of them
  peer     other projects whose solvers are known, a name or a list of them; 'all'
)doc";

constexpr const char* solve_errors = R"doc(
Raises ValueError, one line, for an unknown solver or setting, a value that is not legal, and a problem
that cannot be used (a singular M); TypeError for an unknown option. That a solver fails is not an error:
the status of the answer says so.)doc";

constexpr const char* judge_text = R"doc(judge(problem, impulses, **options) -> Verdict

The verdict on impulses from anywhere, as `frictionbench judge` has it.

  problem   a Problem
  impulses  r: (contacts, dimension), or flat, m numbers; NaN and infinity satisfy no criterion
)doc";

constexpr const char* solvers_text = R"doc(solvers(*, plugin=(), peer=()) -> dict

Registered solvers by name, each a dict as `frictionbench list solvers --json` has it: name, model,
summary, sources, what problems it takes, and settings with type, range, default, help and source.
plugin and peer are those of solve(). Raises ValueError if one of them cannot be loaded.)doc";

using Names = std::vector<std::string>;

// Plug-ins are loaded once. What this returns stays.
const Registry& registry_of(const Names& plugins, const Names& peers) {
  static std::mutex mutex;
  static std::map<std::pair<Names, Names>, Registry> known;
  const std::lock_guard lock(mutex);
  const auto key = std::pair(plugins, peers);
  const auto found = known.find(key);
  if (found != known.end()) return found->second;
  Registry registry = bench::with_plugins_and_peers(solvers::all_solvers(), plugins, peers);
  return known.emplace(key, std::move(registry)).first->second;
}

// Without the GIL: a plug-in is tried in a process of its own, which takes a while.
const Registry& registry_from(Keywords& keywords) {
  const Names plugins = keywords.take_texts("plugin"), peers = keywords.take_texts("peer");
  const py::gil_scoped_release release;
  return registry_of(plugins, peers);
}

results::SolveSettings default_settings() {
  results::SolveSettings settings;
  settings.repeat_time = 0;  // as `frictionbench solve`
  return settings;
}

// A start that was given, or that of the file.
bench::StartPoint start_of(const Problem& problem, const py::object& given, results::Start wanted) {
  if (!given || given.is_none()) return bench::start_from_file(problem.file, wanted);
  if (wanted != results::Start::zero)
    throw py::value_error("start and warm_start cannot both be given");
  return {results::Start::zero, rows_of(problem.file.problem, given, "start"), {}, {}};
}

// Calls a check of settings, whose errors name options of the command line.
template <typename Settings>
void check_by(void (*check)(const Settings&), const Settings& settings) try {
  check(settings);
} catch (const std::invalid_argument& error) {
  throw py::value_error(in_python_words(error.what()));
}

Answer solve(const Problem& problem, const std::string& spec, const py::kwargs& options) {
  Keywords keywords(options);
  results::SolveSettings settings = default_settings();
  describe(keywords, settings);
  bool history = false;
  keywords("history", history, Field{});
  const py::object given = keywords.take("start");
  const Registry& registry = registry_from(keywords);
  keywords.check_all_known();
  check_by<results::JudgeSettings>(results::check, settings);
  const bench::StartPoint start = start_of(problem, given, settings.warm_start);

  const py::gil_scoped_release release;
  const ConfiguredSolver solver = registry.make(spec);
  const ContactProblem prepared = bench::prepared(
      problem.file.problem, problem.path, settings.compliance, solver.info().uses_global_form);
  Answer answer{prepared, part<results::JudgeSettings>(settings), solver.info().model,
                bench::solve_here(prepared, solver, settings, start.impulse, history),
                given && !given.is_none()};
  bench::PairOrigin origin;
  origin.problem = problem.path;
  origin.solver = solver.id;
  origin.start = start.start;
  origin.assembly_time = prepared.assembly_time();
  bench::add_origin(answer.measurement.record, origin);
  return answer;
}

Verdict judge_impulses(const Problem& problem, const py::object& impulses,
                       const py::kwargs& options) {
  Keywords keywords(options);
  results::JudgeSettings settings;
  describe(keywords, settings);
  keywords.check_all_known();
  check_by(bench::check_without_solver, settings);
  const Vector r = rows_of(problem.file.problem, impulses, "impulses");

  const py::gil_scoped_release release;
  const ContactProblem prepared =
      bench::prepared(problem.file.problem, problem.path, settings.compliance);
  return {settings, ContactModel::ncp, bench::judge_impulse(prepared, r, settings)};
}

py::dict known_solvers(const py::kwargs& options) {
  Keywords keywords(options);
  const Registry& registry = registry_from(keywords);
  keywords.check_all_known();
  py::dict all;
  for (const RegisteredSolver& solver : registry.solvers())
    all[py::str(solver.info.name)] = object_from(results::to_json(solver));
  return all;
}

}  // namespace

void add_solve(py::module_& module) {
  const std::string options = "\nOptions, as of the command line, with their defaults:\n\n";
  static const std::string solve_doc =
      solve_text + options + options_text(default_settings()) + solve_errors;
  static const std::string judge_doc = judge_text + options +
                                       options_text(results::JudgeSettings{}) +
                                       "\nRaises ValueError, one line, for a value that is not "
                                       "legal, and for impulses of another size.";
  module.def("solve", &solve, py::arg("problem"), py::arg("solver"), solve_doc.c_str());
  module.def("judge", &judge_impulses, py::arg("problem"), py::arg("impulses"), judge_doc.c_str());
  module.def("solvers", &known_solvers, solvers_text);
}

}  // namespace frictionbench::python
