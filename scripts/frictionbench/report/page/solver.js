// A solver: its settings, what it solves of each family and size, and how its solves ended.

import { element, find, scrolled, table } from "./dom.js";
import { number, percent, quantity } from "./format.js";
import { NOTHING } from "./store.js";

export const uses = ["solver", "criterion", "tolerance"];

export function draw(report, view) {
  const { label, model, settings, ends, quoted } = report.solvers[view.solver];
  const known = report.tells(view.solver, view) !== NOTHING;
  const rows = report.statistics.selections.map(({ name }, place) => [name, report.summary(view.solver, view, place)])
    .filter(([, summary]) => summary?.problems)
    .map(([name, { problems, solved, time, cholesky, iterations }]) => [name, number(problems), percent(solved / problems),
      quantity(time, "s"), number(cholesky), number(iterations)]);
  const chosen = Object.entries(settings).map(([name, value]) => [name, String(value)]);
  find("solver-facts").replaceChildren(
    element("h3", {}, label),
    element("p", {}, `Solves the ${model.toUpperCase()}. `, element("code", {}, `--solver ${quoted}`)),
    element("div", { className: "beside" },
      known ? scrolled("Solved by family and size", table(`Solved, and means over what is solved: ${report.judgement(view)}`,
        ["problems", "number", "solved", "time", "in Cholesky factorisations", "iterations"], rows, "numbers"))
        : element("p", {}, report.whyNothing(view, [view.solver])),
      element("div", {}, scrolled("How its solves ended", table("How its solves ended", ["status", "records"],
        Object.entries(ends).map(([status, count]) => [status.replaceAll("_", " "), number(count)]), "numbers")),
      ...(chosen.length ? [scrolled("Settings", table("Settings", ["setting", "value"], chosen, "numbers"))] : []))));
}
