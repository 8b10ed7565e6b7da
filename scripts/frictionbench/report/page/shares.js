// Solved share against the number of contacts and against the condition number.

import { element } from "./dom.js";
import { number, percent, tolerance as power } from "./format.js";
import { axis, color, draw as drawPicture, drawNothing, shareAxis, solverTrace } from "./picture.js";
import { countEdges, decadeEdges, grouped, largest, smallest } from "./statistics.js";
import { choiceName, SOLVED } from "./store.js";

export const uses = ["family", "size", "criterion", "tolerance", "solvers"];

const NO_CONDITION = [
  "No condition numbers in this file. ", element("code", {}, "frictionbench run … --condition"),
  " computes them: of the symmetric part of W, the Delassus matrix of each problem.",
];

export function draw(report, chosen) {
  const view = report.knowing(chosen, SOLVED);
  if (!view.solvers.length) {
    const why = chosen.solvers.length ? report.whyNothing(chosen, chosen.solvers) : "No solver is chosen.";
    for (const id of ["contacts", "condition"]) drawNothing(id, why);
    return;
  }
  const problems = report.problemsIn(view);
  const of = (name) => problems.map((problem) => report.problems[name]?.[problem] ?? null);

  const contacts = of("contacts");
  const edges = countEdges(largest(contacts, 1));
  drawShares("contacts", { report, view, problems, title: "number of contacts", wide: true }, contacts, edges,
    (low, high) => (high - low === 1 ? `${low}` : `${low}–${high - 1}`));

  const condition = of("condition");
  const known = condition.filter((value) => value !== null && value > 0);
  if (!report.problems.condition) drawNothing("condition", NO_CONDITION);
  else if (!known.length) drawNothing("condition", "No problem of this family and size has a known condition number.");
  else
    drawShares("condition", { report, view, problems, title: "condition number of W, by decade" }, condition,
      decadeEdges(smallest(known), largest(known)), (low) => `10<sup>${Math.round(Math.log10(low))}</sup>`);
}

function drawShares(id, about, values, edges, groupName) {
  const { report, view, problems, title, wide = false } = about;
  const groups = grouped(values, edges).map((members, k) =>
    ({ name: groupName(edges[k], edges[k + 1]), members: members.map((index) => problems[index]) }));
  // Groups at the ends that hold nothing; empty ones between are gaps worth seeing.
  while (groups.length && !groups[0].members.length) groups.shift();
  while (groups.length && !groups[groups.length - 1].members.length) groups.pop();
  const names = groups.map(({ name }) => name);
  const sizes = groups.map(({ members }) => members.length);
  const shares = view.solvers.map((solver) => groups.map(({ members }) => shareSolved(about, solver, members)));
  const tilted = wide && names.length > 7;
  const unknown = values.filter((value) => value === null).length;

  const bars = {
    type: "bar", name: "problems", x: names, y: sizes, yaxis: "y2", marker: { color: color("bars") },
    hovertemplate: "%{y} problems<extra></extra>",
  };
  drawPicture(id, {
    traces: [bars, ...view.solvers.map((solver, k) => solverTrace(report, solver, {
      mode: "lines+markers", x: names, y: shares[k], connectgaps: false,
      hovertemplate: "%{x}: %{y:.1%}<extra>%{fullData.name}</extra>",
    }))],
    layout: {
      xaxis: axis(title, { type: "category", categoryorder: "array", categoryarray: names, tickangle: tilted ? -45 : "auto" }),
      // Bars behind the curves, in the lower half of the picture.
      yaxis: { ...shareAxis("problems solved"), overlaying: "y2", range: [0, 1.05] },
      yaxis2: axis("problems", { side: "right", range: [0, 2.2 * largest(sizes, 1)], showgrid: false,
                                 title: { text: "problems", standoff: 4, font: { size: 13 } }, nticks: 5,
                                 tickformat: ",d" }),
      margin: { r: 60 },
    },
    axisHeight: tilted ? 100 : undefined,
    description: `Share of the problems solved against ${title}, ${choiceName(report, view)}, `
      + `${report.criteria[view.criterion]} at ${power(view.tolerance)}: ${number(problems.length - unknown)} problems in ${groups.length} groups.`,
    numbers: {
      caption: `Share solved by ${title}, ${choiceName(report, view)}`
        + (unknown ? `; not known of ${number(unknown)} problems` : ""),
      head: [title, "problems", ...view.solvers.map((solver) => report.solvers[solver].label)],
      rows: names.map((name, k) => [plain(name), number(sizes[k]), ...shares.map((share) => percent(share[k]))]),
    },
  });
}

// Of the members that the solver was run on; null if it was run on none.
function shareSolved({ report, view }, solver, members) {
  const rows = members.map((problem) => report.rowOf[solver][problem]).filter((row) => row >= 0);
  return rows.length ? rows.filter((row) => report.isSolved(row, view)).length / rows.length : null;
}

function plain(name) {
  return name.replace(/^10<sup>(-?\d+)<\/sup>/, "1e$1");
}
