#include "frictionbench/problem/compliance_rule.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "frictionbench/base/text.hpp"
#include "frictionbench/problem/contact_columns.hpp"

namespace frictionbench {

namespace {

constexpr std::string_view of_diagonal = "diag:";

Vector rigid_diagonal(const ContactProblem& problem) {
  return problem.has_W() ? Vector(problem.rigid_W().diagonal())
                         : problem.columns().delassus_diagonal();
}

}  // namespace

std::string text(const ComplianceRule& rule) {
  return fmt::format("{}{}", rule.of_diagonal ? of_diagonal : "", rule.value);
}

void from_text(std::string_view text, ComplianceRule& into) {
  std::string_view number = text;
  into.of_diagonal = number.starts_with(of_diagonal);
  if (into.of_diagonal) number.remove_prefix(of_diagonal.size());
  const auto value = number_in<double>(number);
  if (!value || !(*value >= 0) || !std::isfinite(*value))
    throw std::invalid_argument(fmt::format(
        "'{}' is not a compliance; expected a number >= 0, or diag: and a number >= 0", text));
  into.value = *value;
}

ContactProblem with_compliance(const ContactProblem& problem, const ComplianceRule& rule) {
  if (rule.of_diagonal) return problem.with_compliance(rule.value * rigid_diagonal(problem));
  return problem.with_compliance(Vector::Constant(problem.unknowns(), rule.value));
}

}  // namespace frictionbench
