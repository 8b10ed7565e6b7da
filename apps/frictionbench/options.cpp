#include "options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "frictionbench/base/suggestions.hpp"

namespace frictionbench::app {

namespace {

// CLI11's own ranges print their bounds in full, and let NaN through.
CLI::Validator finite_number(bool zero_too) {
  const std::string wanted = zero_too ? "a number >= 0" : "a number > 0";
  return CLI::Validator(
      [zero_too, wanted](const std::string& text) -> std::string {
        double value = 0;
        if (CLI::detail::lexical_cast(text, value) && std::isfinite(value) &&
            (value > 0 || (zero_too && value == 0)))
          return {};
        return fmt::format("'{}' is not {}", text, wanted);
      },
      zero_too ? ">= 0" : "> 0");
}

// One of a few names. `kind`: what they are names of.
CLI::Validator known_name(const std::string& kind, const std::vector<std::string>& known) {
  return CLI::Validator(
      [kind, known](const std::string& text) -> std::string {
        if (std::find(known.begin(), known.end(), text) != known.end()) return {};
        return unknown_name(kind, text, known);
      },
      fmt::format("{}", fmt::join(known, "|")));
}

}  // namespace

CLI::Validator whole_number(int low) {
  return CLI::Validator(
      [low](const std::string& text) -> std::string {
        int value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error == std::errc() && end == text.data() + text.size() && value >= low) return {};
        return fmt::format("'{}' is not a whole number >= {}", text, low);
      },
      fmt::format(">= {}", low));
}

void MeasureFlags::add_to(CLI::App& command) {
  command.add_option("--tolerance", values.tolerance, "residual that counts as solved")
      ->capture_default_str()
      ->type_name("NUMBER")
      ->check(finite_number(false));
  command
      .add_option(
          "--criterion", criterion,
          "what is judged: ncp, ccp and lcp are absolute residuals in the units of the file, "
          "ncp_scaled and ccp_scaled do not depend on units, native is each solver's own model")
      ->capture_default_str()
      ->type_name("")
      ->check(known_name("criterion", {"ncp", "ncp_scaled", "ccp", "ccp_scaled", "lcp", "native"}));
  command.add_option("--max-iterations", values.max_iterations, "iteration limit of a solve")
      ->capture_default_str()
      ->type_name("NUMBER")
      ->check(whole_number(1));
  command.add_option("--time-limit", values.time_limit, "wall-clock limit of a solve")
      ->capture_default_str()
      ->type_name("SECONDS")
      ->check(finite_number(false));
  command
      .add_option(
          "--repeat-time", values.repeat_time,
          "a solve is repeated until its samples add up to so many seconds; 0 takes one sample")
      ->capture_default_str()
      ->type_name("SECONDS")
      ->check(finite_number(true));
}

bench::MeasureOptions MeasureFlags::measure_options() const {
  bench::MeasureOptions options = values;
  options.criterion = from_name<Criterion>(criterion);
  return options;
}

void add_warm_start(CLI::App& command, std::string& start) {
  command
      .add_option("--warm-start", start,
                  "where a solve starts: at zero, at the first guess in the problem's file, or at "
                  "the solution in it; at zero where the file has none that fits")
      ->capture_default_str()
      ->type_name("")
      ->check(known_name("start", {"zero", "guess", "solution"}));
}

std::vector<ConfiguredSolver> make_solvers(const Registry& registry,
                                           const std::vector<std::string>& specs) {
  std::vector<ConfiguredSolver> solvers;
  const auto add = [&](const std::string& spec) {
    ConfiguredSolver solver = registry.make(spec);
    const bool known = std::any_of(solvers.begin(), solvers.end(),
                                   [&](const ConfiguredSolver& s) { return s.id == solver.id; });
    if (!known) solvers.push_back(std::move(solver));
  };
  for (const std::string& spec : specs) add(spec);
  if (specs.empty())
    for (const RegisteredSolver& solver : registry.solvers()) add(solver.info.name);
  return solvers;
}

}  // namespace frictionbench::app
