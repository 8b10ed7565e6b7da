// The data of the page, what is solved in it, and what cannot be known of it.

import { tolerance as power } from "./format.js";

// What a run tells of a criterion and a tolerance. A solver stops at the tolerance that it was run for: what it would
// have done under another criterion, or at a tighter tolerance, is not known.
export const NOTHING = 0; // another criterion, or a tighter tolerance
export const SOLVED = 1; // a looser tolerance: what is solved, and costs that are not below those needed
export const ALL = 2; // that of the run

export class Report {
  constructor(data) {
    Object.assign(this, data);
    // rowOf[solver][problem] is the place of their record, -1 without one.
    const problems = this.problems.label.length;
    this.rowOf = this.solvers.map(() => new Int32Array(problems).fill(-1));
    this.records.problem.forEach((problem, row) => {
      this.rowOf[this.records.solver[row]][problem] = row;
    });
    this.filesOf = this.solvers.map(() => new Set());
    this.records.solver.forEach((solver, row) => this.filesOf[solver].add(this.records.file[row]));
    this.firstFile = this.files[0];
  }

  // NOTHING, SOLVED or ALL. Solvers stop by the residuals of their own model, at the scale of the run.
  fileTells({ asked: { criterion, tolerance } }, view) {
    const own = `native${criterion.replace(/^[a-z]+/, "")}`;
    if (![criterion, own].includes(view.criterion) || view.tolerance < tolerance) return NOTHING;
    return view.tolerance > tolerance ? SOLVED : ALL;
  }

  tells(solver, view) {
    return Math.min(ALL, ...[...this.filesOf[solver]].map((file) => this.fileTells(this.files[file], view)));
  }

  rowTells(row, view) {
    return this.fileTells(this.file(row), view);
  }

  // The view with only those of its solvers of which at least so much is known.
  knowing(view, least) {
    return { ...view, solvers: view.solvers.filter((solver) => this.tells(solver, view) >= least) };
  }

  // What solvers were run for, in words.
  asked(solvers) {
    const files = new Set(solvers.flatMap((solver) => [...this.filesOf[solver]]));
    return [...new Set([...files].map((file) => this.judgement(this.files[file].asked)))].join(" and ");
  }

  judgement({ criterion, tolerance }) {
    return `${this.criteria[criterion]} at ${power(tolerance)}`;
  }

  // Why there is nothing to show of these solvers.
  whyNothing(view, solvers) {
    return `Nothing can be concluded for ${this.judgement(view)}: the solvers were run for ${this.asked(solvers)} and `
      + "stopped there. Only the same criterion, at that tolerance or a looser one, can be judged.";
  }

  // A number of a record; null if it is not known.
  value(row, name) {
    return this.quantities[name]?.values[row] ?? null;
  }

  text(row, name) {
    return this.texts[this.records[name][row]] ?? null;
  }

  file(row) {
    return this.files[this.records.file[row]];
  }

  // The residual of a record under a criterion; null without an impulse.
  residual(row, criterion) {
    return this.value(row, criterion);
  }

  isSolved(row, { criterion, tolerance }) {
    const residual = this.residual(row, criterion);
    return residual !== null && residual <= tolerance;
  }

  // Whether the times of a record mean anything: repetitions that differ are not of one solve.
  isTimed(row) {
    return this.text(row, "status") !== "not_repeatable";
  }

  // What a record cost by a measure; Infinity if it is not solved, or not measured.
  cost(row, view) {
    if (row < 0 || !this.isSolved(row, view)) return Infinity;
    if (["time", "cholesky"].includes(view.measure) && !this.isTimed(row)) return Infinity;
    const value = this.value(row, view.measure);
    return value === null ? Infinity : Math.max(value, this.measures[view.measure].floor);
  }

  // Problems of the chosen family and size, "" for all.
  problemsIn({ family = "", size = "" }) {
    const { family: families, size: sizes } = this.problems;
    return [...this.problems.label.keys()].filter((problem) =>
      (family === "" || families[problem] === Number(family)) && (size === "" || sizes[problem] === Number(size)));
  }

  // Those of which every chosen solver has a record: what can be compared.
  comparableProblems(view) {
    return this.problemsIn(view).filter((problem) =>
      view.solvers.every((solver) => this.rowOf[solver][problem] >= 0));
  }

  costs(view, problems) {
    return view.solvers.map((solver) =>
      problems.map((problem) => this.cost(this.rowOf[solver][problem], view)));
  }

  // The command that repeats a record's solve.
  command(row) {
    const file = this.file(row);
    const solver = this.solvers[this.records.solver[row]].quoted;
    const solve = `${file.program} solve ${this.text(row, "path")} --solver ${solver} ${file.options}`;
    const limited = this.text(row, "status") === "memory_limit" && file.memory_limit;
    if (this.text(row, "started")?.includes("answer")) return `${solve}  # the run started ${this.text(row, "started")}`;
    return limited ? `(ulimit -v ${Math.floor(file.memory_limit / 1024)}; ${solve})` : solve;
  }
}

// The chosen family and size in words.
export function choiceName(report, { family, size }) {
  const name = family === "" ? "all families" : report.families[Number(family)];
  return size === "" ? name : `${name}, ${report.sizes[Number(size)]} contacts`;
}
