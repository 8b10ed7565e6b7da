// Statistics that tables and shares are made of.

const TIME_SHIFT = 1e-4; // s, of the shifted geometric mean, as in `frictionbench summary`

// Without the limit on arguments that Math.max has.
export function largest(values, start = -Infinity) {
  return values.reduce((most, value) => Math.max(most, value), start);
}

export function smallest(values, start = Infinity) {
  return values.reduce((least, value) => Math.min(least, value), start);
}

export function mean(values) {
  return values.length ? values.reduce((sum, value) => sum + value, 0) / values.length : null;
}

// exp(mean(log(v + shift))) - shift; null for no values.
export function shiftedGeometricMean(values, shift = TIME_SHIFT) {
  const logarithm = mean(values.map((value) => Math.log(value + shift)));
  return logarithm === null ? null : Math.exp(logarithm) - shift;
}

// Edges of the groups 1, 2-4, 5-9, 10-19, ... that hold numbers of contacts up to the largest; 0 is a
// group of its own.
export function countEdges(largest) {
  const edges = [0, 1];
  for (let decade = 1; edges[edges.length - 1] <= largest; decade *= 10)
    for (const factor of [2, 5, 10]) if (edges[edges.length - 1] <= largest) edges.push(factor * decade);
  return edges;
}

// Edges at the powers of ten around the smallest and the largest of positive numbers.
export function decadeEdges(smallest, largest) {
  const first = Math.floor(Math.log10(smallest));
  const last = Math.max(first + 1, Math.floor(Math.log10(largest)) + 1);
  return Array.from({ length: last - first + 1 }, (_, k) => 10 ** (first + k));
}

// The places of the values in groups [edge k, edge k + 1): groups[k] holds indices of values. null and
// what is outside of the edges is in no group.
export function grouped(values, edges) {
  const groups = edges.slice(1).map(() => []);
  values.forEach((value, index) => {
    if (value === null) return;
    const group = edges.findIndex((edge, k) => value >= edge && value < edges[k + 1]);
    if (group >= 0) groups[group].push(index);
  });
  return groups;
}
