#include "frictionbench/results/document/document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <stdexcept>

namespace frictionbench::results {

std::string text(const Shard& shard) { return fmt::format("{}/{}", shard.number, shard.count); }

Shard shard_from_text(std::string_view text) {
  Shard shard;
  const char* const end = text.data() + text.size();
  const auto number = std::from_chars(text.data(), end, shard.number);
  if (number.ec == std::errc() && number.ptr != end && *number.ptr == '/') {
    const auto count = std::from_chars(number.ptr + 1, end, shard.count);
    if (count.ec == std::errc() && count.ptr == end && 1 <= shard.number &&
        shard.number <= shard.count)
      return shard;
  }
  throw std::invalid_argument(
      fmt::format("'{}' is not a valid shard; expected i/n with 1 <= i <= n, e.g. 3/8", text));
}

bool Solved::under(Criterion criterion, Scale scale, ContactModel model) const {
  const auto at = [scale](const SolvedAt& solved) {
    return scale == Scale::absolute ? solved.absolute : solved.scaled;
  };
  switch (judged_model(criterion, model)) {
    case ContactModel::ncp:
      return at(ncp);
    case ContactModel::ccp:
      return at(ccp);
    case ContactModel::lcp:
      return at(lcp);
  }
  throw std::logic_error("unknown contact model");
}

Solved solved_under_all(const Verdict& verdict, double tolerance) {
  const auto solved = [&](ContactModel model) -> SolvedAt {
    return {verdict.solved(model, Scale::absolute, tolerance),
            verdict.solved(model, Scale::scaled, tolerance)};
  };
  return {solved(ContactModel::ncp), solved(ContactModel::ccp), solved(ContactModel::lcp)};
}

const SolverEntry& Document::solver(const std::string& id) const {
  const auto found = std::find_if(solvers.begin(), solvers.end(),
                                  [&](const SolverEntry& entry) { return entry.id == id; });
  if (found == solvers.end())
    throw std::invalid_argument("the document has no solver '" + id + "'");
  return *found;
}

bool Document::solved(const Record& record) const {
  return record.solved.under(run.criterion, run.scale, solver(record.solver).model);
}

}  // namespace frictionbench::results
