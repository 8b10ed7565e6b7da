// Solved share against the number of contacts and against the condition number.

import { element } from "./dom.js";
import { number, percent } from "./format.js";
import { axis, color, draw as drawPicture, drawNothing, shareAxis, solverTrace } from "./picture.js";
import { SOLVED } from "./store.js";

export const uses = ["selection", "criterion", "tolerance", "solvers"];

const TITLES = { contacts: "number of contacts", condition: "condition number of W, by decade" };
const NO_CONDITION = [
  "No condition numbers in this file. ", element("code", {}, "frictionbench run … --condition"),
  " computes them: of the symmetric part of W, the Delassus matrix of each problem.",
];

export function draw(report, chosen) {
  const view = report.knowing(chosen, SOLVED);
  for (const id of Object.keys(TITLES)) {
    const found = report.known(view).shares?.[id][view.selection];
    if (!view.solvers.length)
      drawNothing(id, chosen.solvers.length ? report.whyNothing(chosen, chosen.solvers) : "No solver is chosen.");
    else if (!found)
      drawNothing(id, report.problems[id] ? "No problem of this choice has a known one." : NO_CONDITION);
    else drawShares(id, report, view, found);
  }
}

function drawShares(id, report, view, { names, problems, unknown, shares }) {
  const tilted = names.join("").length > 40;  // they would touch
  const bars = {
    type: "bar", name: "problems", x: names, y: problems, yaxis: "y2", marker: { color: color("bars") },
    hovertemplate: "%{y} problems<extra></extra>",
  };
  const label = (solver) => report.solvers[solver].label;
  const where = `${report.selection(view).name}, ${report.judgement(view)}`;
  drawPicture(id, {
    traces: [bars, ...view.solvers.map((solver) => solverTrace(report, solver, {
      mode: "lines+markers", x: names, y: shares[solver], connectgaps: false,
      hovertemplate: "%{x}: %{y:.1%}<extra>%{fullData.name}</extra>",
    }))],
    layout: {
      margin: { r: 58 },
      xaxis: axis(TITLES[id], { type: "category", gridcolor: "rgba(0,0,0,0)", tickangle: tilted ? 45 : 0 }),
      yaxis: { ...shareAxis("problems solved"), overlaying: "y2" },
      yaxis2: axis("problems", { side: "right", showgrid: false, rangemode: "tozero", nticks: 5 }),
    },
    axisHeight: tilted ? 110 : undefined,
    description: `Solved share against ${TITLES[id]}, ${where}. ${view.solvers.map((solver) =>
      `${label(solver)}: ${names.map((name, k) => `${name} ${percent(shares[solver][k])}`).join(", ")}`).join("; ")}`,
    numbers: {
      caption: `Solved share, ${where}${unknown ? `; ${number(unknown)} problems are not in it: theirs is not known` : ""}`,
      head: [TITLES[id], "problems", ...view.solvers.map(label)],
      rows: names.map((name, k) => [name, number(problems[k]), ...view.solvers.map((solver) => percent(shares[solver][k]))]),
    },
  });
}
