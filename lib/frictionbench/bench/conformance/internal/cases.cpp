#include "frictionbench/bench/conformance/internal/cases.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace frictionbench::bench::conformance {

void Cases::add(const std::string& what, const std::string& complaint) {
  ++cases_;
  if (complaint.empty()) return;
  if (++complaints_ == 1)
    first_ = what.empty() ? complaint : fmt::format("{}: {}", what, complaint);
}

void Cases::add(const std::string& what, const std::string& complaint, const PairOutcome& outcome) {
  add(what, complaint);
  most_iterations_ = std::max(most_iterations_, outcome.record.iterations);
}

Seen Cases::seen() const {
  if (cases_ == 0) return {Finding::not_applicable, "does not take such problems"};
  if (complaints_ > 0)
    return {Finding::fail,
            first_ + (cases_ == 1 ? "" : fmt::format(" ({} of {} cases)", complaints_, cases_))};
  const std::string all = cases_ == 1 ? "one case" : fmt::format("all {} cases", cases_);
  if (most_iterations_ < 0) return {Finding::pass, all};
  return {Finding::pass, fmt::format("{}, at most {} iterations", all, most_iterations_)};
}

std::string named(int dimension) { return fmt::format("{}D", dimension); }

std::string text_of(const results::Record& record) {
  return fmt::format("status {}{}{}", name(record.status), record.message.empty() ? "" : ": ",
                     record.message);
}

namespace {

// An end that the solver is known for, with a message.
bool fails_as_declared(const Subject& subject, const results::Record& record) {
  using enum Status;
  const bool declared = record.status == ray || record.status == cycle ||
                        record.status == inaccurate || record.status == stalled;
  return !subject.info().dependable && declared && !record.message.empty();
}

}  // namespace

std::string unsolved(const Subject& subject, const PairOutcome& outcome) {
  const results::Record& record = outcome.record;
  if (record.status == Status::converged || fails_as_declared(subject, record)) return {};
  const bool may_miss = !subject.info().exact && record.status == Status::inaccurate;
  return may_miss && !record.message.empty() ? "" : text_of(record);
}

std::string broken(const PairOutcome& outcome) {
  using enum Status;
  switch (outcome.record.status) {
    case error:
    case crashed:
    case memory_limit:
    case not_repeatable:
      return text_of(outcome.record);
    case time_limit:  // one that was killed has no time
      return outcome.record.time.solve ? "" : text_of(outcome.record);
    default:
      return {};
  }
}

std::string dishonest(const PairOutcome& outcome) {
  return outcome.record.status == Status::wrong ? text_of(outcome.record) : broken(outcome);
}

std::string unsolved(const Subject& subject, const PairOutcome& outcome, const Vector& known,
                     double allowed) {
  const std::string complaint = unsolved(subject, outcome);
  if (!complaint.empty() || fails_as_declared(subject, outcome.record)) return complaint;
  if (outcome.answer.r.size() != known.size()) return "no impulse";
  if (!subject.info().exact || outcome.record.own_model)
    allowed = std::max(allowed, 0.15 * known.norm());
  const double error = (outcome.answer.r - known).norm();
  if (error <= allowed) return {};
  return fmt::format("the impulse is {:.2e} away from the only solution, more than {:.2e}", error,
                     allowed);
}

}  // namespace frictionbench::bench::conformance
