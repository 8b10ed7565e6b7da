// Two solvers compared, one point per problem.

import { find } from "./dom.js";
import { counted, number, plotText, quantity } from "./format.js";
import { color, draw as drawPicture, drawNothing, logAxis } from "./picture.js";
import { ALL, NOTHING } from "./store.js";

export const uses = ["selection", "measure", "criterion", "tolerance", "x", "y", "problem"];

export function draw(report, view, choose) {
  const [x, y] = [view.x, view.y].map((solver) => report.solvers[solver].label);
  const measure = report.measures[view.measure];
  const points = pairs(report, view);
  const solved = points.flatMap((point) => [point.x, point.y]).filter(Number.isFinite);
  const why = whyNone(report, view, points, solved);
  if (why) {
    drawNothing("scatter", why);
    find("scatter-note").textContent = "";
    return;
  }
  const low = Math.min(...solved) / 1.5;
  const most = Math.max(...solved);
  // What is not solved has a place of its own, beyond the largest cost.
  const unsolved = most * Math.max(2.5, (most / low) ** 0.12);
  const high = unsolved * Math.max(1.6, (most / low) ** 0.06);
  const wall = Math.sqrt(most * unsolved);
  const at = (cost) => (Number.isFinite(cost) ? cost : unsolved);
  const unit = measure.unit ? ` [${measure.unit}]` : "";
  // A long id has no room at an axis; the controls above the picture have it.
  const title = (label, place) => (label.length > 30 ? `${measure.label} of the ${place} solver` : plotText(label)) + unit;

  const kinds = outcomes(points);
  const text = (cost) => (Number.isFinite(cost) ? quantity(cost, measure.unit) : "not solved");
  const trace = ({ name, members, colour, symbol }) => ({
    type: "scatter", mode: "markers", name: `${name}: ${number(members.length)}`,
    x: members.map((point) => at(point.x)), y: members.map((point) => at(point.y)),
    customdata: members.map((point) => point.problem),
    text: members.map((point) => `<b>${plotText(report.problems.label[point.problem])}</b><br>`
      + `${plotText(short(x))}: ${text(point.x)}<br>${plotText(short(y))}: ${text(point.y)}`),
    hovertemplate: "%{text}<extra></extra>",
    marker: { color: color(colour), symbol, size: 8, opacity: 0.75, line: { width: 0.5, color: color("card") } },
  });
  const band = (x0, y0, x1, y1) => ({
    type: "rect", layer: "below", x0, y0, x1, y1, fillcolor: color("bars"), opacity: 0.6, line: { width: 0 } });
  const chosen = points.filter((point) => point.problem === view.problem && Number.isFinite(Math.min(point.x, point.y)));
  const ring = {
    type: "scatter", mode: "markers", name: "chosen problem", showlegend: false, hoverinfo: "skip",
    x: chosen.map((point) => at(point.x)), y: chosen.map((point) => at(point.y)),
    marker: { symbol: "circle-open", size: 18, color: color("text"), line: { width: 2.5 } },
  };
  drawPicture("scatter", {
    traces: [...kinds.filter(({ members, drawn }) => drawn && members.length).map(trace), ring],
    layout: {
      xaxis: logAxis(title(x, "horizontal"), low, high, most), yaxis: logAxis(title(y, "vertical"), low, high, most),
      shapes: [band(wall, low, high, high), band(low, wall, wall, high), {
        type: "line", layer: "below", x0: low, y0: low, x1: wall, y1: wall, line: { color: color("muted"), width: 1 } }],
      annotations: [
        { ...unsolvedLabel(), x: Math.log10(unsolved), y: Math.log10(low), yanchor: "bottom", textangle: -90 },
        { ...unsolvedLabel(), x: Math.log10(low), y: Math.log10(unsolved), xanchor: "left" },
      ],
    },
    height: 400,
    description: `${measure.label} of ${x} (horizontal) and ${y} (vertical), one point per problem, `
      + `${report.selection(view).name}. ${sentence(kinds)}`,
    numbers: {
      caption: `${measure.label} of each problem, the largest factor first (at most 200)`,
      head: ["problem", x, y, "factor"],
      rows: byFactor(points).slice(0, 200).map((point) =>
        [report.problems.label[point.problem], text(point.x), text(point.y), number(point.y / point.x)]),
    },
    events: { plotly_click: ({ points: [point] }) => point.customdata !== undefined && choose("problem", point.customdata) },
  });
  const neither = kinds.find(({ drawn }) => !drawn).members.length;
  find("scatter-note").textContent = neither ? `${counted(neither, "problem")} that neither solves: not drawn.` : "";
}

// Why there is no picture; null if there is one.
function whyNone(report, view, points, solved) {
  const known = Math.min(report.tells(view.x, view), report.tells(view.y, view));
  if (known === NOTHING) return report.whyNothing(view, [view.x, view.y].filter((s) => report.tells(s, view) === NOTHING));
  if (known < ALL) return `Costs at ${report.judgement(view)} are not known, only upper bounds, which cannot be compared: `
    + `the solvers were run for ${report.asked([view.x, view.y])}.`;
  if (!points.length) return "No problem of this choice was given to both solvers.";
  return solved.length ? null : "Neither solver solves any of these problems.";
}

// What both solvers need for each problem that both were given.
function pairs(report, view) {
  return report.problemsIn(view).map((problem) => {
    const [row, other] = [report.rowOf[view.x][problem], report.rowOf[view.y][problem]];
    return row < 0 || other < 0 ? null : { problem, x: report.cost(row, view), y: report.cost(other, view) };
  }).filter(Boolean);
}

function outcomes(points) {
  const kind = (name, colour, symbol, test) => ({ name, colour, symbol, members: points.filter(test) });
  const finite = Number.isFinite;
  return [
    kind("vertical solver needs less", "series-0", "circle", ({ x, y }) => y < x && finite(x)),
    kind("horizontal solver needs less", "series-1", "square", ({ x, y }) => x < y && finite(y)),
    kind("equal", "series-2", "diamond", ({ x, y }) => x === y && finite(x)),
    kind("only the vertical solver solves", "series-4", "triangle-up", ({ x, y }) => finite(y) && !finite(x)),
    kind("only the horizontal solver solves", "series-5", "triangle-right", ({ x, y }) => finite(x) && !finite(y)),
    { ...kind("neither solves", "muted", "x", ({ x, y }) => !finite(x) && !finite(y)), drawn: false },
  ].map((outcome) => ({ drawn: true, ...outcome }));
}

function sentence(kinds) {
  return `${kinds.filter(({ members }) => members.length)
    .map(({ name, members }) => `${name}: ${number(members.length)}`).join("; ")}.`;
}

function byFactor(points) {
  const size = ({ x, y }) => (Number.isFinite(x) || Number.isFinite(y) ? Math.abs(Math.log(y / x)) : -1);
  return [...points].sort((a, b) => size(b) - size(a)).filter((point) => size(point) >= 0);
}

function unsolvedLabel() {
  return { text: "not solved", showarrow: false, font: { color: color("muted"), size: 12 }, bgcolor: color("bars") };
}

function short(label) {
  return label.length > 44 ? `${label.slice(0, 43)}…` : label;
}
