#include "frictionbench/bench/conformance/conformance.hpp"

#include <utility>

#include "frictionbench/bench/conformance/internal/checks.hpp"
#include "frictionbench/bench/conformance/internal/subject.hpp"

namespace frictionbench::bench::conformance {

const std::vector<Check>& checks() {
  static const std::vector<Check> all = [] {
    std::vector<Check> checks = checks_of_answers();
    for (Check& check : checks_of_conduct()) checks.push_back(std::move(check));
    return checks;
  }();
  return all;
}

Examination::Examination(const ConfiguredSolver& solver, const Settings& settings)
    : subject_(std::make_unique<Subject>(solver, settings)) {}

Examination::~Examination() = default;

Seen Examination::carry_out(const Check& check) const { return check.carry_out(*subject_); }

}  // namespace frictionbench::bench::conformance
