// Profiles: the numbers. scripts/frictionbench/profiles/performance.py has the same for pictures in papers; the
// tests hold the two to each other.

// Steps of a curve that rises by one at each of the ascending values: [value, values up to it].
function steps(values) {
  const points = [];
  values.forEach((value, index) => {
    const lastOfTies = index + 1 === values.length || values[index + 1] > value;
    if (lastOfTies) points.push([value, index + 1]);
  });
  return points;
}

function ascending(values) {
  return Float64Array.from(values.filter(Number.isFinite)).sort();
}

// Dolan-Moré performance profiles. costs[solver][problem] is > 0, Infinity where it is not solved.
// Of each solver: the number of problems, and steps [tau, problems solved within tau times the best]
// from tau = 1 on.
export function performanceProfiles(costs) {
  const problems = costs.length ? costs[0].length : 0;
  const best = Array.from({ length: problems }, (_, p) => Math.min(...costs.map((row) => row[p])));
  return costs.map((row) => {
    const points = steps(ascending(row.map((cost, p) => cost / best[p])));
    if (!points.length || points[0][0] > 1) points.unshift([1, 0]);
    return { problems, steps: points };
  });
}

// Data profiles: steps [cost, problems solved at that cost or less] of each solver.
export function dataProfiles(costs) {
  return costs.map((row) => ({ problems: row.length, steps: steps(ascending(row)) }));
}

// Share of the problems that a profile reaches at a ratio or a cost; 0 without problems.
export function shareAt(profile, at) {
  if (!profile.problems) return 0;
  let count = 0;
  for (const [value, reached] of profile.steps) {
    if (value > at) break;
    count = reached;
  }
  return count / profile.problems;
}

// The least cost at which a profile reaches a share of its problems; null if it never does.
export function costOfShare(profile, share) {
  const needed = share * profile.problems;
  const found = profile.steps.find(([, reached]) => reached >= needed);
  return found ? found[0] : null;
}
