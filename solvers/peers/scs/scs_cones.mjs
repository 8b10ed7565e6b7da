// The CCP as a cone program for SCS 3: README.md.
//
// min x.P x / 2 + c.x, A x + s = b with P = W, c = q, x = r, b = 0 and s = (0 or r_N >= 0 or (mu r_N, r_T)) in the
// zero cone, the nonnegative numbers (normals without friction) and second-order cones, in the order of SCS.
import createSCS from "scs-solver";
import { Refusal, serve } from "./protocol.mjs";

const mostContacts = 2000; // the memory of WebAssembly, if the factor fills
const absolute = process.argv.includes("--absolute");
const SCS = await createSCS({ print: console.error, printErr: console.error });

// Compressed columns of the entries that `wanted` lets through; those of the same place added up.
function compressed(size, entries, wanted) {
  const columns = Array.from({ length: size }, () => new Map());
  for (const [row, column, value] of entries)
    if (wanted(row, column)) columns[column].set(row, (columns[column].get(row) ?? 0) + value);
  const starts = [0], indices = [], values = [];
  for (const column of columns) {
    for (const [row, value] of [...column].sort((a, b) => a[0] - b[0])) {
      indices.push(row);
      values.push(value);
    }
    starts.push(indices.length);
  }
  return { starts, indices, values };
}

function* triplets({ rows, columns, values }) {
  for (let k = 0; k < values.length; ++k) yield [rows[k], columns[k], values[k]];
}

// Rows of A, each a multiple of one unknown.
function cones(problem) {
  const { dimension, mu } = problem;
  const contacts = [...mu.keys()], smooth = contacts.filter((i) => !(mu[i] > 0)), rough = contacts.filter((i) => mu[i] > 0);
  const tangents = (i) => Array.from({ length: dimension - 1 }, (_, k) => [dimension * i + 1 + k, 1]);
  return {
    rows: [
      ...smooth.flatMap(tangents),
      ...smooth.map((i) => [dimension * i, 1]),
      ...rough.flatMap((i) => [[dimension * i, mu[i]], ...tangents(i)]),
    ],
    z: smooth.length * (dimension - 1),
    l: smooth.length,
    q: rough.map(() => dimension),
  };
}

// info.status tells which limit was reached.
function statusOf({ statusVal, status }) {
  if (statusVal === 1) return "converged";
  if (status.includes("max_iters")) return "max_iterations";
  if (status.includes("time_limit")) return "time_limit";
  return statusVal === 2 ? "inaccurate" : "error";
}

function solve(problem) {
  if (problem.contacts > mostContacts) throw new Refusal(`at most ${mostContacts} contacts`);
  const size = problem.unknowns;
  const { rows, z, l, q } = cones(problem);
  const P = compressed(size, triplets(problem.W), (row, column) => row <= column);
  const A = compressed(size, rows.map(([column, factor], row) => [row, column, -factor]), () => true);
  const data = {
    m: size, n: size,
    A_x: A.values, A_i: A.indices, A_p: A.starts,
    P_x: P.values, P_i: P.indices, P_p: P.starts,
    b: new Array(size).fill(0), c: Array.from(problem.q),
  };
  const settings = new SCS.ScsSettings();
  SCS.setDefaultSettings(settings);
  settings.verbose = 0;
  settings.epsAbs = problem.tolerance;
  settings.epsRel = absolute ? 0 : problem.tolerance;
  settings.maxIters = problem.maxIterations;
  settings.timeLimitSecs = Number.isFinite(problem.timeLimit) ? problem.timeLimit : 0;
  const found = SCS.solve(data, { z, l, q, qsize: q.length }, settings);
  settings.delete?.();
  const { info } = found;
  if (found.x?.every(Number.isFinite)) problem.write(found.x);
  const measured = { "primal residual": info.resPri, "dual residual": info.resDual, gap: info.gap };
  const counters = Object.fromEntries(Object.entries(measured).filter(([, value]) => Number.isFinite(value)));
  return {
    status: statusOf(info), iterations: info.iter, solve_time: (info.setupTime + info.solveTime) / 1e3,
    message: `SCS: ${info.status}`, counters,
  };
}

await serve(solve);
