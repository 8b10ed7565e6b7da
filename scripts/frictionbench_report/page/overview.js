// The table of families by solvers.

import { element, find } from "./dom.js";
import { counted, lines, number, percent, quantity } from "./format.js";
import { mean, shiftedGeometricMean } from "./statistics.js";

export const uses = ["criterion", "tolerance", "solvers"];

export function draw(report, view) {
  const all = { name: "all families", problems: report.problemsIn({ family: "" }) };
  const families = report.families.map((name, index) =>
    ({ name, problems: report.problemsIn({ family: String(index) }) }));
  const rows = families.length > 1 ? [all, ...families] : families;

  const head = view.solvers.map((solver) => element("th", { scope: "col" },
    ...lines(report.solvers[solver].label, 22).flatMap((line, k) => (k ? [element("br"), line] : [line]))));
  const body = rows.map(({ name, problems }) => element("tr", {},
    element("th", { scope: "row" }, name, element("small", {}, counted(problems.length, "problem"))),
    ...view.solvers.map((solver) => cell(summary(report, view, solver, problems)))));
  find("overview-table").replaceChildren(element("table", { className: "overview" },
    element("caption", {}, element("span", {}, "Solved share, time, iterations (it.), factorisations of all kinds (fact.)")),
    element("thead", {}, element("tr", {}, element("td", {}), ...head)),
    element("tbody", {}, ...body)));
}

// A solver on some problems, as `frictionbench summary` counts: what it refused costs no time, what it
// did not solve costs the time limit. null where there is nothing to tell.
export function summary(report, view, solver, problems) {
  const rows = problems.map((problem) => report.rowOf[solver][problem]).filter((row) => row >= 0);
  const solved = rows.filter((row) => report.isSolved(row, view));
  const taken = rows.filter((row) => report.text(row, "status") !== "refused")
    .map((row) => (report.isSolved(row, view) ? report.value(row, "time") : null) ?? report.file(row).time_limit);
  const meanOf = (name) => mean(solved.map((row) => report.value(row, name)).filter((v) => v !== null));
  return {
    problems: rows.length,
    solved: solved.length,
    share: rows.length ? solved.length / rows.length : null,
    time: taken.includes(null) ? null : shiftedGeometricMean(taken),
    wrong: rows.filter((row) => report.text(row, "status") === "wrong").length,
    iterations: meanOf("iterations"),
    factorizations: meanOf("factorizations"),
  };
}

function cell({ problems, solved, share, time, wrong, iterations, factorizations }) {
  if (share === null) return element("td", { className: "none" }, "not run");
  const bar = element("span", { className: "bar", ariaHidden: "true" });
  bar.style.setProperty("--share", share);
  const value = (text, kind = "") => element("span", { className: `value ${kind}` }, text);
  const rounded = (mean) => (mean === null ? "–" : number(Number(mean.toPrecision(3))));
  return element("td", {},
    element("strong", { title: `${solved} of ${problems}` }, percent(share)), bar,
    value(quantity(time, "s")),
    ...(solved ? [value(`${rounded(iterations)} it.`), value(`${rounded(factorizations)} fact.`)] : []),
    ...(wrong ? [value(`${number(wrong)} wrong`, "warning")] : []));
}
