#include "frictionbench/results/document/flat_records.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "frictionbench/results/document/json.hpp"

namespace frictionbench::results {

using nlohmann::json;

namespace {

using Schema = nlohmann::ordered_json;

// The schemas of the members of the document.
const Schema& members_of_document() {
  static const Schema members = Schema::parse(results_schema()).at("properties");
  return members;
}

bool is_of_type(const Schema& schema, const char* type) {
  const auto found = schema.find("type");
  if (found == schema.end()) return false;
  return found->is_array() ? std::count(found->begin(), found->end(), type) > 0 : *found == type;
}

void add_names(const Schema& object, const std::string& prefix, std::vector<std::string>& names) {
  for (const auto& member : object.at("properties").items()) {
    if (member.value().contains("properties"))
      add_names(member.value(), prefix + member.key() + ".", names);
    else
      names.push_back(prefix + member.key());
  }
}

std::vector<std::string> names_of_run() {
  std::vector<std::string> names;
  for (const auto& member : members_of_document().at("run").at("properties").items())
    if (!is_of_type(member.value(), "object") && !is_of_type(member.value(), "array"))
      names.push_back(member.key());
  return names;
}

// A part of the columns: values of one item each.
struct Part {
  std::string prefix;
  std::vector<std::string> names;

  void add_columns(std::vector<std::string>& columns) const {
    for (const std::string& name : names) columns.push_back(prefix + name);
  }
  std::vector<json> values(const json& item) const {
    std::vector<json> values;
    for (const std::string& name : names) values.push_back(value_at(item, name));
    return values;
  }
};

// The values of every item of a list, by its id.
std::map<std::string, std::vector<json>> values_by_id(const json& list, const Part& part) {
  std::map<std::string, std::vector<json>> values;
  for (const json& item : list) values[item.at("id").get<std::string>()] = part.values(item);
  return values;
}

}  // namespace

std::vector<std::string> value_names(const std::string& list) {
  std::vector<std::string> names;
  add_names(members_of_document().at(list).at("items"), "", names);
  return names;
}

json value_at(const json& item, const std::string& name) {
  const json* value = &item;
  for (std::size_t start = 0; start <= name.size();) {
    const std::size_t end = std::min(name.find('.', start), name.size());
    const auto found =
        value->is_object() ? value->find(name.substr(start, end - start)) : value->end();
    if (!value->is_object() || found == value->end()) return nullptr;
    value = &*found;
    start = end + 1;
  }
  return *value;
}

FlatTable flat_records(const Document& document) {
  const Part run{"run.", names_of_run()}, problem{"problem.", value_names("problems")},
      solver{"solver.", value_names("solvers")};
  Part record{"", value_names("records")};
  // What they refer to is there in full.
  std::erase(record.names, "problem");
  std::erase(record.names, "solver");

  FlatTable table;
  for (const Part* part : {&run, &problem, &solver}) part->add_columns(table.columns);
  table.columns.insert(table.columns.end(), {"solved", "residual"});
  record.add_columns(table.columns);

  const json head = to_json(Document{document.run, document.problems, document.solvers, {}, {}});
  const std::vector<json> of_run = run.values(head.at("run"));
  const auto problems = values_by_id(head.at("problems"), problem);
  const auto solvers = values_by_id(head.at("solvers"), solver);
  for (const Record& one : document.records) {
    const double residual = residual_under(document.run.criterion, document.run.scale,
                                           document.solver(one.solver).model, one);
    std::vector<json> row = of_run;
    const auto add = [&](const std::vector<json>& values) {
      row.insert(row.end(), values.begin(), values.end());
    };
    add(problems.at(one.problem));
    add(solvers.at(one.solver));
    add({document.solved(one), std::isfinite(residual) ? json(residual) : json(nullptr)});
    add(record.values(to_json(one)));
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace frictionbench::results
