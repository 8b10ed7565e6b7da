// What did not end well, by kind, each with the command that repeats it.

import { element, find } from "./dom.js";
import { counted, number } from "./format.js";

export const uses = ["selection", "solvers"];

const KINDS = {
  wrong: "the solver said converged, the verdict on its own model says no",
  other_model: "the solver solved its own model, and the answer does not solve the criterion's",
  not_repeatable: "repeating the solve gave another answer or other work",
  crashed: "the process died",
  error: "failed otherwise",
  memory_limit: "ended by the memory limit",
  time_limit: "ended by the time limit",
  max_iterations: "iteration limit",
  diverged: "an iterate became infinite or NaN",
  stalled: "no progress, noticed by the solver",
  cycle: "the method cycles",
  ray: "ended on a secondary ray",
  inaccurate: "the solver calls its own answer imprecise",
  refused: "the solver does not apply to the problem",
};
const PAGE = 50;

export function draw(report, view) {
  const chosen = new Set(view.solvers);
  const problems = new Set(report.problemsIn(view));
  const rows = [...report.records.status.keys()].filter((row) =>
    chosen.has(report.records.solver[row]) && problems.has(report.records.problem[row]));
  const byKind = groups(report, rows);
  byKind.delete("converged");
  const kinds = [...new Set([...Object.keys(KINDS), ...byKind.keys()])].filter((kind) => byKind.has(kind));
  const open = new Set([...find("failure-list").querySelectorAll("details[open]")].map(({ dataset }) => dataset.kind));
  const parts = kinds.map((kind) => part(kind, KINDS[kind] ?? "", byKind.get(kind), recordList(report)));
  if (report.unreadable.length)
    parts.push(part("unreadable", "files that could not be used as problems", report.unreadable, unreadableList(report)));
  for (const details of parts) details.open = open.has(details.dataset.kind);
  const none = element("p", {}, "None: every solve converged, and every file could be read.");
  find("failure-list").replaceChildren(...(parts.length ? parts : [none]));
}

function groups(report, rows) {
  const byKind = new Map();
  for (const row of rows) {
    const kind = report.text(row, "status");
    if (!byKind.has(kind)) byKind.set(kind, []);
    byKind.get(kind).push(row);
  }
  return byKind;
}

// One kind, closed; its rows are made when it is opened, some at a time.
function part(kind, meaning, items, { head, cells }) {
  const body = element("tbody");
  const more = element("button", { type: "button", className: "more", hidden: true });
  const grow = () => {
    const shown = body.rows.length;
    body.append(...items.slice(shown, shown + PAGE).map((item) => {
      const [first, ...rest] = cells(item);
      return element("tr", {}, element("th", { scope: "row" }, first), ...rest.map((cell) => element("td", {}, cell)));
    }));
    const left = items.length - body.rows.length;
    more.hidden = !left;
    more.textContent = `Show ${Math.min(PAGE, left)} more of ${number(left)}`;
  };
  more.addEventListener("click", grow);
  const details = element("details", { className: "kind" },
    element("summary", {}, element("strong", {}, kind.replaceAll("_", " ")), ` ${number(items.length)}`,
      element("span", { className: "meaning" }, meaning ? `: ${meaning}` : "")),
    element("div", { className: "scroll", tabIndex: 0, role: "region", ariaLabel: `Records: ${kind}` },
      element("table", { className: "failures" },
        element("caption", {}, element("span", {}, `${kind}: ${counted(items.length, "entry", "entries")}`)),
        element("thead", {}, element("tr", {}, ...head.map((text) => element("th", { scope: "col" }, text)))), body)),
    more);
  details.dataset.kind = kind;
  details.addEventListener("toggle", () => details.open && !body.rows.length && grow());
  return details;
}

function recordList(report) {
  return {
    head: ["problem", "solver", "what happened", "command that repeats it"],
    cells: (row) => [report.problems.label[report.records.problem[row]], report.solvers[report.records.solver[row]].label,
                     happened(report, row), command(report.command(row))],
  };
}

function unreadableList(report) {
  return {
    head: ["file", "reason", "command that repeats it"],
    cells: ({ file, path, quoted, reason }) => [path, reason, command(`${report.files[file].program} info ${quoted}`)],
  };
}

function happened(report, row) {
  const { criterion } = report.file(row);
  const residual = report.value(row, criterion);
  const parts = [report.text(row, "message"), residual === null ? null : `residual ${number(residual)} (${report.criteria[criterion]})`];
  const iterations = report.value(row, "iterations");
  if (iterations !== null) parts.push(counted(iterations, "iteration"));
  return parts.filter(Boolean).join("; ");
}

function command(text) {
  const code = element("code", { className: "command" }, text);
  const copy = element("button", { type: "button", className: "copy", ariaLabel: `Copy the command ${text}` }, "Copy");
  copy.addEventListener("click", async () => {
    // Selected in any case: a browser may keep pages from disk away from the clipboard.
    getSelection().selectAllChildren(code);
    try {
      await navigator.clipboard.writeText(text);
      copy.textContent = "Copied";
    } catch {
      copy.textContent = "Selected";
    }
  });
  return element("div", { className: "repeat" }, code, copy);
}
