// Performance profiles and data profiles.

import { counted, number, percent, quantity } from "./format.js";
import { draw as drawPicture, drawNothing, logAxis, shareAxis, solverTrace } from "./picture.js";
import { costOfShare, dataProfiles, performanceProfiles, shareAt } from "./profiles.js";
import { largest, smallest } from "./statistics.js";
import { ALL, choiceName, SOLVED } from "./store.js";

export const uses = ["family", "size", "measure", "criterion", "tolerance", "solvers"];

const NUMBERS_AT_TAU = [1, 1.5, 2, 5, 10, 100, Infinity];
const NUMBERS_AT_SHARE = [0.1, 0.25, 0.5, 0.75, 0.9];

// Performance profiles rank solvers, which takes costs that are known; data profiles of upper bounds are lower bounds.
export function draw(report, view) {
  drawOf("performance", report, view, ALL, (about, costs) => drawPerformance(about, performanceProfiles(costs)));
  drawOf("data", report, view, SOLVED, (about, costs) => drawData(about, dataProfiles(costs)));
}

// Draws one of the two, of the solvers of which at least so much is known, or says why it cannot be drawn.
function drawOf(id, report, chosen, least, drawProfiles) {
  const view = report.knowing(chosen, least);
  const problems = report.comparableProblems(view);
  const why = whyNone(report, chosen, view, problems);
  if (why) {
    drawNothing(id, why);
    return;
  }
  drawProfiles({ report, view, problems, measure: report.measures[view.measure],
                 labels: view.solvers.map((solver) => report.solvers[solver].label) }, report.costs(view, problems));
}

function whyNone(report, chosen, view, problems) {
  if (!chosen.solvers.length) return "No solver is chosen.";
  if (!view.solvers.length)
    return report.knowing(chosen, SOLVED).solvers.length
      ? `Costs at ${report.judgement(chosen)} are not known, only upper bounds, whose ratios rank no solver: the solvers were run `
        + `for ${report.asked(chosen.solvers)}.`
      : report.whyNothing(chosen, chosen.solvers);
  return problems.length ? null : "No problem of this family and size was given to all of the chosen solvers.";
}

function drawPerformance(about, profiles) {
  const { view, measure, labels } = about;
  const end = niceEnd(largest(profiles.flatMap((profile) => profile.steps.map(([tau]) => tau)), 1));
  const shares = profiles.map((profile) => [shareAt(profile, 1), shareAt(profile, Infinity)]);
  drawPicture("performance", {
    traces: profiles.map((profile, k) => curve(about, view.solvers[k], profile, [], end,
      `τ = %{x:.3~g}: %{y:.1%}`)),
    layout: {
      xaxis: logAxis(`τ: ${measure.label} relative to the best solver`, 1, end),
      yaxis: shareAxis("problems solved"),
    },
    description: `Performance profiles by ${measure.label} of ${where(about)}. `
      + labels.map((label, k) => `${label}: best on ${percent(shares[k][0])}, solves ${percent(shares[k][1])}`).join("; "),
    numbers: {
      caption: `Share of the problems solved within τ times the best, by ${measure.label}, ${where(about)}`,
      head: ["solver", ...NUMBERS_AT_TAU.map((tau) => (tau === Infinity ? "any τ" : `τ = ${tau}`))],
      rows: profiles.map((profile, k) =>
        [labels[k], ...NUMBERS_AT_TAU.map((tau) => percent(shareAt(profile, tau)))]),
    },
  });
}

function drawData(about, profiles) {
  const { view, measure, labels } = about;
  const values = profiles.flatMap((profile) => profile.steps.map(([cost]) => cost));
  if (!values.length) {
    drawNothing("data", `No solver solves any of the problems (${where(about)}).`);
    return;
  }
  const low = smallest(values) / 1.3;
  const end = largest(values) * 1.3;
  drawPicture("data", {
    traces: profiles.map((profile, k) => curve(about, view.solvers[k], profile, [[low, 0]], end,
      `%{x:.3~s}${measure.unit}: %{y:.1%}`)),
    layout: {
      xaxis: logAxis(dataTitle(about), low, end),
      yaxis: shareAxis("problems solved"),
    },
    description: `Share of the problems solved against ${measure.label}, ${where(about)}. `
      + labels.map((label, k) => `${label}: half of the problems take ${
        quantity(costOfShare(profiles[k], 0.5), measure.unit)}`).join("; "),
    numbers: {
      caption: `${measure.label} that a share of the problems takes, ${where(about)}; – where it is never reached`,
      head: ["solver", ...NUMBERS_AT_SHARE.map(percent)],
      rows: profiles.map((profile, k) =>
        [labels[k], ...NUMBERS_AT_SHARE.map((share) => quantity(costOfShare(profile, share), measure.unit))]),
    },
  });
}

function dataTitle({ report, view, measure }) {
  const unit = measure.unit ? ` [${measure.unit}]` : "";
  const bounded = view.solvers.some((solver) => report.tells(solver, view) === SOLVED) ? ", upper bound" : "";
  return `${measure.label}${bounded}${unit}`;
}

// A staircase that goes on to the end of the axis.
function curve({ report }, solver, profile, before, end, hover) {
  const last = profile.steps.length ? profile.steps[profile.steps.length - 1][1] : 0;
  const points = [...before, ...profile.steps, [end, last]];
  return solverTrace(report, solver, {
    mode: "lines", x: points.map(([x]) => x), y: points.map(([, count]) => count / profile.problems),
    line: { shape: "hv" }, hovertemplate: `${hover}<extra>%{fullData.name}</extra>`,
  });
}

// End of the tau axis: past the largest ratio, and never less than 2.
function niceEnd(tau) {
  return [2, 5, 10].find((end) => tau <= 0.9 * end) ?? 1.3 * tau;
}

// What the pictures are of, and what they leave out.
function where({ report, view, problems }) {
  const missing = report.problemsIn(view).length - problems.length;
  const left = missing ? `, without ${number(missing)} that not every chosen solver was run on` : "";
  const bounded = view.solvers.some((solver) => report.tells(solver, view) === SOLVED) ? "; costs are upper bounds" : "";
  return `${choiceName(report, view)}, ${counted(problems.length, "problem")}${left}${bounded}`;
}

// Solved pairs whose measure is not known: they count as unsolved in profiles.
export function unmeasured(report, view) {
  let count = 0;
  for (const problem of report.comparableProblems(view))
    for (const solver of view.solvers) {
      const row = report.rowOf[solver][problem];
      if (report.isSolved(row, view) && report.value(row, view.measure) === null) ++count;
    }
  return count;
}
