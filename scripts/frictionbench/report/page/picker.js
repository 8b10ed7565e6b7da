// Which solvers are shown.

import { element, find } from "./dom.js";
import { swatch } from "./picture.js";

export function makePicker(report, view, changed) {
  const boxes = report.solvers.map((solver, place) => {
    const box = element("input", { type: "checkbox", value: place });
    box.addEventListener("change", tell);
    find("solver-boxes").append(element("label", {}, box, swatch(solver), solver.label));
    return box;
  });
  const chosen = () => boxes.filter(({ checked }) => checked).map(({ value }) => Number(value));
  const count = () => { find("solver-count").textContent = `${chosen().length} of ${boxes.length}`; };

  function tell() {
    count();
    changed(chosen());
  }

  function show(solvers) {
    boxes.forEach((box, place) => { box.checked = solvers.includes(place); });
    count();
  }

  // All and none are of what the filter leaves.
  const filtered = () => boxes.filter((box) => !box.parentElement.hidden);
  const buttons = [
    ["all", () => filtered().forEach((box) => { box.checked = true; })],
    ["none", () => filtered().forEach((box) => { box.checked = false; })],
    ...[...new Set(report.solvers.map(({ model }) => model))].map((model) => [`only ${model}`,
      () => boxes.forEach((box, place) => { box.checked = report.solvers[place].model === model; })]),
  ];
  find("solver-buttons").append(...buttons.map(([name, act]) => {
    const button = element("button", { type: "button" }, name);
    button.addEventListener("click", () => {
      act();
      tell();
    });
    return button;
  }));
  find("solver-filter").addEventListener("input", ({ target }) => boxes.forEach((box, place) => {
    box.parentElement.hidden = !report.solvers[place].label.toLowerCase().includes(target.value.toLowerCase());
  }));
  document.addEventListener("solver-toggle", ({ detail }) => boxes[detail].click());
  show(view.solvers);
  return { show };
}
