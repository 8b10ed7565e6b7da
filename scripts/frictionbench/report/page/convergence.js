// Convergence curves of the chosen problem.

import { element } from "./dom.js";
import { number, tolerance as power } from "./format.js";
import { axis, color, draw as drawPicture, drawNothing, logAxis, solverTrace } from "./picture.js";

export const uses = ["problem", "residual", "solvers"];

export const RESIDUALS = {
  largest: "largest residual", primal: "primal residual", dual: "dual residual",
  complementarity: "complementarity residual", penalty: "penalty parameter",
};
const MANY_ITERATIONS = 200;

export function draw(report, view) {
  const histories = report.histories.by_record;
  const run = element("code", {}, "frictionbench run … --history");
  if (!Object.keys(histories).length) {
    drawNothing("convergence", ["No iteration histories in this file: ", run, " records them."]);
    return;
  }
  const curves = view.solvers.map((solver) => ({ solver, row: report.rowOf[solver][view.problem] }))
    .filter(({ row }) => row >= 0 && histories[row])
    .map(({ solver, row }) => ({ solver, row, ...points(histories[row], view.residual) }))
    .filter(({ y }) => y.some((value) => value > 0));
  const name = report.problems.label[view.problem];
  if (!curves.length) {
    drawNothing("convergence", `No chosen solver has a history of this kind on ${name}.`);
    return;
  }
  const label = RESIDUALS[view.residual];
  const last = Math.max(...curves.flatMap(({ x }) => x));
  const values = curves.flatMap(({ y }) => y).filter((value) => value > 0);
  const tolerances = view.residual === "penalty" ? []
    : [...new Set(curves.map(({ row }) => report.file(row).asked.tolerance))];
  const low = Math.min(...values, ...tolerances) / 3;
  const high = Math.max(...values) * 3;
  const manyIterations = last > MANY_ITERATIONS;
  drawPicture("convergence", {
    traces: curves.map(({ solver, x, y }) => solverTrace(report, solver, {
      mode: x.length > 40 ? "lines" : "lines+markers", x, y,
      hovertemplate: "iteration %{x}: %{y:.2e}<extra>%{fullData.name}</extra>",
    })),
    layout: {
      xaxis: manyIterations ? logAxis("iteration", 1, last * 1.1) : axis("iteration", { rangemode: "tozero" }),
      yaxis: logAxis(label, low, high),
      shapes: tolerances.map((tolerance) => ({
        type: "line", layer: "below", xref: "paper", x0: 0, x1: 1, y0: tolerance, y1: tolerance,
        line: { color: color("muted"), width: 1.5, dash: "dot" } })),
      annotations: tolerances.map((tolerance) => ({
        xref: "paper", x: 1, xanchor: "right", y: Math.log10(tolerance), yanchor: "bottom", showarrow: false,
        text: `tolerance of the run: ${power(tolerance)}`, font: { color: color("muted"), size: 12 } })),
    },
    description: `${label} against iterations on ${name}. ` + curves.map(({ solver, x, y }) =>
      `${report.solvers[solver].label}: from ${number(y[0])} to ${number(y[y.length - 1])} `
      + `in ${number(x[x.length - 1])} iterations`).join("; "),
    numbers: {
      caption: `${label} on ${name}`,
      head: ["solver", "rows", "first", "least", "last", "last iteration"],
      rows: curves.map(({ solver, x, y }) => [report.solvers[solver].label, number(x.length), number(y[0]),
        number(Math.min(...y.filter((value) => value !== null))), number(y[y.length - 1]), number(x[x.length - 1])]),
    },
  });
}

// A history as a curve over a logarithmic axis, where 0 has no place.
function points(history, residual) {
  const columns = residual === "largest" ? ["primal", "dual", "complementarity"] : [residual];
  const y = history.iteration.map((_, k) => {
    const values = columns.map((name) => history[name]?.[k] ?? null).filter((value) => value !== null);
    return values.length ? Math.max(...values) : null;
  });
  return { x: history.iteration, y };
}

// Problems that have a history by any solver.
export function problemsWithHistory(report) {
  return new Set(Object.keys(report.histories.by_record).map((row) => report.records.problem[row]));
}
