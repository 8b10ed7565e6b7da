// The page's controls, the address, and what is redrawn when something is chosen.

import * as convergence from "./convergence.js";
import * as failures from "./failures.js";
import * as graph from "./graph.js";
import * as overview from "./overview.js";
import * as problem from "./problem.js";
import * as profilePictures from "./profile_pictures.js";
import * as scatter from "./scatter.js";
import * as shares from "./shares.js";
import * as solver from "./solver.js";
import { fromAddress, toAddress } from "./address.js";
import { element, fillSelect, find } from "./dom.js";
import { counted, number, tolerance as power } from "./format.js";
import { makePicker } from "./picker.js";
import { furnish } from "./picture.js";
import { NOTHING, Report, SOLVED, unpacked } from "./store.js";

const SECTIONS = [profilePictures, overview, shares, scatter, problem, graph, convergence, solver, failures];
const SELECTS = { selection: String, measure: String, criterion: String, tolerance: Number, x: Number, y: Number,
                  problem: Number, solver: Number, residual: String };

const report = new Report(await unpacked(find("report-data").textContent));
const initial = initialView();
const view = { ...initial, ...fromAddress(report, SELECTS) };
const picker = makePicker(report, view, (solvers) => change("solvers", solvers));

// What is looked at. `solvers` are places of the chosen solvers, in the order of the document.
function initialView() {
  const { criterion, tolerance } = report.files[0];
  const everyone = [...report.solvers.keys()];
  const own = everyone.filter((place) => report.solvers[place].model === criterion.split("_")[0]);
  const base = { selection: "0", measure: "time", criterion, tolerance };
  const [x = 0, y = x] = report.known(base).order?.[0] ?? everyone;
  const withHistory = convergence.problemsWithHistory(report);
  const labels = [...report.problems.label.keys()];
  return {
    ...base, solvers: own.length ? own : everyone, x, y, solver: x, residual: "largest",
    problem: labels.find((place) => withHistory.has(place)) ?? labels[0] ?? null,
  };
}

function redraw(changed) {
  for (const section of SECTIONS)
    if (!changed || section.uses.includes(changed)) section.draw(report, view, choose);
  tellJudgement();
}

function change(name, value) {
  view[name] = value;
  redraw(name);
  toAddress(view, initial);
}

// Of a picture or a table: shows a problem or a solver.
function choose(name, place) {
  find(name).value = place;
  change(name, place);
  if (name === "solver") find("solver-view").scrollIntoView();
}

// In words: what the choice of criterion and tolerance means for these documents.
function tellJudgement() {
  const known = report.knowing(view, SOLVED);
  const parts = [];
  if (known.solvers.length) {
    const { problems, unmeasured } = profilePictures.profiles(report, view, "data");
    const missing = report.selection(view).count - problems;
    parts.push(`Profiles compare ${counted(problems, "problem")}`
      + (missing ? `, and leave out ${number(missing)} that not every solver was run on.` : "."));
    if (unmeasured) parts.push(`${counted(unmeasured, "solved pair")} without this measure count as unsolved in profiles.`);
  }
  const unknown = view.solvers.filter((solver) => report.tells(solver, view) === NOTHING);
  if (unknown.length) parts.push(report.whyNothing(view, unknown), `${counted(unknown.length, "solver")} `
    + `${unknown.length === 1 ? "is" : "are"} not ranked: ${labels(unknown)}. To know, run again with ${options()}.`);
  const bounded = view.solvers.filter((solver) => report.tells(solver, view) === SOLVED);
  if (bounded.length) parts.push(`Run for ${report.asked(bounded)}: ${labels(bounded)}. At this looser tolerance it is known `
    + "what they solve; their costs are those of the tighter answer, upper bounds, by which no solver is ranked.");
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

function connectControls() {
  const groups = { "": [], family: [], size: [] };
  report.statistics.selections.forEach(({ name, group, count }, place) =>
    groups[group].push(element("option", { value: place }, `${name} (${number(count)})`)));
  find("selection").replaceChildren(...groups[""], ...[["family", "Families"], ["size", "Sizes"]]
    .filter(([group]) => groups[group].length).map(([group, label]) => element("optgroup", { label }, ...groups[group])));
  const solvers = report.solvers.map(({ label }, place) => [place, label]);
  const options = {
    measure: Object.entries(report.measures).map(([name, { label }]) => [name, label]),
    criterion: Object.entries(report.criteria), tolerance: report.tolerances.map((value) => [value, power(value)]),
    x: solvers, y: solvers, solver: solvers, residual: Object.entries(convergence.RESIDUALS),
  };
  for (const [name, pairs] of Object.entries(options)) fillSelect(find(name), pairs, view[name]);
  fillProblems();
  for (const [name, fromText] of Object.entries(SELECTS)) {
    find(name).value = view[name];
    find(name).addEventListener("change", ({ target }) => change(name, fromText(target.value)));
  }
}

function fillProblems() {
  const { label, family } = report.problems;
  const members = report.families.map(() => []);
  label.forEach((text, place) => members[family[place]].push(element("option", { value: place }, text)));
  find("problem").replaceChildren(...report.families.map((name, index) =>
    element("optgroup", { label: name }, ...members[index])));
}

// Someone typed another address, or went back.
function followTheAddress() {
  addEventListener("hashchange", () => {
    const found = fromAddress(report, SELECTS);
    if (!found) return;
    Object.assign(view, initial, found);
    for (const name of Object.keys(SELECTS)) find(name).value = view[name];
    picker.show(view.solvers);
    redraw();
  });
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

document.querySelectorAll("figure[data-plot]").forEach(furnish);
connectControls();
redraw();
followTheAddress();
redrawWhenTheRoomChanges();
document.documentElement.dataset.ready = "true";
