// What the page's pictures have in common: theme, the look of each solver, legend, text alternative.
/* global Plotly */

import { element, find, scrolled, table } from "./dom.js";
import { lines, plotText } from "./format.js";
import { csvButton, pngButton, traceRows } from "./save.js";

// Two of each model, which the best eight of the model alternate between.
const DASHES = { ncp: ["solid", "9px,3px"], ccp: ["2px,3px", "9px,3px,2px,3px"], lcp: ["16px,3px", "16px,3px,2px,3px"] };
const SYMBOLS = ["circle", "square", "diamond", "triangle-up", "x"];
const PLOT_HEIGHT = 340;
const AXIS_HEIGHT = 62; // ticks and title below the plot
const LEGEND_LINE = 19;

function css(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

export function color(name) {
  return css(`--${name}`);
}

// How a solver is drawn, the same in every picture: the best of each model in colour, as in the pictures of
// frictionbench-profiles, the rest in grey.
function look({ colour, model }) {
  if (colour === null)
    return { line: { color: color("series-rest"), dash: DASHES[model][0], width: 1.2 },
             marker: { color: color("series-rest"), symbol: "circle-open", size: 6 } };
  return {
    line: { color: color(`series-${colour}`), dash: DASHES[model][colour % 2], width: 2.2 },
    marker: { color: color(`series-${colour}`), symbol: SYMBOLS[colour % SYMBOLS.length], size: 8 },
  };
}

// A piece of a solver's line, which stands beside its name in tables and lists.
export function swatch({ colour, model }) {
  const made = element("span", { className: "swatch", ariaHidden: "true" });
  made.style.setProperty("--series", `var(--series-${colour ?? "rest"})`);
  const dash = DASHES[model][(colour ?? 0) % 2];
  if (dash !== "solid") {
    let end = 0;
    const stops = dash.split(",").map((length, place) => {
      const start = end;
      end += parseFloat(length);
      return `${place % 2 ? "transparent" : "var(--series)"} ${start}px ${end}px`;
    });
    made.style.background = `repeating-linear-gradient(to right, ${stops.join(", ")})`;
  }
  return made;
}

// A trace of a solver: its name, in lines and escaped as Plotly wants it, and its look. The label is for what is saved.
export function solverTrace(report, solver, trace) {
  const { line, marker } = look(report.solvers[solver]);
  const { label } = report.solvers[solver];
  const name = lines(label).map(plotText).join("<br>");
  return { type: "scatter", name, label, meta: solver, ...trace, line: { ...line, ...trace.line }, marker };
}

export function axis(title, more = {}) {
  return {
    title: { text: title, standoff: 8, font: { size: 13 } },
    gridcolor: color("grid"), zeroline: false, linecolor: color("muted"), linewidth: 1, showline: true,
    ticks: "outside", tickcolor: color("muted"), ticklen: 4, automargin: true,
    exponentformat: "power", ...more,
  };
}

// Ticks end at `lastTick`, where the axis goes on beyond the numbers.
export function logAxis(title, low, high, lastTick = high) {
  const ticks = logTicks(low, lastTick);
  return axis(title, {
    type: "log", range: [Math.log10(low), Math.log10(high)], tickmode: "array",
    tickvals: ticks, ticktext: ticks.map(tickText),
  });
}

// Powers of ten, or 1-2-5 where these would be too few.
function logTicks(low, high) {
  const decades = Math.log10(high / low);
  const step = Math.max(1, Math.ceil(decades / 8));
  const factors = decades > 2.2 ? [1] : decades > 0.6 ? [1, 2, 5] : [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 7];
  const ticks = [];
  for (let exponent = Math.floor(Math.log10(low)); exponent <= Math.log10(high); ++exponent)
    if (exponent % step === 0)
      ticks.push(...factors.map((factor) => Number(`${factor}e${exponent}`)));
  return ticks.filter((tick) => tick >= low * 0.999 && tick <= high * 1.001);
}

function tickText(tick) {
  const exponent = Math.floor(Math.log10(tick) + 1e-9);
  if (exponent >= -1 && exponent <= 3) return String(tick);
  const [factor] = tick.toExponential().split("e");
  return `${factor === "1" ? "" : `${factor}·`}10<sup>${String(exponent).replace("-", "−")}</sup>`;
}

export function shareAxis(title) {
  return axis(title, { range: [0, 1.02], tickformat: ".0%", dtick: 0.25 });
}

// The legend below the plot: as many columns as fit, and the height that it takes.
function legend(traces, width) {
  const shown = traces.filter((trace) => trace.showlegend !== false);
  const texts = shown.map((trace) => trace.name.split("<br>"));
  const column = Math.max(0, ...texts.flat().map((line) => 7.2 * line.length)) + 60;
  const columns = Math.max(1, Math.floor(width / column));
  const rows = Math.ceil(texts.length / columns);
  return rows * LEGEND_LINE * Math.max(1, ...texts.map((text) => text.length));
}

// What a figure with data-plot needs besides its caption, and a note that it may have.
export function furnish(figure) {
  const { plot, behind } = figure.dataset;
  figure.append(
    element("div", { id: `${plot}-nothing`, className: "nothing", hidden: true }),
    element("div", { id: plot, className: "plot" }),
    ...figure.querySelectorAll("p"),
    element("details", { id: `${plot}-numbers`, className: "behind" },
      element("summary", {}, `Numbers behind ${behind}`), scrolled(`Numbers behind ${behind}`, "")),
    element("p", { id: `${plot}-save`, className: "saves" }));
}

// Draws a picture into a figure, with its text alternative and the numbers behind it.
//   numbers: {caption, head, rows}; events: {name: handler} of Plotly.
export function draw(id, { traces, layout, description, numbers, events = {}, height = PLOT_HEIGHT, axisHeight = AXIS_HEIGHT }) {
  const plot = find(id);
  plot.hidden = false;
  find(`${id}-nothing`).hidden = true;
  const width = plot.clientWidth;
  const finePointer = matchMedia("(pointer: fine)").matches;
  const legendHeight = legend(traces, width - 80);
  const margin = { l: 58, r: 16, t: 12, b: axisHeight + legendHeight, ...layout.margin };
  Plotly.react(plot, traces, {
    width, height: margin.t + height + margin.b,
    paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)",
    font: { family: css("--font"), size: 12.5, color: color("text") },
    hoverlabel: { bgcolor: color("card"), bordercolor: color("muted"), font: { color: color("text") }, align: "left" },
    // Dragging zooms with a mouse; a finger that drags wants to scroll the page.
    hovermode: "closest", dragmode: finePointer ? "zoom" : false, showlegend: true,
    legend: { orientation: "h", x: 0, xanchor: "left", y: -axisHeight / height, yanchor: "top",
              font: { size: 12.5 }, bgcolor: "rgba(0,0,0,0)", itemdoubleclick: false },
    modebar: { bgcolor: "rgba(0,0,0,0)", color: color("muted"), activecolor: color("text") },
    ...layout, margin,
  }, {
    displaylogo: false, displayModeBar: finePointer ? "hover" : false,
    modeBarButtons: [["toImage", "zoom2d", "pan2d", "resetScale2d"]],
    toImageButtonOptions: { format: "svg", filename: id },
  });
  plot.setAttribute("role", "img");
  plot.setAttribute("aria-label", description);
  const toggle = ({ data, curveNumber }) => {
    const solver = data[curveNumber].meta;
    if (solver !== undefined)
      plot.dispatchEvent(new CustomEvent("solver-toggle", { bubbles: true, detail: solver }));
    return false; // the page redraws without the solver, instead of Plotly hiding its curve only
  };
  for (const [name, handler] of Object.entries({
    plotly_legendclick: toggle, plotly_relayout: (change) => freeTicks(plot, change), ...events })) {
    plot.removeAllListeners(name);
    plot.on(name, handler);
  }
  showNumbers(id, numbers);
  find(`${id}-save`).replaceChildren(csvButton(id, () => traceRows(traces)), pngButton(id, plot));
}

// Says in place of a picture why there is none.
export function drawNothing(id, why) {
  find(id).hidden = true;
  const nothing = find(`${id}-nothing`);
  nothing.hidden = false;
  nothing.replaceChildren(element("p", {}, ...[why].flat()));
  showNumbers(id, null);
  find(`${id}-save`).replaceChildren();
}

// Who zooms in needs other ticks than those of the whole axis.
function freeTicks(plot, change) {
  const zoomed = ["xaxis", "yaxis"].filter((name) => `${name}.range[0]` in change && plot.layout[name].type === "log");
  if (zoomed.length) Plotly.relayout(plot, Object.fromEntries(zoomed.map((name) => [`${name}.tickmode`, "auto"])));
}

function showNumbers(id, numbers) {
  const details = find(`${id}-numbers`);
  details.hidden = !numbers;
  const fill = () => {
    const { caption, head, rows } = numbers;
    details.querySelector(".scroll").replaceChildren(table(caption, head, rows, "numbers"));
  };
  // A table is not made before it is opened.
  details.ontoggle = () => details.open && numbers && fill();
  if (details.open && numbers) fill();
}
