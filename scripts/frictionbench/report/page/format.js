// Numbers and names as text.

const PREFIXES = { s: [[1, "s"], [1e-3, "ms"], [1e-6, "µs"], [1e-9, "ns"]],
                   B: [[2 ** 30, "GiB"], [2 ** 20, "MiB"], [2 ** 10, "KiB"], [1, "B"]] };

// Three significant digits, counts in full; a dash for what is not known.
export function number(value) {
  if (value === null || value === undefined) return "–";
  if (value === Infinity) return "∞";
  if (Number.isInteger(value) && Math.abs(value) < 1e6) return grouped(value);
  const size = Math.abs(value);
  if (size >= 1e-2 && size < 1e4) return String(Number(value.toPrecision(3)));
  return value.toExponential(2).replace("e+", "e").replace(/\.?0+e/, "e");
}

// With its unit; seconds and bytes with the prefix that makes them short.
export function quantity(value, unit) {
  if (value === null || value === undefined) return "–";
  if (!PREFIXES[unit]) return unit ? `${number(value)} ${unit}` : number(value);
  if (value === 0) return `0 ${unit}`;
  const prefixes = PREFIXES[unit];
  const [factor, name] = prefixes.find(([least]) => value >= least) ?? prefixes[prefixes.length - 1];
  return `${Number((value / factor).toPrecision(3))} ${name}`;
}

function grouped(integer) {
  return Math.abs(integer) < 1e4 ? String(integer) : integer.toLocaleString("en").replaceAll(",", "\u202f");
}

// A share in words that round neither to all nor to nothing what is not.
export function percent(share) {
  if (share === null) return "–";
  const rounded = Math.round(100 * share);
  if (rounded === 100 && share < 1) return "> 99 %";
  if (rounded === 0 && share > 0) return "< 1 %";
  return `${rounded} %`;
}

export function tolerance(value) {
  return value >= 0.01 && value < 1e3 ? String(value) : value.toExponential().replace("e+", "e");
}

export function counted(count, singular, plural = `${singular}s`) {
  return `${number(count)} ${count === 1 ? singular : plural}`;
}

// Lines of a long solver id, broken after commas and the opening parenthesis, never inside a setting.
export function lines(label, width = 30) {
  const parts = label.split(/(?<=[(,])|(?= \[)/);
  const broken = [""];
  for (const part of parts) {
    const last = broken[broken.length - 1];
    if (last && last.length + part.length > width) broken.push(part.trimStart());
    else broken[broken.length - 1] = last + part;
  }
  return broken;
}

// As Plotly takes text: it reads some HTML.
export function plotText(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
