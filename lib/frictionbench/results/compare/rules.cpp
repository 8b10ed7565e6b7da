#include "frictionbench/results/compare/rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "frictionbench/base/suggestions.hpp"
#include "frictionbench/results/document/internal/json_fields.hpp"
#include "frictionbench/results/document/json.hpp"

namespace frictionbench::results {

void describe(auto& visit, Is<ResidualRule> auto& rule) {
  visit("factor", rule.factor, {.range = at_least(1)});
  visit("floor", rule.floor, {.range = positive()});
}

void describe(auto& visit, Is<TimeRule> auto& rule) {
  visit("threshold", rule.threshold, {.range = at_least(1)});
  visit("false_discoveries", rule.false_discoveries, {.range = open_interval(0, 1)});
  visit("floor", rule.floor, {.range = positive()});
}

namespace {

void describe_counters(auto& visit, auto& counters) {
  for (auto& counter : counters)
    visit(counter.name.c_str(), counter.allowance, {.range = at_least(0)});
}

// Reads an object of the rules at `place` in the file: keys that are not there keep their values.
class RulesReader {
 public:
  RulesReader(const json& value, std::string place) : value_(value), place_(std::move(place)) {
    if (!value.is_object())
      throw ResultsError(fmt::format("{}: is {}, expected an object",
                                     place_.empty() ? "rules" : place_, value.type_name()));
  }

  const json* find(const char* key) {
    known_.push_back(key);
    return value_.contains(key) ? &value_.at(key) : nullptr;
  }

  void operator()(const char* key, double& number, const Field& field) {
    const json* value = find(key);
    if (!value) return;
    if (!value->is_number() || !field.range.contains(value->get<double>()))
      refuse(key, "a number " + field.range.text());
    number = value->get<double>();
  }
  void operator()(const char* key, std::optional<double>& number, const Field& field) {
    if (const json* value = find(key); value && value->is_null())
      number.reset();
    else if (value)
      (*this)(key, number.emplace(), field);
  }

  void check_keys() const {
    for (const auto& [key, unused] : value_.items())
      if (std::find(known_.begin(), known_.end(), key) == known_.end())
        throw ResultsError((place_.empty() ? "" : place_ + ": ") +
                           unknown_name("key", key, known_));
  }

  [[noreturn]] void refuse(const std::string& key, const std::string& expected) const {
    throw ResultsError(fmt::format("{}{}: is {}, expected {}", place_.empty() ? "" : place_ + ".",
                                   key, value_.at(key).dump(), expected));
  }

 private:
  const json& value_;
  std::string place_;
  std::vector<std::string> known_;
};

template <typename Rule>
void read_rule(RulesReader& rules, const char* key, std::optional<Rule>& rule) {
  const json* value = rules.find(key);
  if (!value) return;
  rule.reset();
  if (value->is_null()) return;
  RulesReader reader(*value, key);
  describe(reader, rule.emplace());
  reader.check_keys();
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
  JsonWriter counters;
  describe_counters(counters, rules.counters);
  return {{"lost", rules.lost_is_worse ? "worse" : "ignore"},
          {"counters", counters.take()},
          {"residual", to_value(rules.residual)},
          {"time", to_value(rules.time)}};
}

ComparisonRules comparison_rules_from_json(const json& value) {
  ComparisonRules rules;
  RulesReader reader(value, "");
  if (const json* lost = reader.find("lost")) {
    if (*lost != "worse" && *lost != "ignore") reader.refuse("lost", R"("worse" or "ignore")");
    rules.lost_is_worse = *lost == "worse";
  }
  if (const json* counters = reader.find("counters")) {
    RulesReader of_counters(*counters, "counters");
    describe_counters(of_counters, rules.counters);
    of_counters.check_keys();
  }
  read_rule(reader, "residual", rules.residual);
  read_rule(reader, "time", rules.time);
  reader.check_keys();
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
