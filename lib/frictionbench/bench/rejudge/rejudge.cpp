#include "frictionbench/bench/rejudge/rejudge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "frictionbench/base/sha256.hpp"
#include "frictionbench/bench/measure/measure.hpp"
#include "frictionbench/bench/plan/problems.hpp"
#include "frictionbench/datasets/registry.hpp"
#include "frictionbench/fclib/reader.hpp"
#include "frictionbench/hdf5/answers.hpp"

namespace frictionbench::bench {

using results::Document;
using results::JudgeSettings;
using results::Record;

namespace {

namespace fs = std::filesystem;

// Numbers of the same answer differ by this much between machines: relatively, and in units of the
// problem's own scales.
constexpr double rounding = 1e-6;
constexpr double least_residual = 1e-10;

std::string pair_text(const Record& record) {
  return fmt::format("{} on {}", record.solver, record.problem);
}

bool same_number(double a, double b, double unit) {
  if (!std::isfinite(a) || !std::isfinite(b)) return !std::isfinite(a) && !std::isfinite(b);
  return std::abs(a - b) <= rounding * std::max(a, b) + least_residual * unit;
}

auto flags(const results::SolvedAt& solved) {
  return std::tuple(solved.relative, solved.absolute, solved.scaled, solved.force);
}

bool same_flags(const results::Solved& a, const results::Solved& b) {
  return flags(a.ncp) == flags(b.ncp) && flags(a.ccp) == flags(b.ccp) &&
         flags(a.lcp) == flags(b.lcp) && flags(a.native) == flags(b.native);
}

// A record before what its solver reported met a verdict.
Record unjudged(Record record) {
  if (record.status == Status::wrong || record.status == Status::other_model) {
    record.status = Status::converged;
    record.message.clear();
  }
  return record;
}

// The record with the verdict on an answer, whatever it says now.
Record judged_again(const Record& record, const ContactProblem& problem, const SolverInfo& info,
                    const JudgeSettings& settings, const Answer& answer) {
  Record again = unjudged(record);
  again.verdict.reset();
  again.own_model.reset();
  again.solved = {};
  judge_answer(problem, info, settings, answer, again);
  return again;
}

// Whether flags and status follow from the residuals beside them; in what they do not.
std::string contradiction(const JudgeSettings& settings, ContactModel model, const Record& record) {
  if (!record.verdict || record.status == Status::error) return "";
  Record own = unjudged(record);
  conclude(settings, model, own);
  if (!same_flags(own.solved, record.solved)) return "`solved` contradicts the residuals beside it";
  if (own.status != record.status)
    return fmt::format("status {} contradicts the residuals beside it, of which follows {}",
                       name(record.status), name(own.status));
  return "";
}

// A number of a verdict, as recorded and as computed again. The unit is that of its rounding errors.
struct Number {
  std::string name;
  double said, found;
  double unit;
  bool added_later = false;  // not measured by every version
};

void add_residuals(const std::string& model, const ModelResiduals& said,
                   const ModelResiduals& found, const ProblemScale& scale,
                   std::vector<Number>& numbers) {
  numbers.push_back({"relative " + model + " residual", said.relative, found.relative, 1, true});
  numbers.push_back({"scaled " + model + " residual", said.scaled(scale), found.scaled(scale), 1});
  numbers.push_back({"primal " + model + " residual", said.primal, found.primal, scale.impulse});
  numbers.push_back({"dual " + model + " residual", said.dual, found.dual, scale.velocity});
  numbers.push_back({model + " complementarity", said.complementarity, found.complementarity,
                     scale.impulse * scale.velocity});
}

// Everything that an answer gives but contacts with the largest residual: of equal ones rounding chooses.
std::vector<Number> numbers_of(const Record& said, const Record& found) {
  const Verdict &a = *said.verdict, &b = *found.verdict;
  const double impulse = b.scale.impulse, velocity = b.scale.velocity, energy = impulse * velocity;
  const auto number = [](const std::optional<double>& value) {
    return value.value_or(std::nan(""));
  };
  const auto count = [](Index contacts) { return static_cast<double>(contacts); };
  std::vector<Number> numbers;
  for (const ContactModel model : {ContactModel::ncp, ContactModel::ccp, ContactModel::lcp})
    add_residuals(std::string(name(model)), a.residuals(model), b.residuals(model), b.scale,
                  numbers);
  numbers.insert(
      numbers.end(),
      {{"impulse of the problem's own scale", a.scale.impulse, impulse, impulse},
       {"velocity of the problem's own scale", a.scale.velocity, velocity, velocity},
       {"natural map", a.natural_map, b.natural_map, std::max({impulse, velocity, 1.0})},
       {"violation of Signorini's product", a.signorini.product, b.signorini.product, energy},
       {"violation of Signorini's velocity", a.signorini.velocity, b.signorini.velocity, velocity},
       {"violation of Signorini's impulse", a.signorini.impulse, b.signorini.impulse, impulse},
       {"violation of maximum dissipation", a.dissipation, b.dissipation, energy},
       {"momentum error", number(a.momentum), number(b.momentum), 1},
       {"slackness", number(a.slackness), number(b.slackness), 1, true},
       {"creep", a.creep, b.creep, velocity, true},
       {"lift", a.lift, b.lift, velocity, true},
       {"number of sticking contacts", count(a.states.sticking), count(b.states.sticking), 1},
       {"number of sliding contacts", count(a.states.sliding), count(b.states.sliding), 1},
       {"number of separated contacts", count(a.states.separated), count(b.states.separated), 1},
       {"norm of the impulse", a.impulse_norm, b.impulse_norm, impulse}});
  if (said.own_model && found.own_model) {
    const results::OwnModel &own = *said.own_model, &own_found = *found.own_model;
    add_residuals("own model's", own.residuals, own_found.residuals, b.scale, numbers);
    numbers.insert(numbers.end(),
                   {{"smallest compliance", own.compliance_min, own_found.compliance_min, 1},
                    {"largest compliance", own.compliance_max, own_found.compliance_max, 1},
                    {"gap to the problem as stated", own.gap, own_found.gap, 1}});
  }
  return numbers;
}

// In what a record differs from what its answer gives.
std::string difference(const Record& recorded, const Record& computed) {
  if (recorded.impulse_sha256 != computed.impulse_sha256)
    return "the kept impulse is not the one that was judged: its SHA-256 is another";
  if (!recorded.verdict || !computed.verdict) return "it has no verdict on its impulse";
  if (recorded.own_model.has_value() != computed.own_model.has_value())
    return "whether the solver chose a compliance is not what its answer says";
  for (const Number& number : numbers_of(recorded, computed)) {
    const bool unmeasured = number.added_later && std::isnan(number.said);
    if (!unmeasured && !same_number(number.said, number.found, number.unit))
      return fmt::format("says {} {:.3g}, and its impulse has {:.3g}", number.name, number.said,
                         number.found);
  }
  return "";
}

class Judging {
 public:
  Judging(const Document& document, const std::string& path)
      : document_(document), path_(path), folder_(fs::path(path).parent_path()) {
    for (const Record& record : document.records) records_[record.problem].push_back(&record);
    open_answers();
  }

