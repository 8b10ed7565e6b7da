#include "frictionbench/results/document/document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <stdexcept>

#include "frictionbench/base/text.hpp"

namespace frictionbench::results {

std::string text(const Shard& shard) { return fmt::format("{}/{}", shard.number, shard.count); }

void from_text(std::string_view text, Shard& shard) {
  const std::size_t slash = std::min(text.find('/'), text.size());
  const auto number = number_in<int>(text.substr(0, slash));
  const auto count = number_in<int>(text.substr(std::min(slash + 1, text.size())));
  if (!number || !count || *number < 1 || *number > *count)
    throw std::invalid_argument(
        fmt::format("'{}' is not a valid shard; expected i/n with 1 <= i <= n, e.g. 3/8", text));
  shard = {*number, *count};
}

void check(const JudgeSettings& settings) {
  if (settings.scale == Scale::force && !settings.time_step)
    throw std::invalid_argument(
        "--scale force divides impulses by the time step: give that with --time-step, in seconds");
}

bool SolvedAt::at(Scale scale) const {
  switch (scale) {
    case Scale::relative:
      return relative;
    case Scale::absolute:
      return absolute;
    case Scale::scaled:
      return scaled;
    case Scale::force:
      return force.value_or(false);
  }
  throw std::logic_error("unknown scale");
}

bool Solved::under(Criterion criterion, Scale scale) const {
  switch (criterion) {
    case Criterion::ncp:
      return ncp.at(scale);
    case Criterion::ccp:
      return ccp.at(scale);
    case Criterion::lcp:
      return lcp.at(scale);
    case Criterion::native:
      return native.at(scale);
  }
  throw std::logic_error("unknown criterion");
}

Solved solved_under_all(const Verdict& verdict, ContactModel model,
                        const std::optional<OwnModel>& own, double tolerance) {
  const auto solved = [&](auto&& residual_at) -> SolvedAt {
    const auto within = [&](Scale scale) { return residual_at(scale) <= tolerance; };
    return {within(Scale::relative), within(Scale::absolute), within(Scale::scaled),
            verdict.time_step ? std::optional(within(Scale::force)) : std::nullopt};
  };
  const auto under = [&](ContactModel of) {
    return solved([&, of](Scale scale) { return verdict.residual(of, scale); });
  };
  return {under(ContactModel::ncp), under(ContactModel::ccp), under(ContactModel::lcp),
          own ? solved([&](Scale scale) { return verdict.residual(own->residuals, scale); })
              : under(model)};
}

std::optional<double> RecordTime::cholesky_equivalents() const {
  if (!solve || !cholesky || !(*cholesky > 0)) return std::nullopt;
  return solve->median / *cholesky;
}

double residual_under(Criterion criterion, Scale scale, ContactModel model, const Record& record) {
  if (!record.verdict) return std::numeric_limits<double>::quiet_NaN();
  if (criterion == Criterion::native && record.own_model)
    return record.verdict->residual(record.own_model->residuals, scale);
  return record.verdict->residual(judged_model(criterion, model), scale);
}

const SolverEntry& Document::solver(const std::string& id) const {
  const auto found = std::find_if(solvers.begin(), solvers.end(),
                                  [&](const SolverEntry& entry) { return entry.id == id; });
  if (found == solvers.end())
    throw std::invalid_argument("the document has no solver '" + id + "'");
  return *found;
}

bool Document::solved(const Record& record) const {
  return record.solved.under(run.criterion, run.scale) && record.status != Status::not_repeatable;
}

std::optional<std::string> Document::impulses_file(const std::string& path) const {
  if (!run.impulses) return std::nullopt;
  return (std::filesystem::path(path).parent_path() / run.impulses->file).string();
}

}  // namespace frictionbench::results
