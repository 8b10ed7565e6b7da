#include "frictionbench/fclib/internal/problem_group.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "frictionbench/base/text.hpp"

namespace frictionbench::fclib {
namespace {

constexpr std::array problem_groups{
    ProblemGroup{"fclib_local", ProblemForm::local, false},
    ProblemGroup{"fclib_global", ProblemForm::global, false},
    ProblemGroup{"fclib_local_rolling", ProblemForm::local, true},
    ProblemGroup{"fclib_global_rolling", ProblemForm::global, true},
};

/// "/a, /b or /c".
std::string known_groups() {
  std::string text;
  for (const ProblemGroup& group : problem_groups) {
    if (!text.empty()) text += &group == &problem_groups.back() ? " or " : ", ";
    text += fmt::format("/{}", group.name);
  }
  return text;
}

}  // namespace

const ProblemGroup& group_of(ProblemForm form, bool rolling) {
  return *std::ranges::find_if(problem_groups, [&](const ProblemGroup& group) {
    return group.form == form && group.rolling == rolling;
  });
}

const ProblemGroup& find_problem(const HdfGroup& root) {
  const ProblemGroup* found = nullptr;
  for (const ProblemGroup& group : problem_groups) {
    if (!root.has(group.name)) continue;
    if (found)
      root.place().fail(fmt::format("has both /{} and /{}, expected one problem per file",
                                    found->name, group.name));
    found = &group;
  }
  if (found) return *found;
  std::vector<std::string> names = root.names();
  for (std::string& name : names) name = '/' + one_line(name);
  root.place().fail(
      fmt::format("no {}, found {}", known_groups(),
                  names.empty() ? "nothing" : fmt::format("{}", fmt::join(names, ", "))));
}

}  // namespace frictionbench::fclib
