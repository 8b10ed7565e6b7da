// What is shown, as files.
/* global Plotly */

import { element } from "./dom.js";

// A button that saves rows of cells; `rows` is called when it is pressed.
export function csvButton(name, rows) {
  const button = element("button", { type: "button", className: "save", ariaLabel: `Save ${name} as CSV` }, "CSV");
  button.addEventListener("click", () => {
    const text = rows().map((row) => row.map(quoted).join(",")).join("\n");
    save(`${name}.csv`, URL.createObjectURL(new Blob([`${text}\n`], { type: "text/csv" })));
  });
  return button;
}

// The picture as it is shown, at twice its size.
export function pngButton(name, plot) {
  const button = element("button", { type: "button", className: "save", ariaLabel: `Save ${name} as PNG` }, "PNG");
  button.addEventListener("click", async () => save(`${name}.png`, await Plotly.toImage(plot, { format: "png", scale: 2 })));
  return button;
}

export function traceRows(traces) {
  return [["curve", "x", "y"], ...traces.flatMap(({ name, label = name, x, y }) =>
    x.map((value, k) => [label, value, y[k] ?? ""]))];
}

function quoted(cell) {
  const text = String(cell);
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function save(name, address) {
  element("a", { download: name, href: address }).click();
}
