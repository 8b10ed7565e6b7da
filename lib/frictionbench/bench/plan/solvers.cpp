#include "frictionbench/bench/plan/solvers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fnmatch.h>

#include <algorithm>
#include <stdexcept>

#include "frictionbench/bench/plan/internal/lists.hpp"

namespace frictionbench::bench {

namespace {

constexpr std::string_view by_model = "model=";

// Those that take contacts: the others would refuse nearly every problem, so they run if asked for.
std::vector<std::string> contact_solvers(const Registry& registry) {
  std::vector<std::string> names = registry.ready_names();
  std::erase_if(names, [&](const auto& name) { return !registry.find(name).info.contacts; });
  return names;
}

// Of a text that stands for ready solvers; nothing for one that names a solver.
std::vector<std::string> matching_names(const Registry& registry, const std::string& text) {
  const bool is_model = text.starts_with(by_model);
  if (!is_model &&
      (text.find_first_of("*?") == std::string::npos || text.find('(') != std::string::npos))
    return {};
  std::vector<std::string> names = is_model ? contact_solvers(registry) : registry.ready_names();
  if (is_model) {
    const auto model = from_name<ContactModel>(text.substr(by_model.size()));
    std::erase_if(names, [&](const auto& name) { return registry.find(name).info.model != model; });
  } else {
    std::erase_if(names,
                  [&](const auto& name) { return fnmatch(text.c_str(), name.c_str(), 0) != 0; });
  }
  if (names.empty())
    throw std::invalid_argument(fmt::format("no solver matches '{}'; there are {}", text,
                                            fmt::join(registry.ready_names(), ", ")));
  return names;
}

// Texts that each name a solver.
std::vector<std::string> expanded(const Registry& registry, const std::vector<std::string>& texts) {
  std::vector<std::string> specs;
  for (const std::string& text : texts) {
    const auto listed = text.starts_with("@") ? lines_of_list(text.substr(1), "solvers")
                                              : std::vector<std::string>{text};
    for (const std::string& entry : listed) {
      const auto names = matching_names(registry, entry);
      if (names.empty())
        specs.push_back(entry);
      else
        specs.insert(specs.end(), names.begin(), names.end());
    }
  }
  return specs;
}

}  // namespace

std::vector<ConfiguredSolver> find_solvers(const Registry& registry,
                                           const std::vector<std::string>& texts,
                                           const std::vector<std::string>& excluded) {
  std::vector<std::string> left_out;
  for (const std::string& spec : expanded(registry, excluded))
    left_out.push_back(registry.make(spec).id);

  std::vector<ConfiguredSolver> solvers;
  for (const std::string& spec :
       texts.empty() ? contact_solvers(registry) : expanded(registry, texts)) {
    ConfiguredSolver solver = registry.make(spec);
    if (std::count(left_out.begin(), left_out.end(), solver.id) > 0) continue;
    const auto known = std::find_if(solvers.begin(), solvers.end(),
                                    [&](const ConfiguredSolver& s) { return s.id == solver.id; });
    if (known == solvers.end())
      solvers.push_back(std::move(solver));
    else if (known->settings != solver.settings)
      throw std::invalid_argument(fmt::format(
          "solver '{}': two would have the id '{}'; give one another name", spec, solver.id));
  }
  if (solvers.empty()) throw std::invalid_argument("every solver is excluded");
  return solvers;
}

}  // namespace frictionbench::bench