  // Calls `recomputed(record, problem, info, answer)` for every record whose answer was kept and is
  // what it says, and `other(record, reason)` for all others; an empty reason: there is no impulse.
  template <typename Take, typename Other>
  void visit(const Take& take, const Other& other) const {
    for (const results::ProblemEntry& entry : document_.problems) {
      const auto records = records_.find(entry.id);
      if (records == records_.end()) continue;
      std::string missing;
      const std::optional<ContactProblem> problem = answers_ ? load(entry, missing) : std::nullopt;
      for (const Record* record : records->second) visit(*record, problem, missing, take, other);
    }
  }

  SolverInfo info_of(const Record& record) const {
    const results::SolverEntry& entry = document_.solver(record.solver);
    SolverInfo info;
    info.name = entry.name;
    info.model = entry.model;
    if (const auto facets = entry.settings.find("facets"); facets != entry.settings.end())
      if (const int* number = std::get_if<int>(&facets->second)) info.facets = *number;
    return info;
  }

  [[noreturn]] void fail(const Record& record, const std::string& what) const {
    throw RejudgeError(fmt::format("{}: {}: {}", path_, pair_text(record), what));
  }

 private:
  void open_answers() {
    const std::optional<std::string> file = document_.impulses_file(path_);
    if (!file) return;
    if (!fs::exists(*file)) {
      no_answers_ = fmt::format("{} is not there", *file);
      return;
    }
    if (const auto sha256 = sha256_of_file(*file); sha256 != document_.run.impulses->sha256)
      throw RejudgeError(fmt::format(
          "{}: is not the file that {} was written with: its SHA-256 is {}", *file, path_, sha256));
    answers_ = std::make_unique<AnswersFile>(*file);
  }

  std::optional<ContactProblem> load(const results::ProblemEntry& entry,
                                     std::string& missing) const {
    const std::string path = path_of(entry);
    try {
      fclib::ProblemFile file = fclib::read_problem(path);
      if (file.sha256 == entry.sha256)
        return prepared(file.problem, path, document_.run.compliance);
      missing = "the problem's file has changed";
    } catch (const FileError&) {
      missing = "the problem's file is not there";
    }
    return std::nullopt;
  }

