#include "frictionbench/fclib/file_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "frictionbench/sets/sets.hpp"

namespace frictionbench::fclib {

namespace {

bool is_rolling(const SetPointer& set) { return set->kind() == "rolling"; }
bool is_bilateral(const SetPointer& set) { return set->is_whole_space(); }

}  // namespace

FileRows rows_in_file(const ContactProblem& problem) {
  FileRows rows;
  rows.of_contact = problem.dimension();
  rows.contacts = problem.dimension() * problem.mu().size();
  if (problem.is_plain()) return rows;

  const std::vector<SetPointer>& sets = problem.layout()->sets;
  auto end_of_contacts = sets.begin() + problem.mu().size();
  if (rows.contacts == 0) end_of_contacts = std::find_if_not(sets.begin(), sets.end(), is_rolling);
  const auto end_of_bilateral = std::find_if_not(end_of_contacts, sets.end(), is_bilateral);
  if (const auto late = std::find_if(end_of_bilateral, sets.end(), is_bilateral);
      late != sets.end())
    throw std::invalid_argument(
        fmt::format("block {} is {}, but FCLIB has bilateral rows right behind the contacts",
                    late - sets.begin(), (*late)->text()));
  const auto start = [&](auto block) { return problem.block_start(block - sets.begin()); };
  rows.rolling = rows.contacts == 0 && end_of_contacts != sets.begin();
  if (rows.rolling) rows.of_contact = rolling_rows;
  rows.contacts = start(end_of_contacts);
  rows.bilateral = start(end_of_bilateral) - rows.contacts;
  rows.others = problem.unknowns() - rows.contacts - rows.bilateral;
  return rows;
}

bool must_name_sets(const ContactProblem& problem) {
  const FileRows rows = rows_in_file(problem);
  if (rows.others > 0) return true;
  for (Index i = 0; i < problem.blocks(); ++i)
    if (problem.block_start(i) >= rows.contacts && problem.block_rows(i) != 1) return true;
  return false;
}

}  // namespace frictionbench::fclib
