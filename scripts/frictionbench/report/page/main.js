// The page's controls, and what is redrawn when one of them changes.

import * as convergence from "./convergence.js";
import * as failures from "./failures.js";
import * as overview from "./overview.js";
import * as profilePictures from "./profile_pictures.js";
import * as record from "./record.js";
import * as scatter from "./scatter.js";
import * as shares from "./shares.js";
import { element, fillSelect, find } from "./dom.js";
import { counted, number, tolerance as power } from "./format.js";
import { NOTHING, Report, SOLVED } from "./store.js";

const SECTIONS = [overview, profilePictures, shares, scatter, record, convergence, failures];

const report = new Report(JSON.parse(find("report-data").textContent));
const view = initialView();

// What is looked at. `solvers` are places of the chosen solvers, in the order of the document.
function initialView() {
  const { criterion, tolerance } = report.firstFile;
  const [x, y = x] = solversBySolved({ criterion, tolerance });
  const withHistory = convergence.problemsWithHistory(report);
  const labels = [...report.problems.label.keys()];
  return {
    family: "", size: "", measure: "time", criterion, tolerance, solvers: [...report.solvers.keys()],
    x, y,
    problem: labels.find((problem) => withHistory.has(problem)) ?? labels[0] ?? null, residual: "largest",
  };
}

// The solver that solves most problems first: the first two are what most people want to compare.
function solversBySolved(judgement) {
  const solved = report.rowOf.map((rows) => rows.filter((row) =>
    row >= 0 && report.rowTells(row, judgement) !== NOTHING && report.isSolved(row, judgement)).length);
  return [...report.solvers.keys()].sort((a, b) => solved[b] - solved[a]);
}

function redraw(changed) {
  for (const section of SECTIONS)
    if (!changed || section.uses.includes(changed)) section.draw(report, view, chooseProblem);
  tellJudgement();
}

function change(name, value) {
  view[name] = value;
  redraw(name);
}

function chooseProblem(problem) {
  find("problem").value = problem;
  change("problem", problem);
}

// In words: what the choice of criterion and tolerance means for these documents.
function tellJudgement() {
  const known = report.knowing(view, SOLVED);
  const parts = [];
  if (known.solvers.length) {
    const problems = report.comparableProblems(known).length;
    const missing = report.problemsIn(view).length - problems;
    parts.push(`Profiles compare ${counted(problems, "problem")}`
      + (missing ? `, and leave out ${number(missing)} that not every chosen solver was run on.` : "."));
  }
  const unknown = view.solvers.filter((solver) => report.tells(solver, view) === NOTHING);
  if (unknown.length) parts.push(report.whyNothing(view, unknown), `${counted(unknown.length, "solver")} `
    + `${unknown.length === 1 ? "is" : "are"} not ranked: ${labels(unknown)}. To know, run again with ${options()}.`);
  const bounded = view.solvers.filter((solver) => report.tells(solver, view) === SOLVED);
  if (bounded.length) parts.push(`Run for ${report.asked(bounded)}: ${labels(bounded)}. At this looser tolerance it is known `
    + "what they solve; their costs are those of the tighter answer, upper bounds, by which no solver is ranked.");
  const unmeasured = profilePictures.unmeasured(report, known);
  if (unmeasured) parts.push(`${counted(unmeasured, "solved pair")} without this measure count as unsolved in profiles.`);
  find("judgement").textContent = parts.join(" ");
}

function labels(solvers) {
  return solvers.map((solver) => report.solvers[solver].label).join(", ");
}

// Those of `frictionbench run` for what is chosen.
function options() {
  const [model, scale = "absolute"] = view.criterion.split("_");
  return `--criterion ${model} --scale ${scale} --tolerance ${power(view.tolerance)}`;
}

function connect(name, options, fromText) {
  fillSelect(find(name), options, view[name]);
  find(name).addEventListener("change", ({ target }) => change(name, fromText(target.value)));
}

function connectControls() {
  const families = report.families.map((name, index) => [String(index), name]);
  const present = new Set(report.problems.size);
  const sizes = report.sizes.map((name, index) => [String(index), `${name} contacts`]).filter((_, k) => present.has(k));
  const solvers = report.solvers.map(({ label }, index) => [index, label]);
  connect("family", [["", "all families"], ...families], String);
  connect("size", [["", "all sizes"], ...sizes], String);
  connect("measure", Object.entries(report.measures).map(([name, { label }]) => [name, label]), String);
  connect("criterion", Object.entries(report.criteria), String);
  connect("tolerance", report.tolerances.map((tolerance) => [tolerance, power(tolerance)]), Number);
  connect("x", solvers, Number);
  connect("y", solvers, Number);
  connect("residual", Object.entries(convergence.RESIDUALS), String);
  connectProblems();
  connectSolvers();
}

function connectProblems() {
  const { label, family } = report.problems;
  const members = report.families.map(() => []);
  label.forEach((text, problem) => members[family[problem]].push(element("option", { value: problem }, text)));
  find("problem").replaceChildren(...report.families.map((name, index) =>
    element("optgroup", { label: name }, ...members[index])));
  find("problem").value = view.problem;
  find("problem").addEventListener("change", ({ target }) => change("problem", Number(target.value)));
}

function connectSolvers() {
  const boxes = report.solvers.map(({ label }, solver) => {
    const box = element("input", { type: "checkbox", checked: true, value: solver });
    const swatch = element("span", { className: "swatch", ariaHidden: "true" });
    swatch.style.setProperty("--series", `var(--series-${solver % 7})`);
    box.addEventListener("change", () => {
      change("solvers", boxes.filter(({ checked }) => checked).map(({ value }) => Number(value)));
      tellSolvers();
    });
    find("solver-boxes").append(element("label", {}, box, swatch, label));
    return box;
  });
  const tellSolvers = () => {
    find("solver-count").textContent = `${view.solvers.length} of ${report.solvers.length}`;
  };
  tellSolvers();
  document.addEventListener("solver-toggle", ({ detail }) => boxes[detail].click());
}

function redrawWhenTheRoomChanges() {
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => redraw());
  let width = document.documentElement.clientWidth;
  let waiting;
  addEventListener("resize", () => {
    // A phone's address bar changes the height alone, all the time.
    if (document.documentElement.clientWidth === width) return;
    width = document.documentElement.clientWidth;
    clearTimeout(waiting);
    waiting = setTimeout(() => redraw(), 150);
  });
}

connectControls();
redraw();
redrawWhenTheRoomChanges();
document.documentElement.dataset.ready = "true";
