// A scene with as many contacts as a problem: spheres of unit mass on three slides each, in a plane, so that M = 1.
// Its arrays of constraints can be overwritten; MuJoCo 3 allocates them when it finds contacts.
import loadMujoco from "@mujoco/mujoco";

const mujoco = await loadMujoco({ print: console.error, printErr: console.error });

export const solvers = {
  pgs: mujoco.mjtSolver.mjSOL_PGS.value,
  cg: mujoco.mjtSolver.mjSOL_CG.value,
  newton: mujoco.mjtSolver.mjSOL_NEWTON.value,
};

const copyOf = (view) => Float64Array.from(view); // views end with the next allocation

function model(contacts) {
  const rows = 3 * contacts;
  const memory = 1e7 + 8 * 8 * rows * rows;  // J, A and its root, the Hessian and its factors
  const slides = ["1 0 0", "0 1 0", "0 0 1"].map((axis) => `<joint type="slide" axis="${axis}"/>`).join("");
  const spheres = Array.from({ length: contacts }, (_, i) =>
    `<body pos="${3 * i} 0 0.9"><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>${slides}` +
    `<geom size="1" condim="3" contype="1" conaffinity="2" priority="1"/></body>`);
  return `<mujoco><size memory="${memory}"/>
    <option jacobian="dense" cone="elliptic" gravity="0 0 0"><flag warmstart="disable" island="disable"/></option>
    <worldbody><geom type="plane" size="1 1 1" contype="2" conaffinity="1"/>${spheres.join("")}</worldbody></mujoco>`;
}

/** What MuJoCo is given, row by row (N, T1, T2): A, its root J with J J^T = A (PGS does without), b, R, mu. */
export class Scene {
  constructor(contacts) {
    this.model = mujoco.MjModel.from_xml_string(model(contacts));
    this.data = new mujoco.MjData(this.model);
    mujoco.mj_kinematics(this.model, this.data);
    mujoco.mj_comPos(this.model, this.data);
    mujoco.mj_makeM(this.model, this.data);
    mujoco.mj_factorM(this.model, this.data);
  }

  /** Returns the forces of mj_fwdConstraint(), its own time in seconds and what it counted. */
  solve({ A, J, b, R, mu }, solver, tolerance, iterations) {
    const { model, data } = this;
    const size = b.length;
    const option = model.opt;
    option.solver = solver;
    option.tolerance = tolerance;
    option.iterations = Math.min(iterations, 2 ** 31 - 1);
    // Spheres come after the plane, and have the priority. Contacts are allocated anew.
    for (let i = 0; i < mu.length; ++i) model.geom_friction[3 * (i + 1)] = mu[i];
    mujoco.mj_collision(model, data);
    mujoco.mj_makeConstraint(model, data);
    if (data.nefc !== size) throw new Error(`MuJoCo has ${data.nefc} rows, not ${size}`);
    if (solver === solvers.pgs) {
      mujoco.mj_projectConstraint(model, data);
      data.efc_AR.set(A);
      const AR = data.efc_AR;
      for (let k = 0; k < size; ++k) AR[k * (size + 1)] += R[k] + (A[k * (size + 1)] > 0 ? 0 : 1);
    }
    data.efc_J.set(J ?? new Float64Array(size * size));
    data.efc_R.set(R);
    data.efc_D.set(R.map((one) => 1 / one));
    data.efc_aref.set(b.map((one) => -one));
    data.qacc_smooth.fill(0);
    data.qfrc_smooth.fill(0);

    const begin = performance.now();
    mujoco.mj_fwdConstraint(model, data);
    const time = (performance.now() - begin) / 1e3;
    const done = data.solver_niter[0];
    const last = done > 0 && done <= data.solver.size() / data.solver_niter.length ? data.solver.get(done - 1) : null;
    return {
      force: copyOf(data.efc_force), time, iterations: done,
      improvement: last?.improvement, gradient: this.#gradient(),
    };
  }

  // Of the primal cost, in the units of the tolerance: M = 1.
  #gradient() {
    const a = copyOf(this.data.qacc), f = copyOf(this.data.qfrc_constraint);
    const square = a.reduce((sum, one, k) => sum + (one - f[k]) ** 2, 0);
    return Math.sqrt(square) / (this.model.stat.meaninertia * this.model.nv);
  }
}
