/// \file
/// What every solver must do, whatever it is: checks for built-in solvers, external programs and
/// plug-ins.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "frictionbench/base/describe.hpp"
#include "frictionbench/base/enum_names.hpp"
#include "frictionbench/solver/registry.hpp"

namespace frictionbench::bench::conformance {

/// What the checks ask for.
struct Settings {
  double tolerance = 1e-6;     ///< on residuals, in the units of the problems, which are of order 1
  int max_iterations = 20000;  ///< limit of a solve
  double time_limit = 5;       ///< s, limit of a solve
};

void describe(auto& visit, Is<Settings> auto& settings) {
  visit("tolerance", settings.tolerance,
        {.help = "residual that the checks ask for, on problems of order 1", .range = positive()});
  visit("max_iterations", settings.max_iterations,
        {.help = "iteration limit of a solve", .range = at_least(1)});
  visit("time_limit", settings.time_limit,
        {.help = "wall-clock limit of a solve", .unit = "s", .range = positive()});
}

/// How a check ended.
enum class Finding {
  pass,            ///< the solver does what is asked
  fail,            ///< it does not
  not_applicable,  ///< it does not take such problems
};
constexpr auto describe(Finding) {
  using enum Finding;
  return enum_names<Finding>(
      "finding", {{pass, "pass", "the solver does what is asked"},
                  {fail, "fail", "it does not"},
                  {not_applicable, "not_applicable", "the solver does not take such problems"}});
}

/// What was seen in a check.
struct Seen {
  Finding finding = Finding::pass;  ///< how it ended
  std::string text;                 ///< one line for people
};

class Subject;

/// Something that a solver must do.
struct Check {
  std::string name;                               ///< "stick"
  std::string asks;                               ///< what the solver must do, a phrase
  std::function<Seen(const Subject&)> carry_out;  ///< solves in child processes
};

/// All of them, from simple to demanding.
const std::vector<Check>& checks();

/// Carries out checks on one solver. Every solve runs in a child process of its own, with the limits
/// of a run: what crashes, hangs or runs out of memory fails its check.
class Examination {
 public:
  /// \param solver to be examined. \param settings what the checks ask for.
  Examination(const ConfiguredSolver& solver, const Settings& settings);
  ~Examination();

  /// \throws std::system_error if no process can be made.
  Seen carry_out(const Check& check) const;

 private:
  std::unique_ptr<const Subject> subject_;
};

}  // namespace frictionbench::bench::conformance
