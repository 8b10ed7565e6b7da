// The functions of solver_plugin.h for a list of solvers.
#include "peer.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace frictionbench::peers {

using nlohmann::json;

double Request::setting(const std::string& name) const {
  for (std::int64_t k = 0; k < problem_.settings_count; ++k)
    if (problem_.settings[k].name == name) return problem_.settings[k].number;
  throw std::logic_error("there is no setting '" + name + "'");
}

void Answer::say(const std::string& message) {
  const std::size_t length = message.copy(answer_.message, sizeof answer_.message - 1);
  answer_.message[length] = '\0';
}

void require_positive_diagonal(const Request& request) {
  const auto W = request.W();
  for (int row = 0; row < request.unknowns(); ++row)
    if (W.coeff(row, row) <= 0)
      throw Refusal("W has no positive diagonal at contact " +
                    std::to_string(row / request.dimension()));
}

void require_at_most(int contacts, const Request& request) {
  if (request.contacts() > contacts)
    throw Refusal("dense: at most " + std::to_string(contacts) + " contacts");
}

Matrix dense_symmetric_W(const Request& request) {
  const Matrix W = request.W();
  return (W + W.transpose()) / 2;
}

namespace {

json description() {
  json solvers = json::array();
  for (const Solver& solver : peer().solvers) {
    json settings = {{{"name", "tolerance"},
                      {"type", "number"},
                      {"default", 0.0},
                      {"help", "for its own test; 0: the tolerance of the run"}}};
    for (const Setting& setting : solver.settings)
      settings.push_back({{"name", setting.name},
                          {"type", "number"},
                          {"default", setting.default_value},
                          {"help", setting.help}});
    solvers.push_back({{"name", solver.name},
                       {"model", solver.model},
                       {"summary", solver.summary},
                       {"dimensions", solver.dimensions},
                       {"settings", settings}});
  }
  return {{"library", peer().version}, {"solvers", solvers}};
}

std::int32_t solve(const char* name, const frictionbench_problem& problem,
                   frictionbench_answer& given) {
  const auto& solvers = peer().solvers;
  const auto solver = std::find_if(solvers.begin(), solvers.end(),
                                   [&](const Solver& one) { return one.name == name; });
  if (solver == solvers.end()) return 1;
  const Request request(problem);
  Answer answer(given, request.unknowns());
  try {
    if (request.contacts() == 0)  // many libraries do not expect it
      answer.end(FRICTIONBENCH_CONVERGED, 0);
    else
      solver->solve(request, answer);
  } catch (const Refusal& refusal) {
    answer.end(FRICTIONBENCH_REFUSED, 0);
    answer.say(refusal.what());
  } catch (const std::exception& error) {
    answer.end(FRICTIONBENCH_FAILED, 0);
    answer.say(error.what());
  }
  return 0;
}

}  // namespace
}  // namespace frictionbench::peers

int32_t frictionbench_plugin_version() { return FRICTIONBENCH_PLUGIN_VERSION; }

const char* frictionbench_describe() {
  static const std::string text = frictionbench::peers::description().dump();
  return text.c_str();
}

int32_t frictionbench_solve(const char* solver, const frictionbench_problem* problem,
                            frictionbench_answer* answer) {
  return frictionbench::peers::solve(solver, *problem, *answer);
}
