/// \file
/// A compliance that is given to every contact of a problem.
#pragma once

#include <string>
#include <string_view>

#include "frictionbench/problem/contact_problem.hpp"

namespace frictionbench {

/// How the diagonal of R follows from a problem.
struct ComplianceRule {
  /// Whether `value` is a fraction of the diagonal of W, or velocity per impulse.
  bool of_diagonal = false;
  double value = 0;  ///< >= 0, the same for every component

  bool operator==(const ComplianceRule&) const = default;
};

std::string text(const ComplianceRule& rule);  ///< "0.001" or "diag:0.001"
/// \throws std::invalid_argument for a text that is neither of these, or a negative number.
void from_text(std::string_view text, ComplianceRule& into);
/// A regular expression of such texts.
constexpr const char* text_pattern(const ComplianceRule&) { return "^(diag:)?[0-9][-+.e0-9]*$"; }

/// The problem with that compliance instead of its own. Reduces a global problem that has_W().
/// \throws InvalidProblem for a fraction of a diagonal that has a negative entry.
ContactProblem with_compliance(const ContactProblem& problem, const ComplianceRule& rule);

}  // namespace frictionbench
