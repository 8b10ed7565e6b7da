#include "frictionbench/bench/conformance/conformance.hpp"

#include "frictionbench/bench/conformance/internal/subject.hpp"

namespace frictionbench::bench::conformance {

Examination::Examination(const ConfiguredSolver& solver, const Settings& settings)
    : subject_(std::make_unique<Subject>(solver, settings)) {}

Examination::~Examination() = default;

Seen Examination::carry_out(const Check& check) const { return check.carry_out(*subject_); }

}  // namespace frictionbench::bench::conformance
