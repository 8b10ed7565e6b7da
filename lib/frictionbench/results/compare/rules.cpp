#include "frictionbench/results/compare/rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "frictionbench/base/suggestions.hpp"
#include "frictionbench/results/document/json.hpp"

namespace frictionbench::results {

using nlohmann::json;

namespace {

// An object of the rules, with its place in the file for messages: "counters." or nothing.
class Section {
 public:
  Section(const json& value, std::string place, const std::vector<std::string>& known)
      : value_(value), place_(std::move(place)) {
    if (!value.is_object())
      throw ResultsError(fmt::format("{}: is {}, expected an object",
                                     place_.empty() ? "rules" : place_, value.type_name()));
    for (const auto& [key, unused] : value.items())
      if (std::find(known.begin(), known.end(), key) == known.end())
        throw ResultsError((place_.empty() ? "" : place_ + ": ") + unknown_name("key", key, known));
  }

  bool has(const std::string& key) const { return value_.contains(key); }
  bool is_null(const std::string& key) const { return value_.at(key).is_null(); }
  const json& at(const std::string& key) const { return value_.at(key); }

  /// Replaces `number` if the key is there.
  void read(const std::string& key, double& number, const Range& range) const {
    if (!has(key)) return;
    const json& value = value_.at(key);
    if (!value.is_number() || !range.contains(value.get<double>()))
      refuse(key, "a number " + range.text());
    number = value.get<double>();
  }

  [[noreturn]] void refuse(const std::string& key, const std::string& expected) const {
    throw ResultsError(fmt::format("{}{}: is {}, expected {}", place_.empty() ? "" : place_ + ".",
                                   key, value_.at(key).dump(), expected));
  }

 private:
  const json& value_;
  std::string place_;
};

void read_counters(const json& value, std::vector<CounterRule>& counters) {
  std::vector<std::string> names;
  for (const CounterRule& counter : counters) names.push_back(counter.name);
  const Section section(value, "counters", names);
  for (CounterRule& counter : counters) {
    if (!section.has(counter.name)) continue;
    if (section.is_null(counter.name)) {
      counter.allowance.reset();
      continue;
    }
    double allowance = 0;
    section.read(counter.name, allowance, at_least(0));
    counter.allowance = allowance;
  }
}

std::optional<ResidualRule> residual_rule(const json& value) {
  if (value.is_null()) return std::nullopt;
  ResidualRule rule;
  const Section section(value, "residual", {"factor", "floor"});
  section.read("factor", rule.factor, at_least(1));
  section.read("floor", rule.floor, positive());
  return rule;
}

std::optional<TimeRule> time_rule(const json& value) {
  if (value.is_null()) return std::nullopt;
  TimeRule rule;
  const Section section(value, "time", {"threshold", "confidence", "floor"});
  section.read("threshold", rule.threshold, at_least(1));
  section.read("confidence", rule.confidence, open_interval(0, 1));
  section.read("floor", rule.floor, positive());
  return rule;
}

}  // namespace

std::vector<CounterRule> exact_counters() {
  std::vector<CounterRule> rules{{"iterations"}};
  const auto add = [&](const char* name, const auto&, const Field&) { rules.push_back({name}); };
  const WorkCounters work;
  describe(add, work);
  return rules;
}

json to_json(const ComparisonRules& rules) {
  json value{{"lost", rules.lost_is_worse ? "worse" : "ignore"},
             {"counters", json::object()},
             {"residual", nullptr},
             {"time", nullptr}};
  for (const CounterRule& counter : rules.counters)
    value["counters"][counter.name] = counter.allowance ? json(*counter.allowance) : json(nullptr);
  if (rules.residual)
    value["residual"] = {{"factor", rules.residual->factor}, {"floor", rules.residual->floor}};
  if (rules.time)
    value["time"] = {{"threshold", rules.time->threshold},
                     {"confidence", rules.time->confidence},
                     {"floor", rules.time->floor}};
  return value;
}

ComparisonRules comparison_rules_from_json(const json& value) {
  ComparisonRules rules;
  const Section section(value, "", {"lost", "counters", "residual", "time"});
  if (section.has("lost")) {
    const json& lost = section.at("lost");
    if (lost != "worse" && lost != "ignore") section.refuse("lost", R"("worse" or "ignore")");
    rules.lost_is_worse = lost == "worse";
  }
  if (section.has("counters")) read_counters(section.at("counters"), rules.counters);
  if (section.has("residual")) rules.residual = residual_rule(section.at("residual"));
  if (section.has("time")) rules.time = time_rule(section.at("time"));
  return rules;
}

ComparisonRules read_comparison_rules(const std::string& path) {
  if (std::filesystem::is_directory(path))
    throw ResultsError(path + ": is a folder, expected a file of comparison rules");
  std::ifstream file(path);
  if (!file) throw ResultsError(path + ": cannot be opened");
  try {
    return comparison_rules_from_json(json::parse(file));
  } catch (const json::exception&) {
    throw ResultsError(path + ": is truncated or not JSON");
  } catch (const ResultsError& error) {
    throw ResultsError(path + ": " + error.what());
  }
}

}  // namespace frictionbench::results
