// What is looked at, as a part of the page's address: whoever opens it sees the same.

// What the address says, of what there is; null if it says nothing.
export function fromAddress(report, kinds) {
  const words = location.hash.slice(1);
  if (!words.includes("=")) return null;
  const found = {};
  for (const [name, text] of new URLSearchParams(words)) {
    if (name === "solvers")
      found.solvers = text.split(" ").filter(Boolean).map(Number).filter((place) => report.solvers[place]);
    else if (kinds[name] && isThere(report, name, text)) found[name] = kinds[name](text);
  }
  return found;
}

function isThere(report, name, text) {
  const among = {
    selection: report.statistics.selections, problem: report.problems.label, solver: report.solvers, x: report.solvers,
    y: report.solvers, measure: report.measures, criterion: report.criteria,
  }[name];
  if (among) return among[text] !== undefined;
  return name === "tolerance" ? report.tolerances.includes(Number(text)) : true;
}

export function toAddress(view, initial) {
  const words = new URLSearchParams();
  for (const [name, value] of Object.entries(view)) {
    const text = Array.isArray(value) ? value.join(" ") : String(value);
    const usual = Array.isArray(initial[name]) ? initial[name].join(" ") : String(initial[name]);
    if (text !== usual) words.set(name, text);
  }
  // Without an entry in the history for each step; a lone # would scroll to the top.
  history.replaceState(null, "", `#${words.toString() || "view="}`);
}
