// Performance profiles and data profiles, as report/statistics.py computed them.

import { counted, number, percent, quantity } from "./format.js";
import { draw as drawPicture, drawNothing, logAxis, shareAxis, solverTrace } from "./picture.js";
import { ALL, SOLVED } from "./store.js";

export const uses = ["selection", "measure", "criterion", "tolerance", "solvers"];

export function draw(report, view) {
  drawOf("performance", report, view, ALL);
  drawOf("data", report, view, SOLVED);
}

// Draws one of the two, of the solvers of which at least so much is known, or says why it cannot be drawn.
function drawOf(id, report, chosen, least) {
  const view = report.knowing(chosen, least);
  const found = profiles(report, view, id);
  const why = whyNone(report, chosen, view, found);
  if (why) {
    drawNothing(id, why);
    return;
  }
  const about = { report, view, found, measure: report.measures[view.measure] };
  // Grey ones first, so that colours lie above them.
  about.solvers = [...view.solvers].sort((a, b) => (report.solvers[b].colour === null) - (report.solvers[a].colour === null));
  (id === "performance" ? drawPerformance : drawData)(about);
}

export function profiles(report, view, kind) {
  return report.known(view).profiles?.[view.measure][view.selection][kind] ?? null;
}

function whyNone(report, chosen, view, found) {
  if (!chosen.solvers.length) return "No solver is chosen.";
  if (!view.solvers.length)
    return report.knowing(chosen, SOLVED).solvers.length
      ? `Costs at ${report.judgement(chosen)} are not known, only upper bounds, whose ratios rank no solver: the solvers were run `
        + `for ${report.asked(chosen.solvers)}.`
      : report.whyNothing(chosen, chosen.solvers);
  return found?.problems ? null : "No problem of this choice was given to all solvers of the report.";
}

function drawPerformance(about) {
  const { report, found, measure, solvers } = about;
  const curves = solvers.map((solver) => found.curves[solver]);
  const end = niceEnd(Math.max(1, ...curves.map(([taus]) => taus[taus.length - 1])));
  const { taus } = report.statistics;
  drawPicture("performance", {
    traces: curves.map((points, k) => curve(about, solvers[k], points, [], end, "τ = %{x:.3~g}: %{y:.1%}")),
    layout: {
      xaxis: logAxis(`τ: ${measure.label} relative to the best solver`, 1, end),
      yaxis: shareAxis("problems solved"),
    },
    description: `Performance profiles by ${measure.label} of ${where(about)}. `
      + curves.map(([, , shares], k) => `${report.solvers[solvers[k]].label}: best on ${percent(shares[0])}, solves ${
        percent(shares[shares.length - 1])}`).join("; "),
    numbers: {
      caption: `Share of the problems solved within τ times the best of all solvers of the report, by ${measure.label}, ${where(about)}`,
      head: ["solver", ...taus.map((tau) => (tau === null ? "any τ" : `τ = ${tau}`))],
      rows: curves.map(([, , shares], k) => [report.solvers[solvers[k]].label, ...shares.map(percent)]),
    },
  });
}

function drawData(about) {
  const { report, found, measure, solvers } = about;
  const curves = solvers.map((solver) => found.curves[solver]);
  const firsts = curves.map(([costs]) => costs).filter(({ length }) => length);
  if (!firsts.length) {
    drawNothing("data", `No solver solves any of the problems (${where(about)}).`);
    return;
  }
  const low = Math.min(...firsts.map(([first]) => first)) / 1.3;
  const end = Math.max(...firsts.map((costs) => costs[costs.length - 1])) * 1.3;
  drawPicture("data", {
    traces: curves.map((points, k) => curve(about, solvers[k], points, [[low, 0]], end, `%{x:.3~s}${measure.unit}: %{y:.1%}`)),
    layout: { xaxis: logAxis(dataTitle(about), low, end), yaxis: shareAxis("problems solved") },
    description: `Share of the problems solved against ${measure.label}, ${where(about)}. `
      + curves.map(([, , costs], k) => `${report.solvers[solvers[k]].label}: half of the problems take ${
        quantity(costs[2], measure.unit)}`).join("; "),
    numbers: {
      caption: `${measure.label} that a share of the problems takes, ${where(about)}; – where it is never reached`,
      head: ["solver", ...report.statistics.quantiles.map(percent)],
      rows: curves.map(([, , costs], k) =>
        [report.solvers[solvers[k]].label, ...costs.map((cost) => quantity(cost, measure.unit))]),
    },
  });
}

function bounded({ report, view }) {
  return view.solvers.some((solver) => report.tells(solver, view) === SOLVED);
}

function dataTitle(about) {
  const unit = about.measure.unit ? ` [${about.measure.unit}]` : "";
  return `${about.measure.label}${bounded(about) ? ", upper bound" : ""}${unit}`;
}

// A staircase that goes on to the end of the axis.
function curve({ report, view, found }, solver, [places, counts], before, end, hover) {
  const points = [...before, ...places.map((place, k) => [place, counts[k]]), [end, counts[counts.length - 1] ?? 0]];
  return solverTrace(report, solver, {
    // The best stand first in the legend, although grey curves are drawn before those in colour.
    legendrank: 1 + report.known(view).order[view.selection].indexOf(solver),
    mode: "lines", x: points.map(([x]) => x), y: points.map(([, count]) => count / found.problems),
    line: { shape: "hv" }, hovertemplate: `${hover}<extra>%{fullData.name}</extra>`,
  });
}

// End of the tau axis: past the largest ratio, and never less than 2.
function niceEnd(tau) {
  return [2, 5, 10].find((end) => tau <= 0.9 * end) ?? 1.3 * tau;
}

// What the pictures are of, and what they leave out.
function where(about) {
  const { report, view, found } = about;
  const { name, count } = report.selection(view);
  const missing = count - found.problems;
  const left = missing ? `, without ${number(missing)} that not every solver was run on` : "";
  return `${name}, ${counted(found.problems, "problem")}${left}${bounded(about) ? "; costs are upper bounds" : ""}`;
}
