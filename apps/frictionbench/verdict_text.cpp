#include "verdict_text.hpp"

#include <fmt/format.h>

#include "table.hpp"

namespace frictionbench::app {

std::string verdict_text(const results::Record& record) {
  const Verdict& verdict = *record.verdict;
  Table table({"verdict", "relative", "primal", "dual", "complementarity", "absolute", "scaled",
               "worst contact"});
  const auto add = [&](const char* model, const ModelResiduals& residuals) {
    std::vector<std::string> cells{model};
    for (const double value :
         {residuals.relative, residuals.primal, residuals.dual, residuals.complementarity,
          residuals.max(), residuals.scaled(verdict.scale)})
      cells.push_back(fmt::format("{:.3e}", value));
    const Index worst = residuals.worst_contact;
    cells.push_back(worst < 0 ? "" : fmt::format("{}", worst));
    table.add_row(std::move(cells));
  };
  add("ncp", verdict.ncp);
  add("ccp", verdict.ccp);
  add("lcp", verdict.lcp);
  if (record.own_model) add("own model", record.own_model->residuals);
  std::string text = table.text();
  if (verdict.time_step)
    text +=
        fmt::format("as forces, with a time step of {:g} s: ncp {:.3e}, ccp {:.3e}, lcp {:.3e}\n",
                    *verdict.time_step, verdict.residual(ContactModel::ncp, Scale::force),
                    verdict.residual(ContactModel::ccp, Scale::force),
                    verdict.residual(ContactModel::lcp, Scale::force));
  if (const auto& own = record.own_model)
    text += fmt::format("own model: compliance {:.3g} to {:.3g}, model gap {:.3e}\n",
                        own->compliance_min, own->compliance_max, own->gap);
  text += fmt::format(
      "natural map {:.3e}   dissipation {:.3e}   Signorini: product {:.3e}, "
      "velocity {:.3e}, impulse {:.3e}\n",
      verdict.natural_map, verdict.dissipation, verdict.signorini.product,
      verdict.signorini.velocity, verdict.signorini.impulse);
  if (verdict.momentum)
    text += fmt::format("returned velocity: momentum error {:.3e}, slackness error {:.3e}\n",
                        *verdict.momentum, verdict.slackness.value_or(0));
  text += fmt::format(
      "contacts: {} sticking, {} sliding, {} separated   creep {:.3e}   lift {:.3e}   ||r|| = "
      "{:.6g}\n",
      verdict.states.sticking, verdict.states.sliding, verdict.states.separated, verdict.creep,
      verdict.lift, verdict.impulse_norm);
  return text;
}

}  // namespace frictionbench::app
