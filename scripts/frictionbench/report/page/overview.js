// The table of families and sizes by solvers.

import { element, find } from "./dom.js";
import { counted, lines, number, percent, quantity } from "./format.js";
import { mean, shiftedGeometricMean } from "./statistics.js";
import { NOTHING, SOLVED } from "./store.js";

export const uses = ["criterion", "tolerance", "solvers"];

export function draw(report, view) {
  const all = { name: "all families", problems: report.problemsIn({}) };
  const families = report.families.map((name, index) => ({ name, problems: report.problemsIn({ family: index }) }));
  const sizes = report.sizes.map((name, index) => ({ name: `${name} contacts`, problems: report.problemsIn({ size: index }) }))
    .filter(({ problems }) => problems.length);
  const rows = [...(families.length > 1 ? [all, ...families] : families), ...(sizes.length > 1 ? sizes : [])];

  const head = view.solvers.map((solver) => element("th", { scope: "col" },
    ...lines(report.solvers[solver].label, 22).flatMap((line, k) => (k ? [element("br"), line] : [line]))));
  const body = rows.map(({ name, problems }) => element("tr", {},
    element("th", { scope: "row" }, name, element("small", {}, counted(problems.length, "problem"))),
    ...view.solvers.map((solver) => cell(summary(report, view, solver, problems), report.tells(solver, view)))));
  find("overview-table").replaceChildren(element("table", { className: "overview" },
    element("caption", {}, element("span", {}, "Solved share; time, in seconds and in Cholesky factorisations of the same "
      + "problem (chol.), iterations (it.) and factorisations of all kinds (fact.) of solved problems; solved under the solver's own "
      + "model; largest model gap, and largest creep and lift of answers that solve either model")),
    element("thead", {}, element("tr", {}, element("td", {}), ...head)),
    element("tbody", {}, ...body)));
}

// A solver on some problems, as `frictionbench summary` counts: times are of solved problems, and what is
// not solved has none. null where there is nothing to tell.
export function summary(report, view, solver, problems) {
  const rows = problems.map((problem) => report.rowOf[solver][problem]).filter((row) => row >= 0);
  const solved = rows.filter((row) => report.isSolved(row, view));
  const known = (rowsOf, name) => rowsOf.map((row) => report.value(row, name)).filter((v) => v !== null);
  const timed = solved.filter((row) => report.isTimed(row));
  const ownModel = { ...view, criterion: `native${view.criterion.replace(/^[a-z]+/, "")}` };
  const answers = rows.filter((row) => report.isSolved(row, view) || report.isSolved(row, ownModel));
  const largestOf = (rowsOf, name) => known(rowsOf, name).reduce((a, b) => Math.max(a, b), -Infinity);
  const meanOf = (name) => mean(solved.map((row) => report.value(row, name)).filter((v) => v !== null));
  return {
    problems: rows.length,
    solved: solved.length,
    share: rows.length ? solved.length / rows.length : null,
    unsolved: rows.length - solved.length,
    time: shiftedGeometricMean(known(timed, "time")),
    cholesky: shiftedGeometricMean(known(timed, "cholesky"), 0),
    cold: timed.length > 0 && known(timed, "samples").every((samples) => samples === 1),
    own: rows.filter((row) => report.isSolved(row, ownModel)).length,
    creep: largestOf(answers, "creep"),
    lift: largestOf(answers, "lift"),
    gap: largestOf(rows, "model_gap"),
    wrong: rows.filter((row) => report.text(row, "status") === "wrong").length,
    iterations: meanOf("iterations"),
    factorizations: meanOf("factorizations"),
  };
}

function cell(row, known) {
  const { problems, solved, share, unsolved, time, cholesky, cold, own, creep, lift, gap, wrong } = row;
  const { iterations, factorizations } = row;
  if (share === null) return element("td", { className: "none" }, "not run");
  if (known === NOTHING) return element("td", { className: "none" }, "not known",
    element("span", { className: "value" }, `${number(solved)} of ${number(problems)} answers satisfy it`));
  const most = known === SOLVED ? "≤ " : "";
  const bar = element("span", { className: "bar", ariaHidden: "true" });
  bar.style.setProperty("--share", share);
  const value = (text, kind = "") => element("span", { className: `value ${kind}` }, text);
  const rounded = (mean) => (mean === null ? "–" : number(Number(mean.toPrecision(3))));
  return element("td", {},
    element("strong", { title: `${solved} of ${problems}` }, percent(share)), bar,
    ...(time === null ? [] : [value(`${most}${quantity(time, "s")}${cold ? ", 1 cold sample" : ""}`)]),
    ...(cholesky === null ? [] : [value(`${most}${rounded(cholesky)} chol.`)]),
    ...(solved ? [value(`${most}${rounded(iterations)} it.`), value(`${most}${rounded(factorizations)} fact.`)] : []),
    ...(unsolved ? [value(`${number(unsolved)} unsolved`)] : []),
    ...(own !== solved ? [value(`own model ${number(own)}`)] : []),
    ...(Number.isFinite(gap) ? [value(`gap ${number(gap)}`)] : []),
    ...(Number.isFinite(creep) ? [value(`creep ${number(creep)}`)] : []),
    ...(Number.isFinite(lift) ? [value(`lift ${number(lift)}`)] : []),
    ...(wrong ? [value(`${number(wrong)} wrong`, "warning")] : []));
}
