#include "frictionbench/solver/registry.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <set>
#include <stdexcept>

#include "frictionbench/base/suggestions.hpp"
#include "frictionbench/base/text.hpp"
#include "frictionbench/solver/former_names.hpp"

namespace frictionbench {

namespace {

// Position of the first comma outside parentheses and quotes.
std::size_t outer_comma(std::string_view text) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t k = 0; k < text.size(); ++k) {
    if (text[k] == '\'') quoted = !quoted;
    if (quoted) continue;
    if (text[k] == ',' && depth == 0) return k;
    if (text[k] == '(') ++depth;
    if (text[k] == ')') --depth;
  }
  return std::string_view::npos;
}

std::string with_quotes_doubled(std::string_view text) {
  std::string doubled;
  for (const char c : text) doubled.append(c == '\'' ? 2 : 1, c);
  return doubled;
}

// As parse_solver_spec reads it.
std::string quoted_if_needed(const std::string& text) {
  const bool plain = !text.empty() && text.find_first_of(" \t,=()'") == std::string::npos;
  return plain ? text : fmt::format("'{}'", with_quotes_doubled(text));
}

// The text between quotes; nothing if they do not match.
std::optional<std::string> unquoted(std::string_view text) {
  if (!text.starts_with('\'')) return std::string(text);
  std::string inside;
  for (std::size_t k = 1; k < text.size(); ++k) {
    if (text[k] == '\'') {
      if (k + 1 == text.size()) return inside;
      if (text[++k] != '\'') return std::nullopt;
    }
    inside += text[k];
  }
  return std::nullopt;
}

}  // namespace

std::pair<std::string, Assignments> parse_solver_spec(const std::string& spec) {
  const auto malformed = [&](const std::string& reason) {
    return std::invalid_argument(fmt::format(
        "solver '{}': {}; write NAME or NAME(setting=value,setting=value)", spec, reason));
  };
  const std::string_view text = trimmed(spec);
  const auto open = text.find('(');
  const std::string name(trimmed(text.substr(0, open)));
  if (name.empty()) throw malformed("the name is missing");
  Assignments assignments;
  if (open == std::string_view::npos) return {name, assignments};
  if (text.back() != ')') throw malformed("missing ')'");

  std::string_view inside = text.substr(open + 1, text.size() - open - 2);
  while (!trimmed(inside).empty()) {
    const auto comma = outer_comma(inside);
    const std::string_view assignment = trimmed(inside.substr(0, comma));
    inside = comma == std::string_view::npos ? "" : inside.substr(comma + 1);
    const auto equals = assignment.find('=');
    if (equals == std::string_view::npos)
      throw malformed(fmt::format("'{}' is not setting=value", assignment));
    const std::string key(trimmed(assignment.substr(0, equals)));
    for (const auto& [earlier, value] : assignments)
      if (earlier == key) throw malformed(fmt::format("'{}' is given twice", key));
    const auto value = unquoted(trimmed(assignment.substr(equals + 1)));
    if (!value) throw malformed(fmt::format("the quotes of '{}' do not match", assignment));
    assignments.emplace_back(key, *value);
  }
  return {name, assignments};
}

std::string canonical_id(const std::string& name, const SettingFields& fields,
                         const SettingValues& implied) {
  const SettingValues values = fields.values();
  const std::vector<SettingDescription> descriptions = fields.descriptions();
  const auto at = [&](const std::string& setting) {
    std::size_t k = 0;
    while (values[k].first != setting) ++k;
    return k;
  };
  const auto changed = [&](std::size_t k) { return values[k].second != implied[k].second; };

  std::set<std::size_t> covered;
  std::vector<std::string> assignments;
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (!changed(k) || covered.contains(k)) continue;
    std::string text = values[k].first;
    for (const SettingShorthand& shorthand : fields.shorthands()) {
      std::set<std::size_t> members;
      for (const std::string& setting : shorthand.settings) members.insert(at(setting));
      const bool applies =
          members.contains(k) && std::all_of(members.begin(), members.end(), [&](std::size_t m) {
            return values[m].second == values[k].second && changed(m);
          });
      if (!applies) continue;
      text = shorthand.name;
      covered.merge(members);
      break;
    }
    const std::string value = text_of(values[k].second);
    assignments.push_back(text + "=" +
                          (descriptions[k].type == "text" ? quoted_if_needed(value) : value));
  }
  if (assignments.empty()) return name;
  return fmt::format("{}({})", name, fmt::join(assignments, ","));
}

const RegisteredSolver& Registry::find(const std::string& given) const {
  const std::string_view name = current_solver_name(given);
  std::vector<std::string> known;
  for (const RegisteredSolver& solver : solvers_) {
    if (solver.info.name == name) return solver;
    known.push_back(solver.info.name);
  }
  throw std::invalid_argument(unknown_name("solver", given, known));
}

ConfiguredSolver Registry::make(const std::string& spec) const {
  const auto [name, assignments] = parse_solver_spec(spec);
  const RegisteredSolver& solver = find(name);
  try {
    return solver.make(assignments, *this);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(fmt::format("solver '{}': {}", name, error.what()));
  }
}

std::vector<std::string> Registry::ready_names() const {
  std::vector<std::string> names;
  for (const RegisteredSolver& solver : solvers_)
    if (solver.required.empty()) names.push_back(solver.info.name);
  return names;
}

void Registry::add(RegisteredSolver solver) {
  const auto place = std::lower_bound(solvers_.begin(), solvers_.end(), solver,
                                      [](const RegisteredSolver& a, const RegisteredSolver& b) {
                                        return a.info.name < b.info.name;
                                      });
  if (place != solvers_.end() && place->info.name == solver.info.name)
    throw std::logic_error("solver '" + solver.info.name + "' is registered twice");
  solvers_.insert(place, std::move(solver));
}

}  // namespace frictionbench
