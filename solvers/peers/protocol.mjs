// What the peers in JavaScript share: the lines of solvers/external/README.md, and a problem in units of its own.
import fs from "node:fs";
import readline from "node:readline";

/** A problem that a solver does not take: why. */
export class Refusal extends Error {}

/** u = W r + q in units where trace(W_ii) = dimension for each contact and max |q| = 1; W symmetrised. The same
 * problem as asked, as cones do not change with the unit of a contact; but for the part of W that is not symmetric. */
export class Problem {
  constructor(request) {
    this.request = request;
    this.dimension = request.dimension;
    this.contacts = request.contacts;
    this.unknowns = this.dimension * this.contacts;
    this.tolerance = request.tolerance;
    this.maxIterations = request.max_iterations;
    this.timeLimit = request.time_limit ?? Infinity;
    this.mu = this.#array("mu");
    this.#symmetrize();
    this.unit = this.#units();
    const { rows, columns, values } = this.W;
    for (let k = 0; k < values.length; ++k) values[k] *= this.unit[rows[k]] * this.unit[columns[k]];
    this.q = this.#array("q").map((q, row) => q * this.unit[row]);
    this.velocity = this.q.reduce((most, q) => Math.max(most, Math.abs(q)), 0) || 1;
    this.q = this.q.map((q) => q / this.velocity);
  }

  /** Writes an answer in these units. */
  write(r) {
    this.#overwrite("r", Float64Array.from(r, (value, row) => value * this.velocity * this.unit[row]));
  }

  /** Says that the problem was solved with a compliance, in these units, on top of its own. */
  soften(R) {
    this.#overwrite("compliance", this.#array("R").map((own, row) => own + R[row] / this.unit[row] ** 2));
  }

  #overwrite(name, array) {
    const file = fs.openSync(this.request.file, "r+");
    fs.writeSync(file, new Uint8Array(array.buffer), 0, array.byteLength, this.request.arrays[name].offset);
    fs.closeSync(file);
  }

  #array(name) {
    const place = this.request.arrays[name];
    const array = place.type === "int32" ? new Int32Array(place.count) : new Float64Array(place.count);
    const file = fs.openSync(this.request.file, "r");
    fs.readSync(file, new Uint8Array(array.buffer), 0, array.byteLength, place.offset);
    fs.closeSync(file);
    return array;
  }

  // W as entries that may come twice: half of W and half of its transpose.
  #symmetrize() {
    const starts = this.#array("W.indptr"), indices = this.#array("W.indices"), data = this.#array("W.data");
    const rows = new Int32Array(2 * data.length), columns = new Int32Array(2 * data.length);
    const values = new Float64Array(2 * data.length);
    let k = 0;
    for (let row = 0; row < this.unknowns; ++row)
      for (let at = starts[row]; at < starts[row + 1]; ++at, k += 2) {
        rows[k] = columns[k + 1] = row;
        columns[k] = rows[k + 1] = indices[at];
        values[k] = values[k + 1] = data[at] / 2;
      }
    this.W = { rows, columns, values };
  }

  #units() {
    const size = new Float64Array(this.contacts);
    const { rows, columns, values } = this.W;
    for (let k = 0; k < values.length; ++k)
      if (rows[k] === columns[k]) size[Math.floor(rows[k] / this.dimension)] += values[k] / this.dimension;
    const positive = size.filter((one) => one > 0);
    const mean = positive.length ? positive.reduce((sum, one) => sum + one, 0) / positive.length : 1;
    return Float64Array.from({ length: this.unknowns }, (_, row) => {
      const one = size[Math.floor(row / this.dimension)];
      return 1 / Math.sqrt(one > 0 ? one : mean);
    });
  }
}

function answer(solve, request) {
  if ("protocol" in request) return { protocol: "frictionbench-solver", version: 1 };
  if (request.contacts === 0) return { status: "converged" };
  try {
    return solve(new Problem(request));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { status: "refused", message: error.message };
  }
}

/** Answers each request with solve(Problem), an object of the protocol, until standard input ends. */
export async function serve(solve) {
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const request = JSON.parse(line);
    process.stdout.write(JSON.stringify({ id: request.id, ...answer(solve, request) }) + "\n");
  }
}
