// frictionbench inverse: the impulses that go with given contact velocities.

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "commands.hpp"
#include "frictionbench/base/file_error.hpp"
#include "frictionbench/bench/plan/problems.hpp"
#include "frictionbench/fclib/reader.hpp"
#include "frictionbench/inverse/inverse_dynamics.hpp"
#include "frictionbench/problem/facts.hpp"
#include "number_file.hpp"
#include "outputs.hpp"

namespace frictionbench::app {

namespace {

constexpr const char* notes = R"help(Examples:
  frictionbench inverse FILE.hdf5 --velocity u.txt --write-impulse r.txt
  frictionbench inverse FILE.hdf5 --velocity u.txt --compliance diag:1e-3
  frictionbench inverse FILE.hdf5                     the velocities of the file's own /solution
  frictionbench inverse FILE.hdf5 --velocity u.txt --model ccp

Velocities are those of the bodies at their contacts at the end of the step, without the contacts' own yielding: u
without R r. They are text: one number per line, m of them, contact by contact, the normal component first. Of the
problem only friction and compliance are used; W, q, and what else moves the bodies, are not. Impulses are found
contact by contact, by the proximal algorithm of Carpentier, Le Lidec and Montaut, Alg. 2.

Rigid contacts have many impulses for the same velocities: the one that is found is near --start. The CCP has none for
a rigid contact that slides without opening, and ends at the iteration limit.
Exit code: 0 found, 1 not found, 2 bad input.)help";

struct InverseArguments {
  std::string problem, velocity, start, impulse;
  InverseOptions options;
  std::optional<ComplianceRule> compliance;
  bool json = false;
  bool force = false;
};

// u of the file's solution, without R r.
Vector velocity_of(const fclib::ProblemFile& file, const std::string& path) {
  if (!file.solution || !file.solution->u || !file.solution->r)
    throw std::invalid_argument(path + ": no r and u in /solution; give velocities by --velocity");
  const Vector& R = file.problem.compliance();
  return R.size() > 0 ? Vector(*file.solution->u - R.cwiseProduct(*file.solution->r))
                      : *file.solution->u;
}

nlohmann::json json_of(const InverseResult& result) {
  return {{"converged", result.converged},
          {"iterations", result.iterations},
          {"residuals",
           {{"primal", result.residuals.primal},
            {"dual", result.residuals.dual},
            {"complementarity", result.residuals.complementarity},
            {"max", result.residuals.max()}}},
          {"impulse_norm", result.r.norm()},
          {"r", std::vector<double>(result.r.begin(), result.r.end())}};
}

int inverse_command(const InverseArguments& arguments) {
  const std::string path = bench::find_problem(arguments.problem, "inverse takes one file").path;
  const fclib::ProblemFile file = fclib::read_problem(path);
  if (!file.problem.is_plain())
    throw FileError(
        path, "", fmt::format("has {}; inverse takes friction cones only", sets_of(file.problem)));
  std::vector<std::string> inputs{path};
  for (const std::string& input : {arguments.velocity, arguments.start})
    if (!input.empty()) inputs.push_back(input);
  OutputCheck check(arguments.force, inputs);
  check.add(arguments.impulse);

  const ContactProblem problem = bench::prepared(file.problem, path, arguments.compliance);
  const Index m = problem.unknowns();
  const Vector velocity =
      arguments.velocity.empty() ? velocity_of(file, path) : read_numbers(arguments.velocity, m);
  const Vector R = problem.compliance().size() > 0 ? problem.compliance() : Vector::Zero(m);
  InverseOptions options = arguments.options;
  if (!arguments.start.empty()) options.start = read_numbers(arguments.start, m);
  const InverseResult result = inverse_dynamics(velocity, R, problem.mu(), options);

  if (!arguments.impulse.empty()) write_numbers(arguments.impulse, result.r);
  std::FILE* const out = check.text_stream();
  if (arguments.json)
    fmt::print(out, "{}\n", json_of(result).dump(1));
  else
    fmt::print(out,
               "{} after {} iterations, {} at {:g}\n"
               "residuals: primal {:.3e}, dual {:.3e}, complementarity {:.3e}\n"
               "||r|| = {:g}\n",
               result.converged ? "found" : "not found", result.iterations, name(options.model),
               options.tolerance, result.residuals.primal, result.residuals.dual,
               result.residuals.complementarity, result.r.norm());
  return result.converged ? 0 : 1;
}

}  // namespace

void add_inverse(Command& program) {
  auto arguments = std::make_shared<InverseArguments>();
  InverseOptions& options = arguments->options;
  Command& command =
      program.add("inverse", "Find the impulses that go with given contact velocities");
  command.notes = notes;
  command.option("PROBLEM", arguments->problem, "FCLIB file", {.required = true});
  command.option("--velocity", arguments->velocity,
                 "contact velocities as text, one number per line; those of /solution if absent",
                 {.value = "FILE"});
  command.option("--start", arguments->start,
                 "the impulse to start from as text, one number per line; zero if absent",
                 {.value = "FILE"});
  command.option("--model", options.model, "the contact model", {.choices = {"ncp", "ccp"}});
  command.option("--rho", options.rho, "proximal parameter, velocity per impulse",
                 {.range = positive()});
  command.option("--compliance", arguments->compliance,
                 "give every contact this compliance R instead of that of its file: VALUE for each "
                 "component, or diag:ALPHA for ALPHA times the diagonal of W");
  command.option("--max-iterations", options.max_iterations, "of the proximal iteration",
                 {.range = at_least(1)});
  command.option("--tolerance", options.tolerance, "largest residual, in the units of the file",
                 {.range = positive()});
  command.option("--write-impulse", arguments->impulse,
                 "write the impulse r as text, one number per line", {.value = "FILE"});
  command.option("--json", arguments->json, "print JSON, the impulse included");
  command.option("--force", arguments->force, "overwrite existing files");
  command.run = [arguments] { return inverse_command(*arguments); };
}

}  // namespace frictionbench::app
