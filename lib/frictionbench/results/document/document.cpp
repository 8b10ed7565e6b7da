#include "frictionbench/results/document/document.hpp"

#include <algorithm>
#include <stdexcept>

namespace frictionbench::results {

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
