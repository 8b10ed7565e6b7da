#include "frictionbench/results/document/document.hpp"

#include <algorithm>
#include <stdexcept>

namespace frictionbench::results {

bool Solved::under(Criterion criterion, ContactModel model) const {
  switch (criterion) {
    case Criterion::ncp_scaled:
      return ncp_scaled;
    case Criterion::ccp_scaled:
      return ccp_scaled;
    default:
      break;
  }
  switch (judged_model(criterion, model)) {
    case ContactModel::ncp:
      return ncp;
    case ContactModel::ccp:
      return ccp;
    case ContactModel::lcp:
      return lcp;
  }
  throw std::logic_error("unknown contact model");
}

Solved solved_under_all(const Verdict& verdict, double tolerance) {
  const auto under = [&](Criterion criterion) {
    return verdict.solved(criterion, tolerance, ContactModel::ncp);
  };
  return {under(Criterion::ncp), under(Criterion::ncp_scaled), under(Criterion::ccp),
          under(Criterion::ccp_scaled), under(Criterion::lcp)};
}

const SolverEntry& Document::solver(const std::string& id) const {
  const auto found = std::find_if(solvers.begin(), solvers.end(),
                                  [&](const SolverEntry& entry) { return entry.id == id; });
  if (found == solvers.end())
    throw std::invalid_argument("the document has no solver '" + id + "'");
  return *found;
}

bool Document::solved(const Record& record) const {
  return record.solved.under(run.criterion, solver(record.solver).model);
}

}  // namespace frictionbench::results
