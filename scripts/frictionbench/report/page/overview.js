// The table of solvers: a row each, by model and by what they solve.

import { element, find } from "./dom.js";
import { csvButton } from "./save.js";
import { number, percent, quantity } from "./format.js";
import { swatch } from "./picture.js";
import { NOTHING, SOLVED } from "./store.js";

export const uses = ["selection", "criterion", "tolerance", "solvers"];

const MODELS = { ncp: "Coulomb friction (NCP)", ccp: "relaxed to a cone complementarity problem (CCP)",
                 lcp: "friction pyramid (LCP)" };
const COLUMNS = [
  ["time", "mean time", (value) => quantity(value, "s")],
  ["cholesky", "in Cholesky factorisations", number],
  ["iterations", "iterations", number],
  ["factorizations", "factorisations", number],
  ["own", "own model solved", number],
  ["wrong", "wrong", number],
  ["other", "other model", number],
  ["failed", "failed, timeout, refused", number],
  ["gap", "largest model gap", number],
  ["creep", "largest creep", number],
  ["lift", "largest lift", number],
];
const COSTS = ["time", "cholesky", "iterations", "factorizations"];
const COUNTS = ["wrong", "other", "failed"];

export function draw(report, view, choose) {
  const known = report.known(view);
  const chosen = new Set(view.solvers);
  const order = (known.order?.[view.selection] ?? [...report.solvers.keys()]).filter((solver) => chosen.has(solver));
  const families = report.statistics.selections.map((selection, place) => ({ ...selection, place }))
    .filter(({ group, place }) => group && place !== Number(view.selection));
  const told = COLUMNS.filter(([name]) => order.some((solver) => (report.summary(solver, view)?.[name] ?? null) !== null
    && !(COUNTS.includes(name) && !order.some((of) => report.summary(of, view)?.[name]))));
  const head = ["solver", "solved", "95 % interval", ...told.map(([, label]) => label), ...families.map(({ name }) => name)];
  const rows = [];
  let model = null;
  for (const solver of order) {
    if (report.solvers[solver].model !== model) {
      model = report.solvers[solver].model;
      rows.push(element("tr", { className: "model" },
        element("th", { scope: "colgroup", colSpan: head.length }, element("span", {}, MODELS[model] ?? model))));
    }
    rows.push(element("tr", {}, name(report, solver, choose), ...cells(report, view, solver, told, families)));
  }
  const about = report.selection(view);
  const table = element("table", { className: "overview" },
    element("caption", {}, element("span", {}, `${about.name} (${number(about.count)}), ${report.judgement(view)}; `
      + "the last columns are shares of families and sizes")),
    element("thead", {}, element("tr", {}, ...head.map((text) => element("th", { scope: "col" }, text)))),
    element("tbody", {}, ...rows));
  find("overview-table").replaceChildren(table);
  find("overview-save").replaceChildren(csvButton("solvers", () => [...table.rows].map((row) =>
    [...row.cells].map((cell) => cell.dataset.value ?? cell.textContent))));
}

function name(report, solver, choose) {
  const { label } = report.solvers[solver];
  const button = element("button", { type: "button", className: "link" }, label);
  button.addEventListener("click", () => choose("solver", solver));
  const cell = element("th", { scope: "row" }, swatch(report.solvers[solver]), button);
  cell.dataset.value = label;
  return cell;
}

function cells(report, view, solver, told, families) {
  const { tells, satisfied, intervals } = report.known(view);
  const summary = report.summary(solver, view);
  const wide = 2 + told.length + families.length;
  if (summary && !summary.problems) return [element("td", { className: "none", colSpan: wide }, "not run")];
  if (tells[solver] === NOTHING)
    return [element("td", { className: "none", colSpan: wide },
      `not known; ${number(satisfied[solver])} of all its answers satisfy it`)];
  const most = tells[solver] === SOLVED ? "≤ " : "";
  const interval = view.selection === "0" ? intervals?.[solver] : null;
  return [
    share(summary, true),
    element("td", {}, interval && tells[solver] !== SOLVED ? `${percent(interval[0])} – ${percent(interval[1])}` : "–"),
    ...told.map(([column, , text]) => value(summary[column], column, text, COSTS.includes(column) && summary[column] !== null ? most : "")),
    ...families.map(({ place }) => share(report.summary(solver, view, place))),
  ];
}

function value(found, column, text, most) {
  const cell = element("td", { className: column === "wrong" && found ? "warning" : "" }, most + text(found));
  cell.dataset.value = found ?? "";
  return cell;
}

function share({ problems, solved }, withBar = false) {
  if (!problems) return element("td", { className: "none" }, "not run");
  const cell = element("td", { title: `${solved} of ${problems}` }, element(withBar ? "strong" : "span", {}, percent(solved / problems)));
  cell.dataset.value = `${solved}/${problems}`;
  if (withBar) {
    const bar = element("span", { className: "bar", ariaHidden: "true" });
    bar.style.setProperty("--share", solved / problems);
    cell.append(bar);
  }
  return cell;
}