  // Where the run found it, beside the document, or where a data set has it on this machine.
  std::string path_of(const results::ProblemEntry& entry) const {
    if (fs::exists(entry.path)) return entry.path;
    if (const fs::path beside = folder_ / entry.path; fs::exists(beside)) return beside.string();
    return datasets::find_file(datasets::known(), entry.sha256).value_or(entry.path).string();
  }

  template <typename Take, typename Other>
  void visit(const Record& record, const std::optional<ContactProblem>& problem,
             const std::string& missing, const Take& take, const Other& other) const {
    const SolverInfo info = info_of(record);
    if (const std::string wrong = contradiction(document_.run, info.model, record); !wrong.empty())
      fail(record, wrong);
    if (!record.verdict) return other(record, std::string());
    if (!answers_)
      return other(record, no_answers_.empty() ? "its impulse was not kept (run --keep-impulses)"
                                               : no_answers_);
    if (!problem) return other(record, missing);
    auto answer = answers_->read(record.problem, record.solver);
    if (problem->unknowns() == 0) answer = Answer();  // there is nothing else to answer
    if (!answer) return other(record, "its impulse is not in the file of impulses");
    const Record again = judged_again(record, *problem, info, document_.run, *answer);
    if (const std::string wrong = difference(record, again); !wrong.empty()) fail(record, wrong);
    take(record, *problem, info, *answer);
  }

  const Document& document_;
  std::string path_;
  fs::path folder_;
  std::map<std::string, std::vector<const Record*>> records_;
  std::unique_ptr<AnswersFile> answers_;
  std::string no_answers_;
};

// Whether a record that was made for `asked` tells what it is worth under `wanted`.
bool can_conclude(const JudgeSettings& asked, const JudgeSettings& wanted) {
  return wanted.criterion == asked.criterion && wanted.scale == asked.scale &&
         wanted.facets == asked.facets && wanted.time_step == asked.time_step &&
         wanted.tolerance >= asked.tolerance;
}

std::string settings_text(const JudgeSettings& settings) {
  return fmt::format("{} ({}) at {:g}", name(settings.criterion), name(settings.scale),
                     settings.tolerance);
}

}  // namespace

std::optional<results::KeptImpulses> join_answers(const std::vector<Document>& documents,
                                                  const std::vector<std::string>& paths,
                                                  const std::string& output) {
  AnswersWriter writer(output);
  bool any = false;
  for (std::size_t k = 0; k < documents.size(); ++k) {
    const std::optional<std::string> file = documents[k].impulses_file(paths[k]);
    if (!file) continue;
    any = true;
    const AnswersFile kept(*file);
    for (const Record& record : documents[k].records)
      if (const auto answer = kept.read(record.problem, record.solver))
        writer.add(record.problem, record.solver, *answer);
  }
  if (!any) return std::nullopt;
  return results::KeptImpulses{fs::path(output).filename().string(), writer.finish()};
}

Recomputed recompute(const Document& document, const std::string& path) {
  Recomputed done;
  Judging(document, path)
      .visit([&](const auto&...) { ++done.records; },
             [&](const Record&, const std::string& reason) {
               if (reason.empty())
                 ++done.without_answer;
               else
                 ++done.not_recomputable[reason];
             });
  return done;
}

Document rejudge(const Document& document, const std::string& path, const JudgeSettings& settings) {
  Document judged = document;
  results::RunInfo& run = judged.run;
  if (!run.asked) run.asked = {run.criterion, run.scale, run.tolerance};
  static_cast<JudgeSettings&>(run) = settings;
  run.warnings.push_back(fmt::format(
      "judged again as {}; times and iterations are those of solvers that were asked for {}",
      settings_text(settings), settings_text(document.run)));

  std::map<const Record*, Record> changed;
  const Judging judging(document, path);
  judging.visit(
      [&](const Record& record, const ContactProblem& problem, const SolverInfo& info,
          const Answer& answer) {
        changed[&record] = judged_again(record, problem, info, settings, answer);
      },
      [&](const Record& record, const std::string& reason) {
        if (reason.empty()) return;
        if (!can_conclude(document.run, settings))
          judging.fail(record,
                       fmt::format("{} cannot be concluded from what was recorded for {}, "
                                   "and {}; only a looser tolerance under the same "
                                   "criterion and scale can",
                                   settings_text(settings), settings_text(document.run), reason));
        Record again = unjudged(record);
        conclude(settings, judging.info_of(record).model, again);
        changed[&record] = std::move(again);
      });
  for (std::size_t k = 0; k < document.records.size(); ++k)
    if (const auto found = changed.find(&document.records[k]); found != changed.end())
      judged.records[k] = std::move(found->second);
  return judged;
}

}  // namespace frictionbench::bench
