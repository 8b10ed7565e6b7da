// A comparison as JUnit XML, by the schema that Jenkins publishes for it.

#include <fmt/format.h>

#include <algorithm>
#include <pugixml.hpp>
#include <sstream>

#include "comparison_cells.hpp"

namespace frictionbench::app {

namespace {

using results::Change;
using results::PairComparison;

// XML has no way to write control characters.
std::string printable(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c >= 0 && c < ' ' && c != '\n'; }, '?');
  return text;
}

void set(pugi::xml_node& node, const char* name, const std::string& value) {
  node.append_attribute(name) = printable(value).c_str();
}

void set(pugi::xml_node& node, const char* name, int value) { node.append_attribute(name) = value; }

void set_text(pugi::xml_node node, const std::string& text) {
  node.text().set(printable(text).c_str());
}

struct Totals {
  int tests = 0, failures = 0, skipped = 0;
  double time = 0;  // s

  Totals& operator+=(const Totals& other) {
    tests += other.tests;
    failures += other.failures;
    skipped += other.skipped;
    time += other.time;
    return *this;
  }
};

void set(pugi::xml_node& node, const Totals& totals) {
  set(node, "tests", totals.tests);
  set(node, "failures", totals.failures);
  set(node, "skipped", totals.skipped);
  set(node, "errors", 0);
  set(node, "time", fmt::format("{:.6f}", totals.time));
}

// "iterations 120 -> 164 (+36.7 %)"
std::string line(const PairComparison& pair, const results::Difference& difference) {
  const std::string amount = amount_text(pair, difference);
  return fmt::format("{} {}: {} -> {}{}", difference.what, name(difference.change),
                     baseline_text(pair, difference), candidate_text(pair, difference),
                     amount.empty() ? "" : " (" + amount + ")");
}

void add_failure(pugi::xml_node test, const PairComparison& pair) {
  pugi::xml_node failure = test.append_child("failure");
  if (pair.change == Change::lost) {
    set(failure, "message", "lost: in the baseline, and not in the candidate");
    set(failure, "type", "lost");
    return;
  }
  set(failure, "message", line(pair, pair.differences.front()));
  set(failure, "type", pair.differences.front().what);
  std::string all;
  for (const results::Difference& difference : pair.differences)
    all += line(pair, difference) + "\n";
  if (!pair.candidate->message.empty()) all += "message: " + pair.candidate->message + "\n";
  set_text(failure, all);
}

// Why a pair was not judged; empty if it was.
std::string reason_to_skip(const PairComparison& pair, bool lost_is_worse) {
  if (pair.change == Change::added) return "new: not in the baseline";
  if (pair.change == Change::lost && !lost_is_worse) return "lost: not in the candidate";
  return pair.refused() ? "refused in both files" : "";
}

Totals add_test(pugi::xml_node suite, const PairComparison& pair, bool lost_is_worse) {
  Totals totals{.tests = 1};
  if (pair.candidate) totals.time = pair.candidate->time.value_or(0);
  pugi::xml_node test = suite.append_child("testcase");
  set(test, "name", pair.problem);
  set(test, "classname", pair.solver);
  set(test, "time", fmt::format("{:.6f}", totals.time));
  if (const std::string reason = reason_to_skip(pair, lost_is_worse); !reason.empty()) {
    totals.skipped = 1;
    pugi::xml_node skipped = test.append_child("skipped");
    set(skipped, "message", reason);
  } else if (pair.change == Change::worse || pair.change == Change::lost) {
    totals.failures = 1;
    add_failure(test, pair);
  }
  return totals;
}

// Which of the times that the tests have are a single cold sample, in a line; empty if none is.
std::string samples_note(const results::Comparison& comparison, const std::string& solver) {
  int timed = 0, single = 0;
  for (const PairComparison& pair : comparison.pairs)
    if (pair.solver == solver && pair.candidate && pair.candidate->time) {
      ++timed;
      single += pair.candidate->samples == 1;
    }
  return single == 0
             ? ""
             : fmt::format("note: {} of {} times are a single cold sample\n", single, timed);
}

Totals add_suite(pugi::xml_node suites, const std::string& suite_name, const std::string& solver,
                 const results::Comparison& comparison) {
  pugi::xml_node suite = suites.append_child("testsuite");
  set(suite, "name", suite_name);
  Totals totals;
  for (const PairComparison& pair : comparison.pairs)
    if (pair.solver == solver) totals += add_test(suite, pair, comparison.lost_is_worse);
  set(suite, totals);
  std::string notes = samples_note(comparison, solver);
  for (const std::string& note : comparison.notes) notes += "note: " + note + "\n";
  if (!notes.empty()) set_text(suite.append_child("system-out"), notes);
  return totals;
}

}  // namespace

std::string comparison_junit(const ComparisonReport& report) {
  pugi::xml_document document;
  pugi::xml_node declaration = document.append_child(pugi::node_declaration);
  set(declaration, "version", "1.0");
  set(declaration, "encoding", "UTF-8");
  pugi::xml_node suites = document.append_child("testsuites");
  set(suites, "name", "frictionbench compare");
  Totals totals;
  for (const auto& [file, comparison] : report.candidates)
    for (const results::SolverComparison& solver : comparison.solvers) {
      const bool several = report.candidates.size() > 1;
      totals += add_suite(suites, several ? file.path + ": " + solver.solver : solver.solver,
                          solver.solver, comparison);
    }
  set(suites, totals);
  std::ostringstream text;
  document.save(text, "  ");
  return text.str();
}

}  // namespace frictionbench::app
