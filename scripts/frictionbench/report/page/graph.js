// The chosen problem itself: who touches whom, what contacts carry, and the spectrum of W.

import { element } from "./dom.js";
import { counted, number, tolerance as power } from "./format.js";
import { axis, color, draw as drawPicture, drawNothing, logAxis } from "./picture.js";

export const uses = ["problem"];

export function draw(report, { problem }) {
  const { graphs } = report;
  const graph = graphs?.of[problem];
  if (graph) {
    drawContacts(report.problems.label[problem], graph, graphs);
    drawSpectrum(report.problems.label[problem], graph);
    return;
  }
  for (const id of ["graph", "spectrum"])
    drawNothing(id, graphs ? graphs.without[problem] ?? "No problem could be read."
      : ["Not in this report: ", element("code", {}, "frictionbench-report --graphs"), " reads the problems' files."]);
}

function drawContacts(name, { x, y, edges, left_out: leftOut, impulse }, { solver, tolerance }) {
  const lines = { x: [], y: [] };
  for (let k = 0; k < edges.length; k += 2)
    for (const [to, from] of [[lines.x, x], [lines.y, y]]) to.push(from[edges[k]], from[edges[k + 1]], null);
  const contacts = [...x.keys()];
  const carrying = contacts.filter((k) => impulse?.[k] > 0);
  const others = contacts.filter((k) => !(impulse?.[k] > 0));
  const largest = Math.max(...carrying.map((k) => impulse[k]));
  const whose = impulse ? `normal impulses of ${solver} at ${power(tolerance)}` : `${solver} does not solve it at ${power(tolerance)}`;
  const nodes = (members, more) => ({
    type: "scatter", mode: "markers", x: members.map((k) => x[k]), y: members.map((k) => y[k]), customdata: members, ...more });
  const text = (k) => `contact ${k}${impulse ? `, ${number(impulse[k])}` : ""}`;
  drawPicture("graph", {
    traces: [
      { type: "scatter", mode: "lines", name: "coupled by W", ...lines, hoverinfo: "skip", line: { color: color("rule"), width: 1 } },
      nodes(others, { name: impulse ? "carries nothing" : "contact", text: others.map(text), hoverinfo: "text",
                      marker: { symbol: "circle-open", size: 8, color: color("muted") } }),
      nodes(carrying, { name: "carries", text: carrying.map(text), hoverinfo: "text",
                        marker: { size: carrying.map((k) => 6 + 12 * Math.sqrt(impulse[k] / largest)), color: color("series-0"),
                                  opacity: 0.8, line: { width: 1, color: color("card") } } }),
    ].filter((trace) => trace.x.length),
    layout: { xaxis: { visible: false }, yaxis: { visible: false, scaleanchor: "x" }, margin: { l: 16 } },
    axisHeight: 16,
    description: `${counted(x.length, "contact")} of ${name}, ${counted(edges.length / 2, "coupled pair")} drawn; ${whose}.`,
    numbers: {
      caption: `Contacts of ${name}; ${whose}${leftOut ? `; ${counted(leftOut, "weaker coupling")} not drawn` : ""}`,
      head: ["contact", "normal impulse", "coupled with"],
      rows: contacts.map((k) => [String(k), number(impulse?.[k]), partners(edges, k)]),
    },
  });
}

function partners(edges, contact) {
  return edges.map((end, k) => (end === contact ? edges[k % 2 ? k - 1 : k + 1] : null)).filter((other) => other !== null).join(", ");
}

function drawSpectrum(name, { spectrum: { place, value }, rank, unknowns }) {
  if (!rank) {
    drawNothing("spectrum", "W has no eigenvalue above rounding.");
    return;
  }
  const [first, last] = [value[0], value[value.length - 1]];
  drawPicture("spectrum", {
    traces: [{ type: "scatter", mode: "lines+markers", name: `${number(rank)} of ${number(unknowns)} eigenvalues are not zero`,
               x: place, y: value, line: { color: color("series-0"), width: 2 }, marker: { size: 5, color: color("series-0") },
               hovertemplate: "%{x}: %{y:.2e}<extra></extra>" }],
    layout: { xaxis: axis("eigenvalues of the symmetric part of W, the largest first", { range: [0, unknowns + 1] }),
              yaxis: logAxis("eigenvalue", last / 2, first * 2) },
    description: `Eigenvalues of the symmetric part of W of ${name}: ${number(rank)} of ${number(unknowns)} are not zero, `
      + `from ${number(first)} to ${number(last)}.`,
    numbers: { caption: `Spectrum of ${name}: rank ${number(rank)} of ${number(unknowns)}`, head: ["place", "eigenvalue"],
               rows: place.map((k, index) => [number(k), number(value[index])]) },
  });
}
