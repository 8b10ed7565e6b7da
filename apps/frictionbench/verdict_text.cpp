#include "verdict_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <type_traits>

#include "summary_table.hpp"
#include "table.hpp"

namespace frictionbench::app {

namespace {

// Every counter: "2 cholesky, 0 lu, 0 ldlt, 1 analyses, 12 triangular solves, ...".
std::string work_text(const WorkCounters& work) {
  std::string text;
  const auto add_count = [&](std::string name, std::int64_t count, const Field&) {
    std::replace(name.begin(), name.end(), '_', ' ');
    if (name != "unspecified" || count > 0)
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, name);
  };
  const auto add = [&](const char* name, const auto& counter, const Field& field) {
    if constexpr (std::is_integral_v<std::decay_t<decltype(counter)>>)
      add_count(name, counter, field);
    else
      describe(add_count, counter);
  };
  describe(add, work);
  return text;
}

}  // namespace

std::string verdict_text(const Verdict& verdict) {
  Table table({"verdict", "primal", "dual", "complementarity", "max", "scaled", "worst contact"});
  const auto add = [&](const char* model, const ConeResiduals& residuals) {
    table.add_row(
        {model, fmt::format("{:.3e}", residuals.primal), fmt::format("{:.3e}", residuals.dual),
         fmt::format("{:.3e}", residuals.complementarity), fmt::format("{:.3e}", residuals.max()),
         fmt::format("{:.3e}", residuals.scaled(verdict.scale)),
         residuals.worst_contact < 0 ? "" : fmt::format("{}", residuals.worst_contact)});
  };
  add("ncp", verdict.ncp);
  add("ccp", verdict.ccp);
  add("lcp", verdict.lcp);
  std::string text = table.text();
  text += fmt::format(
      "natural map {:.3e}   dissipation {:.3e}   Signorini: product {:.3e}, "
      "velocity {:.3e}, impulse {:.3e}\n",
      verdict.natural_map, verdict.dissipation, verdict.signorini.product,
      verdict.signorini.velocity, verdict.signorini.impulse);
  if (verdict.momentum) text += fmt::format("momentum {:.3e}\n", *verdict.momentum);
  text += fmt::format("contacts: {} sticking, {} sliding, {} separated   ||r|| = {:.6g}\n",
                      verdict.states.sticking, verdict.states.sliding, verdict.states.separated,
                      verdict.impulse_norm);
  return text;
}

std::string record_text(const results::Document& document) {
  const results::Record& record = document.records.front();
  std::string text = fmt::format(
      "{} on {}\n{}{}: {} under {} at {:g} after {} iterations\n", record.solver, record.problem,
      name(record.status), record.message.empty() ? "" : " (" + record.message + ")",
      document.solved(record) ? "solved" : "not solved", criterion_text(document.run),
      document.run.tolerance, record.iterations);
  text += "work: " + work_text(record.work) + "\n";
  if (record.time.solve)
    text +=
        fmt::format("time: solve {:.3g} ms (median of {}), setup {:.3g} ms, assembly {:.3g} ms\n",
                    record.time.solve->median * 1e3, record.time.solve->samples,
                    record.time.setup.value_or(0) * 1e3, record.time.assembly * 1e3);
  if (record.verdict) text += "\n" + verdict_text(*record.verdict);
  return text;
}

}  // namespace frictionbench::app
