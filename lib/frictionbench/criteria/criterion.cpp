#include "frictionbench/criteria/criterion.hpp"

#include <array>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

namespace frictionbench {

namespace {

constexpr std::array<std::pair<Criterion, std::string_view>, 6> criterion_names{{
    {Criterion::ncp, "ncp"},
    {Criterion::ncp_scaled, "ncp_scaled"},
    {Criterion::ccp, "ccp"},
    {Criterion::ccp_scaled, "ccp_scaled"},
    {Criterion::lcp, "lcp"},
    {Criterion::native, "native"},
}};

}  // namespace

std::string_view name(ContactModel model) {
  switch (model) {
    case ContactModel::ncp:
      return "ncp";
    case ContactModel::ccp:
      return "ccp";
    case ContactModel::lcp:
      return "lcp";
  }
  throw std::logic_error("unknown contact model");
}

std::string_view name(Criterion criterion) {
  for (const auto& [value, text] : criterion_names)
    if (value == criterion) return text;
  throw std::logic_error("unknown criterion");
}

Criterion criterion_from_name(std::string_view text) {
  for (const auto& [value, known] : criterion_names)
    if (known == text) return value;
  throw std::invalid_argument("unknown criterion '" + std::string(text) +
                              "'; known: ncp, ncp_scaled, ccp, ccp_scaled, lcp, native");
}

ProblemScale scale_of(const ContactProblem& problem) {
  ProblemScale scale;
  const LocalView form = problem.local();
  if (form.q.size() == 0) return scale;
  const double largest = form.q.lpNorm<Eigen::Infinity>();
  if (largest > 0) scale.velocity = largest;
  // mean_i(trace(W_ii) / dim) is the mean of the whole diagonal
  const double mean_diagonal = Vector(form.W.diagonal()).mean();
  scale.impulse = scale.velocity / (mean_diagonal > 0 ? mean_diagonal : 1.0);
  return scale;
}

Tolerances tolerances(const ProblemScale& scale, Criterion criterion, double tolerance) {
  if (criterion != Criterion::ncp_scaled && criterion != Criterion::ccp_scaled)
    return {tolerance, tolerance, tolerance};
  return {tolerance * scale.impulse, tolerance * scale.velocity,
          tolerance * scale.impulse * scale.velocity};
}

ContactModel judged_model(Criterion criterion, ContactModel native) {
  switch (criterion) {
    case Criterion::ncp:
    case Criterion::ncp_scaled:
      return ContactModel::ncp;
    case Criterion::ccp:
    case Criterion::ccp_scaled:
      return ContactModel::ccp;
    case Criterion::lcp:
      return ContactModel::lcp;
    case Criterion::native:
      return native;
  }
  throw std::logic_error("unknown criterion");
}

}  // namespace frictionbench
