// A problem: its facts, who solves it, and all that is known of its records by two solvers.

import { element, find, scrolled, table } from "./dom.js";
import { number, quantity } from "./format.js";
import { NOTHING } from "./store.js";

export const uses = ["problem", "x", "y", "criterion", "tolerance"];

const FACT_LABELS = {
  form: "form", dimension: "dimension", contacts: "contacts", dofs: "degrees of freedom",
  nonzeros: "stored entries of W", condition: "condition number of W", asymmetry: "asymmetry of W",
  mu_min: "least friction coefficient", mu_max: "largest friction coefficient", bilateral: "bilateral rows",
  compliance_max: "largest compliance", islands: "islands of contacts",
  hyperstaticity: "unknowns per degree of freedom",
};

export function draw(report, view) {
  const { problem } = view;
  if (problem === null) {
    find("record").replaceChildren(element("p", {}, "No problem could be read."));
    return;
  }
  const { label, family, best, ...facts } = report.problems;
  const known = Object.entries(facts).filter(([, values]) => values[problem] !== null)
    .map(([name, values]) => `${FACT_LABELS[name]} ${typeof values[problem] === "number" ? number(values[problem]) : values[problem]}`);
  const solvers = [...new Set([view.x, view.y])];
  const rows = solvers.map((solver) => report.rowOf[solver][problem]);
  find("record").replaceChildren(
    element("h3", {}, label[problem]),
    element("p", {}, `Family ${report.families[family[problem]]}: ${known.join(", ")}.`),
    element("p", {}, best[problem]),
    scrolled("Who solves the problem", table(`Who solves it: ${report.judgement(view)}`,
      ["solver", "solved", "status", "residual", "time", "iterations", "sticking, sliding, separated"],
      everyone(report, view), "numbers")),
    scrolled("Records of the problem", table("What the two solvers chosen above did with it",
      ["", ...solvers.map((solver) => report.solvers[solver].label)], lines(report, view, rows), "record")),
    ...rows.filter((row) => row >= 0).map((row) => element("p", { className: "small" },
      `Run ${report.solvers[report.records.solver[row]].label} again: `,
      element("code", { className: "command" }, report.command(row)))));
}

// Every solver's record, those that solve it first, by time.
function everyone(report, view) {
  const rows = report.rowOf.map((of) => of[view.problem]).filter((row) => row >= 0);
  const key = (row) => [report.isSolved(row, view) ? 0 : 1, report.value(row, "time") ?? Infinity];
  rows.sort((a, b) => key(a)[0] - key(b)[0] || key(a)[1] - key(b)[1] || a - b);
  return rows.map((row) => [
    report.solvers[report.records.solver[row]].label, solved(report, view, row),
    report.text(row, "status").replaceAll("_", " "), number(report.value(row, view.criterion)),
    quantity(report.value(row, "time"), "s"), number(report.value(row, "iterations")),
    ["sticking", "sliding", "separated"].map((name) => number(report.value(row, name))).join(", "),
  ]);
}

// How many solves a time is of; a first solve alone runs with cold caches.
function sampled(samples) {
  if (samples === null) return null;
  return samples === 1 ? "1 cold sample" : `${number(samples)} samples`;
}

function solved(report, view, row) {
  if (report.tells(report.records.solver[row], view) === NOTHING) return `not known: run for ${report.judgement(report.file(row).asked)}`;
  return report.isSolved(row, view) ? "yes" : "no";
}

function lines(report, view, rows) {
  const cell = (tell) => rows.map((row) => (row < 0 ? "not run" : tell(row) ?? "–"));
  const words = [
    ["status", ...cell((row) => report.text(row, "status").replaceAll("_", " "))],
    [`solved: ${report.judgement(view)}`,
      ...cell((row) => solved(report, view, row))],
    ["message", ...cell((row) => report.text(row, "message"))],
    ["timed by", ...cell((row) => sampled(report.value(row, "samples")))],
    ["started", ...cell((row) => report.text(row, "started"))],
    ["stopping test", ...cell((row) => report.text(row, "fired"))],
  ];
  const numbers = Object.entries(report.quantities)
    .filter(([name]) => rows.some((row) => row >= 0 && report.value(row, name) !== null))
    .map(([name, { label, unit }]) => [label, ...cell((row) => quantity(report.value(row, name), unit))]);
  const told = words.filter(([, ...cells]) => cells.some((text) => text !== "–"));
  return [...told, ...numbers];
}
