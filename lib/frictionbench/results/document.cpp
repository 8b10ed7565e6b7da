#include "frictionbench/results/document.hpp"

#include <algorithm>
#include <stdexcept>

namespace frictionbench::results {

namespace {

template <typename Entry>
const Entry& find_by_id(const std::vector<Entry>& entries, const std::string& id) {
  const auto found =
      std::find_if(entries.begin(), entries.end(), [&](const Entry& e) { return e.id == id; });
  if (found == entries.end()) throw std::invalid_argument("the document has no entry '" + id + "'");
  return *found;
}

}  // namespace

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

const ProblemEntry& Document::problem(const std::string& id) const {
  return find_by_id(problems, id);
}

const SolverEntry& Document::solver(const std::string& id) const { return find_by_id(solvers, id); }

bool Document::solved(const Record& record) const {
  return record.solved.under(run.criterion, solver(record.solver).model);
}

}  // namespace frictionbench::results
