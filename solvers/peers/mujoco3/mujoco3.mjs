// The constraint solvers of MuJoCo 3 on a contact problem: README.md. As in ../mujoco/mujoco.cpp, but with spheres on
// a plane, and with elliptic cones only.
//
//     node mujoco3.mjs pgs|cg|newton [--hard]
import { Refusal, serve } from "./protocol.mjs";
import { Scene, solvers } from "./scene.mjs";

const mostContacts = 1000; // dense
const method = process.argv[2];
const hard = process.argv.includes("--hard");
const relativeR = hard ? 1e-9 : 1e-4;
const scenes = new Map();

// Row of MuJoCo's for each row of ours; empty are the second tangent in 2D, and tangents without friction.
function placesOf(problem) {
  const { dimension, mu } = problem;
  return Int32Array.from({ length: problem.unknowns }, (_, row) => {
    const contact = Math.floor(row / dimension), k = row % dimension;
    return k === 0 || mu[contact] > 0 ? 3 * contact + k : -1;
  });
}

// Lower triangle of a root of A, dense, by Cholesky with pivots, until only rounding is left.
function rootOf(A, size) {
  const J = new Float64Array(size * size);
  const left = Float64Array.from({ length: size }, (_, k) => A[k * (size + 1)]);
  for (let rank = 0; rank < size; ++rank) {
    let pivot = -1, most = 1e-13;
    for (let k = 0; k < size; ++k)
      if (left[k] > most * A[k * (size + 1)]) [pivot, most] = [k, left[k] / A[k * (size + 1)]];
    if (pivot < 0) break;
    const root = Math.sqrt(left[pivot]);
    for (let row = 0; row < size; ++row) {
      let entry = A[row * size + pivot];
      for (let k = 0; k < rank; ++k) entry -= J[row * size + k] * J[pivot * size + k];
      entry /= root;
      J[row * size + rank] = entry;
      left[row] -= entry * entry;
    }
    left[pivot] = 0;
  }
  return J;
}

function rowsOf(problem) {
  const { contacts, dimension } = problem;
  const size = 3 * contacts, places = placesOf(problem);
  const A = new Float64Array(size * size), b = new Float64Array(size), R = new Float64Array(size);
  const { rows, columns, values } = problem.W;
  for (let k = 0; k < values.length; ++k) {
    const row = places[rows[k]], column = places[columns[k]];
    if (row >= 0 && column >= 0) A[row * size + column] += values[k];
  }
  places.forEach((place, row) => { if (place >= 0) b[place] = problem.q[row]; });
  for (let i = 0; i < contacts; ++i) {
    let diagonal = 0;
    for (let k = 3 * i; k < 3 * i + dimension; ++k) diagonal += A[k * (size + 1)] / dimension;
    R.fill(relativeR * (diagonal > 0 ? diagonal : 1), 3 * i, 3 * i + 3);
  }
  const mu = problem.mu.map((one) => (one > 0 ? one : 1));
  return { A, J: method === "pgs" ? null : rootOf(A, size), b, R, mu, places };
}

function solve(problem) {
  if (problem.contacts > mostContacts) throw new Refusal(`dense: at most ${mostContacts} contacts`);
  if (!scenes.has(problem.contacts)) {
    scenes.clear(); // for memory's sake: the solves of one problem follow one another
    scenes.set(problem.contacts, new Scene(problem.contacts));
  }
  const rows = rowsOf(problem);
  // It is compared with a cost, quadratic in velocities.
  const tolerance = hard ? 1e-3 * problem.tolerance ** 2 : problem.tolerance;
  const found = scenes.get(problem.contacts).solve(rows, solvers[method], tolerance, problem.maxIterations);
  const ofRows = (values) => Array.from(rows.places, (place) => (place >= 0 ? values[place] : 0));
  problem.write(ofRows(found.force));
  problem.soften(ofRows(rows.R));

  let status = "converged"; // PGS has no other end
  if (found.iterations >= problem.maxIterations) status = "max_iterations";
  else if (method !== "pgs" && !(found.gradient < tolerance || (found.improvement > 0 && found.improvement < tolerance)))
    status = "stalled"; // or by Newton's third test, its decrement, which it does not keep
  const counters = { "mujoco time": found.time };
  if (method !== "pgs") counters.gradient = found.gradient;
  if (found.improvement !== undefined) counters.improvement = found.improvement;
  return { status, iterations: found.iterations, solve_time: found.time, counters };
}

await serve(solve);
